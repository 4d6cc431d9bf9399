"""Audits a list of throw-downs: every line proved or refuted, and what it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from kopsim.barred import barred_hand, without_bars
from kopsim.cards import Card
from kopsim.hand_odds import odds
from kopsim.rules import RuleSet
from kopsim.rules.assume import assuming
from kopsim.shown import Shown
from kopsim.throwdowns.lists import Line, ThrowdownList
from kopsim.throwdowns.prover import certain_hands
from kopsim.values import Value

Hand = tuple[Card, ...]
Verdict = Literal["guaranteed", "refuted", "partly"]


@dataclass(frozen=True)
class HandVerdict(Shown):
    """One hand of a line at one of its seats.

    guaranteed: one plan wins against every layout and every defence; wins: the
    layouts, of all `layouts`, that win double dummy; barred: whether the rules bar the hand
    from playing, and it is judged as if they did not.
    """

    hand: Hand
    seat: int
    guaranteed: bool
    wins: int
    layouts: int
    barred: bool = False

    @property
    def open_only(self) -> bool:
        """Whether it wins every layout with open cards and is not guaranteed all the same."""
        return not self.guaranteed and self.wins == self.layouts


@dataclass(frozen=True)
class LineVerdict(Shown):
    """A line of a list with what was found for each hand at each seat, hand by hand.

    as_written: the verdict by the rules as they are written, where something else was assumed.
    """

    line: Line
    hands: tuple[HandVerdict, ...]
    as_written: Verdict | None = None

    @property
    def verdict(self) -> Verdict:
        """Guaranteed or refuted if all its hands are, at all its seats; else partly."""
        return _verdict({each.guaranteed for each in self.hands})

    @property
    def barred(self) -> bool:
        """Whether the rules bar its hands."""
        return all(each.barred for each in self.hands)

    @property
    def refuted(self) -> list[HandVerdict]:
        """The hands and seats that do not win for certain."""
        return [each for each in self.hands if not each.guaranteed]


@dataclass(frozen=True)
class Missing:
    """A hand that wins for certain at seats at which no line claims it."""

    contract: str
    hand: Hand
    seats: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Audit(Value, Shown):
    """What was found about a list.

    written: the rules; rules: the same as read, with what was assumed; certain: by
    contract of the list every hand that wins for certain, with its seats.
    """

    checked: ThrowdownList
    written: RuleSet
    rules: RuleSet
    assume: Mapping[str, bool]
    lines: tuple[LineVerdict, ...]
    missing: tuple[Missing, ...]
    certain: Mapping[str, Mapping[Hand, tuple[int, ...]]]

    @property
    def holds(self) -> bool:
        """Whether every line holds and nothing is missing."""
        return not self.missing and all(each.verdict == "guaranteed" for each in self.lines)


def audit(
    checked: ThrowdownList,
    rules: RuleSet,
    assume: Mapping[str, bool] | None = None,
    *,
    progress: Callable[[str, int, int], None] = lambda _stage, _done, _of: None,
) -> Audit:
    """Proves or refutes every line of a list, and finds the hands that it lacks for the contracts it names.

    assume: readings of the rules to hold instead of theirs (`kopsim.rules.assume`);
    progress: called with stage, lines done and of how many.
    Exact, by search; raises QueryError for rules whose certain wins cannot be searched for.
    """
    assume = dict(assume or {})
    read = assuming(rules, assume)
    contracts = list(dict.fromkeys(line.contract for line in checked.lines))
    certain = {contract: certain_hands(read, contract) for contract in contracts}
    unbarred = {contract: certain_hands(without_bars(read), contract) for contract in contracts}
    written = {contract: certain_hands(without_bars(rules), contract) for contract in contracts} if assume else None
    lines = []
    for done, line in enumerate(checked.lines, start=1):
        verdicts = tuple(_verdicts(line, read, unbarred[line.contract]))
        as_written = None if written is None else _as_written(line, rules, written[line.contract])
        lines.append(LineVerdict(line, verdicts, as_written))
        progress("lines", done, len(checked.lines))
    claimed = {(line.contract, *claim) for line in checked.lines for claim in line.claims(rules)}
    missing = []
    for contract in contracts:
        for hand, seats in certain[contract].items():
            if lacking := tuple(seat for seat in seats if (contract, hand, seat) not in claimed):
                missing.append(Missing(contract, hand, lacking))
    return Audit(checked, rules, read, assume, tuple(lines), tuple(missing), certain)


def _verdicts(line: Line, rules: RuleSet, certain: Mapping[Hand, tuple[int, ...]]) -> Iterable[HandVerdict]:
    for hand, seat in line.claims(rules):
        found = odds(hand, seat=seat, contract=line.contract, rules=without_bars(rules))
        barred = barred_hand(rules, line.contract, hand, seat) is not None
        yield HandVerdict(hand, seat, seat in certain.get(hand, ()), found.wins, found.layouts, barred)


def _as_written(line: Line, rules: RuleSet, certain: Mapping[Hand, tuple[int, ...]]) -> Verdict:
    return _verdict({seat in certain.get(hand, ()) for hand, seat in line.claims(rules)})


def _verdict(guaranteed: set[bool]) -> Verdict:
    """The verdict on a line from those on its hands."""
    return "partly" if len(guaranteed) > 1 else "guaranteed" if True in guaranteed else "refuted"
