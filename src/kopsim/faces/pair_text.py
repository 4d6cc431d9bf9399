"""Odds of pair games as a table for people and as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.cards import format_cards
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.odds_text import result_data
from kopsim.faces.words import number, percent, reach, seat_name, share_reach, whole
from kopsim.pair_game_odds import PairOdds, RoleOdds
from kopsim.rules import RuleSet

_GRADES = ("no-trick", "under-26", "with-26", "all-or-nothing")  # the highest price first


def data(rules: RuleSet, results: Sequence[PairOdds]) -> dict[str, Any]:
    """The odds as JSON data, in the shape of the other contracts' with what is special to pairs."""
    return {"rules": rules.id, "hand": [str(card) for card in results[0].hand], "results": list(map(_result, results))}


def _result(result: PairOdds) -> dict[str, Any]:
    return result_data(result) | {
        "mean_payment": float(result.mean_payment),
        **(
            {}
            if result.exact
            else {
                "mean_payment_error": result.payment.error,
                "mean_payment_interval": list(result.payment.interval),
            }
        ),
        # Where hands are barred some layouts do not count.
        **({"counted": result.total} if result.exact and result.total < result.layouts else {}),
        "roles": [
            {
                "role": role.role.name.lower(),
                "contract": role.contract,
                "layouts": role.total,
                "wins": role.wins,
                "won": role.won,
                "lost": role.lost,
            }
            for role in result.roles
        ],
    }


def table(rules: RuleSet, results: Sequence[PairOdds], lang: Lang) -> list[Block]:
    """The odds seat by seat, split by role and by what the losers have."""
    first = results[0]
    rows = [
        [message("wins-row", lang), *(percent(float(result.probability), lang) for result in results)],
        [message("mean-payment", lang), *(number(float(result.mean_payment), lang, sign=True) for result in results)],
    ]
    if not first.exact:
        rows.insert(1, ["", *(share_reach(result.interval, lang) for result in results)])
        rows.append(["", *(reach(result.payment.interval, lang) for result in results)])
    for role in dict.fromkeys(role.role for result in results for role in result.roles):
        rows += _role_rows(
            [next((r for r in result.roles if r.role == role), None) for result in results], results, lang
        )
    name = rules.contract(first.contract).name.text(lang)
    return [
        Heading(f"{format_cards(first.hand, lang=lang)}   {name}   {rules.name.text(lang)}"),
        Grid([message("seat", lang), *_seats(rules, results, lang)], rows),
        Paragraph(message("pair-note", lang)),
        Paragraph(_counted(results, lang) + " " + message("double-dummy", lang)),
    ]


def _counted(results: Sequence[PairOdds], lang: Lang) -> str:
    """What was counted, and what was left out."""
    first = results[0]
    if first.sample is not None:
        return message("odds-sampled", lang, samples=whole(first.sample.size), seed=first.sample.seed)
    barred = {result.seat: result.layouts - result.total for result in results if result.total < result.layouts}
    if barred:
        counts = ", ".join(f"{seat}: {whole(count)}" for seat, count in barred.items())
        return message("pair-barred", lang, layouts=whole(first.layouts), counts=counts)
    return message("odds-exact", lang, layouts=whole(first.layouts))


def _seats(rules: RuleSet, results: Sequence[PairOdds], lang: Lang) -> list[str]:
    """Seats as headings: with their names only if there is room, which four would not leave."""
    if len(results) == 1:
        return [seat_name(rules, results[0].seat, lang)]
    return [str(result.seat) for result in results]


def _role_rows(roles: Sequence[RoleOdds | None], results: Sequence[PairOdds], lang: Lang) -> list[list[str]]:
    """The share of layouts in which the hand has a role, and within all layouts how it ends there."""
    some = next(role for role in roles if role is not None)
    key = f"role-{some.role.name.lower()}"
    rows = [
        [
            message(key, lang, contract=some.contract),
            *_shares([role.total if role is not None else 0 for role in roles], results, lang),
        ]
    ]
    for side in ("won", "lost"):
        counts = [getattr(role, side) if role is not None else {} for role in roles]
        for grade in _GRADES:
            if any(grade in each for each in counts):
                told = f"  {message(side, lang)}"
                if grade != "all-or-nothing":
                    told += f": {message(f'graded-{grade}', lang)}"
                rows.append([told, *_shares([each.get(grade, 0) for each in counts], results, lang)])
    return rows


def _shares(counts: Sequence[int], results: Sequence[PairOdds], lang: Lang) -> list[str]:
    return [percent(count / result.total, lang) for count, result in zip(counts, results, strict=True)]
