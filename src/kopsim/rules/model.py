"""The records of a rule set, frozen and checked when they are made.

A rule set is data: a club writes a TOML file with these keys and the whole of
kopsim works with it.  The records say nothing about how a game is searched.
"""

from __future__ import annotations

import unicodedata
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from kopsim._rules import MOST_WORTH
from kopsim.cards import RANKS, SUITS, Card, parse_cards
from kopsim.errors import Lang, QueryError, RuleError
from kopsim.frozen_map import freeze_maps
from kopsim.shown import Shown

Demand = Literal["beat", "follow", "follow-beat", "trump"]
Ladder = Annotated[tuple[Demand, ...], Meta(max_length=4)]
Points = Annotated[int, Meta(ge=-1000, le=1000)]
Seat = Annotated[int, Meta(ge=1, le=4)]
Count = Annotated[int, Meta(ge=0, le=1000)]
SEATS = (1, 2, 3, 4)


class Cards(tuple[Card, ...]):
    """Different cards, written in a rule file as one text, e.g. "Q♣ Q♠"."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Cards:
        """The cards of a text, which may be empty; raises CardError."""
        return cls(parse_cards(text)) if text.strip() else cls()


class Record(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all records: values that cannot be changed, and strict about unknown keys."""

    def __post_init__(self) -> None:
        freeze_maps(self)


class Name(Record, frozen=True):
    """A text in both languages."""

    pl: str
    en: str

    def text(self, lang: Lang = "en") -> str:
        """The text in one language."""
        return self.pl if lang == "pl" else self.en


class Pack(Record, frozen=True, dict=True):
    """The cards: every rank in every suit."""

    ranks: Annotated[tuple[Literal[RANKS], ...], Meta(min_length=1)]  # type: ignore[valid-type]
    suits: Annotated[tuple[Literal[SUITS], ...], Meta(min_length=1, max_length=4)]  # type: ignore[valid-type]

    @cached_property
    def cards(self) -> frozenset[Card]:
        """All cards of the pack."""
        return frozenset(Card(rank, suit) for rank in self.ranks for suit in self.suits)


