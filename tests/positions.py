"""Random positions, and every rule set that the tests know."""

from __future__ import annotations

import random
from pathlib import Path

from kopsim import Deal, Position, load_rules, rule_ids
from kopsim.roles import order_hash
from kopsim.rules import RuleSet, read_rules
from kopsim.rules.compile import CompiledOrder, compile_order

FIXTURES = Path(__file__).parent / "rules"
RULES: dict[str, RuleSet] = {
    **{name: load_rules(name) for name in rule_ids()},
    **{path.stem: read_rules(path) for path in sorted(FIXTURES.glob("*.toml"))},
}
# Each card order once: rule sets that differ only in prices and words play the cards alike.
ORDERS: list[tuple[str, str]] = []
for _name, _rules in RULES.items():
    for _order in _rules.orders:
        if order_hash(_rules, _order) not in {order_hash(RULES[name], order) for name, order in ORDERS}:
            ORDERS.append((_name, _order))
PACKS_OF_16 = [(name, order) for name, order in ORDERS if len(RULES[name].pack.cards) == 16]
# Rule sets that play the cards alike are all among these: their prices differ.
RULES_OF_16 = [name for name, rules in RULES.items() if len(rules.pack.cards) == 16]
# Coalitions as the kernels write them: bit s for seat s + 1; all but nobody and everybody.
COALITIONS = range(1, 15)


def seats_of(mask: int) -> tuple[int, ...]:
    """The seats of a coalition mask."""
    return tuple(seat for seat in (1, 2, 3, 4) if mask >> (seat - 1) & 1)


def random_deal(rules: RuleSet, cards: int, rng: random.Random) -> Deal:
    """A deal or ending with so many cards a hand."""
    drawn = rng.sample(sorted(rules.pack.cards), 4 * cards)
    return Deal(tuple(frozenset(drawn[seat * cards : (seat + 1) * cards]) for seat in range(4)), rules)


def start(deal: Deal, order: str, leader: int = 1) -> Position:
    """The beginning of a deal in a given order of its rule set."""
    return Position(deal.rules, deal.rules.orders[order], deal.hands, leader)


def random_position(rules: RuleSet, order: str, cards: int, played: int, rng: random.Random) -> Position:
    """A position `played` random legal cards after the start of a random deal."""
    position = start(random_deal(rules, cards, rng), order, rng.randint(1, 4))
    for _ in range(played):
        position = position.play(rng.choice(position.legal_cards()))
    return position


def kernel_arguments(position: Position, order: str) -> tuple[CompiledOrder, list[int], int, list[int]]:
    """A position as the kernels take it: compiled order, hands, leader, cards on the table."""
    compiled = compile_order(position.rules, order)
    hands = [compiled.mask(hand) for hand in position.hands]
    return compiled, hands, position.leader - 1, [compiled.bits[card] for card in position.trick]
