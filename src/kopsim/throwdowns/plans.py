"""Plans that win for certain, found by search and made short.

Whenever it will do, a plan is one order of the soloist's cards, of which he plays the
first that he may.  Where it will not, the plan looks at what others play, and only where
that matters; what looks alike afterwards goes on alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from kopsim._knowledge import Information
from kopsim.cards import Card
from kopsim.throwdowns.certificates import Case, InOrder, Look, Play, Step
from kopsim.throwdowns.prover import Prover

Order = tuple[int, ...]


def shortest_plan(prover: Prover, start: Information) -> tuple[Step, ...]:
    """The steps of a plan from a moment at which the soloist wins for certain; short, not proved shortest.

    `kopsim.throwdowns.certificates` says their form.
    """
    return _Planner(prover).plan(start)


def one_order(prover: Prover, start: Information) -> tuple[Card, ...]:
    """An order of the soloist's cards that wins for certain if he always plays the first that he may; () if none."""
    order = next(_orders(prover, start), ())
    return tuple(prover.compiled.cards[card] for card in order)


def _orders(prover: Prover, info: Information) -> Iterator[Order]:
    """The orders of his cards in which he wins for certain, strongest cards first before others."""
    return (order for order in permutations(info.own()) if prover.wins(info, order))


class _Planner:
    def __init__(self, prover: Prover) -> None:
        self._prover = prover
        self._steps: list[Step] = []
        self._places: dict[Step, int] = {}

    def plan(self, start: Information) -> tuple[Step, ...]:
        """The steps that can be reached, renumbered in the order in which a reader meets them."""
        reached = self._reached(self._step(start))
        new = {old: place for place, old in enumerate(reached)}
        return tuple(_renumbered(self._steps[old], new) for old in reached)

    def _step(self, info: Information) -> int:
        if order := next(_orders(self._prover, info), None):
            return self._in_order(order)
        if info.to_play == info.soloist:
            return min(map(self._play_then, self._winning(info)), key=lambda place: len(self._reached(place)))
        return self._look(info)

    def _winning(self, info: Information) -> list[tuple[int, Information]]:
        after = [(card, info.play(card)) for card in info.plays()]
        return [(card, then) for card, then in after if self._prover.wins(then)]

    def _play_then(self, winning: tuple[int, Information]) -> int:
        card, then = winning
        return self._add(Play(self._name(card), self._step(then)))

    def _look(self, info: Information) -> int:
        """A look at what another seat plays; cards after which the same order wins share it."""
        after = {card: info.play(card) for card in info.plays()}
        orders = {card: list(_orders(self._prover, then)) for card, then in after.items()}
        nexts = {card: self._step(after[card]) for card in after if not orders[card]}
        while open_cards := [card for card in after if card not in nexts]:
            ((order, _),) = Counter(order for card in open_cards for order in orders[card]).most_common(1)
            nexts |= {card: self._in_order(order) for card in open_cards if order in orders[card]}
        ((otherwise, _),) = Counter(nexts.values()).most_common(1)
        cases: dict[int, list[str]] = {}
        for card in after:
            cases.setdefault(nexts[card], []).append(self._name(card))
        del cases[otherwise]
        if not cases:
            return otherwise
        shown = tuple(Case(tuple(cards), place) for place, cards in cases.items())
        return self._add(Look(info.trick_number, info.to_play + 1, shown, otherwise))

    def _in_order(self, order: Order) -> int:
        return self._add(InOrder(tuple(map(self._name, order))))

    def _add(self, step: Step) -> int:
        """The place of a step; equal steps have one."""
        if step not in self._places:
            self._places[step] = len(self._steps)
            self._steps.append(step)
        return self._places[step]

    def _reached(self, place: int) -> list[int]:
        """A step and all that follow it, in the order in which a reader meets them."""
        found: dict[int, None] = {}
        waiting = [place]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found[at] = None
                waiting += reversed(following(self._steps[at]))
        return list(found)

    def _name(self, card: int) -> str:
        return str(self._prover.compiled.cards[card])


def following(step: Step) -> list[int]:
    """The places of the steps that a step names, in the order in which it names them."""
    if isinstance(step, Look):
        return [*(case.next for case in step.cases), step.otherwise]
    return [step.next] if isinstance(step, Play) else []


def _renumbered(step: Step, new: dict[int, int]) -> Step:
    if isinstance(step, Look):
        cases = tuple(Case(case.cards, new[case.next]) for case in step.cases)
        return Look(step.trick, step.seat, cases, new[step.otherwise])
    return Play(step.card, new[step.next]) if isinstance(step, Play) else step
