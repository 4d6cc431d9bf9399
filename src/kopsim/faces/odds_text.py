"""Odds as a table for people and as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.padding import Padding

from kopsim.barred import BarredHand
from kopsim.cards import format_cards
from kopsim.errors import Lang, message
from kopsim.faces.barred_text import barred_data, barred_notes
from kopsim.faces.document import Grid, Heading, Paragraph
from kopsim.faces.layout import plain_table, unbroken
from kopsim.faces.words import NO_BREAK, percent, seat_name, share_reach, whole
from kopsim.hand_odds import Odds
from kopsim.rules import RuleSet

if TYPE_CHECKING:
    from kopsim.pair_game_odds import PairOdds


def data(
    rules: RuleSet, results: Sequence[Odds], barred: Sequence[BarredHand] = (), *, told_model: bool = False
) -> dict[str, Any]:
    """The odds as JSON data.

    barred: where the hand may not play; told_model: where a model was asked for, what bound of real play its
    numbers are.
    """
    bound = {"bound": None} if told_model else {}
    return {
        "rules": rules.id,
        "hand": ["?" if card is None else str(card) for card in results[0].hand],
        "results": [result_data(result) | bound for result in results],
        **barred_data(barred),
    }


def result_data(result: Odds | PairOdds) -> dict[str, Any]:
    """One contract at one seat."""
    told: dict[str, Any] = {
        "seat": result.seat,
        "contract": result.contract,
        "model": "double-dummy",
        "exact": result.exact,
    }
    if result.sample is None:
        told |= {"layouts": result.layouts, "wins": result.wins}
    else:
        told |= {"samples": result.sample.size, "seed": result.sample.seed, "interval": list(result.interval)}
    return told | {"probability": float(result.probability)}


def blocks(
    rules: RuleSet, results: Sequence[Odds], lang: Lang, barred: Sequence[BarredHand] = ()
) -> tuple[Heading, Grid, list[Paragraph]]:
    """The odds of a hand as a table, seats down and contracts across, with what the numbers mean.

    barred: where the hand may not play.
    """
    contracts = list(dict.fromkeys([each.contract for each in results] + [each.contract for each in barred]))
    headings = [message("seat", lang), *(rules.contract(key).name.text(lang) for key in contracts)]
    found = {(each.seat, each.contract): message("may-not", lang) for each in barred}
    found |= {(result.seat, result.contract): _chance(result, lang) for result in results}
    rows = [
        [seat_name(rules, seat, lang), *(found.get((seat, key), "–") for key in contracts)]
        for seat in dict.fromkeys([each.seat for each in results] + [each.seat for each in barred])
    ]
    first = results[0]
    counted = (
        message("odds-exact", lang, layouts=whole(first.layouts))
        if first.sample is None
        else message("odds-sampled", lang, samples=whole(first.sample.size), seed=first.sample.seed)
    )
    return (
        Heading(f"{format_cards(first.hand, lang=lang)}   {rules.name.text(lang)}"),
        Grid(headings, rows),
        [*barred_notes(barred, lang), Paragraph(counted), Paragraph(message("double-dummy", lang))],
    )


def table(rules: RuleSet, results: Sequence[Odds], lang: Lang, barred: Sequence[BarredHand] = ()) -> Group:
    """The same for a terminal, where the notes stand close together."""
    title, grid, notes = blocks(rules, results, lang, barred)
    return Group(
        unbroken(title.text, style="bold"),
        Padding(plain_table(grid.headings, grid.rows), (1, 0)),
        *(unbroken(note.text) for note in notes),
    )


def _chance(result: Odds, lang: Lang) -> str:
    """A share with its count, or with its interval on a line of its own."""
    share = percent(float(result.probability), lang)
    if result.exact:
        return f"{share}  {whole(result.wins).rjust(6, NO_BREAK)}"
    return f"{share}\n({share_reach(result.interval, lang, 1)})"
