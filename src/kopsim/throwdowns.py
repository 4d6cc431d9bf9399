"""Hands that win for certain: one plan, by what the soloist can see, beats every layout and every defence.

That is more than winning every layout double dummy, where he would see the other
hands: `A♥ 10♥ Q♣ Q♥` at seat 4 wins all 34,650 layouts with open cards, and yet no
single plan wins them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kopsim._knowledge import Information, Knowledge
from kopsim.cards import Card, parse_cards
from kopsim.deals import check_hand, check_seat, sort_hand
from kopsim.errors import QueryError
from kopsim.hand_odds import check_contract
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder, compile_order
from kopsim.rules.model import AtLeast, EveryTrick


@dataclass(frozen=True)
class Goal:
    """What a soloist needs: so many points, or every trick."""

    points: int
    every_trick: bool

    @classmethod
    def of(cls, contract: str, rules: RuleSet) -> Goal:
        """The goal of a contract played alone; raises QueryError for another one."""
        goal = rules.contract(contract).goal
        if isinstance(goal, AtLeast):
            return cls(goal.at_least, False)
        if isinstance(goal, EveryTrick):
            return cls(0, True)
        raise QueryError("contract-no-throw", contract=contract)


class Prover:
    """Tells for one contract of a rule set which hands win for certain; it owns its table, so one for each thread.

    Raises QueryError for a contract that is not played alone for points or every
    trick, and for packs of more than 16 cards or with negative worths.
    """

    def __init__(self, rules: RuleSet, contract: str) -> None:
        record = rules.contract(contract)
        check_contract(contract, record.cards, frozenset(record.cards), rules)
        goal = Goal.of(contract, rules)
        self._rules, self._contract = rules, contract
        self._compiled: CompiledOrder = compile_order(rules, record.order)
        if self._compiled.kernel.cards > 16 or self._compiled.lowest < 0:
            raise QueryError("throw-unfit", rules=rules)
        self._knowledge = Knowledge(self._compiled.kernel, goal.points, goal.every_trick)

    def guaranteed(self, hand: Iterable[Card], seat: int, played: Iterable[Card] = ()) -> bool:
        """Whether the soloist wins for certain.

        hand: the whole hand he was dealt; seat: 1-4; played: the cards played so far,
        in order, seat 1 leading first, the soloist's own among them.
        Raises DealError for what is no hand or seat, QueryError for a hand that the
        contract does not allow or for plays that cannot have been.
        """
        cards = check_hand(hand, self._rules)
        needed = self._rules.contract(self._contract).cards
        if not cards.issuperset(needed):
            raise QueryError(
                "contract-needs", contract=self._contract, needs=needed, cards=sort_hand(cards, self._rules)
            )
        info = Information.start(self._compiled.kernel, self._compiled.mask(cards), check_seat(seat) - 1)
        for number, card in enumerate(played, start=1):
            legal = info.plays()
            if card not in self._compiled.bits or self._compiled.bits[card] not in legal:
                possible = [self._compiled.cards[bit] for bit in legal] or "–"
                raise QueryError("play-impossible", number=number, card=card, seat=info.to_play + 1, legal=possible)
            info = info.play(self._compiled.bits[card])
        return self._knowledge.guaranteed(info)


def guaranteed(hand: str | Iterable[Card], *, seat: int, contract: str, rules: RuleSet | None = None) -> bool:
    """Whether a hand wins a contract for certain at a seat: exact, by search over what the soloist can know.

    Raises CardError, DealError or QueryError saying what is wrong.
    """
    cards = parse_cards(hand) if isinstance(hand, str) else tuple(hand)
    return Prover(rules or load_rules(), contract).guaranteed(cards, seat)
