"""What a contract pays: from points or tricks and doublings to four payments that sum to zero.

Everything is read from the rule set.  "Old" is the side that plays the contract (the
holders of the old cards, the announcer with his partner, the soloist), "young" the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kopsim.deals import check_seat
from kopsim.errors import QueryError
from kopsim.quantities import whole_number
from kopsim.rules import Contract, Order, RuleSet, load_rules
from kopsim.rules.model import SEATS, AtLeast, EveryTrick, Honour
from kopsim.seats import check_side
from kopsim.shown import Shown

Party = Literal["old", "young"]
Grade = Literal["with-26", "under-26", "no-trick", "all-or-nothing"]
Payments = tuple[int, int, int, int]
_EXIT = 26  # points: the limit that the names of the grades give


@dataclass(frozen=True)
class Score(Shown):
    """What one deal pays.

    side: seats of the old side; won: whether it won; grade: how high, by what the
    losers have; multiplier: of the doublings; payments: of seats 1-4, their sum is 0;
    misplayed: whether a misplay decided it, and the grade is what the rules put on that.
    """

    contract: str
    side: tuple[int, ...]
    won: bool
    grade: Grade
    multiplier: int
    payments: Payments
    misplayed: bool = False


def score(
    contract: str,
    side: int | Iterable[int],
    *,
    points: int | None = None,
    tricks: int | None = None,
    doubling: str | Sequence[str] = (),
    last_call: Party | None = None,
    misplay: int | None = None,
    bok_round: bool = False,
    rules: RuleSet | None = None,
) -> Score:
    """The result of a contract.

    side: seats of the old pair or of the soloist; points, tricks: theirs, one of the
    two is enough where the rules can tell the result from it; doubling: the calls that count, in
    order and by opposing sides in turn, or one text with commas; last_call: the side that made the last one,
    needed only where that decides; misplay: the seat that misplayed, whose side loses whatever was
    taken; bok_round: whether the deal is of a bok round.
    Raises QueryError saying which rule forbids what.
    """
    rules = rules or load_rules()
    record, seats = rules.contract(contract), _check_size(contract, side, rules)
    doubled = check_doubling(contract, doubling, last_call, rules, bok_round=bok_round)
    order = rules.orders[record.order]
    if isinstance(record.goal, Honour):
        if points is not None or tricks is not None or misplay is not None:
            raise QueryError("score-honour", contract=contract)
        return _paid(contract, seats, True, "all-or-nothing", doubled.multiplier, rules)
    if misplay is None or points is not None or tricks is not None:
        points, tricks = _taken(points, tricks, order, rules)
    if misplay is not None:
        return _misplayed(contract, seats, check_seat(misplay), doubled, rules)
    won = _won(contract, record, points, tricks, doubled, order, rules)
    return _paid(
        contract, seats, won, _grade(contract, record, won, points, tricks, order, rules), doubled.multiplier, rules
    )


def scores_by_points(
    contract: str,
    side: int | Iterable[int],
    *,
    doubling: str | Sequence[str] = (),
    last_call: Party | None = None,
    rules: RuleSet | None = None,
) -> list[Score]:
    """The result for every number of points of the old side, from 0 up, totals that no deal can give among them.

    Raises QueryError as `score` does, and for rules in which points do not tell who has every trick.
    """
    rules = rules or load_rules()
    seats = _check_size(contract, side, rules)
    return list(_scores(contract, seats, check_doubling(contract, doubling, last_call, rules), rules))


@lru_cache(maxsize=512)  # the same few are asked for with every hand
def _scores(contract: str, seats: tuple[int, ...], doubled: Doubled, rules: RuleSet) -> tuple[Score, ...]:
    record = rules.contract(contract)
    order = rules.orders[record.order]
    if isinstance(record.goal, Honour):
        raise QueryError("score-honour", contract=contract)
    if _least_trick(order) <= 0:
        raise QueryError("table-tricks", contract=contract)
    results = []
    for points in range(total_points(order) + 1):
        won = _won(contract, record, points, None, doubled, order, rules)
        grade = _grade(contract, record, won, points, None, order, rules)
        results.append(_paid(contract, seats, won, grade, doubled.multiplier, rules))
    return tuple(results)


def payments_by_points(
    contract: str,
    side: int | Iterable[int],
    *,
    doubling: str | Sequence[str] = (),
    last_call: Party | None = None,
    rules: RuleSet | None = None,
) -> NDArray[np.int64]:
    """What each seat is paid for every number of points of the old side: rows from 0 points up, columns seats 1-4.

    Every row sums to zero.  Raises as `scores_by_points` does.
    """
    results = scores_by_points(contract, side, doubling=doubling, last_call=last_call, rules=rules)
    return np.array([result.payments for result in results], dtype=np.int64)


def _check_size(contract: str, side: int | Iterable[int], rules: RuleSet) -> tuple[int, ...]:
    """The seats of an old side, sorted; raises QueryError if it is no side or of the wrong size."""
    seats, size = check_side(side), 1 if rules.contract(contract).sides == "soloist" else 2
    if len(seats) != size:
        raise QueryError("score-side", contract=contract, count=len(seats), wanted=size)
    return seats


def total_points(order: Order) -> int:
    """All the points of a deal."""
    return sum(map(order.worth, order.cards)) + sum(order.trick_bonus)


# --- doublings


@dataclass(frozen=True)
class Doubled:
    """Doublings that were found legal.

    multiplier: theirs and the bok round's; any: whether anybody doubled; last: who did last, where that is known.
    """

    multiplier: int
    any: bool
    last: Party | None


def check_doubling(
    contract: str, calls: str | Sequence[str], last_call: Party | None, rules: RuleSet, *, bok_round: bool = False
) -> Doubled:
    """The multiplier of doubling calls in order, made by opposing sides in turn; raises QueryError naming the rule."""
    if bok_round and rules.doubling.bok_round == 1:
        raise QueryError("score-bok", rules=rules)
    record, known = rules.contract(contract), rules.doubling.calls
    if isinstance(calls, str):
        calls = calls.split(",")
    if last_call not in (None, "old", "young"):
        raise QueryError("party-bad", text=last_call)
    for call, due in zip(calls, (*known, *[None] * len(calls)), strict=False):
        if call not in known:
            raise QueryError("double-unknown", text=call, choices=known)
        if call not in record.doubling:
            key, told = doubling_limit(contract, call, rules)
            raise QueryError(key, **told)
        if call != due:
            raise QueryError("double-order", call=call, due=[] if due is None else [due])
    if not calls:
        if last_call is not None:
            raise QueryError("double-none")
        return Doubled(rules.doubling.multiplier(0, bok_round=bok_round), False, None)
    # An announcer may have a partner, who may be the first to double; a soloist has none.
    soloist_barred = record.sides == "soloist" and not record.first_double_by_declarer
    first: Party | None = "young" if soloist_barred else None
    if last_call is not None:
        first = last_call if len(calls) % 2 else other_party(last_call)
    if first == "old" and soloist_barred:
        raise QueryError("double-first", contract=contract, call=calls[0])
    last = None if first is None else first if len(calls) % 2 else other_party(first)
    return Doubled(rules.doubling.multiplier(len(calls), bok_round=bok_round), True, last)


def doubling_limit(contract: str, call: str, rules: RuleSet) -> tuple[str, dict[str, str]]:
    """Key and parameters of the sentence that a contract is not doubled so far."""
    known = rules.contract(contract).doubling
    if not known:
        return "double-never", {"contract": contract}
    return "double-limit", {"contract": contract, "call": call, "limit": known[-1]}


def other_party(party: Party) -> Party:
    """The opponents."""
    return "young" if party == "old" else "old"


# --- the result


def _taken(points: int | None, tricks: int | None, order: Order, rules: RuleSet) -> tuple[int | None, int | None]:
    """Points and tricks as given, and each from the other where it follows; raises QueryError for what cannot be."""
    size, total = rules.seats.hand_size, total_points(order)
    points = None if points is None else whole_number(points, "points")
    tricks = None if tricks is None else whole_number(tricks, "tricks")
    if points is None and tricks is None:
        raise QueryError("score-nothing")
    if tricks is not None and not 0 <= tricks <= size:
        raise QueryError("score-tricks", count=tricks, most=size)
    if points is not None:
        possible = [number for number in range(size + 1) if _can_have(number, points, order, rules)]
        if not possible:
            raise QueryError("score-points", points=points, total=total)
        if tricks is not None and tricks not in possible:
            raise QueryError("score-both", points=points, tricks=tricks)
        if tricks is None and len(possible) == 1:
            tricks = possible[0]
    elif tricks in (0, size):
        points = total if tricks else 0
    return points, tricks


def _can_have(tricks: int, points: int, order: Order, rules: RuleSet) -> bool:
    """Whether so many tricks can hold so many points, by the least and the most that so many cards are worth."""
    worths, bonuses = sorted(map(order.worth, order.cards)), sorted(order.trick_bonus or (0,) * rules.seats.hand_size)
    count = len(SEATS) * tricks
    least = sum(worths[:count]) + sum(bonuses[:tricks])
    most = sum(worths[len(worths) - count :]) + sum(bonuses[len(bonuses) - tricks :])
    return least <= points <= most


def _least_trick(order: Order) -> int:
    """The least that a trick can be worth."""
    return sum(sorted(map(order.worth, order.cards))[: len(SEATS)]) + min(order.trick_bonus, default=0)


def _won(
    contract: str,
    record: Contract,
    points: int | None,
    tricks: int | None,
    doubled: Doubled,
    order: Order,
    rules: RuleSet,
) -> bool:
    """Whether the old side wins; raises QueryError where what was given does not tell."""
    if isinstance(record.goal, EveryTrick):
        if tricks is not None:
            return tricks == rules.seats.hand_size
        if points is not None and _least_trick(order) > 0:
            return points == total_points(order)
        raise QueryError("score-needs-tricks", contract=contract)
    if points is None:
        raise QueryError("score-needs-points", contract=contract)
    if isinstance(record.goal, AtLeast):
        return points >= record.goal.at_least
    if 2 * points != total_points(order):
        return 2 * points > total_points(order)
    tie = record.tie_doubled if doubled.any else record.tie
    if tie != "last-caller-loses":
        return False
    if doubled.last is None:
        raise QueryError("score-last-call", contract=contract)
    return doubled.last == "young"


def _grade(
    contract: str, record: Contract, won: bool, points: int | None, tricks: int | None, order: Order, rules: RuleSet
) -> Grade:
    """How high it was won, by what the losers have."""
    if "made" in record.value:
        return "all-or-nothing"
    assert points is not None
    lost_points = total_points(order) - points if won else points
    lost_tricks = None if tricks is None else rules.seats.hand_size - tricks if won else tricks
    if lost_tricks is None and lost_points == 0 and _least_trick(order) <= 0:
        raise QueryError("score-needs-tricks", contract=contract)
    if lost_tricks == 0 or (lost_tricks is None and lost_points < _least_trick(order)):
        return "no-trick"
    return "with-26" if lost_points >= _EXIT else "under-26"


def _misplayed(contract: str, side: tuple[int, ...], offender: int, doubled: Doubled, rules: RuleSet) -> Score:
    record, won = rules.contract(contract), offender not in side
    grade: Grade = "all-or-nothing" if "made" in record.value else rules.misplay.grade
    paid = _paid(contract, side, won, grade, doubled.multiplier, rules)
    if rules.misplay.loses == "side":
        return replace(paid, misplayed=True)
    # The offender alone pays for his side.
    lost = sum(payment for payment in paid.payments if payment < 0)
    alone = [lost if seat == offender else max(payment, 0) for seat, payment in zip(SEATS, paid.payments, strict=True)]
    return replace(paid, payments=(alone[0], alone[1], alone[2], alone[3]), misplayed=True)


def _paid(contract: str, side: tuple[int, ...], won: bool, grade: Grade, multiplier: int, rules: RuleSet) -> Score:
    """The four payments: each loser pays each winner's share, a soloist deals with three."""
    record = rules.contract(contract)
    value = record.value["made" if grade == "all-or-nothing" else grade]
    if not won:
        value = record.lost_times * (value if record.lost_value is None else record.lost_value)
    each = value * multiplier * (1 if won else -1)
    others = len(SEATS) - len(side)
    own = each * others // len(side)
    a, b, c, d = (own if seat in side else -each for seat in SEATS)
    return Score(contract, side, won, grade, multiplier, (a, b, c, d))
