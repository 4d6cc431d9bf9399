"""The auction: who speaks, what may be said, and when it ends.

Seats speak in the rule set's order, round after round.  A contract replaces a lower one
(and cancels its doublings, if the rules say so); contracts announced "first-turn" may only be named the first
time a seat speaks.  Doublings go up one by one and come from opposing sides in turn.  The
auction ends when every seat has spoken and the three after the last call have passed.

Sides can be hidden: in a game nobody knows who holds the old cards.  A call is legal here
if it is legal for some sides that fit the known hands and all the calls before it; with
all four hands known that is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product

from kopsim.barred import BarredHand, barred_hand, barred_silence
from kopsim.cards import Card
from kopsim.deals import Hand, hands_by_seat
from kopsim.errors import CallError, QueryError
from kopsim.roles import partner_cards
from kopsim.rules import Contract, RuleSet
from kopsim.rules.model import SEATS, without_accents
from kopsim.scoring import Party, doubling_limit
from kopsim.shown import Shown
from kopsim.values import Value

PASS = "pass"
_PASSES = ("pas", "pass", "passe", "pytam")  # who is on lead asks, and so has announced nothing


@dataclass(frozen=True)
class Call:
    """What a seat says: PASS, the id of a contract, or a doubling."""

    seat: int
    name: str


@dataclass(frozen=True, eq=False)
class Auction(Value, Shown):
    """An auction so far; immutable, `call` gives the next one.

    hands: those that are known, by seat.
    """

    rules: RuleSet
    hands: Mapping[int, Hand] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", hands_by_seat(self.hands))
        super().__post_init__()

    @property
    def to_speak(self) -> int | None:
        """The seat whose turn it is; None when the auction is over."""
        return None if self.is_over else self.rules.seats.speaking[len(self.calls) % len(SEATS)]

    @property
    def is_over(self) -> bool:
        """Whether every seat has spoken and nobody has added anything since three turns."""
        return len(self.calls) >= len(SEATS) and all(call.name == PASS for call in self.calls[1 - len(SEATS) :])

    @property
    def announcement(self) -> Call | None:
        """The highest contract announced so far, with its seat."""
        named = [call for call in self.calls if call.name in self.rules.contracts]
        return named[-1] if named else None

    @property
    def contract(self) -> str:
        """The contract as it stands: announced, or else the silent one, a soloist's if that is certain.

        Raises QueryError if the rules have none to be played silently.
        """
        contracts = {contract for contract, _ in self._possible()}
        return next(iter(contracts)) if len(contracts) == 1 else self._silent_pairs()

    @property
    def doubles(self) -> tuple[Call, ...]:
        """The doublings of the contract as it stands, those of lower ones among them where the rules keep them."""
        found: list[Call] = []
        for call in self.calls:
            if call.name in self.rules.contracts:
                found = [] if self.rules.doubling.cancelled_by_higher else found
            elif call.name != PASS:
                found.append(call)
        return tuple(found)

    @property
    def multipliers(self) -> tuple[int, ...]:
        """What the doublings may multiply the price by, the least first; one number if the sides do not matter."""
        return tuple(sorted({self.multiplier_of(side) for _, side in self._possible()})) or (1,)

    @property
    def multiplier(self) -> int:
        """What the doublings multiply the price by; at most, while the sides are not certain."""
        return self.multipliers[-1]

    def multiplier_of(self, side: Iterable[int]) -> int:
        """The same if this is the old side."""
        return self.rules.doubling.multiplier(len(self.doublings(side)))

    def doublings(self, side: Iterable[int]) -> tuple[str, ...]:
        """The doublings that count if this is the old side.

        Where the rules say so calls of one side in a row count once; and who plays alone
        in silence is doubled no further than his contract allows, whatever was said to a game.
        """
        counted = len(self._runs(side)) if self._counts_once else len(self.doubles)
        return self.rules.doubling.calls[: min(counted, len(self.rules.contract(self.played_by(side)).doubling))]

    def last_doubler(self, side: Iterable[int]) -> Party | None:
        """Who made the last doubling that counts if this is the old side; None if nobody doubled."""
        counted = len(self.doublings(side))
        if not counted:
            return None
        runs = self._runs(side) if self._counts_once else [call.seat in frozenset(side) for call in self.doubles]
        return "old" if runs[counted - 1] else "young"

    def played_by(self, side: Iterable[int]) -> str:
        """The contract that is played if this is the old side: announced, a silent soloist's, or a game."""
        if self.announcement is not None:
            return self.announcement.name
        alone = self.rules.silent("soloist")
        return alone if alone is not None and len(frozenset(side)) == 1 else self._silent_pairs()

    @property
    def _counts_once(self) -> bool:
        return self.rules.doubling.same_side == "counts-once"

    def _runs(self, side: Iterable[int]) -> list[bool]:
        """For each run of doublings by one side whether it is the old."""
        old = frozenset(side)
        return [party for party, _ in groupby(call.seat in old for call in self.doubles)]

    def declarers(self) -> tuple[int, ...] | None:
        """The seats of the old side, sorted; None while it is not certain."""
        sides = {side for _, side in self._possible()}
        return tuple(sorted(next(iter(sides)))) if len(sides) == 1 else None

    def party(self, seat: int) -> Party | None:
        """The side of a seat in the contract as it stands; None while it is not certain."""
        old = {seat in side for _, side in self._possible()}
        return None if len(old) > 1 else "old" if True in old else "young"

    # --- who may be with whom

    def _possible(self) -> list[tuple[str, frozenset[int]]]:
        """Each contract with the old side that fits what is known: the hands, and that all doublings were legal."""
        return [(contract, side) for contract, side in self._dealt() if self.doubled_legally(contract, side)]

    def _dealt(self) -> set[tuple[str, frozenset[int]]]:
        """The same by the known hands alone."""
        announced = self.announcement
        if announced is None:
            holders = [self._may_hold(card) for card in self.rules.contract(self._silent_pairs()).cards]
            return {(self.played_by(side), side) for side in map(frozenset, product(*holders))}
        record = self.rules.contract(announced.name)
        if record.sides == "soloist":
            return {(announced.name, frozenset({announced.seat}))}
        return {(announced.name, frozenset({announced.seat, seat})) for seat in self._partners(announced.seat, record)}

    def _silent_pairs(self) -> str:
        pairs = self.rules.silent("holders")
        if pairs is None:
            raise QueryError("bid-no-game", rules=self.rules)
        return pairs

    @property
    def _doubled_as(self) -> str:
        """The contract that everybody sees being doubled: what is announced, or a game, though one may be alone."""
        return self.announcement.name if self.announcement is not None else self._silent_pairs()

    def _may_hold(self, card: Card) -> list[int]:
        """The seats that may hold a card, by the known hands."""
        holder = [seat for seat, hand in self.hands.items() if card in hand]
        return holder or [seat for seat in SEATS if seat not in self.hands]

    def _partners(self, announcer: int, record: Contract) -> set[int]:
        """The seats that may be an announcer's partner: who holds the best of certain cards outside his hand."""
        room = self.rules.seats.hand_size - len(record.cards)
        found: set[int] = set()
        for passed, card in enumerate(partner_cards(self.rules, record.order)):
            # He holds all better ones; unless his hand is known there must be room for them beside the old cards.
            if passed > room:
                break
            found.update(seat for seat in self._may_hold(card) if seat != announcer)
            if announcer not in self._may_hold(card):
                break
        return found

    def doubled_legally(self, contract: str, side: frozenset[int]) -> bool:
        """Whether the doublings so far are legal if this is the old side."""
        doubles, announced = self.doubles, self.announcement
        # Doublings of a lower contract that the rules keep were for other sides to make.
        kept = 0 if announced is None else sum(call in self.calls[: self.calls.index(announced)] for call in doubles)
        return all(
            self._may_double(contract, side, doubles[:place], call)
            for place, call in enumerate(doubles)
            if place >= kept
        )

    def _may_double(self, contract: str, side: frozenset[int], before: Sequence[Call], call: Call) -> bool:
        """Whether a doubling is legal after others, if this is the old side."""
        record, announced = self.rules.contract(contract), self.announcement
        if call.name not in self.rules.contract(self._doubled_as).doubling:
            return False
        if before:
            alternates = (before[-1].seat in side) != (call.seat in side)
            # Of the sides of an announced soloist everybody knows.
            hidden = announced is None or record.sides != "soloist"
            return alternates or (self._counts_once and hidden)
        # The announcer's partner may double; the announcer and a soloist, silent ones too, may not.
        declares = call.seat == self.announcement.seat if self.announcement else side == {call.seat}
        return record.first_double_by_declarer or not declares

    # --- calls

    def legal(self) -> list[str]:
        """What the seat to speak may say: PASS first, contracts by rank, the next doubling; [] when it is over."""
        if self.is_over:
            return []
        names = [PASS, *sorted(self.rules.contracts, key=lambda key: self.rules.contracts[key].rank)]
        return [name for name in (*names, *self.rules.doubling.calls) if self._refusal(name) is None]

    def call(self, name: str) -> Auction:
        """The auction after the seat to speak has said something; raises CallError naming the rule against it."""
        if (refusal := self._refusal(name)) is not None:
            raise refusal
        assert self.to_speak is not None
        return replace(self, calls=(*self.calls, Call(self.to_speak, name)))

    def depends_on(self, name: str) -> int | None:
        """The seat that must be on the other side for a doubling to be legal, where that is not certain."""
        if name not in self.rules.doubling.calls or not self.doubles or self.to_speak is None:
            return None
        call = Call(self.to_speak, name)
        sure = all(self._may_double(contract, side, self.doubles, call) for contract, side in self._possible())
        return None if sure else self.doubles[-1].seat

    def _refusal(self, name: str) -> CallError | None:
        """Why the seat to speak may not say something; None if it may."""
        if self.to_speak is None:
            return CallError("call-over", call=name)
        if name in self.rules.contracts:
            return self._contract_refusal(name, self.to_speak)
        if name == PASS:
            return self._silence_refusal(self.to_speak)
        if name in self.rules.doubling.calls:
            return self._silence_refusal(self.to_speak) or self._doubling_refusal(name, self.to_speak)
        return CallError("call-unknown", text=name, choices=call_names(self.rules))

    def _silence_refusal(self, seat: int) -> CallError | None:
        """Why a seat must announce the first time it speaks: its hand may not be played silently alone."""
        hand = self.hands.get(seat)
        if hand is None or self.announcement is not None or any(call.seat == seat for call in self.calls):
            return None
        return _call_error(barred_silence(self.rules, hand, seat))

    def _contract_refusal(self, name: str, seat: int) -> CallError | None:
        record = self.rules.contract(name)
        if record.announced == "silent":
            return CallError("call-silent", call=name)
        if record.announced == "first-turn" and any(call.seat == seat for call in self.calls):
            return CallError("call-first-turn", seat=seat, call=name)
        if self.announcement is not None and record.rank <= self.rules.contract(self.announcement.name).rank:
            return CallError("call-rank", call=name, seat=seat, contract=self.announcement.name)
        if seat in self.hands and not self.hands[seat].issuperset(record.cards):
            return CallError("call-needs", call=name, seat=seat, needs=record.cards)
        return _call_error(barred_hand(self.rules, name, self.hands[seat], seat)) if seat in self.hands else None

    def _doubling_refusal(self, name: str, seat: int) -> CallError | None:
        doubles, known, possible = self.doubles, self.rules.doubling.calls, self._possible()
        if name not in self.rules.contract(self._doubled_as).doubling:
            key, told = doubling_limit(self._doubled_as, name, self.rules)
            return CallError(key, **told)
        due = known[len(doubles) : len(doubles) + 1]
        if [name] != list(due):
            return CallError("double-order", call=name, due=due)
        call = Call(seat, name)
        if any(self._may_double(contract, side, doubles, call) for contract, side in possible):
            return None
        if not doubles:
            return CallError("double-first", contract=self.contract, call=name)
        return CallError("double-same-side", call=name, seat=seat, last=doubles[-1].seat)


