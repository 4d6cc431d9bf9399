"""A hand that wins for certain, played by its plan, wins every deal against every defence there is."""

from __future__ import annotations

import random
from itertools import cycle, islice

import pytest
from positions import PACKS_OF_16, RULES

from kopsim import Card, PartialDeal, Position, certify, parse_cards
from kopsim.deals import every_hand
from kopsim.hidden_table import Table
from kopsim.play_out import seen_by
from kopsim.players import make_player
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, AtLeast
from kopsim.throwdowns.certificates import InOrder, Look, Play, Step
from kopsim.throwdowns.prover import Prover, throwable_contracts

# What a soloist announces in each card order.
ANNOUNCED = [
    (name, contract)
    for name, order in PACKS_OF_16
    for contract in throwable_contracts(RULES[name])
    if RULES[name].contract(contract).order == order and RULES[name].contract(contract).announced != "silent"
]


class Follower:
    """Somebody who follows a plan as it is written, card by card."""

    def __init__(self, plan: tuple[Step, ...]) -> None:
        self.plan, self.step = plan, plan[0]

    def card(self, position: Position) -> Card:
        """The own next card."""
        legal, step = {str(card): card for card in position.legal_cards()}, self.step
        if isinstance(step, Play):
            self.step = self.plan[step.next]
            return legal[step.card]
        assert isinstance(step, InOrder)
        return next(legal[text] for text in step.cards if text in legal)

    def sees(self, seat: int, trick: int, card: Card) -> None:
        """What another seat has played to a trick."""
        step = self.step
        if isinstance(step, Look) and (step.seat, step.trick) == (seat, trick):
            named = [case.next for case in step.cases if str(card) in case.cards]
            self.step = self.plan[named[0] if named else step.otherwise]


def some_certain(rules: RuleSet, contract: str, rng: random.Random) -> list[tuple[tuple[Card, ...], int]]:
    """Up to three hands that win for certain at each seat, with it."""
    prover, found = Prover(rules, contract), list[tuple[tuple[Card, ...], int]]()
    for seat in SEATS:  # seat by seat, since the prover's table is for one
        hands = every_hand(rules, rules.contract(contract).cards)
        certain = (hand for hand in rng.sample(hands, len(hands)) if prover.guaranteed(hand, seat))
        found += [(hand, seat) for hand in islice(certain, 3)]
    return found


def is_won(position: Position, contract: str, seat: int) -> bool:
    """Whether a soloist has what he needs at the end."""
    goal = position.rules.contract(contract).goal
    if isinstance(goal, AtLeast):
        return position.points([seat]) >= goal.at_least
    return position.tricks[seat - 1] == position.rules.seats.hand_size


@pytest.mark.parametrize(("name", "contract"), ANNOUNCED)
def test_the_plan_always_wins(name: str, contract: str) -> None:
    rules, rng, played = RULES[name], random.Random(contract), 0
    certain = some_certain(rules, contract, rng)
    if (name, contract) == ("baska-z-asem", "zolo"):
        # The only hand of zolo in Baśka that must look at what the others play.
        certain.append((parse_cards("A♥ 10♥ Q♠ A♦"), 1))
    players = [make_player(defenders, 5) for defenders in ("random", "greedy", "pimc")]
    for hand, seat in certain:
        plan = certify(hand, seat=seat, contract=contract, rules=rules).plan
        partial, table = PartialDeal.of({seat: hand}, rules=rules), Table(rules, contract, seat)
        # Where the plan looks at what is played there is more to see.
        ranks = rng.sample(range(partial.layouts), 24 if len(plan) == 1 else 120)
        for rank, player in zip(ranks, cycle(players), strict=False):
            deal, follower = partial.layout(rank, contract), Follower(plan)
            position, cards = Position.start(deal, contract=contract), list[tuple[int, Card]]()
            while not position.is_over:
                if position.to_play == seat:
                    card = follower.card(position)
                else:
                    view = seen_by(position.to_play, deal, position, tuple(cards), table, rank)
                    card = player.decide(view, 0).card
                    follower.sees(position.to_play, sum(position.tricks) + 1, card)
                cards.append((position.to_play, card))
                position = position.play(card)
            assert is_won(position, contract, seat), (hand, seat, deal, player)
            played += 1
    assert played >= 120
