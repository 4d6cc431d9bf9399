"""Hands that win for certain: one plan, by what the soloist can see, beats every layout and every defence.

That is more than winning every layout double dummy, where he would see the other
hands: `A♥ 10♥ Q♣ Q♥` at seat 4 wins all 34,650 layouts with open cards, and yet no
single plan wins them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kopsim._knowledge import Information, Knowledge
from kopsim.barred import Playable, barred_hand, playable, refuse_barred
from kopsim.cards import Card, Cards, parse_cards
from kopsim.deals import check_hand, check_seat, every_hand, sort_hand
from kopsim.errors import QueryError
from kopsim.frozen_map import FrozenMap
from kopsim.hand_odds import lone_contracts
from kopsim.resources import MOST_KEPT
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.compile import CompiledOrder, Worth, compile_order
from kopsim.rules.model import SEATS, AtLeast, EveryTrick


@dataclass(frozen=True)
class Goal:
    """What a soloist needs: so many points, or every trick."""

    points: int
    every_trick: bool


def check_throwable(contract: str, rules: RuleSet) -> Goal:
    """The goal of a contract that a hand can be laid down for; raises QueryError for another one."""
    record = rules.contract(contract)
    if record.sides == "soloist" and isinstance(record.goal, AtLeast):
        return Goal(record.goal.at_least, False)
    if record.sides == "soloist" and isinstance(record.goal, EveryTrick):
        return Goal(0, True)
    raise QueryError("contract-no-throw", contract=contract)


class Prover:
    """Tells for one contract of a rule set which hands win for certain; it owns its table, so one for each thread.

    compiled: the card order; counted, needed: the same so compiled that its points, or
    for every trick its tricks, are what a soloist needs so many of.

    Raises QueryError for a contract that is not played alone for points or every
    trick, and for packs of more than 16 cards or with negative worths.
    """

    def __init__(self, rules: RuleSet, contract: str) -> None:
        self.rules, self.contract, self.goal = rules, contract, check_throwable(contract, rules)
        self.compiled: CompiledOrder = compile_order(rules, rules.contract(contract).order)
        if self.compiled.kernel.cards > 16 or self.compiled.lowest < 0:
            raise QueryError("throw-unfit", rules=rules)
        self._free = Knowledge(self.compiled.kernel, self.goal.points, self.goal.every_trick)
        # For open cards: a trick may be worth nothing, so every trick is not the same as every point.
        worth: Worth = "tricks" if self.goal.every_trick else "points"
        self.counted: CompiledOrder = compile_order(rules, rules.contract(contract).order, worth)
        self.needed = rules.seats.hand_size if self.goal.every_trick else self.goal.points
        # Every other order of cards empties its table, which therefore is small.
        self._ordered = Knowledge(self.compiled.kernel, self.goal.points, self.goal.every_trick, 14)

    def start(self, hand: Iterable[Card], seat: int) -> Information:
        """What the soloist knows at the beginning; raises as `guaranteed` does."""
        cards = check_hand(hand, self.rules)
        needed = self.rules.contract(self.contract).cards
        if not cards.issuperset(needed):
            raise QueryError(
                "contract-needs",
                contract=self.contract,
                needs=needed,
                cards=sort_hand(cards, self.rules, self.contract),
            )
        refuse_barred(self.rules, self.contract, cards, check_seat(seat))
        return Information.start(self.compiled.kernel, self.compiled.mask(cards), check_seat(seat) - 1)

    def wins(self, info: Information, order: Sequence[int] = ()) -> bool:
        """Whether the soloist wins for certain from a moment on, or does by playing in an order of his cards (bits)."""
        return self._ordered.guaranteed(info, order) if order else self._free.guaranteed(info)

    def guaranteed(self, hand: Iterable[Card], seat: int, played: Iterable[Card] = ()) -> bool:
        """Whether the soloist wins for certain.

        hand: the whole hand he was dealt; seat: 1-4; played: the cards played so far,
        in order, seat 1 leading first, the soloist's own among them.
        Raises DealError for what is no hand or seat, QueryError for a hand that the
        contract does not allow or for plays that cannot have been.
        """
        info = self.start(hand, seat)
        for number, card in enumerate(played, start=1):
            legal = info.plays()
            if card not in self.compiled.bits or self.compiled.bits[card] not in legal:
                possible = [self.compiled.cards[bit] for bit in legal]
                raise QueryError("play-impossible", number=number, card=card, seat=info.to_play + 1, legal=possible)
            info = info.play(self.compiled.bits[card])
        return self.wins(info)


def guaranteed(hand: Cards, *, seat: int, contract: str, rules: RuleSet | None = None) -> bool:
    """Whether a hand wins a contract for certain at a seat: exact, by search over what the soloist can know.

    Raises CardError, DealError or QueryError saying what is wrong.
    """
    cards = parse_cards(hand)
    return Prover(rules or load_rules(), contract).guaranteed(cards, seat)


def throwable_contracts(rules: RuleSet) -> list[str]:
    """The contracts that hands can be laid down for."""
    return [key for key in lone_contracts(rules) if isinstance(rules.contract(key).goal, (AtLeast, EveryTrick))]


def playable_alone(rules: RuleSet, hand: Sequence[Card], seats: Sequence[int], contract: str | None = None) -> Playable:
    """Where a hand may play the contract asked for, or all that it may play alone for points or tricks.

    Raises QueryError if there is none.
    """
    if contract is not None:
        return playable(rules, hand, seats, [contract])
    contracts = [key for key in throwable_contracts(rules) if set(hand).issuperset(rules.contract(key).cards)]
    if not contracts:
        raise QueryError("contract-none", rules=rules, cards=hand)
    return playable(rules, hand, seats, contracts)


@lru_cache(maxsize=MOST_KEPT)
def certain_hands(rules: RuleSet, contract: str) -> Mapping[tuple[Card, ...], tuple[int, ...]]:
    """Every hand that wins a contract for certain at some seat, strongest first, with those seats.

    Searched for once.
    Raises QueryError as `Prover` does.
    """
    prover = Prover(rules, contract)
    seats: dict[tuple[Card, ...], tuple[int, ...]] = dict.fromkeys(
        every_hand(rules, rules.contract(contract).cards, contract), ()
    )
    for seat in SEATS:  # seat by seat, since the prover's table is for one
        for hand in seats:
            if barred_hand(rules, contract, hand, seat) is None and prover.guaranteed(hand, seat):
                seats[hand] += (seat,)
    return FrozenMap({hand: at for hand, at in seats.items() if at})
