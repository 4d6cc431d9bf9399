"""The best reply to a fixed defence: against brute force on small packs, and above what play brings."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from conftest import Answer
from positions import PACKS_OF_16, RULES
from test_throwdowns import compiled, layouts, small_order

from kopsim import Card, Position, QueryError, load_rules, parse_cards
from kopsim._best_defence import BestDefence
from kopsim._hidden_play import GREEDY, PIMC, PIMC_AHEAD, PIMC_EVEN, PIMC_WEAKEST, RANDOM
from kopsim.best_defence import best_defence
from kopsim.hidden_table import Table
from kopsim.play_out import play_out
from kopsim.reply_bound import reply_bound
from kopsim.rules import Order, RuleSet
from kopsim.throwdowns.prover import Prover

KOP = load_rules()
# A hand that may win or lose for each kind of contract that is announced and played alone.
CALLS = [
    ("kop-gorzow-2014", "A♥ 10♣ J♣ J♠", 2, "zolo"),
    ("baska-z-asem", "A♥ 10♥ Q♦ A♣", 1, "zolo"),
    ("baska-z-asem", "J♠ J♥ A♠ A♦", 2, "gran"),
    ("baska-z-asem", "J♣ J♥ A♠ A♦", 4, "gran-du"),
]


def habit(seat: int, hand: int, plies: int, history: int) -> int:
    """A fixed policy out of the air: depends on all that it may depend on, and on nothing else."""
    cards = [bit for bit in range(16) if hand >> bit & 1]
    return cards[(seat * 7 + plies * 3 + history * 5 + hand) % len(cards)]


class BestReply:
    """Brute force: the soloist does the same in layouts that look alike, the others as their habit has it."""

    def __init__(self, rules: RuleSet, order: Order, bits: dict[Card, int], soloist: int, goal: int) -> None:
        self.rules, self.order, self.bits, self.soloist, self.goal = rules, order, bits, soloist, goal

    def wins(self, positions: list[Position], history: tuple[Card, ...] = ()) -> int:
        if not positions:
            return 0
        first = positions[0]
        if first.is_over:
            return sum(position.taken[self.soloist - 1] >= self.goal for position in positions)
        if first.to_play == self.soloist:
            return max(
                self.wins([position.play(card) for position in positions], (*history, card))
                for card in first.legal_cards()
            )
        groups: dict[Card, list[Position]] = {}
        for position in positions:
            card = self.answer(position, history)
            groups.setdefault(card, []).append(position.play(card))
        return sum(self.wins(group, (*history, card)) for card, group in groups.items())

    def answer(self, position: Position, history: tuple[Card, ...]) -> Card:
        legal = position.legal_cards()
        if len(legal) == 1:
            return legal[0]
        number = sum(self.bits[card] << (4 * place) for place, card in enumerate(history))
        hand = sum(1 << self.bits[card] for card in position.hands[position.to_play - 1])
        wanted = habit(position.to_play - 1, hand, len(history), number)
        return next((card for card in legal if self.bits[card] == wanted), min(legal, key=self.bits.__getitem__))

    def policy(self, _seat: int, hand: int, plies: int, history: int) -> int:
        """The same habit for the kernel, kept to what is legal by the referee."""
        named = {bit: card for card, bit in self.bits.items()}
        played = tuple(named[history >> (4 * place) & 0xF] for place in range(plies))
        position = Position(self.rules, self.order, (frozenset(),) * 4, 1)
        for card in played:
            position = replace(position, hands=(frozenset([card]),) * 4).play(card)
        hands = (frozenset(card for card, bit in self.bits.items() if hand >> bit & 1),) * 4
        return self.bits[self.answer(replace(position, hands=hands), played)]


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_the_kernel_is_brute_force(name: str, key: str, size: int) -> None:
    rules, rng = RULES[name], random.Random(size)
    whole, met = rules.orders[key], 0
    for number in range(30 if size == 2 else 2):
        cards = rng.sample(sorted(whole.cards), 4 * size)
        order, soloist = small_order(whole, set(cards)), rng.randint(1, 4)
        # Half the hands have neighbours of equal worth, to which a policy may yet answer differently.
        own = frozenset(rng.sample(cards, size))
        if number % 2:
            own = frozenset(sorted(cards, key=lambda card: (order.worth(card), order.strength[card]))[:size])
        # Of three cards each a part of the layouts, as if all others were known not to be.
        deals = layouts(sorted(set(cards) - own), size, own, soloist)
        deals = rng.sample(deals, min(600, len(deals)))
        kernel, bits = compiled(order, size)
        goal = rng.randint(10, sum(map(order.worth, cards)) * 2 // 3)
        rows = [[sum(1 << bits[card] for card in hand) for hand in hands] for hands in deals]
        brute, kept = BestReply(rules, order, bits, soloist, goal), np.zeros(len(rows), dtype=np.uint8)
        found = BestDefence(kernel, goal, 8).reply(np.array(rows, dtype=np.uint64), soloist - 1, kept, brute.policy)
        assert found == kept.sum() == brute.wins([Position(rules, order, hands, 1) for hands in deals])
        met += 0 < found < len(rows)
    assert met


@pytest.mark.slow
@pytest.mark.parametrize(("name", "hand", "seat", "contract"), CALLS)
def test_a_reply_is_never_below_play(name: str, hand: str, seat: int, contract: str) -> None:
    """Against greedy defenders a best reply wins at least what any soloist wins, and what a plan keeps against all."""
    rules = RULES[name]
    bound = reply_bound(hand, seat=seat, contract=contract, defenders="greedy", rules=rules)
    assert bound.layouts == 34650
    assert bound.wins >= best_defence(hand, seat=seat, contract=contract, rules=rules).kept
    for own in ("greedy", "pimc"):
        played = play_out(
            hand, seat=seat, contract=contract, deals=300, own=own, others="greedy", rules=rules, threads=1
        )
        assert played.interval[0] <= bound.probability


def test_a_policy_must_be_legal() -> None:
    kernel, _ = compiled(small_order(KOP.orders["ordinary"], set(KOP.orders["ordinary"].cards)), 4)
    deal = np.array([[0xF, 0xF0, 0xF00, 0xF000]], dtype=np.uint64)
    with pytest.raises(ValueError, match="may not"):
        BestDefence(kernel, 53).reply(deal, 0, np.zeros(1, dtype=np.uint8), lambda *_seen: 0)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"defenders": "genius"}, "no player “genius”"),
        ({"layouts": 0}, "1 to 100000"),
        ({"seed": -1}, "0 or more"),
        ({"hand": "A♥ 10♣ Q♣ Q♠", "contract": "cicha"}, "not announced"),
        ({"contract": "game"}, "not won alone"),
    ],
)
def test_what_has_no_reply_bound(given: dict, match: str) -> None:
    with pytest.raises(QueryError, match=match):
        reply_bound(**{"hand": "A♥ 10♣ J♣ J♠", "seat": 1, "contract": "zolo", "defenders": "greedy", **given})


@pytest.mark.slow
def test_on_the_command_line(run: Callable[..., Answer]) -> None:
    line = [
        "odds",
        "A♥ 10♣ J♣ J♠",
        "--seat",
        "3",
        "--contract",
        "zolo",
        "--model",
        "reply-bound",
        "--defenders",
        "greedy",
    ]
    (result,) = run(*line, "--json").data["results"]
    assert result == {
        "seat": 3,
        "contract": "zolo",
        "model": "reply-bound",
        "exact": True,
        "layouts": 34650,
        "wins": 27339,
        "probability": 27339 / 34650,
        "bound": "upper",
        "defenders": "greedy",
        "weighed": 20,
        "seed": 0,
    }
    assert "78.9" in run(*line).out


@pytest.mark.parametrize(("name", "hand", "seat", "contract"), CALLS)
@pytest.mark.parametrize("kind", [RANDOM, GREEDY, PIMC, PIMC_WEAKEST, PIMC_AHEAD, PIMC_EVEN])
def test_players_of_the_kernel_are_asked_as_any_policy(
    kind: int, name: str, hand: str, seat: int, contract: str
) -> None:
    """The short cut to players in the kernel gives what asking them one by one gives, on some of the layouts."""
    rules = RULES[name]
    prover = Prover(rules, contract)
    space = prover.start(parse_cards(hand), seat).layouts()
    masks = np.empty((100, 4), dtype=np.uint64)
    space.unrank_many(np.arange(0, 34500, 345), masks)
    players = Table(rules, contract, seat).kernel(4, 2)
    search, kept = BestDefence(prover.counted.kernel, prover.needed, 8), np.zeros(100, dtype=np.uint8)
    wins = search.reply(masks, seat - 1, kept, players, kind)
    replies, first = search.replies, kept.copy()
    assert search.reply(masks, seat - 1, kept, lambda *seen: players.choose(kind, *seen)) == wins
    assert (search.replies, kept.tolist()) == (replies, first.tolist())
    # Random defenders can be beaten in every one of these.
    assert 0 < wins < 100 + (kind == RANDOM)
