"""Hands that may not play a contract at a seat: asked here by every question and table, told in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from msgspec import structs

from kopsim.cards import Card
from kopsim.deals import check_seat
from kopsim.errors import QueryError
from kopsim.rules import RuleSet

Asked = tuple[int, str]  # seat, contract


@dataclass(frozen=True)
class BarredHand:
    """A hand that may not play a contract at a seat.

    cards: those that bar it, () where nobody may; sure: whether the hand has them, and not only might,
    being named in part; silent: whether it is for this that the hand may not pass.
    """

    rules: RuleSet
    seat: int
    contract: str
    cards: tuple[Card, ...]
    sure: bool = True
    silent: bool = False

    @property
    def reason(self) -> QueryError:
        """The sentence that says so, as an error to raise or to print as a note."""
        key = "barred-silent" if self.silent else "barred" if self.cards else "barred-all"
        key = key if self.sure else "barred-open"
        return QueryError(key, rules=self.rules, seat=self.seat, contract=self.contract, cards=self.cards)


def barred_hand(rules: RuleSet, contract: str, hand: Iterable[Card | None], seat: int) -> BarredHand | None:
    """Why a hand may not play a contract at a seat; None if the rules do not bar it.

    hand: with None for any card, of which none may be one that bars it.
    """
    cards = tuple(hand)
    known = frozenset(card for card in cards if card is not None)
    for bar in rules.contract(contract).barred:
        if seat in bar.seats and len(set(bar.cards) - known) <= cards.count(None):
            return BarredHand(rules, seat, contract, bar.cards, known.issuperset(bar.cards))
    return None


def barred_silence(rules: RuleSet, hand: Iterable[Card], seat: int) -> BarredHand | None:
    """Why a hand may not pass at a seat: silence would be a contract that it may not play; None if it may."""
    alone, cards = rules.silent("soloist"), frozenset(hand)
    if alone is None or not cards.issuperset(rules.contract(alone).cards):
        return None
    found = barred_hand(rules, alone, cards, seat)
    return None if found is None else replace(found, silent=True)


def refuse_barred(rules: RuleSet, contract: str, hand: Iterable[Card | None], seat: int) -> None:
    """Raises QueryError for a hand that may not play a contract at a seat."""
    found = barred_hand(rules, contract, hand, seat)
    if found is not None:
        raise found.reason


def without_bars(rules: RuleSet) -> RuleSet:
    """Rules under which any hand may play what it holds the cards for; the same object where none is barred.

    For claims about play alone, such as that a hand is barred because it wins for certain.
    """
    if not any(each.barred for each in rules.contracts.values()):
        return rules
    contracts = {key: structs.replace(each, barred=()) for key, each in rules.contracts.items()}
    return structs.replace(rules, contracts=contracts)


class Playable(NamedTuple):
    """Of the seats and contracts asked for those at which a hand may play, and those at which it may not."""

    allowed: list[Asked]
    barred: list[BarredHand]


def playable(rules: RuleSet, hand: Iterable[Card | None], seats: Iterable[int], contracts: Sequence[str]) -> Playable:
    """Seat by seat what a hand may play; raises QueryError if it may play nothing of that anywhere."""
    cards, allowed, barred = tuple(hand), list[Asked](), list[BarredHand]()
    for seat in map(check_seat, seats):
        for contract in contracts:
            found = barred_hand(rules, contract, cards, seat)
            if found is None:
                allowed.append((seat, contract))
            else:
                barred.append(found)
    if barred and not allowed:
        raise barred[0].reason
    return Playable(allowed, barred)
