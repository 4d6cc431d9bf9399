"""Hands that lie on the table together: whole deals, endings and partly known deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from kopsim._layouts import LayoutSpace
from kopsim.cards import (
    Card,
    CardRow,
    Cards,
    Pattern,
    Style,
    format_cards,
    parse_cards,
    parse_pattern,
    refuse_twice,
)
from kopsim.chance import check_seed
from kopsim.errors import CardError, DealError, KopsimError, Lang
from kopsim.quantities import as_whole, counted, whole_number
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import SEATS
from kopsim.shown import Shown

Hand = frozenset[Card]


def check_seat(seat: object) -> int:
    """A seat number 1 to 4, of any kind of whole number, as an int; raises DealError otherwise."""
    number = as_whole(seat)
    if number in SEATS:
        return number
    raise DealError("seat-bad", text=seat)


def refuse_strangers(cards: Iterable[Card], rules: RuleSet) -> None:
    """Raises DealError for a card that is not in the pack."""
    for card in cards:
        if card not in rules.pack.cards:
            raise DealError("pack-stranger", card=card, rules=rules)


def sort_hand(cards: Iterable[Card], rules: RuleSet, contract: str | None = None) -> CardRow:
    """Cards strongest first, by the order of a contract, by default the rule set's first."""
    order = next(iter(rules.orders)) if contract is None else rules.contract(contract).order
    strength = rules.orders[order].strength
    return CardRow(sorted(cards, key=strength.__getitem__))


def every_hand(rules: RuleSet, holding: Iterable[Card] = (), contract: str | None = None) -> list[tuple[Card, ...]]:
    """Every hand of a pack that holds certain cards, strongest first, each sorted by strength as `sort_hand` does."""
    needed = set(holding)
    hands = combinations(sort_hand(rules.pack.cards, rules, contract), rules.seats.hand_size)
    return [hand for hand in hands if needed.issubset(hand)]


