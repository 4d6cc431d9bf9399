"""Best defence: bounds against an integer program on small packs, plans replayed, and the order of the bounds."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from conftest import Answer
from positions import PACKS_OF_16, RULES
from scipy.optimize import Bounds, LinearConstraint, milp
from test_guaranteed_play import is_won
from test_throwdowns import compiled, layouts, small_order

from kopsim import Card, PartialDeal, Position, QueryError, load_rules, parse_cards
from kopsim._best_defence import BestDefence
from kopsim._search import Solver
from kopsim.best_defence import Plan, best_defence
from kopsim.hand_odds import odds
from kopsim.rules import Order, RuleSet
from kopsim.rules.model import SEATS
from kopsim.throwdowns.prover import Prover

Run = Callable[..., Answer]
KOP = load_rules()


class EveryPlan:
    """The best of all plans by an integer program: a card for each history, and the layouts that none of them loses.

    Written from the referee alone; for packs of two or three cards a hand.
    """

    def __init__(self, rules: RuleSet, order: Order, soloist: int, goal: int) -> None:
        self.rules, self.order, self.soloist, self.goal = rules, order, soloist, goal
        self.choices: dict[tuple[tuple[Card, ...], Card], int] = {}  # history and own card: column
        self.rows: list[tuple[int, set[int]]] = []  # layout, and choices each of which loses it

    def most(self, deals: list[tuple[frozenset[Card], ...]]) -> int:
        for number, hands in enumerate(deals):
            self._walk(number, Position(self.rules, self.order, hands, 1), (), frozenset())
        histories: dict[tuple[Card, ...], list[int]] = {}
        for (history, _), column in self.choices.items():
            histories.setdefault(history, []).append(column)
        width = len(self.choices) + len(deals)
        matrix, low, high = [], [], []
        for columns in histories.values():
            row = np.zeros(width)
            row[columns] = 1
            matrix.append(row)
            low.append(1)
            high.append(1)
        for number, losing in self.rows:
            # Kept only if not all the choices that lead to this loss are made.
            row = np.zeros(width)
            row[[*losing, len(self.choices) + number]] = 1
            matrix.append(row)
            low.append(-np.inf)
            high.append(len(losing))
        cost = np.zeros(width)
        cost[len(self.choices) :] = -1
        found = milp(
            cost, constraints=LinearConstraint(np.array(matrix), low, high), integrality=np.ones(width, dtype=np.int64),
            bounds=Bounds(0, 1), options={"mip_rel_gap": 0},
        )  # fmt: skip
        assert found.success
        return round(-found.fun)

    def _walk(self, number: int, position: Position, history: tuple[Card, ...], made: frozenset[int]) -> None:
        if position.is_over:
            if position.taken[self.soloist - 1] < self.goal:
                self.rows.append((number, set(made)))
            return
        for card in position.legal_cards():
            chosen = made
            if position.to_play == self.soloist:
                chosen = made | {self.choices.setdefault((history, card), len(self.choices))}
            self._walk(number, position.play(card), (*history, card), chosen)


def small_case(name: str, key: str, rng: random.Random, size: int, soloist: int) -> tuple[int, int, int, int]:
    """One random hand of a random small pack: kept, at most, won with open cards, and the best of all plans."""
    whole = RULES[name].orders[key]
    cards = rng.sample(sorted(whole.cards), 4 * size)
    order = small_order(whole, set(cards))
    own = frozenset(rng.sample(sorted(cards, key=order.strength.__getitem__)[: 2 * size], size))
    deals = layouts(sorted(set(cards) - own), size, own, soloist)
    if size > 2:
        # Plans against a few layouts, as if all others were known not to be: the programme stays small.
        deals = rng.sample(deals, 6)
    kernel, bits = compiled(order, size)
    total = sum(order.worth(card) for card in cards)
    goal = rng.randint(total // 4, total // 2)
    masks = np.array([[sum(1 << bits[card] for card in hand) for hand in hands] for hands in deals], dtype=np.uint64)
    values = np.empty(len(masks), dtype=np.int16)
    Solver(kernel).values(masks, 0, 1 << (soloist - 1), values)
    won = np.ascontiguousarray(masks[values >= goal])
    search, kept = BestDefence(kernel, goal, 8), np.zeros(len(won), dtype=np.uint8)
    lower = search.keep(won, soloist - 1, kept, 16)
    assert lower == kept.sum()
    upper = min(len(won), search.bound(won, soloist - 1), search.bound(won, soloist - 1, True))
    return lower, upper, len(won), EveryPlan(RULES[name], order, soloist, goal).most(deals)


@pytest.mark.parametrize("soloist", SEATS)
@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_bounds_hold_the_best_plan_of_two_cards(name: str, key: str, soloist: int) -> None:
    rng = random.Random(soloist)
    met = 0
    for _ in range(4):
        lower, upper, won, best = small_case(name, key, rng, 2, soloist)
        assert lower <= best <= upper <= won
        met += lower == best
    assert met >= 3


@pytest.mark.parametrize("soloist", SEATS)
@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_bounds_hold_the_best_plan_of_three_cards(name: str, key: str, soloist: int) -> None:
    rng = random.Random(10 + soloist)
    for _ in range(2):
        lower, upper, won, best = small_case(name, key, rng, 3, soloist)
        assert lower <= best <= upper <= won


@pytest.mark.parametrize(
    ("name", "hand", "seat", "contract", "kept", "at_most"),
    [
        ("kop-gorzow-2014", "A♥ 10♣ J♣ J♠", 1, "zolo", 27760, 27760),
        ("kop-gorzow-2014", "A♥ 10♣ J♣ J♠", 3, "zolo", 5487, 6084),
        ("kop-gorzow-2014", "A♥ 10♥ Q♣ Q♥", 4, "zolo", 30797, 34508),
        ("kop-gorzow-2014", "A♥ 10♠ Q♣ Q♥", 4, "zolo", 34650, 34650),
        ("kop-gorzow-2014", "A♥ 10♠ Q♣ Q♥", 4, "zolo-du", 52, 52),
        ("kop-gorzow-2014", "A♣ A♠ 10♦ A♦", 2, "zolo", 0, 0),
        ("baska-z-asem", "A♥ Q♣ Q♦ A♣", 2, "zolo", 1395, 1939),
        ("baska-z-asem", "A♥ 10♥ Q♣ Q♠", 1, "zolo-du", 34650, 34650),
        ("baska-z-asem", "J♣ A♣ A♠ 10♠", 1, "gran", 11970, 11970),
        ("baska-z-asem", "J♣ J♥ A♠ A♦", 1, "gran", 34650, 34650),
        ("baska-z-asem", "J♣ J♥ A♠ A♦", 2, "gran-du", 4460, 6140),
    ],
)
def test_hands(name: str, hand: str, seat: int, contract: str, kept: int, at_most: int) -> None:
    rules = RULES[name]
    found = best_defence(hand, seat=seat, contract=contract, rules=rules)
    assert (found.kept, found.at_most) == (kept, at_most)
    wins = odds(hand, seat=seat, contract=contract, rules=rules).wins
    assert found.kept <= found.at_most <= found.open_wins == wins
    assert found.bound == ("exact" if kept == at_most else "lower")
    assert (len(found.which), found.layouts) == (kept, 34650)
    # All layouts are kept exactly where the hand wins for certain.
    assert (found.kept == found.layouts) == Prover(rules, contract).guaranteed(parse_cards(hand), seat)


PLANNED = [
    ("kop-gorzow-2014", "A♥ 10♣ J♣ J♠", 3, "zolo"),
    ("baska-z-asem", "A♥ Q♣ Q♦ A♣", 2, "zolo"),
    ("baska-z-asem", "J♣ A♣ A♠ 10♠", 1, "gran"),
    ("baska-z-asem", "J♣ J♥ A♠ A♦", 2, "gran-du"),
]


@cache
def planned(name: str, hand: str, seat: int, contract: str) -> tuple[Plan, tuple[int, ...]]:
    """A plan, and the layouts that it keeps."""
    found = best_defence(hand, seat=seat, contract=contract, rules=RULES[name], with_plan=True)
    assert found.plan is not None
    return found.plan, tuple(map(int, found.which))


@pytest.mark.parametrize(("name", "hand", "seat", "contract"), PLANNED)
def test_a_plan_keeps_what_it_says(name: str, hand: str, seat: int, contract: str) -> None:
    """Random layouts that are kept, played by the plan against random defenders with the referee watching."""
    rng, (plan, kept) = random.Random(8), planned(name, hand, seat, contract)
    partial = PartialDeal.of({seat: parse_cards(hand)}, rules=RULES[name])
    for rank in rng.sample(kept, 40):
        start = Position.start(partial.layout(rank, contract), contract=contract)
        for _ in range(6):
            position, played = start, []
            while not position.is_over:
                card = rng.choice(position.legal_cards())
                if position.to_play == seat and not is_won(position, contract, seat):
                    chosen = plan.card(played)
                    assert chosen is not None
                    card = chosen
                position = position.play(card)
                played.append(card)
            assert is_won(position, contract, seat)
    # Of what cannot have been it says nothing.
    assert plan.card(parse_cards(hand)[:2]) is None


@pytest.mark.parametrize(("name", "hand", "seat", "contract"), PLANNED)
def test_every_line_of_some_kept_layouts(name: str, hand: str, seat: int, contract: str) -> None:
    """The same for all that the defenders can do."""
    plan, kept = planned(name, hand, seat, contract)
    partial = PartialDeal.of({seat: parse_cards(hand)}, rules=RULES[name])

    def follow(position: Position, played: tuple[Card, ...]) -> None:
        if is_won(position, contract, seat):
            return
        assert not position.is_over
        cards = position.legal_cards()
        if position.to_play == seat:
            chosen = plan.card(played)
            assert chosen in cards
            cards = [chosen]
        for card in cards:
            follow(position.play(card), (*played, card))

    for rank in random.Random(9).sample(kept, 12):
        follow(Position.start(partial.layout(rank, contract), contract=contract), ())


def test_what_the_kernel_refuses() -> None:
    kernel, _ = compiled(small_order(KOP.orders["ordinary"], set(KOP.orders["ordinary"].cards)), 4)
    search = BestDefence(kernel, 53)
    for bad in ([0xF, 0xF0, 0xF0, 0xF000], [0x1F, 0xE0, 0xF00, 0xF000], [0xF, 0xF0, 0xF00, 0xF0000], [0, 0, 0, 0]):
        with pytest.raises(ValueError, match="not a whole deal"):
            search.keep(np.array([bad], dtype=np.uint64), 0, np.zeros(1, dtype=np.uint8))
    one = np.array([[0xF, 0xF0, 0xF00, 0xF000], [0xF00, 0xF0, 0xF, 0xF000]], dtype=np.uint64)
    with pytest.raises(ValueError, match="cards differ"):
        search.keep(one, 0, np.zeros(2, dtype=np.uint8))
    with pytest.raises(ValueError, match="four columns"):
        search.keep(one, 0, np.zeros(1, dtype=np.uint8))
    assert search.keep(one[:0], 0, np.zeros(0, dtype=np.uint8)) == 0
    assert search.bound(one[:0], 0) == 0
    assert [len(each) for each in search.decisions()] == [0, 0, 0]


def test_on_the_command_line(run: Run) -> None:
    data = run(
        "odds", "AhTcJcJs", "--seat", "1", "--contract", "zolo", "--model", "all", "--range", "any", "--json"
    ).data
    _, best, reply, open_cards = data["results"]
    assert best == {
        "seat": 1,
        "contract": "zolo",
        "model": "best-defence",
        "exact": True,
        "layouts": 34650,
        "wins": 27760,
        "probability": 27760 / 34650,
        "bound": "exact",
        "at_most": 27760,
    }
    assert (reply["model"], reply["bound"]) == ("reply-bound", "upper")
    assert best["wins"] <= reply["wins"]
    assert (open_cards["model"], open_cards["wins"], open_cards["bound"]) == ("double-dummy", 27884, None)
    data = run("odds", "AhTcJcJs", "--seat", "3", "--model", "best-defence", "--json").data
    assert [each["contract"] for each in data["results"]] == ["zolo", "zolo-du"]
    shown = run("odds", "AhTcJcJs", "--seat", "3", "--contract", "zolo", "--model", "best-defence", "--lang", "pl").out
    assert "15,8 %" in shown.replace("\N{NO-BREAK SPACE}", " ")
    assert "17,6 %" in shown.replace("\N{NO-BREAK SPACE}", " ")
    (told,) = run("odds", "AhTcJcJs", "--seat", "1", "--contract", "zolo", "--model", "double-dummy", "--json").data[
        "results"
    ]
    assert told["bound"] is None
    for bad in (["--model", "guess"], ["--model", "all", "--samples", "9"], ["--model", "all", "--contract", "game"]):
        answer = run("odds", "AhTcJcJs", "--seat", "1", *bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_hands_that_can_play_nothing_alone() -> None:
    with pytest.raises(QueryError, match="cicha needs"):
        best_defence("A♥ 10♣ J♣ J♠", seat=1, contract="cicha")
