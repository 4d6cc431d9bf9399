"""Follows a plan through everything that the other seats can hold and do.

For each of them the checker keeps every hand it may still hold: at first all there are,
and after each card those in which that card was legal, without it.  A card can be played
if it is legal in some of a seat's hands and three hands are left that can lie together.
What may be played and who takes a trick is asked of the referee (`kopsim.play`) alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from kopsim.cards import Card, parse_card
from kopsim.deals import Deal, Hand
from kopsim.errors import CertificateError
from kopsim.play import Position
from kopsim.rules.model import SEATS
from kopsim.throwdowns.certificates import InOrder, Look, Play, Step
from kopsim.throwdowns.claim import Claim
from kopsim.throwdowns.hand_sets import HandSet, HandSets

_OPENING = 3  # cards after which courses of play are told apart for progress

Trick = tuple[Card, ...]


class _Trick(NamedTuple):
    """A trick in progress: who led, and the cards in order, or cards in place of them that are all the same.

    What may be played to it and who takes it follows from the card led and the best one
    with its seat; tricks alike in these are one.  more: worth of the cards played beyond
    that of those named.
    """

    leader: int
    cards: Trick = ()
    more: int = 0

    @property
    def to_play(self) -> int:
        return (self.leader - 1 + len(self.cards)) % len(SEATS) + 1


class _Moment(NamedTuple):
    """A moment in play as the checker knows it, but for what has been taken.

    step: of the plan; own: what the soloist holds; hands: for each other seat, in order,
    every hand it may still hold.
    """

    step: int
    trick: _Trick
    own: Hand
    hands: tuple[HandSet, ...]


class _Taken(NamedTuple):
    """What the soloist has taken, and the others."""

    points: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] = (0, 0)

    def more(self, worth: int, own: bool) -> _Taken:
        """The same after a trick worth so much."""
        points, tricks = self
        return _Taken(
            (points[0] + worth * own, points[1] + worth * (not own)), (tricks[0] + own, tricks[1] + (not own))
        )


Played = tuple[tuple[int, Card], ...]


def follow_plan(plan: tuple[Step, ...], claim: Claim, progress: Callable[[int, int], None]) -> None:
    """Returns if a plan wins in every course of play; else raises CertificateError, with a deal that shows it.

    progress: called with openings done and of how many.
    """
    _PlanCheck(plan, claim).follow(progress)


class _PlanCheck:
    def __init__(self, plan: tuple[Step, ...], claim: Claim) -> None:
        self._plan, self._claim = plan, claim
        self._others = [seat for seat in SEATS if seat != claim.seat]
        self._sets = HandSets(sorted(claim.rules.pack.cards - claim.hand))
        self._played: list[tuple[int, Card]] = []
        # By moment the fewest points with which it is known that the plan wins on from there.
        self._enough: dict[_Moment, int] = {}
        self._first: dict[tuple[int, int, Card, tuple[Card, int]], Trick] = {}
        self._asked: dict[tuple[int, Trick], tuple[HandSet, dict[Card, HandSet]]] = {}
        self._tricks: dict[tuple[int, _Trick, Card], tuple[_Trick, int]] = {}
        # The same hands meet the same tricks over and over.
        self._card = cache(parse_card)
        self._own = cache(self._planned)
        self._ways = cache(self._plays)
        self._possible = cache(lambda hands: self._sets.together(hands) is not None)

    def follow(self, progress: Callable[[int, int], None]) -> None:
        anything = self._sets.all_of(self._claim.rules.seats.hand_size)
        start = _Moment(0, _Trick(1), self._claim.hand, (anything,) * len(self._others))
        openings: list[tuple[Played, _Moment]] = [((), start)]
        for _ in range(_OPENING):
            after = []
            for self._played[:], moment in openings:
                seat = moment.trick.to_play
                after += [((*self._played, (seat, card)), then) for card, then, _ in self._courses(moment)]
            openings = after
        for done, (self._played[:], moment) in enumerate(openings, start=1):
            self._from(moment, _Taken())
            progress(done, len(openings))

    def _from(self, moment: _Moment, taken: _Taken) -> int:
        """Follows every course of play on; tells how many points fewer would have done."""
        claim = self._claim
        points, tricks = taken
        if claim.won(points[0], tricks[0]):
            return points[0] - claim.needed
        if claim.lost(points[1], tricks[1]) or not (moment.own or moment.trick.cards):
            raise CertificateError("certificate-plan-loses", cards=self._cards(), deal=self._deal(moment))
        enough = self._enough.get(moment)
        if enough is None or points[0] < enough:
            spare, seat = points[0], moment.trick.to_play
            for card, after, worth in self._courses(moment):
                more = taken if after.trick.cards else taken.more(worth, after.trick.leader == claim.seat)
                self._played.append((seat, card))
                spare = min(spare, self._from(after, more))
                self._played.pop()
            enough = self._enough[moment] = points[0] - spare
        return points[0] - enough

    def _courses(self, moment: _Moment) -> Iterator[tuple[Card, _Moment, int]]:
        """Every card that can be played, the moment after it, and the worth of the trick if that was its last."""
        step, trick, own, hands = moment
        seat = trick.to_play
        if seat == self._claim.seat:
            planned = self._own(step, own, trick.leader, trick.cards)
            if planned is None:
                raise CertificateError(
                    "certificate-plan-silent", step=step + 1, cards=self._cards(), deal=self._deal(moment)
                )
            card, step = planned
            after, worth = self._laid(own, trick, card)
            yield card, _Moment(step, after, own - {card}, hands), worth
            return
        place = self._others.index(seat)
        for card, left, some in self._ways(hands[place], trick.leader, trick.cards):
            lacking = [self._sets.lacking(group, card) for group in hands]
            lacking[place] = left
            if self._possible(tuple(lacking)):
                after, worth = self._laid(some, trick, card)
                yield card, _Moment(self._looked(step, seat, card), after, own, tuple(lacking)), worth

    def _planned(self, number: int, own: Hand, leader: int, trick: Trick) -> tuple[Card, int] | None:
        """The card that the plan plays, and the step it goes on with; None if it names none that may be played."""
        step, legal = self._step(number), self._referee(own, leader, trick).legal_cards()
        names = step.cards if isinstance(step, InOrder) else [step.card] if isinstance(step, Play) else []
        card = next((card for card in map(self._card, names) if card in legal), None)
        return None if card is None else (card, step.next if isinstance(step, Play) else number)

    def _looked(self, number: int, seat: int, card: Card) -> int:
        """The step to go on with after another seat's card."""
        step = self._step(number)
        if isinstance(step, Look) and (step.seat, step.trick) == (seat, 1 + len(self._played) // len(SEATS)):
            return next((case.next for case in step.cases if card in map(self._card, case.cards)), step.otherwise)
        return number

    def _step(self, number: int) -> Step:
        if number >= len(self._plan):
            raise CertificateError("certificate-plan-step", step=number + 1)
        return self._plan[number]

    def _plays(self, hands: HandSet, leader: int, trick: Trick) -> list[tuple[Card, HandSet, Hand]]:
        """Each card that some of these hands may play, what is left of the hands that may, and one of them."""
        asked, legal = self._asked.get((leader, trick), (0, {}))
        for hand in self._sets.each(hands & ~asked):
            for card in self._referee(hand, leader, trick).legal_cards():
                legal[card] = legal.get(card, 0) | self._sets.one(hand)
        self._asked[leader, trick] = asked | hands, legal
        ways = []
        for card in sorted(legal):
            if able := hands & legal[card]:
                ways.append((card, self._sets.without(able, card), next(self._sets.each(able))))
        return ways

    def _laid(self, hand: Hand, trick: _Trick, card: Card) -> tuple[_Trick, int]:
        """The trick after a card from a hand, and if it was full the points taken by whoever leads the next."""
        asked = len(hand), trick, card  # whatever else is in the hand
        if asked not in self._tricks:
            position = self._referee(hand, trick.leader, trick.cards).play(card)
            self._tricks[asked] = self._alike(position, trick.more), sum(position.taken) + trick.more
        return self._tricks[asked]

    def _alike(self, position: Position, more: int) -> _Trick:
        """The trick of a position; the first met of those that are alike stands for all."""
        leader, cards = position.leader, position.trick
        if not cards:
            return _Trick(leader)
        known = self._first.setdefault((leader, len(cards), cards[0], position.best_so_far()), cards)
        worth = position.order.worth
        return _Trick(leader, known, more + sum(map(worth, cards)) - sum(map(worth, known)))

    def _referee(self, hand: Hand, leader: int, trick: Trick) -> Position:
        """A position to ask the referee about: the player to move has this hand, others as many cards as is due."""
        hands = [hand] * len(SEATS)
        for place in range(len(trick)):
            hands[(leader - 1 + place) % len(SEATS)] = frozenset(list(hand)[1:])
        return self._claim.position(tuple(hands), leader, trick)

    def _cards(self) -> list[Card]:
        """The cards played so far."""
        return [card for _, card in self._played]

    def _deal(self, moment: _Moment) -> Deal:
        """A whole deal in which all that was played is legal."""
        together = self._sets.together(moment.hands)
        assert together is not None
        whole = {self._claim.seat: set(moment.own)} | dict(zip(self._others, map(set, together), strict=True))
        for seat, card in self._played:
            whole[seat].add(card)
        return Deal(tuple(frozenset(whole[seat]) for seat in SEATS), self._claim.rules)