@dataclass(frozen=True)
class Deal(Shown):
    """Four hands of equal size, by seat 1-4; with fewer than the full number of cards, an ending.

    hands: each may be given as `kopsim.cards.parse_cards` takes cards.
    Raises DealError or CardError if the hands cannot lie on the table together.
    """

    hands: tuple[Hand, ...]
    rules: RuleSet

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(frozenset(parse_cards(hand)) for hand in self.hands))
        if len(self.hands) != len(SEATS):
            raise DealError("deal-hands", count=len(self.hands))
        refuse_twice(card for hand in self.hands for card in sorted(hand))
        # Different cards of the pack, so equal hands cannot be too large.
        size = len(self.hands[0])
        for seat, hand in zip(SEATS, self.hands, strict=True):
            refuse_strangers(sorted(hand), self.rules)
            if len(hand) != size:
                raise DealError("deal-uneven", seat=seat, count=len(hand), wanted=size)
        if not size:
            raise DealError("deal-empty")

    @classmethod
    def parse(cls, text: str, rules: RuleSet | None = None) -> Deal:
        """Reads "hand | hand | hand | hand" in seat order, cards as `kopsim.parse_cards` takes them."""
        parts = text.split("|")
        if len(parts) != len(SEATS):
            raise DealError("deal-hands", count=len(parts) if text.strip() else 0)
        hands = []
        for seat, part in zip(SEATS, parts, strict=True):
            try:
                hands.append(frozenset(parse_cards(part)))
            except CardError as error:
                raise DealError("deal-in", seat=seat, reason=error) from None
        return cls(tuple(hands), rules or load_rules())

    def text(self, style: Style = "symbols", lang: Lang = "en") -> str:
        """The deal in writing, each hand strongest first; `Deal.parse` reads it back."""
        return " | ".join(format_cards(sort_hand(hand, self.rules), style, lang) for hand in self.hands)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class PartialDeal(Shown):
    """What is known of a deal: cards that seats hold and cards that they lack.

    holds, lacks: four sets of cards, seats 1-4.  Every such object has at least
    one layout; DealError or CardError say what is contradictory.
    """

    holds: tuple[Hand, ...]
    lacks: tuple[Hand, ...]
    rules: RuleSet

    @classmethod
    def of(
        cls,
        holds: Mapping[int, Cards],
        lacks: Mapping[int, Cards] | None = None,
        rules: RuleSet | None = None,
    ) -> PartialDeal:
        """Known cards by seat number; seats left out are free."""
        held, lacked = hands_by_seat(holds), hands_by_seat(lacks or {})
        return cls(
            tuple(held.get(seat, frozenset()) for seat in SEATS),
            tuple(lacked.get(seat, frozenset()) for seat in SEATS),
            rules or load_rules(),
        )

    def __post_init__(self) -> None:
        size = self.rules.seats.hand_size
        refuse_twice(card for hand in self.holds for card in sorted(hand))
        for seat, held, lacked in zip(SEATS, self.holds, self.lacks, strict=True):
            refuse_strangers(sorted(held | lacked), self.rules)
            if len(held) > size:
                raise DealError("hand-too-many", seat=seat, wanted=size, count=len(held), cards=sorted(held))
            if both := sorted(held & lacked):
                raise DealError("holds-lacks", seat=seat, card=both[0])
        if not self.layouts:
            raise DealError("layout-none")

    @cached_property
    def layouts(self) -> int:
        """The number of layouts that fit, all equally likely."""
        return len(self.space(compile_order(self.rules, next(iter(self.rules.orders)))))

    def sample(self, size: int, seed: int) -> list[Deal]:
        """So many layouts as deals, drawn independently and all equally likely; the same for the same seed.

        Raises QueryError for a size below 0 and for what is no seed.
        """
        size, seed = counted(size, "size", "sample-size", 0), check_seed(seed)
        ranks = np.random.default_rng(seed).integers(0, self.layouts, size)
        return [self.layout(int(rank)) for rank in ranks]

    def layout(self, rank: int, contract: str | None = None) -> Deal:
        """Layout number `rank`, 0 to layouts - 1, as a deal; IndexError outside.

        contract: in whose card order layouts are numbered, by default the rule set's first.
        """
        order = next(iter(self.rules.orders)) if contract is None else self.rules.contract(contract).order
        compiled, rank = compile_order(self.rules, order), whole_number(rank, "rank")
        return Deal(tuple(frozenset(compiled.cards_of(mask)) for mask in self.space(compiled).unrank(rank)), self.rules)

    def space(self, compiled: CompiledOrder) -> LayoutSpace:
        """The layouts, numbered, in the bits of a compiled order; DealError if there are too many to number."""
        pack = compiled.mask(self.rules.pack.cards)
        try:
            return LayoutSpace(
                pack,
                [self.rules.seats.hand_size] * 4,
                [compiled.mask(held) for held in self.holds],
                [pack & ~compiled.mask(lacked) for lacked in self.lacks],
            )
        except ValueError:
            raise DealError("layout-many") from None


def hands_by_seat(known: Mapping[int, Cards]) -> dict[int, Hand]:
    """Cards by seat, given as `parse_cards` takes them; raises CardError or DealError for what are none or no seat."""
    return {check_seat(seat): frozenset(parse_cards(cards)) for seat, cards in known.items()}


def check_hand(cards: Pattern, rules: RuleSet) -> Hand:
    """The known cards of a whole hand (None = any card); raises CardError or DealError for what is none of these rules.

    cards: as `kopsim.cards.parse_pattern` takes them.
    """
    listed = parse_pattern(cards)
    known = [card for card in listed if card is not None]
    if len(listed) != rules.seats.hand_size:
        shown: list[KopsimError | str | Card] = ["?" if card is None else card for card in listed]
        raise DealError("hand-size", wanted=rules.seats.hand_size, count=len(listed), cards=shown)
    refuse_twice(listed)
    refuse_strangers(known, rules)
    return frozenset(known)
