"""Players: each sees its own hand, what was called, and the cards played, and chooses a legal card.

- `random`: any legal card.
- `greedy`: rules of thumb.  It leads the card worth least, the weakest of several; while
  another defender of an announced contract is winning the trick a defender gives the card
  worth most that does not beat, else it overtakes as cheaply as it may, else it gives the card worth least.
- `pimc`: weighs layouts that fit its own hand, the cards played, and what obligations gave
  away; solves each with open cards for its own payment, and plays the card that earns
  most on average; of equals the one that leaves its side most points, then the weakest.

A defender of an announced contract may weigh only the hands that a soloist would call
with (`CallingRange`).  Where nothing was announced, who plays with whom follows from each layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kopsim._average import add_card_payments
from kopsim._knowledge import Information
from kopsim._layouts import LayoutSpace
from kopsim._rules import KernelRules
from kopsim._search import Solver
from kopsim.cards import Card
from kopsim.deals import Hand
from kopsim.errors import QueryError
from kopsim.layout_sides import old_sides
from kopsim.play import Position
from kopsim.rules import RuleSet
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import SEATS
from kopsim.scoring import payments_by_points
from kopsim.seats import seat_mask

CallingRange = frozenset[Hand]
LAYOUTS = 20  # that pimc weighs at each decision


@dataclass(frozen=True)
class Table:
    """What everybody at the table knows before the first card.

    contract: announced by `soloist`, or None when everybody passed; calling: the hands
    the others believe he calls with, None for any.
    """

    rules: RuleSet
    contract: str | None
    soloist: int | None
    calling: CallingRange | None = None

    @property
    def played_as(self) -> str:
        """The contract whose card order is played."""
        if self.contract is not None:
            return self.contract
        pairs = self.rules.silent("holders")
        if pairs is None:
            raise QueryError("bid-no-game", rules=self.rules)
        return pairs


@dataclass(frozen=True)
class View:
    """What one player sees at his turn.

    hand: as dealt to him; position: with only his own cards in it; played: seats and
    cards so far.
    """

    table: Table
    seat: int
    hand: Hand
    position: Position
    played: tuple[tuple[int, Card], ...] = ()

    def legal_cards(self) -> list[Card]:
        """The cards he may play, strongest first."""
        return self.position.legal_cards()


@dataclass(frozen=True)
class Decision:
    """A legal card, and what was weighed: each card with the average of payment and of the own side's points."""

    card: Card
    weighed: tuple[tuple[Card, float, float], ...] = ()


def chance_of(seed: int, view: View) -> np.random.Generator:
    """A player's chance, which depends on the seed and on what he sees alone: at the same sight he does the same."""
    seen = [card for _, card in view.played]
    return np.random.default_rng([seed, view.seat, *map(int, sorted(view.hand)), len(seen), *map(int, seen)])


class Player(Protocol):
    """Chooses a card by what it sees; `rng` is all the chance it may use."""

    def decide(self, view: View, rng: np.random.Generator) -> Decision:
        """What it plays."""
        ...


class RandomPlayer:
    """Any legal card."""

    def decide(self, view: View, rng: np.random.Generator) -> Decision:
        """A legal card, all equally likely."""
        cards = view.legal_cards()
        return Decision(cards[int(rng.integers(len(cards)))])


class GreedyPlayer:
    """Rules of thumb; see the module."""

    def decide(self, view: View, rng: np.random.Generator) -> Decision:
        """A legal card by rules of thumb; no chance is used."""
        del rng
        return Decision(self._card(view))

    def _card(self, view: View) -> Card:
        position, cards = view.position, view.legal_cards()
        worth = {card: position.order.worth(card) for card in cards}
        if not position.trick:
            return min(cards, key=lambda card: (worth[card], -cards.index(card)))
        best, winner = position.best_so_far()
        if self._with(view, winner):
            staying = [card for card in cards if not position.beats(card, best)]
            return max(staying or cards[-1:], key=lambda card: (worth[card], -cards.index(card)))
        beating = [card for card in cards if position.beats(card, best)]
        if beating:
            return beating[-1]
        return min(cards, key=lambda card: (worth[card], -cards.index(card)))

    @staticmethod
    def _with(view: View, winner: int) -> bool:
        """Whether whoever wins the trick so far is known to be on this player's side."""
        soloist = view.table.soloist
        return soloist is not None and view.seat != soloist and winner != soloist


