"""A solved position as a table for people and as data for programs."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.padding import Padding

from kopsim.double_dummy import Solution
from kopsim.errors import Lang, message
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
    side, total = ", ".join(map(str, solution.side)), solution.points + solution.others
    cards = plain_table(
        [message("card", lang), message("side-points", lang, side=side), message("others-points", lang)],
        [[card.text(lang=lang), str(points), str(total - points)] for card, points in solution.cards],
    )
    result = message("solve-result", lang, side=side, points=solution.points, total=total, others=solution.others)
    return Group(
        unbroken(result, style="bold"),
        block(message("solve-to-play", lang, seat=solution.to_play), cards),
        block(
            message("solve-line", lang),
            plain_table([""] * 5, trick_rows(position, [card for _, card in solution.line], lang), left=5),
        ),
        Padding(unbroken(message("double-dummy", lang)), (1, 0, 0, 0)),
    )
