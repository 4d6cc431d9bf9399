"""What everybody at a table knows before the first card, and the kernel that plays on with hidden hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kopsim._hidden_play import HiddenPlay
from kopsim._tablebase import EndgameTables
from kopsim.bidding import PASS
from kopsim.cards import Card
from kopsim.deals import Hand
from kopsim.errors import QueryError
from kopsim.quantities import counted
from kopsim.resources import MOST_KEPT
from kopsim.roles import partner_cards
from kopsim.rules import RuleSet
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import SEATS
from kopsim.scoring import payments_by_points, total_points
from kopsim.seats import seat_mask

CallingRange = frozenset[Hand]
LAYOUTS = 20  # that pimc weighs at each decision
_MOST_WEIGHED = 100_000


@dataclass(frozen=True)
class Table:
    """What everybody knows.

    contract: announced by `announcer`, or None when everybody passed; calling: the hands
    the others believe a lone announcer calls with, None for any.
    """

    rules: RuleSet
    contract: str | None
    announcer: int | None
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

    @property
    def soloist(self) -> int | None:
        """The announcer, if everybody knows that he plays alone."""
        return self.announcer if self.contract is not None and self._sides == "soloist" else None

    @property
    def order(self) -> str:
        """The key of the card order."""
        return self.rules.contract(self.played_as).order

    @property
    def compiled(self) -> CompiledOrder:
        """The card order in the kernels' terms."""
        return compile_order(self.rules, self.order)

    @property
    def _sides(self) -> str:
        return self.rules.contract(self.played_as).sides

    def contract_of(self, declarers: int) -> str:
        """What is played by a declaring side (a mask of seats): what was announced, a game, or a silent soloist's."""
        alone = self.rules.silent("soloist")
        if self.contract is None and declarers in _LONE and alone is not None:
            return alone
        return self.played_as

    def kernel(self, layouts: int, seed: int, endings: EndgameTables | None = None) -> HiddenPlay:
        """Players at this table; for one thread.

        layouts: that pimc weighs; endings: solved ones of the same order, to be faster.
        """
        compiled, alone = self.compiled, self.soloist is not None
        return HiddenPlay(
            compiled.kernel,
            payments_of(self),
            announcer=-1 if self.announcer is None else self.announcer - 1,
            alone=alone,
            old=() if alone else [compiled.mask([card]) for card in self.rules.contract(self.played_as).cards],
            partners=[compiled.bits[card] for card in self.partner_cards],
            calling=sorted(compiled.mask(hand) for hand in self.calling or ()),
            layouts=layouts,
            seed=seed,
            endings=endings,
        )

    @property
    def partner_cards(self) -> tuple[Card, ...]:
        """Cards of which the first that the announcer lacks gives him his partner; () where none does."""
        if self.contract is None or self._sides != "partner":
            return ()
        return partner_cards(self.rules, self.order)

    def _possible_sides(self) -> Iterator[tuple[int, ...]]:
        """Every declaring side that there can be."""
        if self.soloist is not None:
            yield (self.soloist,)
            return
        for first in SEATS:
            if self.contract is None and self.rules.silent("soloist") is not None:
                yield (first,)
            for second in range(first + 1, len(SEATS) + 1):
                if self.announcer in (None, first, second):
                    yield (first, second)


def check_weighed(layouts: int) -> int:
    """How many layouts a player weighs; raises QueryError for a number that none can."""
    return counted(layouts, "layouts", "weighed-bad", most=_MOST_WEIGHED)


def table_of(rules: RuleSet, contract: str, seat: int = 1) -> Table:
    """The table at which a seat announces a contract, or everybody passes; raises QueryError for no such contract."""
    return Table(rules, None, None) if contract == PASS else Table(rules, contract, seat)


def payment_bounds(table: Table, hand: Hand, seat: int) -> tuple[int, int]:
    """What a hand at a seat can be paid at least and at most, undoubled, whoever else declares with or against it."""
    sides = list(map(seat_mask, table._possible_sides()))
    if table.announcer is None:
        # Whoever holds a card of the old side declares, alone if he holds them all.
        held = len(hand & frozenset(table.rules.contract(table.played_as).cards))
        sides = [side for side in sides if bool(side & seat_mask([seat])) == (held > 0)]
        sides = [side for side in sides if not held or (side in _LONE) == (held > 1)]
    paid = payments_of(table)[sides, :, seat - 1]
    return int(paid.min()), int(paid.max())


_LONE = frozenset(seat_mask([seat]) for seat in SEATS)


def payments_of(table: Table) -> NDArray[np.int64]:
    """What each seat is paid, undoubled: 16 declaring sides (masks of seats) x points of that side x 4 seats.

    Raises QueryError as `payments_by_points` does.
    """
    # Whatever the others believe, payments are the same: they are kept once for all calling ranges.
    return _payments(table if table.calling is None else replace(table, calling=None))


@lru_cache(maxsize=MOST_KEPT)
def _payments(table: Table) -> NDArray[np.int64]:
    total = total_points(table.rules.orders[table.order])
    paid = np.zeros((1 << len(SEATS), total + 1, len(SEATS)), dtype=np.int64)
    for side in table._possible_sides():
        mask = seat_mask(side)
        paid[mask] = payments_by_points(table.contract_of(mask), side, rules=table.rules)
    paid.flags.writeable = False  # one for all who ask
    return paid
