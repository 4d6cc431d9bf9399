"""Lists of hands in a text file."""

from __future__ import annotations

from pathlib import Path

from kopsim.cards import Card, parse_cards
from kopsim.deals import check_hand, sort_hand
from kopsim.errors import KopsimError, QueryError
from kopsim.faults import Fault, Spot, refusal_of
from kopsim.rules import RuleSet
from kopsim.text_file import read_text


def read_hands(path: Path, rules: RuleSet) -> list[tuple[Card, ...]]:
    """The hands of a text file, one a line; empty lines and what follows "#" do not count.

    Raises QueryError; its `faults` are all hands that are none, each with line, column and reason.
    """
    try:
        lines = read_text(path).split("\n")
    except KopsimError as error:
        raise QueryError("hands-file", file=path.as_posix(), reason=error) from None
    hands: list[tuple[Card, ...]] = []
    faults: list[Fault] = []
    for number, line in enumerate(lines, start=1):
        content = line.partition("#")[0]
        text = content.strip()
        if text:
            try:
                hands.append(sort_hand(check_hand(parse_cards(text), rules), rules))
            except KopsimError as error:
                faults.append(Fault(error, Spot(number, content.index(text) + 1)))
    if faults:
        raise refusal_of(QueryError, path.as_posix(), faults)
    if not hands:
        raise QueryError("hands-empty", file=path.as_posix())
    return hands