def _call_error(barred: BarredHand | None) -> CallError | None:
    return None if barred is None else CallError(barred.reason.key, **barred.reason.params)


def barred_call(rules: RuleSet, name: str, hand: Iterable[Card], seat: int) -> BarredHand | None:
    """Why a hand may not play a contract at a seat, or may not pass there; None if it may."""
    return barred_silence(rules, hand, seat) if name == PASS else barred_hand(rules, name, hand, seat)


def call_names(rules: RuleSet) -> list[str]:
    """Everything that can be said under a rule set."""
    return [PASS, *(key for key, each in rules.contracts.items() if each.announced != "silent"), *rules.doubling.calls]


def is_pass(text: str) -> bool:
    """Whether people mean a pass by it, in either language."""
    return " ".join(text.lower().split()) in _PASSES


def parse_call(text: str, rules: RuleSet) -> str:
    """A call as people write it, in either language; raises CallError naming the choices."""
    if is_pass(text):
        return PASS
    if (key := rules.contract_key(text)) in rules.contracts:
        return key
    for call in rules.doubling.calls:
        if without_accents(call) == without_accents(text):
            return call
    raise CallError("call-unknown", text=text.strip(), choices=call_names(rules))


def bid(auction: Auction, text: str) -> Auction:
    """An auction after the calls of a text such as "2: pas, 3: zolo, 4: kontra"; seats may be left out.

    Raises CallError with the number of the call that is out of turn, unknown or against the rules.
    """
    for part in re.split(r"[,;\n]", text):
        if not part.strip():
            continue
        seat, colon, name = part.partition(":")
        seat, name = (seat.strip(), name) if colon else ("", part)
        number = len(auction.calls) + 1
        if seat and seat not in map(str, SEATS):
            raise CallError("call-number", number=number, reason=CallError("seat-bad", text=seat))
        if seat and auction.to_speak is not None and seat != str(auction.to_speak):
            raise CallError("call-turn", number=number, text=part.strip(), seat=auction.to_speak)
        try:
            auction = auction.call(parse_call(name, auction.rules))
        except CallError as error:
            raise CallError("call-number", number=number, reason=error) from None
    return auction
