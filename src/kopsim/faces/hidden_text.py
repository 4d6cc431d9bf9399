"""Odds with hidden hands: play-outs, the bracket around them and what follows, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.barred import BarredHand
from kopsim.bound_table import Bracket
from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.barred_text import Row, barred_data, barred_notes, with_barred
from kopsim.faces.bracket_text import bracket_data
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.odds_text import result_data
from kopsim.faces.play_out_text import belief, chance, estimate_data
from kopsim.faces.words import payment, percent, seat_name, share_reach, whole
from kopsim.hidden_table import LAYOUTS
from kopsim.measures import Measures
from kopsim.play_out import Estimate
from kopsim.rules import RuleSet

# Seat, contract, what was played, and whether the others expect a calling range in it.
Played = tuple[int, str, Estimate, bool]


def _played_data(seat: int, contract: str, played: Estimate, expected: bool) -> dict[str, Any]:
    told = {"seat": seat, "contract": contract, "model": "play-out"} | estimate_data(seat, played)
    return told | {"bound": None, "expected": "range" if expected else "any"}


def played_data(
    rules: RuleSet, hand: Sequence[Card], found: Sequence[Played], barred: Sequence[BarredHand] = ()
) -> dict[str, Any]:
    """Play-outs as JSON data in the shape of other odds; barred: where the hand may not play."""
    cards = [str(card) for card in sort_hand(hand, rules)]
    results = [_played_data(*each) for each in found]
    return {"rules": rules.id, "hand": cards, "results": results, **barred_data(barred)}


def played_table(
    rules: RuleSet, hand: Sequence[Card], found: Sequence[Played], lang: Lang, barred: Sequence[BarredHand] = ()
) -> list[Block]:
    """Play-outs for people, a row for each seat and contract."""
    rows = [
        (seat, contract, [*chance(played, lang), payment(played.payment, lang)]) for seat, contract, played, _ in found
    ]
    keys = ("seat", "contract", "play-out", "interval", "mean-payment")
    return [
        Heading(f"{format_cards(sort_hand(hand, rules), lang=lang)}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], _named(rules, rows, barred, lang), left=2),
        *barred_notes(barred, lang),
        *_played_notes(rules, [(contract, expected) for _, contract, _, expected in found], lang),
    ]


def _named(rules: RuleSet, rows: Sequence[Row], barred: Sequence[BarredHand], lang: Lang) -> list[list[str]]:
    """Rows with their contracts in words, those that may not be among them."""
    return [
        [str(seat), rules.contract(contract).name.text(lang), *figures]
        for seat, contract, figures in with_barred(rules, rows, barred, lang)
    ]


def data(
    rules: RuleSet, hand: Sequence[Card], found: Sequence[Measures], barred: Sequence[BarredHand] = ()
) -> dict[str, Any]:
    """All models as JSON data: for each seat and contract play-out, bounds and double dummy, and the verdict."""
    results = []
    for each in found:
        if each.played is None or each.best is None:
            continue
        results += [
            _played_data(each.seat, each.contract, each.played, each.expected) | {"verdict": each.verdict},
            bracket_data(each.seat, each.contract, "best-defence", each.best),
            *_reply_data(each),
            result_data(each.open_cards) | {"bound": None},
        ]
    cards = [str(card) for card in sort_hand(hand, rules)]
    return {"rules": rules.id, "hand": cards, "results": results, **barred_data(barred)}


def _reply_data(each: Measures) -> list[dict[str, Any]]:
    if each.reply is None:
        return []
    row = bracket_data(each.seat, each.contract, "reply-bound", each.reply)
    return [row | {"defenders": "pimc", "weighed": LAYOUTS}]


def table(
    rules: RuleSet, hand: Sequence[Card], found: Sequence[Measures], lang: Lang, barred: Sequence[BarredHand] = ()
) -> list[Block]:
    """Play-outs first, then the bracket, then a line for each that says how far it depends on the defence."""
    rows, lines = [], []
    replied = any(each.reply is not None for each in found)
    for each in found:
        if each.played is None or each.best is None:
            continue
        contract = rules.contract(each.contract).name.text(lang)
        figures = [
            *chance(each.played, lang),
            _between(each.best, lang),
            *([_reply(each, lang)] if replied else []),
            percent(float(each.open_cards.probability), lang),
        ]
        rows.append((each.seat, each.contract, figures))
        advice = message(f"verdict-{each.advice}", lang)
        seat = seat_name(rules, each.seat, lang)
        lines.append(f"{seat}, {contract}: {message(f'verdict-{each.verdict}', lang)} ({advice})")
    lacking = "" if all(each.reply is not None for each in found) else " " + message("table-lacks", lang)
    keys = ("seat", "contract", "play-out", "interval", "kept", *(["best-reply"] if replied else []), "open-cards")
    return [
        Heading(f"{format_cards(sort_hand(hand, rules), lang=lang)}   {rules.name.text(lang)}"),
        Grid([message(key, lang) for key in keys], _named(rules, rows, barred, lang), left=2),
        Items(lines),
        *barred_notes(barred, lang),
        *_played_notes(rules, [(each.contract, each.expected) for each in found], lang),
        Paragraph(message("best-defence-between", lang, layouts=whole(found[0].open_cards.layouts))),
        *([Paragraph(message("best-reply-note", lang) + lacking)] if replied else []),
        *([Paragraph(message("within-drawing", lang))] if any(each.within_drawing for each in found) else []),
        Paragraph(message("double-dummy", lang)),
    ]


def _reply(each: Measures, lang: Lang) -> str:
    return "–" if each.reply is None else percent(each.reply.probability, lang)


def _between(best: Bracket, lang: Lang) -> str:
    """What the best plan keeps, or the two numbers between which that lies."""
    if best.exact:
        return percent(best.probability, lang)
    return share_reach((best.probability, best.most / best.layouts), lang)


def _played_notes(rules: RuleSet, played: Sequence[tuple[str, bool]], lang: Lang) -> list[Block]:
    """What play-outs mean, and what the players believe; played: contracts, and whether a range is expected in each."""
    believed = dict.fromkeys(belief(rules, contract, lang, expected=expected) for contract, expected in played)
    return [
        Paragraph(message("played-note", lang, weighed=LAYOUTS)),
        *map(Paragraph, believed),
    ]
