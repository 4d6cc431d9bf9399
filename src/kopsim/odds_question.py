"""A question about the odds of a hand: what is known, and which layouts are to be counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card, Cards, Pattern, parse_pattern
from kopsim.chance import check_seed
from kopsim.cluster import check_threads, in_chunks, spans
from kopsim.deals import PartialDeal, check_hand, check_seat, hands_by_seat
from kopsim.errors import QueryError
from kopsim.quantities import counted
from kopsim.rules import RuleSet, load_rules
from kopsim.values import Value

_CHUNK = 4096
_MOST_LAYOUTS = 20_000_000  # a minute or two; more than three cards left open in Kop never need

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Sample:
    """How a sample was drawn: independent layouts, all equally likely."""

    size: int
    seed: int


@dataclass(frozen=True, eq=False)
class Distribution(Value):
    """How many layouts give the side how many points.

    counts[i]: layouts in which it takes lowest + i points; layouts: how many
    there are in all, more than the counts add up to when sampled.
    """

    counts: NDArray[np.int64]
    lowest: int
    layouts: int

    def at_least(self, points: int) -> int:
        """Layouts counted with at least so many points."""
        return int(self.counts[max(points - self.lowest, 0) :].sum())


@dataclass(frozen=True, eq=False)
class Counted(Value):
    """What was counted, of which sample (None: of all layouts), and whether it was stopped before its end."""

    counts: NDArray[np.int64]
    sample: Sample | None
    stopped: bool


@dataclass(frozen=True, eq=False)
class Question:
    """One hand at one seat, and the layouts to be counted.

    cards: as asked, None for any card; known: the cards among them; sample: None for
    all layouts; alone: whether nothing is known but the hand.
    """

    rules: RuleSet
    cards: tuple[Card | None, ...]
    known: frozenset[Card]
    seat: int
    partial: PartialDeal
    sample: Sample | None
    alone: bool
    threads: int | None
    progress: Progress | None

    def chunks(self, task: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> Counted:
        """The sum of what `task` makes of the numbers of the layouts to be counted, chunk by chunk, on all threads.

        A sample that is stopped by Ctrl-C is one of fewer layouts; a count of all layouts, or
        one of which nothing was done, is no answer, and the KeyboardInterrupt goes on.
        """
        size = self.sample.size if self.sample else self.partial.layouts
        drawn = None
        if self.sample:
            drawn = np.random.default_rng(self.sample.seed).integers(0, self.partial.layouts, size)

        def chunk(span: tuple[int, int]) -> NDArray[np.int64]:
            counts = task(np.arange(*span) if drawn is None else drawn[slice(*span)])
            if self.progress:
                self.progress(span[1] - span[0])
            return counts

        parts = spans(size, _CHUNK)
        found: list[NDArray[np.int64]] = []
        try:
            found.extend(in_chunks(chunk, parts, self.threads))
        except KeyboardInterrupt:
            if self.sample is None or not found:
                raise
        stopped = len(found) < len(parts)
        sample = Sample(parts[len(found) - 1][1], self.sample.seed) if self.sample else None
        return Counted(np.sum(found, axis=0), sample, stopped)


def ask(
    hand: Pattern,
    *,
    seat: int,
    holds: Mapping[int, Cards] | None = None,
    lacks: Mapping[int, Cards] | None = None,
    rules: RuleSet | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Question:
    """A question that can be answered; raises CardError, DealError or QueryError saying what is wrong with it."""
    rules = rules or load_rules()
    cards = parse_pattern(hand)
    known, seat = check_hand(cards, rules), check_seat(seat)
    samples = None if samples is None else counted(samples, "samples", "samples-bad", most=_MOST_LAYOUTS)
    check_threads(threads)
    seed = check_seed(seed)
    held, lacked = hands_by_seat(holds or {}), hands_by_seat(lacks or {})
    partial = PartialDeal.of({**held, seat: known | held.get(seat, frozenset())}, lacked, rules)
    if samples is None and partial.layouts > _MOST_LAYOUTS:
        raise QueryError("layouts-most", count=partial.layouts, most=_MOST_LAYOUTS)
    sample = None if samples is None else Sample(samples, seed)
    alone = not any(held.values()) and not any(lacked.values())
    return Question(rules, cards, known, seat, partial, sample, alone, threads, progress)
