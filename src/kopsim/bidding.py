"""The auction: who speaks, what may be said, and when it ends.

Seats speak in the rule set's order, round after round.  A contract replaces a lower one
and cancels its doublings; contracts announced "first-turn" may only be named the first
time a seat speaks.  Doublings go up one by one and come from opposing sides in turn.  The
auction ends when every seat has spoken and the three after the last call have passed.

Sides can be hidden: in a game nobody knows who holds the old cards.  A call is legal here
if it is legal for some hands that fit the ones that are known; with all four hands known
that is exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kopsim.deals import Hand
from kopsim.errors import CallError, QueryError
from kopsim.roles import partner_cards
from kopsim.rules import Contract, RuleSet
from kopsim.rules.model import SEATS
from kopsim.scoring import Party

PASS = "pass"
_PASSES = ("pas", "pass", "passe")


@dataclass(frozen=True)
class Call:
    """What a seat says: PASS, the id of a contract, or a doubling."""

    seat: int
    name: str


@dataclass(frozen=True)
class Auction:
    """An auction so far; immutable, `call` gives the next one.

    hands: those that are known, by seat.
    """

    rules: RuleSet
    hands: Mapping[int, Hand] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()

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
        """The contract as it stands: announced, or else the silent one, a soloist's if a known hand shows it.

        Raises QueryError if the rules have none to be played silently.
        """
        if self.announcement is not None:
            return self.announcement.name
        alone, pairs = self.rules.silent("soloist"), self.rules.silent("holders")
        if alone is not None and self._holder_of_all(self.rules.contract(alone)) is not None:
            return alone
        if pairs is None:
            raise QueryError("bid-no-game", rules=self.rules)
        return pairs

    @property
    def doubles(self) -> tuple[Call, ...]:
        """The doublings of the contract as it stands."""
        found: list[Call] = []
        for call in self.calls:
            if call.name in self.rules.contracts:
                found = []
            elif call.name != PASS:
                found.append(call)
        return tuple(found)

    @property
    def multiplier(self) -> int:
        """What the doublings multiply the price by."""
        return self.rules.doubling.multipliers[len(self.doubles) - 1] if self.doubles else 1

    def declarers(self) -> tuple[int, ...] | None:
        """The seats of the old side, sorted; None while the known hands do not tell."""
        old = tuple(seat for seat in SEATS if self.party(seat) == "old")
        return old if all(self.party(seat) is not None for seat in SEATS) else None

    def party(self, seat: int) -> Party | None:
        """The side of a seat in the contract as it stands; None where the known hands do not tell."""
        record, announced = self.rules.contract(self.contract), self.announcement
        if announced is not None and record.sides != "holders":
            if seat == announced.seat:
                return "old"
            return "young" if record.sides == "soloist" else self._partnership(seat, announced.seat, record)
        if record.sides == "soloist":
            return "old" if self._holder_of_all(record) == seat else "young"
        if seat in self.hands:
            return "old" if self.hands[seat] & set(record.cards) else "young"
        held = [card for hand in self.hands.values() for card in record.cards if card in hand]
        if len(held) == len(record.cards):
            return "young"
        # Of four hands three show the last.
        return "old" if len(self.hands) == len(SEATS) - 1 else None

    def _partnership(self, seat: int, announcer: int, record: Contract) -> Party | None:
        """Whether a seat is the partner of an announcer, chosen by the best of certain cards outside his hand."""
        cards = partner_cards(self.rules, record.order)
        unseen = [each for each in SEATS if each not in self.hands]
        for place, card in enumerate(cards):
            holder = next((each for each, hand in self.hands.items() if card in hand), None)
            if holder == announcer:
                continue
            if holder is not None:
                return "old" if seat == holder else "young"
            if seat in self.hands:
                # Another's card may be the announcer's own, and then the next one decides.
                may_be = announcer in unseen and not self.hands[seat].isdisjoint(cards[place:])
                return None if may_be else "young"
            return "old" if unseen == [seat] else None
        return "young"

    def _holder_of_all(self, record: Contract) -> int | None:
        """The seat whose known hand holds all the cards of a contract."""
        return next((seat for seat, hand in self.hands.items() if hand.issuperset(record.cards)), None)

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
        """The seat that must be on the other side for a doubling to be legal, where the known hands do not tell."""
        if name in self.rules.doubling.calls and self.doubles and self.to_speak is not None:
            last = self.doubles[-1].seat
            if self.party(last) is None or self.party(self.to_speak) is None:
                return last
        return None

    def _refusal(self, name: str) -> CallError | None:
        """Why the seat to speak may not say something; None if it may."""
        if self.to_speak is None:
            return CallError("call-over", call=name)
        if name == PASS:
            return None
        if name in self.rules.contracts:
            return self._contract_refusal(name, self.to_speak)
        if name in self.rules.doubling.calls:
            return self._doubling_refusal(name, self.to_speak)
        return CallError("call-unknown", text=name, choices=call_names(self.rules))

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
        return None

    def _doubling_refusal(self, name: str, seat: int) -> CallError | None:
        contract, doubles = self.contract, self.doubles
        record, known = self.rules.contract(contract), self.rules.doubling.calls
        if name not in record.doubling:
            limit = record.doubling[-1] if record.doubling else "–"
            return CallError("double-limit", contract=contract, call=name, limit=limit)
        due = known[len(doubles)] if len(doubles) < len(known) else "–"
        if name != due:
            return CallError("double-order", call=name, due=due)
        mine = self.party(seat)
        if not doubles:
            # The announcer's partner may double; the announcer and a soloist, silent ones too, may not.
            declares = seat == self.announcement.seat if self.announcement else record.sides == "soloist"
            if declares and mine == "old" and not record.first_double_by_declarer:
                return CallError("double-first", contract=contract, call=name)
            return None
        last = doubles[-1].seat
        if last == seat or (mine is not None and mine == self.party(last)):
            return CallError("double-same-side", call=name, seat=seat, last=last)
        return None


def call_names(rules: RuleSet) -> list[str]:
    """Everything that can be said under a rule set."""
    return [PASS, *(key for key, each in rules.contracts.items() if each.announced != "silent"), *rules.doubling.calls]


def parse_call(text: str, rules: RuleSet) -> str:
    """A call as people write it, in either language; raises CallError naming the choices."""
    plain = " ".join(text.lower().split())
    if plain in _PASSES:
        return PASS
    for key, contract in rules.contracts.items():
        if plain in (key, contract.name.pl.lower(), contract.name.en.lower()):
            return key
    if plain in rules.doubling.calls:
        return plain
    raise CallError("call-unknown", text=text.strip(), choices=call_names(rules))


def bid(auction: Auction, text: str) -> Auction:
    """An auction after the calls of a text such as "2: pas, 3: zolo, 4: kontra"; seats may be left out.

    Raises CallError with the number of the call that is out of turn, unknown or against the rules.
    """
    for part in re.split(r"[,;\n]", text):
        if not part.strip():
            continue
        seat, _, name = part.rpartition(":")
        number = len(auction.calls) + 1
        if seat.strip() and auction.to_speak is not None and seat.strip() != str(auction.to_speak):
            raise CallError("call-turn", number=number, text=part.strip(), seat=auction.to_speak)
        try:
            auction = auction.call(parse_call(name, auction.rules))
        except CallError as error:
            raise CallError("call-number", number=number, reason=error) from None
    return auction
