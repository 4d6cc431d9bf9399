"""Checks certificates by playing them out, sharing nothing with the search that made them.

What may be played and who takes a trick is asked of the referee (`kopsim.play`) alone.

A plan is followed through everything that others can do.  For each of them the checker
keeps every hand it may still hold: at first all there are, and after each card those in
which that card was legal, without it.  A card can be played if it is legal in some of a
seat's hands and three hands are left that can lie together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import NamedTuple

from kopsim.cards import Card, parse_card
from kopsim.deals import Deal, Hand, sort_hand
from kopsim.errors import CertificateError, KopsimError, QueryError
from kopsim.play import Position
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.assume import assuming
from kopsim.rules.model import SEATS, AtLeast, EveryTrick
from kopsim.throwdowns.certificates import Certificate, Choices, InOrder, Layout, Look, Lost, Play, Plays, Tree

Hands = frozenset[Hand]
_MOST_CARDS = 16


def check_certificate(certificate: Certificate, rules: RuleSet) -> None:
    """Returns if the certificate proves its verdict.

    rules: the rule set it was made for; what it assumes is assumed here.
    Raises CertificateError saying where it fails, QueryError if it is for other rules.
    """
    if certificate.rules != rules.id or certificate.rules_hash != rules_hash(rules):
        raise QueryError("certificate-rules", made=certificate.rules, rules=rules)
    try:
        case = _Case.of(certificate, assuming(rules, certificate.assume))
        if certificate.verdict == "guaranteed":
            _PlanCheck(certificate, case).follow()
        elif certificate.refutation is None:
            raise CertificateError("certificate-empty")
        else:
            _follow_closed(certificate.refutation, case, ())
    except CertificateError:
        raise
    except KopsimError as error:
        raise CertificateError("certificate-fails", reason=error) from None


@dataclass(frozen=True)
class _Case:
    """What is to be proved: a hand, its seat and the goal, in rules as read."""

    rules: RuleSet
    contract: str
    seat: int
    hand: Hand
    goal: AtLeast | EveryTrick
    total: int  # points in a deal

    @classmethod
    def of(cls, certificate: Certificate, rules: RuleSet) -> _Case:
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

    def position(self, hands: tuple[Hand, ...], played: tuple[Card, ...] = ()) -> Position:
        """A deal after some cards; raises PlayError if one was illegal."""
        order = self.rules.orders[self.rules.contract(self.contract).order]
        position = Position(self.rules, order, hands, 1)
        for card in played:
            position = position.play(card)
        return position


class _Trick(NamedTuple):
    """A trick in progress: who led, and the cards in order."""

    leader: int
    cards: tuple[Card, ...] = ()

    @property
    def to_play(self) -> int:
        return (self.leader - 1 + len(self.cards)) % len(SEATS) + 1


class _Moment(NamedTuple):
    """A moment in play as the checker knows it.

    step: of the plan; points, tricks: what the soloist and the others have taken;
    hands: for each seat every hand it may still hold; played: seats and cards so far.
    """

    step: int
    trick: _Trick
    points: tuple[int, int]
    tricks: tuple[int, int]
    hands: tuple[Hands, ...]
    played: tuple[tuple[int, Card], ...] = ()

    @property
    def cards(self) -> list[Card]:
        """The cards played so far."""
        return [card for _, card in self.played]

    def deal(self, rules: RuleSet) -> Deal:
        """A whole deal in which all that was played is legal."""
        together = _lie_together(self.hands)
        assert together is not None
        whole = [set(hand) for hand in together]
        for seat, card in self.played:
            whole[seat - 1].add(card)
        return Deal(tuple(map(frozenset, whole)), rules)


class _PlanCheck:
    """Plays a plan against everything that others can hold and do."""

    def __init__(self, certificate: Certificate, case: _Case) -> None:
        self._plan, self._case = certificate.plan, case
        self._done: set[_Moment] = set()
        # The same hands meet the same tricks over and over.
        self._card = cache(parse_card)
        self._legal = cache(self._legal_cards)
        self._ways = cache(self._plays)
        self._laid = cache(self._lay)
        self._without = cache(_without)
        self._together = cache(_lie_together)

    def follow(self) -> None:
        """Raises CertificateError, with a deal that shows it, where the plan loses or cannot be followed."""
        case = self._case
        rest = sorted(case.rules.pack.cards - case.hand)
        anything = frozenset(map(frozenset, combinations(rest, case.rules.seats.hand_size)))
        hands = tuple(frozenset([case.hand]) if seat == case.seat else anything for seat in SEATS)
        self._from(_Moment(0, _Trick(1), (0, 0), (0, 0), hands))

    def _from(self, moment: _Moment) -> None:
        """Follows every course of play on."""
        case, seat = self._case, moment.trick.to_play
        if case.won(moment.points[0], moment.tricks[0]):
            return
        own = moment.hands[case.seat - 1]
        if case.lost(moment.points[1], moment.tricks[1]) or (own == {frozenset()} and not moment.trick.cards):
            raise CertificateError("certificate-plan-loses", cards=moment.cards or "–", deal=moment.deal(case.rules))
        state = moment._replace(played=())
        if state in self._done:
            return
        ways = self._ways(moment.hands[seat - 1], moment.trick)
        if seat == case.seat:
            card, step = self._planned(moment, set(ways))
            self._from(self._after(moment, step, card, ways[card]))
        else:
            for card, left in ways.items():
                after = self._after(moment, self._looked(moment, card), card, left)
                if self._together(after.hands) is not None:
                    self._from(after)
        self._done.add(state)

    def _planned(self, moment: _Moment, legal: set[Card]) -> tuple[Card, int]:
        """The card that the plan plays, and the step it goes on with."""
        step = self._step(moment.step)
        names = step.cards if isinstance(step, InOrder) else [step.card] if isinstance(step, Play) else []
        for card in map(self._card, names):
            if card in legal:
                return card, step.next if isinstance(step, Play) else moment.step
        deal = moment.deal(self._case.rules)
        raise CertificateError("certificate-plan-silent", step=moment.step + 1, cards=moment.cards or "–", deal=deal)

    def _looked(self, moment: _Moment, card: Card) -> int:
        """The step to go on with after another seat's card."""
        step, trick = self._step(moment.step), 1 + len(moment.played) // len(SEATS)
        if isinstance(step, Look) and (step.seat, step.trick) == (moment.trick.to_play, trick):
            return next((case.next for case in step.cases if card in map(self._card, case.cards)), step.otherwise)
        return moment.step

    def _step(self, step: int) -> InOrder | Play | Look:
        if step >= len(self._plan):
            raise CertificateError("certificate-plan-step", step=step + 1)
        return self._plan[step]

    def _plays(self, group: Hands, trick: _Trick) -> dict[Card, Hands]:
        """Each card that some hand of a group may play, with what is left of the hands that may."""
        left: dict[Card, set[Hand]] = {}
        for hand in group:
            for card in self._legal(hand, trick):
                left.setdefault(card, set()).add(hand - {card})
        return {card: frozenset(left[card]) for card in sorted(left)}

    def _legal_cards(self, hand: Hand, trick: _Trick) -> list[Card]:
        """What the player to move may play from a hand, by the referee."""
        return self._asked(hand, trick).legal_cards()

    def _lay(self, hand: Hand, trick: _Trick, card: Card) -> tuple[_Trick, int]:
        """The trick after a card from a hand, and if it was full the points taken by whoever leads the next."""
        position = self._asked(hand, trick).play(card)
        return _Trick(position.leader, position.trick), sum(position.taken)

    def _asked(self, hand: Hand, trick: _Trick) -> Position:
        """A position to ask the referee about: the player to move has this hand, others as many cards as is due."""
        hands = [hand] * len(SEATS)
        for place in range(len(trick.cards)):
            hands[(trick.leader - 1 + place) % len(SEATS)] = frozenset(list(hand)[1:])
        return replace(self._case.position(tuple(hands)), leader=trick.leader, trick=trick.cards)

    def _after(self, moment: _Moment, step: int, card: Card, left: Hands) -> _Moment:
        """The moment after a card; `left` is what the hands in which it was legal have left."""
        case, seat = self._case, moment.trick.to_play
        hands = tuple(
            left if owner == seat else self._without(group, card)
            for owner, group in zip(SEATS, moment.hands, strict=True)
        )
        trick, worth = self._laid(next(iter(left)) | {card}, moment.trick, card)
        points, tricks = moment.points, moment.tricks
        if not trick.cards:
            own = trick.leader == case.seat
            points = (points[0] + worth * own, points[1] + worth * (not own))
            tricks = (tricks[0] + own, tricks[1] + (not own))
        return _Moment(step, trick, points, tricks, hands, (*moment.played, (seat, card)))


