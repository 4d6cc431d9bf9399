"""Play-outs for people and as data: an estimate, or one deal with each player's thinking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kopsim.bidding import PASS
from kopsim.calling_range import packaged_ranges
from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.tricks import hand_rows, trick_rows
from kopsim.faces.words import NO_BREAK, number, percent, reach, seat_name, share_reach, whole
from kopsim.play import Position
from kopsim.play_out import Estimate, Played, PlayOut, Setting, play_deal
from kopsim.players import Decision, View
from kopsim.rules import RuleSet


def estimate_data(seat: int, each: Estimate) -> dict[str, Any]:
    """What was played of one seat as JSON data."""
    return {
        "seat": seat,
        "exact": each.exact,
        "layouts": each.layouts,
        "deals": each.deals,
        "wins": each.wins,
        "probability": each.probability,
        "interval": list(each.interval),
        "mean_payment": each.payment.value,
        "mean_payment_error": each.payment.error,
        "mean_payment_interval": list(each.payment.interval),
    }


def data(result: PlayOut, contract: str) -> dict[str, Any]:
    """An estimate as JSON data, in the shape of other odds."""
    setting = result.setting
    rules = setting.table.rules
    return {
        "rules": rules.id,
        "hand": [str(card) for card in sort_hand(setting.hand, rules, setting.table.played_as)],
        "results": [
            {
                "contract": contract,
                "model": "play-out",
                **estimate_data(setting.seat, result),
                "seed": setting.seed,
                "players": setting.own,
                "defenders": setting.others,
                "weighed": setting.layouts,
                "range": None if setting.table.calling is None else len(setting.table.calling),
                "bound": None,
            }
        ],
    }


def table(result: PlayOut, contract: str, lang: Lang) -> list[Block]:
    """An estimate with its interval, and what it means."""
    setting = result.setting
    rules = setting.table.rules
    paid = result.payment
    rows = [
        [message("wins-row", lang), percent(result.probability, lang), share_reach(result.interval, lang, 1)],
        [message("mean-payment", lang), number(paid.value, lang, sign=True), reach(paid.interval, lang)],
    ]
    told = message(
        "play-out-note",
        lang,
        deals=whole(result.deals),
        layouts=whole(result.layouts),
        seed=setting.seed,
        own=setting.own,
        others=setting.others,
    )
    hand = format_cards(sort_hand(setting.hand, rules, setting.table.played_as), lang=lang)
    seat = f"{message('seat', lang)} {seat_name(rules, setting.seat, lang)}"
    return [
        Heading(f"{hand}   {played_name(rules, contract, lang)}   {seat}"),
        Grid(["", message("estimate", lang), message("interval", lang)], rows),
        Paragraph(told),
        Paragraph(belief(rules, contract, lang, expected=setting.table.calling is not None)),
    ]


def belief(rules: RuleSet, contract: str, lang: Lang, *, expected: bool) -> str:
    """What the others believe in play-outs of a contract, and why; expected: whether they expect a calling range."""
    if contract == PASS or rules.contract(contract).announced == "silent":
        return message("played-silent-note", lang)
    if expected:
        return message("played-range-note", lang)
    ranges = packaged_ranges(rules)
    known = ranges is not None and contract in ranges.contracts
    return message("played-any-note" if known else "played-no-range-note", lang)


def played_name(rules: RuleSet, contract: str, lang: Lang) -> str:
    """The name of a contract, or of a deal in which everybody passes."""
    return message("pass", lang) if contract == PASS else rules.contract(contract).name.text(lang)


def chance(played: Estimate, lang: Lang) -> list[str]:
    """A chance and its 95 % interval in whole percents, for tables that have much else to show."""
    return [percent(played.probability, lang), share_reach(played.interval, lang)]


# --- one deal


@dataclass(frozen=True)
class Watched:
    """A deal played out with what each player saw and decided."""

    played: Played
    decisions: tuple[tuple[View, Decision], ...]


def watched(setting: Setting, rank: int) -> Watched:
    """One layout played out before our eyes."""
    seen: list[tuple[View, Decision]] = []
    played = play_deal(setting, rank, lambda view, made: seen.append((view, made)))
    return Watched(played, tuple(seen))


def watched_data(shown: Watched) -> dict[str, Any]:
    """A watched deal as JSON data."""
    return {
        "deal": str(shown.played.deal),
        "contract": shown.played.contract,
        "side": list(shown.played.side),
        "cards": [
            {
                "seat": view.seat,
                "card": str(made.card),
                "weighed": [
                    {"card": str(card), "payment": payment, "points": points} for card, payment, points in made.weighed
                ],
            }
            for view, made in shown.decisions
        ],
        "payment": shown.played.payment,
    }


def watched_text(shown: Watched, lang: Lang) -> list[Block]:
    """A watched deal: the hands, each decision with what was weighed, and the tricks."""
    played = shown.played
    rules = played.deal.rules
    start = Position.start(played.deal, contract=shown.decisions[0][0].table.played_as)
    rows = []
    for place, (view, made) in enumerate(shown.decisions, start=1):
        weighed = ", ".join(
            f"{card.text(lang=lang)}{NO_BREAK}{number(paid, lang, sign=True)}"
            for card, paid, _ in sorted(made.weighed, key=lambda each: -each[1])
        )
        rows.append([str(place), str(view.seat), made.card.text(lang=lang), weighed])
    cards: list[Card] = [card for _, card in played.cards]
    contract = rules.contract(played.contract).name.text(lang)
    side = ", ".join(map(str, played.side))
    return [
        Heading(message("analyse-title", lang, contract=contract, side=side)),
        Grid([message("seat", lang), message("hand", lang)], hand_rows(start, lang), left=2),
        Heading(message("thinking", lang), 3),
        Grid(["", *(message(key, lang) for key in ("seat", "card", "weighed"))], rows, left=4),
        Grid([""] * 5, trick_rows(start, cards, lang), left=5),
        Paragraph(message("thinking-note", lang)),
    ]
