"""The shortest list, as a regulation would print it, that says exactly which hands win for certain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations

import numpy as np

from kopsim.cards import Card
from kopsim.deals import every_hand, sort_hand
from kopsim.rules import RuleSet
from kopsim.throwdowns.lists import Line

HandSeats = Mapping[tuple[Card, ...], Collection[int]]


def shortest_lines(certain: HandSeats, rules: RuleSet, contract: str) -> list[Line]:
    """The fewest lines that claim these hands at these seats and no other, and of those with the fewest cards.

    certain: hands sorted by strength, each with its seats.  Lines come with those for
    most seats first, then by strength.
    """
    lines = _possible_lines(certain, rules, contract)
    claims = [set(line.claims(rules)) for line in lines]
    chosen = _smallest_cover(claims, [100 + len(line.cards) for line in lines])
    strength = {card: place for place, card in enumerate(sort_hand(rules.pack.cards, rules, contract))}
    return sorted(
        (lines[place] for place in chosen),
        key=lambda line: (-len(line.seats), line.seats, [strength[card] for card in line.cards]),
    )


def _possible_lines(certain: HandSeats, rules: RuleSet, contract: str) -> list[Line]:
    """Every line that claims nothing false, without those that another one says with fewer cards at the same seats."""
    size = rules.seats.hand_size
    lines: list[Line] = []
    for fixed in range(size + 1):
        kept = set(rules.contract(contract).cards)
        found = {frozenset(cards) for hand in certain for cards in combinations(hand, fixed) if kept.issubset(cards)}
        for cards in sorted(found, key=sorted):
            claimed = every_hand(rules, cards, contract)
            seats = set.intersection(*(set(certain.get(hand, ())) for hand in claimed))
            if seats and not any(cards.issuperset(line.cards) and seats.issubset(line.seats) for line in lines):
                lines.append(Line(contract, sort_hand(cards, rules, contract), size - fixed, tuple(sorted(seats))))
    return lines


def _smallest_cover(claims: list[set[tuple[tuple[Card, ...], int]]], costs: list[int]) -> list[int]:
    """The places of the cheapest sets that together have every member, by integer programming."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow to import, and rarely needed

    if not claims:
        return []
    members = {member: row for row, member in enumerate(dict.fromkeys(m for claim in claims for m in sorted(claim)))}
    has = np.zeros((len(members), len(claims)))
    for column, claim in enumerate(claims):
        has[[members[member] for member in claim], column] = 1
    found = milp(
        costs,
        constraints=LinearConstraint(has, lb=1),
        integrality=np.ones(len(claims), dtype=np.int64),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    assert found.success
    return [place for place, taken in enumerate(found.x) if taken > 0.5]
