"""Best defence beside double dummy, as a table for people and as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.barred import BarredHand
from kopsim.best_defence import BestDefenceOdds
from kopsim.bound_table import Bound, Bracket
from kopsim.cards import format_cards
from kopsim.errors import Lang, message
from kopsim.faces.barred_text import Row, barred_data, barred_notes, with_barred
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.words import percent, seat_name, whole
from kopsim.hand_odds import Odds
from kopsim.reply_bound import ReplyBound
from kopsim.rules import RuleSet

Found = Sequence[tuple[BestDefenceOdds, Odds]]


def data(rules: RuleSet, found: Found, barred: Sequence[BarredHand] = ()) -> dict[str, Any]:
    """The odds as JSON data, in the shape of double dummy ones with what bound they are; barred: as there."""
    results = [bracket_data(best.seat, best.contract, "best-defence", best.bracket) for best, _ in found]
    hand = [str(card) for card in found[0][0].hand]
    return {"rules": rules.id, "hand": hand, "results": results, **barred_data(barred)}


def bracket_data(seat: int, contract: str, model: Bound, found: Bracket) -> dict[str, Any]:
    """One seat and contract of a bound; what bounds a soloist from below has its own bound from above."""
    reply = model == "reply-bound"
    told = {
        "seat": seat,
        "contract": contract,
        "model": model,
        "exact": found.exact,
        "layouts": found.layouts,
        "wins": found.least,
        "probability": found.probability,
        "bound": "upper" if reply else "exact" if found.exact else "lower",
    }
    return told if reply else told | {"at_most": found.most}


def at_most(found: Bracket, lang: Lang) -> str:
    """What no plan exceeds, or that the plan found is the best."""
    return message("exact", lang) if found.exact else percent(found.most / found.layouts, lang)


def table(rules: RuleSet, found: Found, lang: Lang, barred: Sequence[BarredHand] = ()) -> list[Block]:
    """A row for each seat and contract: what a plan keeps, what none can, and what open cards would win."""
    rows = []
    for best, open_cards in found:
        figures = [
            percent(float(best.probability), lang),
            at_most(best.bracket, lang),
            percent(float(open_cards.probability), lang),
        ]
        rows.append((best.seat, best.contract, figures))
    keys = ("seat", "contract", "kept", "at-most", "open-cards")
    layouts = whole(found[0][0].layouts)
    return [
        Heading(f"{format_cards(found[0][0].hand, lang=lang)}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], _named(rules, rows, barred, lang), left=2),
        *barred_notes(barred, lang),
        Paragraph(message("best-defence-note", lang, layouts=layouts)),
        Paragraph(message("double-dummy", lang)),
    ]


def _named(rules: RuleSet, rows: Sequence[Row], barred: Sequence[BarredHand], lang: Lang) -> list[list[str]]:
    """Rows with seats and contracts in words, those that may not be among them."""
    return [
        [seat_name(rules, seat, lang), rules.contract(contract).name.text(lang), *figures]
        for seat, contract, figures in with_barred(rules, rows, barred, lang)
    ]


def reply_data(rules: RuleSet, bounds: Sequence[ReplyBound], barred: Sequence[BarredHand] = ()) -> dict[str, Any]:
    """Reply bounds as JSON data."""
    results = [
        bracket_data(each.seat, each.contract, "reply-bound", Bracket(each.wins, each.wins, each.layouts))
        | {"defenders": each.defenders, "weighed": each.weighed, "seed": each.seed}
        for each in bounds
    ]
    hand = [str(card) for card in bounds[0].hand]
    return {"rules": rules.id, "hand": hand, "results": results, **barred_data(barred)}


def reply_table(
    rules: RuleSet, bounds: Sequence[ReplyBound], lang: Lang, barred: Sequence[BarredHand] = ()
) -> list[Block]:
    """A row for each seat and contract: what the best reply to these defenders wins."""
    rows = [(each.seat, each.contract, [percent(float(each.probability), lang), whole(each.wins)]) for each in bounds]
    first = bounds[0]
    note = message("reply-note", lang, defenders=first.defenders, layouts=whole(first.layouts), seed=first.seed)
    return [
        Heading(f"{format_cards(first.hand, lang=lang)}   {rules.name.text(lang)}"),
        Grid(
            [message(key, lang) for key in ("seat", "contract", "best-reply", "wins")],
            _named(rules, rows, barred, lang),
            left=2,
        ),
        *barred_notes(barred, lang),
        Paragraph(note),
    ]
