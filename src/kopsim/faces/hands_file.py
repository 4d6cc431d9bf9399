"""Lists of hands in a text file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kopsim.cards import Card, parse_cards
from kopsim.deals import check_hand, sort_hand
from kopsim.errors import KopsimError, QueryError, refusal
from kopsim.rules import RuleSet


def read_hands(path: Path, rules: RuleSet) -> list[tuple[Card, ...]]:
    """The hands of a text file, one a line; empty lines and what follows "#" do not count.

    Raises QueryError naming file, line and reason.
    """
    try:
        lines: Iterable[str] = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise QueryError("hands-file", file=path.as_posix(), reason=refusal(error)) from None
    except UnicodeDecodeError:
        raise QueryError("hands-file", file=path.as_posix(), reason=QueryError("rules-utf8")) from None
    hands: list[tuple[Card, ...]] = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                hands.append(sort_hand(check_hand(parse_cards(text), rules), rules))
            except KopsimError as error:
                raise QueryError("hands-line", file=path.as_posix(), line=number, reason=error) from None
    if not hands:
        raise QueryError("hands-empty", file=path.as_posix())
    return hands
