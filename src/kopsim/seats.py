"""Seats and sides: numbers 1 to 4, and the masks the kernels use."""

from __future__ import annotations

from collections.abc import Iterable

from kopsim.deals import check_seat
from kopsim.errors import QueryError
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS


def check_side(side: int | Iterable[int]) -> tuple[int, ...]:
    """One to three different seats as a sorted tuple; raises QueryError otherwise."""
    seats = tuple(map(check_seat, side if isinstance(side, Iterable) else (side,)))
    if len(set(seats)) != len(seats) or not 1 <= len(seats) < len(SEATS):
        raise QueryError("seats-bad", text=",".join(map(str, seats)))
    return tuple(sorted(seats))


def seat_mask(seats: Iterable[int]) -> int:
    """Bit mask of seats as the kernels count them, seat 1 in bit 0."""
    return sum(1 << (seat - 1) for seat in seats)


def seats_of(mask: int) -> tuple[int, ...]:
    """The seats of such a mask, sorted."""
    return tuple(seat for seat in SEATS if mask >> (seat - 1) & 1)


def speaking_after(rules: RuleSet, seat: int) -> tuple[int, ...]:
    """The other seats in the order in which they speak after one."""
    order = rules.seats.speaking
    at = order.index(seat)
    return (*order[at + 1 :], *order[:at])
