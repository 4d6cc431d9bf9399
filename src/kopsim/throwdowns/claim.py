"""What a certificate claims, read and found sound before its proof is followed."""

from __future__ import annotations

from dataclasses import dataclass

from kopsim.cards import Card, parse_card
from kopsim.deals import Hand
from kopsim.errors import CertificateError
from kopsim.play import Position
from kopsim.rules import RuleSet
from kopsim.rules.model import AtLeast, EveryTrick
from kopsim.throwdowns.certificates import Certificate

_MOST_CARDS = 16


@dataclass(frozen=True)
class Claim:
    """What is to be proved: a hand, its seat and the goal, in rules as read; total: points in a deal."""

    rules: RuleSet
    contract: str
    seat: int
    hand: Hand
    goal: AtLeast | EveryTrick
    total: int

    @classmethod
    def of(cls, certificate: Certificate, rules: RuleSet) -> Claim:
        """What a certificate claims; raises CertificateError or CardError for what cannot be claimed."""
        contract = rules.contract(certificate.contract)
        order = rules.orders[contract.order]
        hand = frozenset(parse_card(card) for card in certificate.hand)
        # What is won or lost before the end stays so only if no trick can cost points; and all hands are listed.
        worths = [*map(order.worth, order.cards), *order.trick_bonus]
        if min(worths) < 0 or len(rules.pack.cards) > _MOST_CARDS:
            raise CertificateError("throw-unfit", rules=rules)
        if (
            len(certificate.hand) != rules.seats.hand_size
            or not hand <= rules.pack.cards
            or not contract.allows(hand, certificate.seat)
        ):
            raise CertificateError("certificate-hand", cards=sorted(hand))
        goal = contract.goal
        if contract.sides != "soloist" or not isinstance(goal, (AtLeast, EveryTrick)):
            raise CertificateError("contract-no-throw", contract=certificate.contract)
        if certificate.goal != (goal.at_least if isinstance(goal, AtLeast) else "every-trick"):
            raise CertificateError("certificate-goal", goal=certificate.goal, contract=certificate.contract)
        return cls(rules, certificate.contract, certificate.seat, hand, goal, sum(worths))

    @property
    def needed(self) -> int:
        """The points that the soloist needs; none where he needs every trick."""
        return self.goal.at_least if isinstance(self.goal, AtLeast) else 0

    def won(self, points: int, tricks: int) -> bool:
        """Whether the soloist, who has taken so much, has reached his goal."""
        if isinstance(self.goal, EveryTrick):
            return tricks == self.rules.seats.hand_size
        return points >= self.goal.at_least

    def lost(self, points: int, tricks: int) -> bool:
        """Whether his goal is out of reach once the others have taken so much."""
        if isinstance(self.goal, EveryTrick):
            return tricks > 0
        return points > self.total - self.goal.at_least

    def position(self, hands: tuple[Hand, ...], leader: int = 1, trick: tuple[Card, ...] = ()) -> Position:
        """What the referee (`kopsim.play`) is asked about: hands, and a trick that somebody has led to."""
        order = self.rules.orders[self.rules.contract(self.contract).order]
        return Position(self.rules, order, hands, leader, trick)