class Seats(Record, frozen=True):
    """Four seats in order of play, seat 1 on lead to the first trick."""

    hand_size: Annotated[int, Meta(ge=1, le=13)]
    names: Annotated[tuple[Name, ...], Meta(min_length=4, max_length=4)]
    direction: Literal["clockwise", "anticlockwise"] = "clockwise"
    speaking: Annotated[tuple[Seat, ...], Meta(min_length=4, max_length=4)] = (1, 2, 3, 4)
    # Each seat's fixed partner, for games of two pairs; () when there is none.
    partners: tuple[Seat, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if sorted(self.speaking) != [1, 2, 3, 4]:
            raise RuleError("rules-seats", field="speaking")
        if self.partners and [self.partners[p - 1] for p in self.partners] != [1, 2, 3, 4]:
            raise RuleError("rules-seats", field="partners")


class Obligations(Record, frozen=True):
    """What a follower must play.

    Each ladder is tried from its first demand on; the first that the hand can
    meet binds, and if none can be met any card may be played.  The `partner_…`
    ladders hold instead while the player's fixed partner is winning the trick.
    """

    trump_led: Ladder
    side_led: Ladder
    partner_trump_led: Ladder | None = None
    partner_side_led: Ladder | None = None

    def ladder(self, *, trump_led: bool, partner_wins: bool) -> tuple[Demand, ...]:
        """The ladder for one situation."""
        exempt = self.partner_trump_led if trump_led else self.partner_side_led
        if partner_wins and exempt is not None:
            return exempt
        return self.trump_led if trump_led else self.side_led


class Order(Record, frozen=True, dict=True):
    """Strength and worth of the cards.

    trumps and side_suits: cards strongest first; a trump beats every other card.
    points: by rank; trump_points: by rank, for trumps where they differ;
    card_points: for single cards, counting before both.
    trick_bonus: worth of each trick in itself, first trick first; () for none.
    """

    name: Name
    trumps: Cards
    side_suits: tuple[Cards, ...]
    points: dict[str, Points]
    obligations: Obligations
    trump_points: dict[str, Points] = {}
    card_points: dict[str, Points] = {}
    trick_bonus: tuple[Points, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.suits) > 5 or not self.suits:
            raise RuleError("rules-suits", count=len(self.suits))
        seen: set[Card] = set()
        for card in self.cards:
            if card in seen:
                raise RuleError("rules-order-twice", card=card)
            seen.add(card)
        for table, field, known in (
            (self.points, "points", set(RANKS)),
            (self.trump_points, "trump_points", set(RANKS)),
            (self.card_points, "card_points", set(map(str, self.cards))),
        ):
            for key in table:
                if key not in known:
                    raise RuleError("rules-points-key", field=field, name=key)
        lacking = sorted({card.rank for card in self.cards if self._worth(card) is None}, key=RANKS.index, reverse=True)
        if lacking:
            raise RuleError("rules-points", ranks=lacking)
        if sum(abs(worth) for worth in (*map(self.worth, self.cards), *self.trick_bonus)) > MOST_WORTH:
            raise RuleError("rules-worth-most", most=MOST_WORTH)

    @cached_property
    def suits(self) -> tuple[Cards, ...]:
        """The effective suits, each strongest first; the trumps, if any, come first."""
        return (self.trumps, *self.side_suits) if self.trumps else self.side_suits

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards, trumps first, each suit strongest first."""
        return tuple(card for suit in self.suits for card in suit)

    @cached_property
    def suit_of(self) -> dict[Card, Cards]:
        """The effective suit each card belongs to."""
        return {card: suit for suit in self.suits for card in suit}

    @cached_property
    def strength(self) -> dict[Card, int]:
        """Place of each card in `cards`, 0 for the strongest."""
        return {card: place for place, card in enumerate(self.cards)}

    def _worth(self, card: Card) -> int | None:
        if (points := self.card_points.get(str(card))) is not None:
            return points
        if card in self.trumps and (points := self.trump_points.get(card.rank)) is not None:
            return points
        return self.points.get(card.rank)

    def worth(self, card: Card) -> int:
        """Points of a card to whoever takes the trick it lies in."""
        points = self._worth(card)
        assert points is not None
        return points


class MorePoints(Record, tag="more-points", tag_field="kind", frozen=True):
    """The side must take more points than the other side."""


class AtLeast(Record, tag="points", tag_field="kind", frozen=True):
    """The side must take at least so many points."""

    at_least: Points


class EveryTrick(Record, tag="every-trick", tag_field="kind", frozen=True):
    """The side must take every trick."""


class Honour(Record, tag="honour", tag_field="kind", frozen=True):
    """Held cards alone win; nothing is played."""


class Barred(Record, frozen=True):
    """A hand that may not play a contract: whoever holds all these cards, at these seats."""

    cards: Cards
    seats: tuple[Seat, ...] = SEATS


class Contract(Record, frozen=True):
    """One way to play a deal: who against whom, for what, at what price.

    sides: "holders" of `cards` against the rest; "partner": the holder of all
    `cards` with a partner; "soloist": one against three.
    value: what each loser pays each winner undoubled (a soloist three times), by
    grade of the win; lost_value: what a soloist pays each opponent where it differs;
    lost_times: how many times the value by grade a declaring side that loses pays.
    barred: hands that may not play it though they hold `cards`.
    first_double_by_declarer: whether the announcer or soloist may be the first to double.
    """

    name: Name
    rank: Count
    order: str
    sides: Literal["holders", "partner", "soloist"]
    goal: MorePoints | AtLeast | EveryTrick | Honour
    value: dict[Literal["made", "with-26", "under-26", "no-trick"], Count]
    announced: Literal["silent", "first-turn", "any-turn"]
    doubling: tuple[str, ...] = ()
    cards: Cards = Cards()
    partner: Literal["highest-jack", "none"] = "none"
    barred: tuple[Barred, ...] = ()
    lost_value: Count | None = None
    lost_times: Count = 1
    tie: Literal["declarer-loses", "old-lose"] = "declarer-loses"
    tie_doubled: Literal["declarer-loses", "old-lose", "last-caller-loses"] = "declarer-loses"
    first_double_by_declarer: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if set(self.value) not in ({"made"}, {"with-26", "under-26", "no-trick"}):
            raise RuleError("rules-value", keys=sorted(self.value) or "–")
        if self.sides == "partner" and self.partner == "none":
            raise RuleError("rules-partner")
        if self.sides != "soloist" and len(self.cards) != 2:
            raise RuleError("rules-old-cards", sides=self.sides, count=len(self.cards))

    def allows(self, hand: frozenset[Card], seat: int) -> bool:
        """Whether a hand at a seat may play it: it holds the cards, and is not barred."""
        barred = any(seat in each.seats and hand.issuperset(each.cards) for each in self.barred)
        return hand.issuperset(self.cards) and not barred


class Doubling(Record, frozen=True):
    """The doubling calls in order, and the multiplier after each.

    cancelled_by_higher: whether a higher contract does away with the doublings of a lower one;
    same_side: whether a call after one of the caller's own side is refused, or may be made and
    counts with it as one, which matters while nobody knows the sides.
    bok_round: times what every deal of a bok round pays, 1 where there are none; cap: the
    most that doublings and bok round together multiply by.
    """

    calls: tuple[str, ...] = ()
    multipliers: tuple[Count, ...] = ()
    cancelled_by_higher: bool = True
    same_side: Literal["refused", "counts-once"] = "refused"
    bok_round: Annotated[int, Meta(ge=1, le=1000)] = 1
    cap: Annotated[int, Meta(ge=1)] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.calls) != len(self.multipliers):
            raise RuleError("rules-doubles", calls=len(self.calls), multipliers=len(self.multipliers))

    def multiplier(self, count: int, *, bok_round: bool = False) -> int:
        """What so many doublings that count multiply by, in a bok round if there are such, no higher than the cap."""
        times = (1, *self.multipliers)[count] * (self.bok_round if bok_round else 1)
        return times if self.cap is None else min(times, self.cap)


class Misplay(Record, frozen=True):
    """Who loses a deal that was misplayed, and at which grade where a contract has several."""

    loses: Literal["side", "player"] = "side"
    grade: Literal["with-26", "under-26", "no-trick"] = "with-26"


class Tournament(Record, frozen=True):
    """How deals add up to a result."""

    rounds: Count
    deals: Count
    table_points: tuple[Count, ...] = ()


class RuleSet(Record, Shown, frozen=True):
    """A whole game as played in one place."""

    id: str
    name: Name
    source: Name
    pack: Pack
    seats: Seats
    orders: Annotated[dict[str, Order], Meta(min_length=1)]
    contracts: dict[str, Contract] = {}
    doubling: Doubling = Doubling()
    misplay: Misplay = Misplay()
    tournament: Tournament | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.id or self.id.strip("abcdefghijklmnopqrstuvwxyz0123456789-"):
            raise RuleError("rules-id", text=self.id)
        size = self.seats.hand_size
        if len(self.pack.cards) != 4 * size:
            raise RuleError("rules-deal", cards=len(self.pack.cards), size=size)
        for key, order in self.orders.items():
            missing, foreign = self.pack.cards - set(order.cards), set(order.cards) - self.pack.cards
            if missing or foreign:
                raise RuleError(
                    "rules-order-pack", order=key, missing=sorted(missing) or "–", foreign=sorted(foreign) or "–"
                )
            if order.trick_bonus and len(order.trick_bonus) != size:
                raise RuleError("rules-bonus", order=key, count=len(order.trick_bonus), tricks=size)
        for key, contract in self.contracts.items():
            if contract.order not in self.orders:
                raise RuleError("rules-contract-order", order=contract.order, contract=key, choices=list(self.orders))
            for call in contract.doubling:
                if call not in self.doubling.calls:
                    raise RuleError("rules-doubling", name=call, contract=key, choices=list(self.doubling.calls) or "–")
            first = self.doubling.calls[: len(contract.doubling)]
            if contract.doubling != first:
                raise RuleError("rules-doubling-order", contract=key, wanted=list(first))
            barred = [("barred", card) for each in contract.barred for card in each.cards]
            for field, card in (*(("cards", card) for card in contract.cards), *barred):
                if card not in self.pack.cards:
                    raise RuleError("rules-contract-cards", contract=key, field=field, card=card)
            for each in contract.barred:
                together = {*contract.cards, *each.cards}
                if len(together) > size:
                    raise RuleError("rules-barred-many", contract=key, cards=sorted(together), size=size)

    def text(self, lang: Lang = "en") -> str:  # noqa: ARG002 - an id is the same in every language
        """What a message calls the rule set."""
        return self.id

    def order_of(self, contract: str | None) -> str:
        """The card order a contract is played in; None is allowed where there is only one.

        Raises QueryError naming the choices.
        """
        if contract is not None:
            return self.contract(contract).order
        if len(self.orders) > 1 and not self.contracts:
            raise QueryError("order-none", rules=self)
        if len(self.orders) > 1:
            raise QueryError("order-choice", rules=self, choices=list(self.contracts))
        return next(iter(self.orders))

    def silent(self, sides: str) -> str | None:
        """The contract with such sides that is played when nobody announces one; None if there is none."""
        silent = (key for key, each in self.contracts.items() if each.announced == "silent" and each.sides == sides)
        return next(silent, None)

    def multipliers(self, key: str) -> tuple[int, ...]:
        """What the doublings that a contract allows multiply by, one after the other."""
        return tuple(self.doubling.multiplier(count + 1) for count in range(len(self.contract(key).doubling)))

    def contract_key(self, text: str) -> str:
        """The id of a contract as people name it, in either language; what is no name is returned as it is.

        With or without Polish accents; of a name such as "baśka (korona)" either part will do.
        """
        plain = without_accents(text)
        for key, contract in self.contracts.items():
            names = [key, *(name for whole in (contract.name.pl, contract.name.en) for name in _parts(whole))]
            if plain in map(without_accents, names):
                return key
        return text

    def contract(self, key: str) -> Contract:
        """A contract by id; raises QueryError naming the choices."""
        if key not in self.contracts:
            raise QueryError("contract-unknown", rules=self, text=key, choices=list(self.contracts))
        return self.contracts[key]


def without_accents(text: str) -> str:
    """Text in small letters without accents, spaces put right: how names are compared."""
    letters = unicodedata.normalize("NFKD", text.lower().replace("ł", "l"))
    return " ".join("".join(char for char in letters if not unicodedata.combining(char)).split())


def _parts(name: str) -> list[str]:
    """A name, and where it has something in brackets what stands before them and in them."""
    before, bracket, inside = name.partition(" (")
    return [name, before, inside.removesuffix(")")] if bracket else [name]
