"""Players: each sees its own hand, what was called, and the cards played, and chooses a legal card.

- `random`: any legal card.
- `greedy`: rules of thumb.  It leads the card worth least, the weakest of several; while
  another defender against a lone announcer is winning the trick a defender gives the card
  worth most that does not beat, else it overtakes as cheaply as it may, else it gives the card worth least.
- `pimc`: weighs layouts that fit its own hand, the cards played, what was announced, and what
  obligations gave away; solves each with open cards for its own payment, and plays the card that
  earns most on average; of equals the one that leaves its side most points, then the weakest.
- `pimc-weakest`: the same, but of equals the weakest card; to see what the tie-break is worth.
- `pimc-ahead`: the same, but in each layout the others go on with open cards only until its own next turn,
  and there it takes one card for all layouts in which it has seen the same: it does not count
  on knowing what it will not know.  It needs more layouts (100 or so), so that some look the same, and time.
- `pimc-even`: as `pimc`, but the layouts it weighs are one from each of as many equal parts of all of
  them, in the order of their numbers, so that they stand for all of them better.

A defender against a lone announcer may weigh only the hands that a soloist would call with
(`CallingRange`).  Where nothing was announced, who plays with whom follows from each layout.

The kernel `kopsim._hidden_play` plays whole deals by these; here they are one by one, to be watched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from kopsim._hidden_play import GREEDY, PIMC, PIMC_AHEAD, PIMC_EVEN, PIMC_WEAKEST, RANDOM, HiddenPlay
from kopsim.cards import Card
from kopsim.chance import Chance
from kopsim.deals import Hand
from kopsim.errors import QueryError
from kopsim.hidden_table import LAYOUTS, Table
from kopsim.play import Position

REVISION = 2  # of the players; grows when the same seed gives other play
# As the kernel numbers them.
KINDS: Mapping[str, int] = {
    "random": RANDOM,
    "greedy": GREEDY,
    "pimc": PIMC,
    "pimc-weakest": PIMC_WEAKEST,
    "pimc-ahead": PIMC_AHEAD,
    "pimc-even": PIMC_EVEN,
}


@dataclass(frozen=True)
class View:
    """What one player sees at his turn.

    hand: as dealt to him; position: with only his own cards in it; played: seats and
    cards so far; number: of the deal, which tells nothing of the cards: by it chance differs from deal to deal.
    """

    table: Table
    seat: int
    hand: Hand
    position: Position
    played: tuple[tuple[int, Card], ...] = ()
    number: int = 0

    def legal_cards(self) -> list[Card]:
        """The cards he may play, strongest first."""
        return self.position.legal_cards()

    @property
    def held(self) -> int:
        """The cards he still holds, as a mask in the kernel's bits."""
        return self.table.compiled.mask(self.position.hands[self.seat - 1])

    @property
    def history(self) -> int:
        """The cards played as the kernel has them, four bits each, the first lowest."""
        bits = self.table.compiled.bits
        return sum(bits[card] << (4 * place) for place, (_, card) in enumerate(self.played))


@dataclass(frozen=True)
class Decision:
    """A legal card, and what was weighed: each card with the average of payment and of the own side's points."""

    card: Card
    weighed: tuple[tuple[Card, float, float], ...] = ()


class Player(Protocol):
    """Chooses a card by what it sees; its chance comes from the seed, the deal's number and that alone."""

    def decide(self, view: View, seed: int) -> Decision:
        """What it plays."""
        ...


class RandomPlayer:
    """Any legal card."""

    def decide(self, view: View, seed: int) -> Decision:
        """A legal card, all equally likely."""
        cards = view.legal_cards()[::-1]
        dealt = view.table.compiled.mask(view.hand)
        sight = (view.seat - 1, dealt, len(view.played), view.history, view.number)
        return Decision(cards[Chance(seed, sight).below(len(cards))])


class GreedyPlayer:
    """Rules of thumb; see the module."""

    def decide(self, view: View, seed: int) -> Decision:
        """A legal card by rules of thumb; no chance is used."""
        del seed
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
    """Averages over layouts solved with open cards; see the module.  Not to be shared between threads.

    layouts: how many it weighs at each decision, all of them where there are no more;
    kind: of the kernel: PIMC or one of its kin.
    """

    layouts: int = LAYOUTS
    kind: int = PIMC
    _kernels: dict[tuple[Table, int], HiddenPlay] = field(default_factory=dict)

    def decide(self, view: View, seed: int) -> Decision:
        """The legal card that earns most on average."""
        cards = view.legal_cards()
        if len(cards) == 1:
            return Decision(cards[0])
        key = (view.table, seed)
        if key not in self._kernels:
            self._kernels[key] = view.table.kernel(self.layouts, seed)
        sums, count = self._kernels[key].weighed(
            view.seat - 1,
            view.held,
            len(view.played),
            view.history,
            number=view.number,
            kind=self.kind,
        )
        named = view.table.compiled.cards
        best, _, _ = max(sums, key=lambda each: each[1:2] if self.kind == PIMC_WEAKEST else each[1:])
        return Decision(named[best], tuple((named[card], paid / count, points / count) for card, paid, points in sums))


def check_player(name: str) -> str:
    """A player's name; raises QueryError naming the choices."""
    if name not in KINDS:
        raise QueryError("player-bad", text=name, choices=list(KINDS))
    return name


def make_player(name: str, layouts: int = LAYOUTS) -> Player:
    """A player by name; layouts: how many a pimc player weighs.  Raises QueryError naming the choices."""
    check_player(name)
    if name == "random":
        return RandomPlayer()
    return GreedyPlayer() if name == "greedy" else PimcPlayer(layouts, KINDS[name])
