"""How often kontra pays a defender who holds two given cards: a table of hands seen through pairs of cards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kopsim.cards import Card
from kopsim.deals import every_hand
from kopsim.errors import QueryError
from kopsim.kontra_table import packaged_kontra
from kopsim.rules import RuleSet


@dataclass(frozen=True)
class PairKontra:
    """Of the deals in which a caller calls and the defender holds two cards, or one twice.

    deals: so many were played; doubled: in so many the defender's own hand says kontra.
    """

    cards: tuple[Card, Card]
    deals: int
    doubled: int


@dataclass(frozen=True)
class KontraGrid:
    """Every two cards that a defender at a seat may hold against a caller; cards strongest first.

    deals: all that were played; close: those in which it cannot be told, within the error, if kontra pays.
    """

    rules: RuleSet
    contract: str
    seat: int
    caller: int
    cards: tuple[Card, ...]
    pairs: tuple[PairKontra, ...]
    deals: int
    close: int


def kontra_grid(rules: RuleSet, contract: str, seat: int, caller: int) -> KontraGrid:
    """The grid of a defender's seat against a caller's; raises QueryError where no packaged table tells.

    Nor is there one of a contract that is not announced, for nobody knows whom he doubles.
    """
    if rules.contract(contract).announced == "silent":
        raise QueryError("chart-silent", contract=contract)
    table = packaged_kontra(rules, contract)
    if table is None:
        raise QueryError("kontra-none", rules=rules, contract=contract)
    strength = rules.orders[rules.contract(contract).order].strength
    cards = tuple(sorted(rules.pack.cards, key=strength.__getitem__))
    place = {card: number for number, card in enumerate(cards)}
    sums = np.zeros((len(cards), len(cards), 2), dtype=np.int64)
    deals = close = 0
    for hand in every_hand(rules):
        told = table.kontra(hand, seat, caller)
        if told is None:
            continue
        figures = (told.deals, told.deals if told.says else 0)
        deals, close = deals + told.deals, close + (told.deals if told.close else 0)
        held = sorted(place[card] for card in hand)
        for high, low in (*combinations(held, 2), *((each, each) for each in held)):
            sums[high, low] += figures
    pairs = tuple(
        PairKontra((cards[high], cards[low]), *map(int, sums[high, low]))
        for high in range(len(cards))
        for low in range(high, len(cards))
        if sums[high, low, 0]
    )
    return KontraGrid(rules, contract, seat, caller, cards, pairs, deals, close)