def _without(group: Hands, card: Card) -> Hands:
    """The hands of a group that lack a card."""
    return frozenset(hand for hand in group if card not in hand)


def _lie_together(groups: tuple[Hands, ...]) -> tuple[Hand, ...] | None:
    """Four hands without a common card, one of each group; None if there are none."""
    return next(_disjoint(groups, frozenset()), None)


def _disjoint(groups: tuple[Hands, ...], taken: Hand) -> Iterator[tuple[Hand, ...]]:
    if not groups:
        yield ()
        return
    for hand in groups[0]:
        if not hand & taken:
            for others in _disjoint(groups[1:], taken | hand):
                yield (hand, *others)


def _follow_closed(tree: Tree, case: _Case, played: tuple[Card, ...]) -> None:
    """Follows a refutation while nobody's hand is open; raises CertificateError where it does not hold.

    Layouts further down tell whose turn it is and what the soloist may play, since in
    all of them the same was played and he holds the same.
    """
    layout = _first_layout(tree)
    hands = tuple(frozenset(map(parse_card, hand)) for hand in layout.hands)
    deal = Deal(hands, case.rules)
    if deal.hands[case.seat - 1] != case.hand:
        raise CertificateError("certificate-layout", deal=deal, cards=sort_hand(case.hand, case.rules))
    position = case.position(hands, played)
    if isinstance(tree, Layout):
        _follow_open(tree.then, case, position)
        return
    for card, then in _branches(tree, case, position).items():
        _follow_closed(then, case, (*played, card))