@dataclass
class PimcPlayer:
    """Averages over layouts solved with open cards; see the module.

    layouts: how many it weighs at each decision, all of them where there are no more.
    """

    layouts: int = LAYOUTS
    _solvers: dict[KernelRules, Solver] = field(default_factory=dict)

    def decide(self, view: View, rng: np.random.Generator) -> Decision:
        """The legal card that earns most on average."""
        cards = view.legal_cards()
        if len(cards) == 1:
            return Decision(cards[0])
        weighed = self._weigh(view, rng)
        best, _, _ = max(weighed, key=lambda each: each[1:])
        return Decision(best, weighed)

    def _weigh(self, view: View, rng: np.random.Generator) -> tuple[tuple[Card, float, float], ...]:
        """Each legal card, weakest first, with the average of his payment and of his side's points."""
        table, position = view.table, view.position
        compiled = compile_order(table.rules, table.rules.contract(table.played_as).order)
        layouts = self._layouts(view, compiled, rng)
        paid, points = (np.zeros(len(compiled.cards), dtype=np.int64) for _ in range(2))
        if compiled.kernel not in self._solvers:
            self._solvers[compiled.kernel] = Solver(compiled.kernel, 14)
        solver = self._solvers[compiled.kernel]
        for side, vector, rows in _sides(view, layouts, compiled):
            add_card_payments(
                solver,
                rows,
                position.leader - 1,
                [compiled.bits[card] for card in position.trick],
                seat_mask(side),
                position.points(side),
                vector,
                paid,
                points,
            )
        count = len(layouts)
        cards = reversed(view.legal_cards())
        bits = compiled.bits
        return tuple((card, float(paid[bits[card]]) / count, float(points[bits[card]]) / count) for card in cards)

    def _layouts(self, view: View, compiled: CompiledOrder, rng: np.random.Generator) -> NDArray[np.uint64]:
        """Layouts of the cards still held that fit all he knows: all if they are few, else drawn."""
        info = Information.start(compiled.kernel, compiled.mask(view.hand), view.seat - 1)
        for _, card in view.played:
            info = info.play(compiled.bits[card])
        spaces = self._called(view, info, compiled) or [info.layouts()]
        sizes = np.array([len(space) for space in spaces], dtype=np.int64)
        if sizes.sum() <= self.layouts:
            return np.concatenate([_unranked(space, np.arange(len(space))) for space in spaces])
        ends = np.cumsum(sizes)
        numbers = rng.integers(0, ends[-1], self.layouts)
        which = np.searchsorted(ends, numbers, side="right")
        within = numbers - (ends - sizes)[which]
        return np.concatenate([_unranked(spaces[at], within[which == at]) for at in np.unique(which)])

    @staticmethod
    def _called(view: View, info: Information, compiled: CompiledOrder) -> list[LayoutSpace]:
        """The layouts in which the soloist has a hand of the calling range, a space for each hand; [] for no range."""
        table = view.table
        if table.calling is None or table.soloist is None or view.seat == table.soloist:
            return []
        gone = np.uint64(compiled.mask(card for seat, card in view.played if seat == table.soloist))
        others = compiled.mask(view.hand.union(card for seat, card in view.played if seat != table.soloist))
        hands = _range_masks(table)
        hands = hands[(hands & gone == gone) & (hands & np.uint64(others) == 0)]
        spaces = [info.layouts(table.soloist - 1, int(hand)) for hand in hands & ~gone]
        # Nothing of the range may fit what was played; then he had another hand.
        return [space for space in spaces if len(space)]


def _unranked(space: LayoutSpace, ranks: NDArray[np.int64]) -> NDArray[np.uint64]:
    layouts = np.empty((len(ranks), len(SEATS)), dtype=np.uint64)
    space.unrank_many(ranks, layouts)
    return layouts


@cache
def _range_masks(table: Table) -> NDArray[np.uint64]:
    """The hands of the calling range as masks."""
    compiled = compile_order(table.rules, table.rules.contract(table.played_as).order)
    return np.array(sorted(compiled.mask(hand) for hand in table.calling or ()), dtype=np.uint64)


def _sides(
    view: View, layouts: NDArray[np.uint64], compiled: CompiledOrder
) -> list[tuple[tuple[int, ...], NDArray[np.int64], NDArray[np.uint64]]]:
    """For each side the player may be on: its seats, his payment by its points, and the layouts in which it is so."""
    table = view.table
    if table.soloist is not None and table.contract is not None:
        old = np.full(len(layouts), seat_mask([table.soloist]))
    else:
        old = old_sides(_whole(view, layouts, compiled), compiled, table.rules, table.played_as)
    found = []
    for mask in np.unique(old):
        declarers = tuple(seat for seat in SEATS if int(mask) >> (seat - 1) & 1)
        side, vector = _payments(table, declarers, view.seat)
        found.append((side, vector, np.ascontiguousarray(layouts[old == mask])))
    return found


def _whole(view: View, layouts: NDArray[np.uint64], compiled: CompiledOrder) -> NDArray[np.uint64]:
    """The layouts with the cards that each seat has played put back."""
    gone = [compiled.mask(card for owner, card in view.played if owner == seat) for seat in SEATS]
    return layouts | np.array(gone, dtype=np.uint64)


@cache
def _payments(table: Table, declarers: tuple[int, ...], seat: int) -> tuple[tuple[int, ...], NDArray[np.int64]]:
    """The side of a seat, and what it is paid by that side's points."""
    contract = contract_of(table, declarers)
    by_points = payments_by_points(contract, declarers, rules=table.rules)[:, seat - 1]
    if seat in declarers:
        return declarers, np.ascontiguousarray(by_points)
    return tuple(each for each in SEATS if each not in declarers), np.ascontiguousarray(by_points[::-1])


def contract_of(table: Table, declarers: Sequence[int]) -> str:
    """What is played, given the old side: the announced contract, or a game or a silent soloist's."""
    alone = table.rules.silent("soloist")
    if table.contract is None and len(declarers) == 1 and alone is not None:
        return alone
    return table.played_as


PLAYERS: Mapping[str, type[RandomPlayer] | type[GreedyPlayer] | type[PimcPlayer]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "pimc": PimcPlayer,
}


def make_player(name: str, layouts: int = LAYOUTS) -> Player:
    """A player by name; layouts: how many a pimc player weighs.  Raises QueryError naming the choices."""
    if name not in PLAYERS:
        raise QueryError("player-bad", text=name, choices=list(PLAYERS))
    return PimcPlayer(layouts) if name == "pimc" else PLAYERS[name]()
