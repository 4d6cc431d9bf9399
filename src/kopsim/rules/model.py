"""The records of a rule set, frozen and checked when they are made.

A rule set is data: a club writes a TOML file with these keys and the whole of
kopsim works with it.  The records say nothing about how a game is searched.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from kopsim.cards import RANKS, SUITS, Card, parse_cards
from kopsim.errors import Lang, QueryError, RuleError
from kopsim.frozen_map import freeze_maps
from kopsim.plain_text import plain
from kopsim.rules.fitting import (
    Found,
    card_worth,
    contract_faults,
    order_faults,
    rank_faults,
    suit_faults,
    worth_faults,
)
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
    """Base of all records: values that cannot be changed, strict about unknown keys, and checked when made."""

    @classmethod
    def faults(cls, **fields: Any) -> Found:
        """All that does not fit together in a record with these fields; those that cannot be read are left out."""
        del fields
        yield from ()

    def __post_init__(self) -> None:
        freeze_maps(self)
        for _, reason in self.faults(**{field: getattr(self, field) for field in self.__struct_fields__}):
            raise reason


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

    @classmethod
    def faults(cls, *, speaking: Sequence[int] = SEATS, partners: Sequence[int] = (), **_: Any) -> Found:
        """Seats that stand twice or not at all, and partners who are not each other's."""
        if sorted(speaking) != list(SEATS):
            yield ("speaking",), RuleError("rules-seats-once")
        if partners and (sorted(partners) != list(SEATS) or [partners[p - 1] for p in partners] != list(SEATS)):
            yield ("partners",), RuleError("rules-partners")


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

    @classmethod
    def faults(
        cls,
        *,
        trumps: Cards | None = None,
        side_suits: Sequence[Cards] | None = None,
        points: Mapping[str, int] | None = None,
        trump_points: Mapping[str, int] | None = None,
        card_points: Mapping[str, int] | None = None,
        trick_bonus: Sequence[int] | None = None,
        **_: Any,
    ) -> Found:
        """Cards that stand twice, worths for what is not there, and cards without a worth."""
        yield from rank_faults("points", points or {})
        yield from rank_faults("trump_points", trump_points or {})
        if trumps is None or side_suits is None:
            return
        yield from suit_faults(trumps, side_suits)
        if points is None or trump_points is None or card_points is None or trick_bonus is None:
            return
        cards = [card for suit in (trumps, *side_suits) for card in suit]
        yield from worth_faults(cards, trumps, points, trump_points, card_points, trick_bonus)

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

    def worth(self, card: Card) -> int:
        """Points of a card to whoever takes the trick it lies in."""
        worth = card_worth(card, self.trumps, self.points, self.trump_points, self.card_points)
        assert worth is not None
        return worth


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

    @classmethod
    def faults(
        cls,
        *,
        sides: str | None = None,
        partner: str | None = None,
        cards: Cards | None = None,
        value: Mapping[str, int] | None = None,
        **_: Any,
    ) -> Found:
        """Prices by grades that do not belong together, and sides that lack cards or a partner."""
        if value is not None and set(value) not in ({"made"}, {"with-26", "under-26", "no-trick"}):
            yield ("value",), RuleError("rules-value", keys=sorted(value))
        if sides == "partner" and partner == "none":
            yield ("partner",), RuleError("rules-partner")
        if sides in ("holders", "partner") and cards is not None and len(cards) != 2:
            yield ("cards",), RuleError("rules-old-cards", sides=sides, count=len(cards))

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

    @classmethod
    def faults(cls, *, calls: Sequence[str] | None = None, multipliers: Sequence[int] | None = None, **_: Any) -> Found:
        """Calls without a multiplier, or the reverse."""
        if calls is not None and multipliers is not None and len(calls) != len(multipliers):
            yield ("multipliers",), RuleError("rules-doubles", calls=len(calls), multipliers=len(multipliers))

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

    @classmethod
    def faults(
        cls,
        *,
        id: str | None = None,  # noqa: A002 - the key's name
        pack: Pack | None = None,
        seats: Seats | None = None,
        orders: Mapping[str, Order] | None = None,
        contracts: Mapping[str, Contract] | None = None,
        doubling: Doubling | None = None,
        **_: Any,
    ) -> Found:
        """What does not fit together between tables; of a table that could not be read whole, as far as it goes."""
        if id is not None and (not id or id.strip("abcdefghijklmnopqrstuvwxyz0123456789-")):
            yield ("id",), RuleError("rules-id", text=id)
        cards = getattr(pack, "cards", None)  # only a whole pack has them
        size = None if seats is None else seats.hand_size
        if cards is not None and size is not None and len(cards) != len(SEATS) * size:
            yield ("seats", "hand_size"), RuleError("rules-deal", cards=len(cards), size=size)
            size = None  # so that nothing else is measured by it
        for key, order in (orders or {}).items():
            for place, reason in order_faults(order, cards, size):
                yield ("orders", key, *place), reason
        calls = None if doubling is None else doubling.calls
        for key, contract in (contracts or {}).items():
            for place, reason in contract_faults(contract, orders, calls, cards, size):
                yield ("contracts", key, *place), reason

    def text(self, lang: Lang = "en") -> str:  # noqa: ARG002 - an id is the same in every language
        """What a message calls the rule set."""
        return self.id

    def order_of(self, contract: str | None) -> str:
        """The card order a contract is played in; None is allowed where there is only one.

        Raises QueryError naming the choices.
        """
        if contract is not None:
            return self.contract(self.contract_key(contract)).order
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

        With or without Polish accents, spaces and dashes; of a name such as "baśka (korona)" either part will do.
        """
        plain = _unjoined(text)
        for key, contract in self.contracts.items():
            names = [key, *(name for whole in (contract.name.pl, contract.name.en) for name in _parts(whole))]
            if plain in map(_unjoined, names):
                return key
        return text

    def contract(self, key: str) -> Contract:
        """A contract by id; raises QueryError naming the choices."""
        if key not in self.contracts:
            raise QueryError("contract-unknown", rules=self, text=key, choices=list(self.contracts))
        return self.contracts[key]


def without_accents(text: str) -> str:
    """Text in small letters without accents and what nobody sees, spaces put right: how names are compared."""
    return " ".join(plain(text).split())


def _unjoined(name: str) -> str:
    """A name without what joins its words, which people write in every way: "zolo du", "zolo-du", "zolodu"."""
    return "".join(char for char in plain(name) if not char.isspace() and unicodedata.category(char) != "Pd")


def _parts(name: str) -> list[str]:
    """A name, and where it has something in brackets what stands before them and in them."""
    before, bracket, inside = name.partition(" (")
    return [name, before, inside.removesuffix(")")] if bracket else [name]
