"""Who plays with whom when nothing is announced: what a hand can be in a deal.

The numbers of the roles are those of the tally kernel.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum

import msgspec

from kopsim.cards import Card
from kopsim.rules import RuleSet


class Role(IntEnum):
    """A hand's place in a deal, and whose points are counted for it.

    LONE: alone against three, its own points.
    OLD: holds one of the two old cards, points of the pair that holds them.
    YOUNG: holds neither, the two old cards are in two other hands; points of the other pair.
    AGAINST: another player holds both and is silent; points of the three against him.
    WESELE: holds both and announces it; points of the pair with the partner the rules give.
    """

    LONE = 0
    OLD = 1
    YOUNG = 2
    AGAINST = 3
    WESELE = 4


def old_cards(rules: RuleSet, order: str) -> tuple[Card, ...]:
    """The two cards whose holders are the old pair in games of an order, or that a wesele needs; () if it has none."""
    for sides in ("holders", "partner"):
        for contract in rules.contracts.values():
            if contract.order == order and contract.sides == sides and len(contract.cards) == 2:
                return contract.cards
    return ()


def partner_cards(rules: RuleSet, order: str) -> tuple[Card, ...]:
    """The cards that choose the partner of a player who holds both old ones, best first; () if the rules have none."""
    for contract in rules.contracts.values():
        if contract.order == order and contract.sides == "partner" and contract.partner == "highest-jack":
            return tuple(card for card in rules.orders[order].cards if card.rank == "J")
    return ()


def order_hash(rules: RuleSet, order: str) -> str:
    """SHA-256 of all that solved numbers depend on, so that rule sets that differ only in prices share tables."""
    record = rules.orders[order]
    ladders = msgspec.to_builtins(record.obligations)
    cards = [[(str(card), record.worth(card)) for card in suit] for suit in record.suits]
    told = [
        cards,
        bool(record.trumps),
        record.trick_bonus or (0,) * rules.seats.hand_size,
        ladders,
        rules.seats.hand_size,
        rules.seats.partners,
        [str(card) for card in old_cards(rules, order)],
        [str(card) for card in partner_cards(rules, order)],
    ]
    return hashlib.sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()
