"""Every fault of a text that somebody wrote, each with the place where it stands, in one error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from kopsim.errors import KopsimError, Lang, message

Refusal = TypeVar("Refusal", bound=KopsimError)


@dataclass(frozen=True, order=True)
class Spot:
    """A place in a text: line and column, counted from 1 in characters."""

    line: int
    column: int


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, and where it stands in the text; spot: None where there is no text."""

    reason: KopsimError
    spot: Spot | None = None

    def text(self, lang: Lang = "en") -> str:
        """The fault in one sentence."""
        reason = self.reason.text(lang)
        if self.spot is None:
            return reason
        return message("fault-line", lang, line=self.spot.line, column=self.spot.column, reason=reason)


def refusal_of(kind: type[Refusal], file: str, faults: Iterable[Fault]) -> Refusal:
    """The error that tells all faults of a file in the order of the text; its attribute `faults` has them one by one.

    One fault is told in one sentence; several in a line each, below one that counts them.
    """
    ordered = tuple(sorted(faults, key=lambda fault: fault.spot or Spot(0, 0)))
    if len(ordered) > 1:
        return kind("file-faults", file=file, count=len(ordered), faults=ordered)
    return kind("file-fault" if ordered[0].spot else "rules-file", file=file, faults=ordered, reason=ordered[0])


def nearest(word: str, known: Iterable[str], least: float = 0.6) -> list[str]:
    """Up to three of the known words that look most like a mistyped one; least: how much so, 1 being the same."""
    return get_close_matches(word, list(known), n=3, cutoff=least)
