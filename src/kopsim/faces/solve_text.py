"""A solved position as a table for people and as data for programs."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.padding import Padding

from kopsim.double_dummy import Solution
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.layout import block, plain_table, unbroken
from kopsim.faces.tricks import trick_rows
from kopsim.play import Position
from kopsim.rules import RuleSet


def data(rules: RuleSet, solution: Solution) -> dict[str, Any]:
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


def table(position: Position, solution: Solution, lang: Lang) -> Group:
    """A solved position in words: the result, what each card leads to, and one best line."""
    cards = _cards(solution, lang)
    return Group(
        unbroken(_result(solution, lang), style="bold"),
        block(message("solve-to-play", lang, seat=solution.to_play), plain_table(cards.headings, cards.rows)),
        block(
            message("solve-line", lang),
            plain_table([""] * 5, trick_rows(position, [card for _, card in solution.line], lang), left=5),
        ),
        Padding(unbroken(message("double-dummy", lang)), (1, 0, 0, 0)),
    )


def blocks(solution: Solution, lang: Lang) -> list[Block]:
    """The same where the position is not at hand, so that nobody can tell where a trick ends."""
    line = ", ".join(f"{seat}: {card.text(lang=lang)}" for seat, card in solution.line)
    return [
        Heading(_result(solution, lang)),
        Paragraph(message("solve-to-play", lang, seat=solution.to_play)),
        _cards(solution, lang),
        Paragraph(f"{message('solve-line', lang)} {line}"),
        Paragraph(message("double-dummy", lang)),
    ]


def _result(solution: Solution, lang: Lang) -> str:
    side, total = ", ".join(map(str, solution.side)), solution.points + solution.others
    return message("solve-result", lang, side=side, points=solution.points, total=total, others=solution.others)


def _cards(solution: Solution, lang: Lang) -> Grid:
    """What each legal card leads to."""
    side, total = ", ".join(map(str, solution.side)), solution.points + solution.others
    return Grid(
        [message("card", lang), message("side-points", lang, side=side), message("others-points", lang)],
        [[card.text(lang=lang), str(points), str(total - points)] for card, points in solution.cards],
    )