def _follow_open(tree: Tree, case: _Case, position: Position) -> None:
    """Follows a defence with open cards to where the soloist has lost."""
    if isinstance(tree, Lost):
        others = [seat for seat in SEATS if seat != case.seat]
        if not case.lost(position.points(others), sum(position.tricks[seat - 1] for seat in others)):
            raise CertificateError("certificate-not-lost", deal=_cards_left(position))
        return
    for card, then in _branches(tree, case, position).items():
        _follow_open(then, case, position.play(card))


def _branches(tree: Tree, case: _Case, position: Position) -> dict[Card, Tree]:
    """What a refutation has for the player to move: a defender's card, or every card the soloist may play."""
    if isinstance(tree, Plays) and tree.seat == position.to_play != case.seat:
        return {parse_card(tree.card): tree.then}
    if isinstance(tree, Choices) and position.to_play == case.seat:
        branches = {parse_card(name): then for name, then in tree.cards.items()}
        if branches.keys() >= set(position.legal_cards()):
            return {card: branches[card] for card in position.legal_cards()}
    raise CertificateError("certificate-branches", seat=position.to_play, deal=_cards_left(position))


def _first_layout(tree: Tree) -> Layout:
    while not isinstance(tree, Layout):
        if isinstance(tree, Plays):
            tree = tree.then
        elif isinstance(tree, Choices) and tree.cards:
            tree = next(iter(tree.cards.values()))
        else:
            raise CertificateError("certificate-closed")
    return tree


def _cards_left(position: Position) -> str:
    return " | ".join(" ".join(map(str, sorted(hand, reverse=True))) or "–" for hand in position.hands)
