"""Answers as tables for people and as data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kopsim.cards import Card, format_cards
from kopsim.double_dummy import Solution
from kopsim.errors import Lang, message
from kopsim.faces.words import percent, seat_name, whole
from kopsim.hand_odds import Odds
from kopsim.play import Position
from kopsim.rules import RuleSet


def plain_table(*headings: str) -> Table:
    """A table without frames, its first column to the left and the others to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", no_wrap=True)
    return table


def odds_data(rules: RuleSet, cards: Sequence[Card | None], results: Sequence[Odds]) -> dict[str, Any]:
    """The odds as JSON data."""
    hand = results[0].hand if results else cards
    return {
        "rules": rules.id,
        "hand": ["?" if card is None else str(card) for card in hand],
        "results": [_result_data(result) for result in results],
    }


def _result_data(result: Odds) -> dict[str, Any]:
    data: dict[str, Any] = {
        "seat": result.seat,
        "contract": result.contract,
        "model": "double-dummy",
        "exact": result.exact,
    }
    if result.sample is None:
        data |= {"layouts": result.layouts, "wins": result.wins}
    else:
        data |= {"samples": result.sample.size, "seed": result.sample.seed, "interval": list(result.interval)}
    return data | {"probability": float(result.probability)}


def odds_table(rules: RuleSet, cards: Sequence[Card | None], results: Sequence[Odds], lang: Lang) -> Group:
    """The odds as a table, seats down and contracts across, with what the numbers mean."""
    contracts = list(dict.fromkeys(result.contract for result in results))
    table = plain_table(message("seat", lang), *(rules.contract(key).name.text(lang) for key in contracts))
    for seat in dict.fromkeys(result.seat for result in results):
        row = [result for result in results if result.seat == seat]
        table.add_row(seat_name(rules, seat, lang), *(_chance(result, lang) for result in row))
    hand = results[0].hand if results else cards
    first = results[0]
    counted = (
        message("odds-exact", lang, layouts=whole(first.layouts))
        if first.sample is None
        else message("odds-sampled", lang, samples=whole(first.sample.size), seed=first.sample.seed)
    )
    return Group(
        Text(f"{format_cards(hand, lang=lang)}   {rules.name.text(lang)}", style="bold"),
        Padding(table, (1, 0)),
        Text(counted),
        Text(message("double-dummy", lang)),
    )


def _chance(result: Odds, lang: Lang) -> str:
    share = percent(float(result.probability), lang)
    if result.exact:
        return f"{share}  {whole(result.wins):>6}"
    low, high = (percent(limit, lang) for limit in result.interval)
    return f"{share}  ({low} – {high})"


def solution_data(rules: RuleSet, solution: Solution) -> dict[str, Any]:
    """A solved position as JSON data."""
    return {
        "rules": rules.id,
        "side": list(solution.side),
        "points": solution.points,
        "others": solution.others,
        "to_play": solution.to_play,
        "cards": [{"card": str(card), "points": points} for card, points in solution.cards],
        "line": [{"seat": seat, "card": str(card)} for seat, card in solution.line],
    }


def solution_table(position: Position, solution: Solution, lang: Lang) -> Group:
    """A solved position in words: the result, what each card leads to, and one best line."""
    side, total = ", ".join(map(str, solution.side)), solution.points + solution.others
    cards = plain_table(message("card", lang), message("side-points", lang, side=side), message("others-points", lang))
    for card, points in solution.cards:
        cards.add_row(card.text(lang=lang), str(points), str(total - points))
    return Group(
        Text(
            message("solve-result", lang, side=side, points=solution.points, total=total, others=solution.others),
            style="bold",
        ),
        Padding(Text(message("solve-to-play", lang, seat=solution.to_play)), (1, 0, 0, 0)),
        Padding(cards, (0, 0, 1, 0)),
        Text(message("solve-line", lang)),
        _line(position, solution, lang),
        Padding(Text(message("double-dummy", lang)), (1, 0, 0, 0)),
    )


def _line(position: Position, solution: Solution, lang: Lang) -> Table:
    """The best line, a trick a row, with who takes it."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    row = [f"({card.text(lang=lang)})" for card in position.trick]
    for seat, card in solution.line:
        before, position = position, position.play(card)
        row.append(f"{seat}: {card.text(lang=lang)}")
        if not position.trick:
            points = sum(position.taken) - sum(before.taken)
            table.add_row(*row, message("takes", lang, seat=position.leader, points=points))
            row = []
    return table
