"""A hand that wins for certain, played by its plan, wins every deal against every defence there is."""

from __future__ import annotations

import random

import pytest

from kopsim import PartialDeal, Position, certify, load_rules
from kopsim.hidden_table import Table
from kopsim.play_out import seen_by
from kopsim.players import make_player
from kopsim.throwdowns.certificates import InOrder
from kopsim.throwdowns.prover import certain_hands

KOP = load_rules()


@pytest.mark.parametrize("contract", ["zolo", "zolo-du"])
@pytest.mark.parametrize("defenders", ["random", "greedy", "pimc"])
def test_the_plan_always_wins(contract: str, defenders: str) -> None:
    rng, player = random.Random(f"{contract} {defenders}"), make_player(defenders, 5)
    certain = [(hand, seat) for hand, seats in certain_hands(KOP, contract).items() for seat in seats]
    played = 0
    for hand, seat in rng.sample(certain, min(12, len(certain))):
        (plan,) = certify(hand, seat=seat, contract=contract).plan
        assert isinstance(plan, InOrder)
        partial, table = PartialDeal.of({seat: hand}, rules=KOP), Table(KOP, contract, seat)
        for rank in rng.sample(range(partial.layouts), 8):
            deal = partial.layout(rank)
            position, cards = Position.start(deal, contract=contract), []
            while not position.is_over:
                if position.to_play == seat:
                    legal = {str(card): card for card in position.legal_cards()}
                    card = next(legal[text] for text in plan.cards if text in legal)
                else:
                    view = seen_by(position.to_play, deal, position, tuple(cards), table, rank)
                    card = player.decide(view, 0).card
                cards.append((position.to_play, card))
                position = position.play(card)
            tricks = position.tricks[seat - 1]
            assert position.points([seat]) >= 53 if contract == "zolo" else tricks == 4, (hand, seat, deal)
            played += 1
    assert played >= 40
