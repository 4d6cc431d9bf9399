"""What each call earns, against sums over the raw tables; and advice that follows from it."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable

import numpy as np
import pytest
from conftest import Answer
from positions import RULES

from kopsim import load_rules, parse_cards
from kopsim.advice import advise
from kopsim.bidding import PASS
from kopsim.call_values import CallValue, call_values
from kopsim.deals import every_hand
from kopsim.errors import DealError, QueryError
from kopsim.odds_table import packaged_table
from kopsim.play_out import Estimate
from kopsim.play_out_table import packaged_play_outs
from kopsim.roles import Role
from kopsim.statistics import Mean
from kopsim.throwdowns.prover import certain_hands

Run = Callable[..., Answer]
KOP = load_rules()
HANDS = [frozenset(hand) for hand in random.Random(7).sample(every_hand(KOP), 40)]
OLD = frozenset(parse_cards("Q♣ Q♠"))


def scale(own: int) -> int:
    """A pair's payment by its own points, the old pair's ties lost: 1, 2 or 4 by what the losers have."""
    losers = min(own, 104 - own)
    price = 4 if losers == 0 else 2 if losers < 26 else 1
    return price if own > 52 else -price


def plain_mean(hand: frozenset, seat: int, call: str) -> float:
    """The mean payment of a call, summed up from the raw histograms by the words of the rules."""
    table = packaged_table(KOP, "ordinary")
    points = np.arange(105)
    if call in ("zolo", "cicha"):
        paid = np.where(points >= 53, 1, -1) * {"zolo": 15, "cicha": 12}[call]
        counts = table.counts(hand, Role.LONE, seat)
    elif call == "zolo-du":
        paid, counts = np.where(points == 104, 30, -30), table.counts(hand, Role.LONE, seat)
    elif call == "wesele" or hand & OLD:
        role = Role.WESELE if call == "wesele" else Role.OLD
        paid, counts = np.array([scale(own) for own in points]), table.counts(hand, role, seat)
    else:
        # The young win a tie of 52; against a silent soloist three win with 52 or more.
        young = np.array([scale(own) if own != 52 else 1 for own in points])
        both = table.counts(hand, Role.YOUNG, seat), table.counts(hand, Role.AGAINST, seat)
        total = (both[0] * young).sum() + (both[1] * np.where(points >= 52, 4, -4)).sum()
        return float(total / (both[0].sum() + both[1].sum()))
    return float((paid * counts).sum() / counts.sum())


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_means_are_sums_over_the_raw_tables(seat: int) -> None:
    calls = set()
    for hand in [*HANDS, frozenset(parse_cards("A♥ 10♠ Q♣ Q♠"))]:
        values = call_values(KOP, hand, seat)
        assert values[0].call == ("cicha" if hand >= OLD else PASS)
        assert ("wesele" in {each.call for each in values}) == (hand >= OLD)
        for each in values:
            assert float(each.mean) == pytest.approx(plain_mean(hand, seat, each.call))
            assert each.layouts == 34_650
            table = packaged_play_outs(KOP, PASS if each.silent else each.call)
            assert (each.played is None) == (table is None)
            calls.add(each.call)
    assert calls == {PASS, "cicha", "wesele", "zolo", "zolo-du"}


def test_the_honour_is_paid_without_play() -> None:
    (honour,) = [
        each for each in call_values(KOP, frozenset(parse_cards("10♣ 10♠ 10♥ 10♦")), 2) if each.call == "zolo-du-honour"
    ]
    assert (honour.payments, honour.guaranteed, honour.in_play) == ({30: 34_650}, True, Mean.exact(30))
    assert advise("10♣ 10♠ 10♥ 10♦", seat=2).recommended.call == "zolo-du-honour"


def test_certain_hands_are_laid_down() -> None:
    for contract in ("zolo", "zolo-du"):
        for hand, seats in certain_hands(KOP, contract).items():
            for seat in seats:
                best = advise(hand, seat=seat).recommended
                assert best.guaranteed
                assert best.doubled is None  # nobody plays, so nobody doubles
                assert best.in_play.value >= (15 if contract == "zolo" else 30)


def test_the_recommended_call_never_loses_by_its_own_figures() -> None:
    for hand in HANDS:
        for seat in (1, 4):
            found = advise(sorted(hand), seat=seat)
            assert found.played
            earned = found.earned(found.recommended).value
            if found.reason == "clear":
                assert earned == max(found.earned(each).value for each in found.values)
                assert found.margin.interval[0] > 0
            assert found.double_dummy.mean == max(each.mean for each in found.values)


def test_equal_black_aces_are_told_the_same() -> None:
    first, second = (advise(f"A♥ 10♣ Q♦ {ace}", seat=3) for ace in ("A♣", "A♠"))
    told = [[(each.call, each.payments, each.played) for each in found.values] for found in (first, second)]
    assert told[0] == told[1]


def test_figures_of_a_call() -> None:
    played = Estimate(deals=100, layouts=400, wins=60, paid=300, paid_squared=22_500, bounds=(-15, 15))
    value = CallValue("zolo", False, {-15: 300, 15: 100}, played, guaranteed=False)
    assert (value.mean, value.wins, value.layouts) == (-7.5, 100, 400)
    assert value.deviation == pytest.approx(15 * 0.75**0.5)
    assert value.break_even(0.0) == 0.5
    assert value.break_even(2.3) == pytest.approx((2.3 + 15) / 30)
    assert CallValue(PASS, True, {-1: 1, 1: 1, 2: 1}, None, guaranteed=False).break_even(0.0) is None
    assert (value.in_play.value, value.win_play) == (3.0, 0.6)


def test_on_the_command_line(run: Run) -> None:
    data = run("advise", "A♥ 10♣ J♣ J♠", "--seat", "3", "--json").data
    assert {"rules", "hand", "seat", "recommended", "options"} <= data.keys()
    found = advise("A♥ 10♣ J♣ J♠", seat=3)
    assert data["recommended"] == found.recommended.call
    assert [each["call"] for each in data["options"]] == [each.call for each in found.values]
    (zolo,) = [each for each in data["options"] if each["call"] == "zolo"]
    assert zolo["win"] == {"count": 6188, "of": 34650}
    assert zolo["mean"] == pytest.approx((2 * 6188 - 34650) * 15 / 34650)
    assert zolo["guaranteed"] is False
    screen = run("advise", "A♥ 10♣ 10♠ W♠", "--seat", "3", "--lang", "pl").out
    assert "Odzywka: zolo" in screen
    assert "Można wyłożyć karty" in screen
    rows = run("advise", "A♥ 10♣ 10♠ J♠", "--json").data["results"]
    assert [each["seat"] for each in rows] == [1, 2, 3, 4]
    assert "certain" in run("advise", "A♥ 10♣ 10♠ J♠").out
    for bad in (["AhTcJc"], ["AhTcJcJs", "--seat", "5"], ["AhAhTcJs"], ["AhTcJcJs", "--rules", "none"]):
        answer = run("advise", *bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_what_cannot_be_advised() -> None:
    with pytest.raises(DealError):
        advise("A♥ 10♣ J♣ J♠", seat=0)
    with pytest.raises(QueryError):
        advise("A♥ 10♥ Q♥ J♥ 9♥ 8♥ 7♥ K♥", seat=1, rules=RULES["belote"])


def test_charts_hold_the_advice_on_every_hand(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("chart-data", "zolo", "--seat", "3", "--csv").out)))
    assert len(rows) == 1820
    for row in rows[::300]:
        found = advise(row["hand"], seat=3)
        assert row["call"] == found.recommended.call
        assert float(row["mean"]) == pytest.approx(found.earned(found.recommended).value, abs=1e-4)
        assert float(row["margin"]) == pytest.approx(found.margin.value, abs=1e-4)
    data = run("chart-data", "wesele", "--seat", "1", "--json").data
    assert len(data["hands"]) == 91
    for bad in (["cicha", "--seat", "1"], ["zolo"], ["zolo", "--seat", "5"]):
        answer = run("chart-data", *bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
