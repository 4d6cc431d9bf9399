"""What does not fit together in a rule set: within a card order, and between an order or a contract and the rest.

Every check takes what could be read, None for what could not, and yields the keys that lead
to what is wrong, with the reason; so that one fault does not hide another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kopsim._rules import MOST_WORTH
from kopsim.cards import RANKS, Card
from kopsim.errors import KopsimError, RuleError

if TYPE_CHECKING:
    from kopsim.rules.model import Contract, Order

Found = Iterator[tuple[tuple[str | int, ...], KopsimError]]
Worths = Mapping[str, int]


def card_worth(
    card: Card, trumps: Collection[Card], points: Worths, trump_points: Worths, card_points: Worths
) -> int | None:
    """What a card is worth by the tables of an order; None where none has it."""
    if (worth := card_points.get(str(card))) is not None:
        return worth
    if card in trumps and (worth := trump_points.get(card.rank)) is not None:
        return worth
    return points.get(card.rank)


def suit_faults(trumps: Sequence[Card], side_suits: Sequence[Sequence[Card]]) -> Found:
    """Too many suits or none, and cards that stand twice in an order."""
    count = len(side_suits) + bool(trumps)
    if not 1 <= count <= 5:
        yield ("side_suits",), RuleError("rules-suits", count=count)
    seen: set[Card] = set()
    for place, suit in ((("trumps",), trumps), *((("side_suits", n), suit) for n, suit in enumerate(side_suits))):
        for card in suit:
            if card in seen:
                yield place, RuleError("rules-order-twice", card=card)
            seen.add(card)


def worth_faults(
    cards: Sequence[Card],
    trumps: Sequence[Card],
    points: Worths,
    trump_points: Worths,
    card_points: Worths,
    trick_bonus: Sequence[int],
) -> Found:
    """Worths for cards that are not there, cards without a worth, and more than the kernels can add up."""
    for key in card_points:
        if key not in map(str, cards):
            yield ("card_points", key), RuleError("rules-points-card", name=key)
    worths = [(card, card_worth(card, trumps, points, trump_points, card_points)) for card in cards]
    lacking = {card.rank for card, worth in worths if worth is None}
    if lacking:
        yield ("points",), RuleError("rules-points", ranks=sorted(lacking, key=RANKS.index, reverse=True))
    if sum(abs(worth) for worth in (*(worth for _, worth in worths), *trick_bonus) if worth is not None) > MOST_WORTH:
        yield (), RuleError("rules-worth-most", most=MOST_WORTH)


def rank_faults(field: str, worths: Worths) -> Found:
    """Worths for ranks that are none."""
    for key in worths:
        if key not in RANKS:
            yield (field, key), RuleError("rules-points-rank", name=key)


def order_faults(order: Order | None, pack: Collection[Card] | None, size: int | None) -> Found:
    """An order whose cards are not the pack, or whose bonuses are not one for each trick."""
    cards = getattr(order, "cards", None)  # only a whole order has them
    if pack is not None and cards is not None and set(cards) != set(pack):
        missing, foreign = set(pack) - set(cards), set(cards) - set(pack)
        yield (), RuleError("rules-order-pack", missing=sorted(missing), foreign=sorted(foreign))
    bonus = None if order is None else order.trick_bonus
    if bonus and size is not None and len(bonus) != size:
        yield ("trick_bonus",), RuleError("rules-bonus", count=len(bonus), tricks=size)


def contract_faults(
    contract: Contract | None,
    orders: Collection[str] | None,
    calls: Sequence[str] | None,
    pack: Collection[Card] | None,
    size: int | None,
) -> Found:
    """A contract in an order that is not there, doubled by calls that are not there, or with cards that nobody has."""
    if contract is None:
        return
    if orders and contract.order is not None and contract.order not in orders:
        yield ("order",), RuleError("rules-contract-order", order=contract.order, choices=list(orders))
    if calls is not None and contract.doubling is not None:
        yield from _doubling_faults(contract.doubling, calls)
    held = contract.cards or ()
    if pack is not None:
        for card in held:
            if card not in pack:
                yield ("cards",), RuleError("rules-contract-cards", card=card)
    for number, each in enumerate(contract.barred or ()):
        barred = () if each is None else each.cards or ()
        if pack is not None:
            for card in barred:
                if card not in pack:
                    yield ("barred", number, "cards"), RuleError("rules-contract-cards", card=card)
        together = {*held, *barred}
        if size is not None and len(together) > size:
            yield ("barred", number), RuleError("rules-barred-many", cards=sorted(together), size=size)


def _doubling_faults(doubling: Sequence[str], calls: Sequence[str]) -> Found:
    unknown = [(number, call) for number, call in enumerate(doubling) if call not in calls]
    for number, call in unknown:
        yield ("doubling", number), RuleError("rules-doubling", name=call, choices=list(calls))
    wanted = list(calls[: len(doubling)])
    if not unknown and list(doubling) != wanted:
        yield ("doubling",), RuleError("rules-doubling-order", wanted=wanted)
