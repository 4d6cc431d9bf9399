"""Refutations as deals that can be laid out on a table and played through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kopsim.cards import Card, parse_card
from kopsim.deals import Deal
from kopsim.play import Position
from kopsim.rules import RuleSet
from kopsim.shown import Shown
from kopsim.throwdowns.certificates import Certificate, Choices, Layout, Lost, Plays, Tree


@dataclass(frozen=True)
class Counterexample(Shown):
    """A deal and a course of play in it that the soloist loses.

    soloist: his seat; start: the deal before the first card; line: cards in order, to where the goal is
    out of reach; hidden: how many of them were played before the hands were laid open,
    the last of those being the soloist's own choice, or 0 if they were open at once.
    """

    soloist: int
    start: Position
    line: tuple[Card, ...]
    hidden: int

    @property
    def end(self) -> Position:
        """The position where the goal is out of reach."""
        position = self.start
        for card in self.line:
            position = position.play(card)
        return position


def counterexamples(certificate: Certificate, rules: RuleSet) -> list[Counterexample]:
    """What a refutation shows: one deal that beats all play, or for each choice of the soloist one that beats it.

    rules: as read, with the assumptions of the certificate.  Where hands are open the
    soloist defends himself longest.
    """
    assert certificate.refutation is not None
    return list(_opened(certificate.refutation, certificate, (), rules))


def _opened(tree: Tree, certificate: Certificate, played: tuple[Card, ...], rules: RuleSet) -> Iterator[Counterexample]:
    if isinstance(tree, Layout):
        deal = Deal(tuple(frozenset(map(parse_card, hand)) for hand in tree.hands), rules)
        start = Position.start(deal, contract=certificate.contract)
        yield Counterexample(certificate.seat, start, (*played, *_longest(tree.then)), len(played))
    elif isinstance(tree, Plays):
        yield from _opened(tree.then, certificate, (*played, parse_card(tree.card)), rules)
    elif isinstance(tree, Choices):
        for name, then in tree.cards.items():
            yield from _opened(then, certificate, (*played, parse_card(name)), rules)


def _longest(tree: Tree) -> tuple[Card, ...]:
    if isinstance(tree, Plays):
        return (parse_card(tree.card), *_longest(tree.then))
    if isinstance(tree, Choices):
        lines = [(parse_card(name), *_longest(then)) for name, then in tree.cards.items()]
        return max(lines, key=len)
    assert isinstance(tree, Lost)
    return ()
