"""A deal being played, card by card: the slow, readable reference for every kernel.

Rules are read from the records as a person would read them; nothing here is
compiled and nothing is searched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kopsim.cards import Card, parse_card
from kopsim.deals import Deal, Hand, check_seat
from kopsim.errors import PlayError
from kopsim.rules import Order, RuleSet
from kopsim.rules.model import SEATS, Demand
from kopsim.shown import Shown

PerSeat = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Position(Shown):
    """What lies on the table at one moment; immutable, `play` gives the next one.

    hands: cards still held, by seat 1-4; leader: the seat that led (or leads) the
    current trick; trick: its cards in the order played; taken: points and tricks:
    number of tricks each seat has won so far.
    """

    rules: RuleSet
    order: Order
    hands: tuple[Hand, ...]
    leader: int
    trick: tuple[Card, ...] = ()
    taken: PerSeat = (0, 0, 0, 0)
    tricks: PerSeat = (0, 0, 0, 0)

    @classmethod
    def start(cls, deal: Deal, *, contract: str | None = None, leader: int = 1) -> Position:
        """The beginning of a deal or ending, `leader` to lead.

        contract: decides the card order; may be left out where the rule set has only one.
        """
        order = deal.rules.orders[deal.rules.order_of(contract)]
        return cls(deal.rules, order, deal.hands, check_seat(leader))

    @property
    def to_play(self) -> int:
        """The seat whose turn it is."""
        return _seat_after(self.leader, len(self.trick))

    @property
    def is_over(self) -> bool:
        """Whether every card has been played."""
        return not any(self.hands)

    def points(self, side: Iterable[int]) -> int:
        """Points taken so far by the seats of a side."""
        return sum(self.taken[seat - 1] for seat in side)

    @property
    def demand(self) -> Demand | None:
        """What binds the player to move: the first demand his hand can meet; None if he may play any card."""
        hand = self.hands[self.to_play - 1]
        ladder = self._ladder() if self.trick else ()
        return next((each for each in ladder if any(self._meets(card, each) for card in hand)), None)

    def legal_cards(self) -> list[Card]:
        """The cards the player to move may play, strongest first; empty when the deal is over."""
        hand, demand = self._sorted(self.hands[self.to_play - 1]), self.demand
        return hand if demand is None else [card for card in hand if self._meets(card, demand)]

    def play(self, card: Card | str) -> Position:
        """The position after the player to move has played `card`, an object or as people write it.

        Raises PlayError, naming the legal cards, if it may not be played.
        """
        card = card if isinstance(card, Card) else parse_card(card)
        seat, legal, number = self.to_play, self.legal_cards(), self._cards_played() + 1
        if not legal:
            raise PlayError("play-over", number=number, card=card)
        if card not in legal:
            key = "play-illegal" if card in self.hands[seat - 1] else "play-not-held"
            raise PlayError(key, number=number, card=card, seat=seat, legal=legal)
        hands = tuple(hand - {card} if owner == seat else hand for owner, hand in zip(SEATS, self.hands, strict=True))
        after = replace(self, hands=hands, trick=(*self.trick, card))
        return after._gather() if len(after.trick) == len(SEATS) else after

    def best_so_far(self) -> tuple[Card, int]:
        """The card that is winning the trick in progress, and the seat that played it."""
        best, winner = self.trick[0], self.leader
        for place, card in enumerate(self.trick[1:], start=1):
            if self.beats(card, best):
                best, winner = card, _seat_after(self.leader, place)
        return best, winner

    def beats(self, card: Card, best: Card) -> bool:
        """Whether `card`, played after the winning card `best`, takes the trick over."""
        suit = self.order.suit_of[card]
        if best in suit:
            return suit.index(card) < suit.index(best)
        return card in self.order.trumps

    def _gather(self) -> Position:
        """Gives a full trick to its winner, who leads next."""
        _, winner = self.best_so_far()
        worth = sum(self.order.worth(card) for card in self.trick) + self._bonus()
        return replace(
            self,
            leader=winner,
            trick=(),
            taken=_add(self.taken, winner, worth),
            tricks=_add(self.tricks, winner, 1),
        )

    def _bonus(self) -> int:
        """Worth in itself of the trick just filled; bonuses are counted from the first trick of a whole deal."""
        if not self.order.trick_bonus:
            return 0
        return self.order.trick_bonus[self.rules.seats.hand_size - 1 - len(self.hands[0])]

    def _ladder(self) -> tuple[Demand, ...]:
        partners = self.rules.seats.partners
        _, winner = self.best_so_far()
        return self.order.obligations.ladder(
            trump_led=self.trick[0] in self.order.trumps,
            partner_wins=bool(partners) and partners[self.to_play - 1] == winner,
        )

    def _meets(self, card: Card, demand: Demand) -> bool:
        follows = card in self.order.suit_of[self.trick[0]]
        if demand == "trump":
            return card in self.order.trumps
        if demand == "follow":
            return follows
        best, _ = self.best_so_far()
        return self.beats(card, best) and (demand == "beat" or follows)

    def _sorted(self, cards: Iterable[Card]) -> list[Card]:
        return sorted(cards, key=self.order.strength.__getitem__)

    def _cards_played(self) -> int:
        return len(SEATS) * sum(self.tricks) + len(self.trick)


def _seat_after(seat: int, steps: int) -> int:
    return (seat - 1 + steps) % len(SEATS) + 1


def _add(counts: PerSeat, seat: int, amount: int) -> PerSeat:
    a, b, c, d = (count + amount * (seat == owner) for owner, count in zip(SEATS, counts, strict=True))
    return a, b, c, d
