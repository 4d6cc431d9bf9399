"""Every price of the regulations, ties and limits included, and the laws that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import msgspec
import numpy as np
import pytest
from conftest import Answer
from hypothesis import given
from hypothesis import strategies as st

from kopsim import KopsimError, QueryError, RuleError, load_rules
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, Cards, Misplay
from kopsim.scoring import payments_by_points, score

KOP = load_rules()
CALLS = KOP.doubling.calls


@pytest.mark.parametrize(
    ("points", "payment", "grade"),
    [
        (0, -4, "no-trick"),
        (8, -2, "under-26"),
        (25, -2, "under-26"),
        (26, -1, "with-26"),
        (51, -1, "with-26"),
        (52, -1, "with-26"),
        (53, 1, "with-26"),
        (78, 1, "with-26"),
        (79, 2, "under-26"),
        (96, 2, "under-26"),
        (104, 4, "no-trick"),
    ],
)
@pytest.mark.parametrize("contract", ["game", "wesele"])
def test_pair_scale(contract: str, points: int, payment: int, grade: str) -> None:
    """1 / 2 / 4: the losers have 26 points, fewer, or no trick; a tie is lost by the old."""
    result = score(contract, (2, 4), points=points)
    assert result.payments == (-payment, payment, -payment, payment)
    assert (result.grade, result.won, result.multiplier, result.side) == (grade, payment > 0, 1, (2, 4))


@pytest.mark.parametrize(("calls", "times"), [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16)])
def test_doublings_multiply(calls: int, times: int) -> None:
    for points, price in ((53, 1), (90, 2), (104, 4)):
        result = score("game", (1, 2), points=points, doubling=CALLS[:calls])
        assert result.payments == (price * times, price * times, -price * times, -price * times)
        assert result.multiplier == times


def test_a_doubled_tie_is_lost_by_who_called_last() -> None:
    for contract in ("game", "wesele"):
        for calls in (1, 2, 3, 4):
            assert score(contract, (1, 3), points=52, doubling=CALLS[:calls], last_call="young").won
            assert not score(contract, (1, 3), points=52, doubling=CALLS[:calls], last_call="old").won
            with pytest.raises(QueryError, match="doubled tie is lost by the side that called last"):
                score(contract, (1, 3), points=52, doubling=CALLS[:calls])


@pytest.mark.parametrize(
    ("contract", "taken", "doubling", "own"),
    [
        ("zolo", {"points": 53}, (), 15),
        ("zolo", {"points": 52}, (), -15),
        ("zolo", {"points": 104}, (), 15),
        ("zolo", {"points": 60}, ("kontra",), 30),
        ("zolo", {"points": 50}, ("kontra", "rej"), -60),
        ("cicha", {"points": 53}, (), 12),
        ("cicha", {"points": 52}, (), -12),
        ("cicha", {"points": 53}, CALLS, 12 * 16),
        ("zolo-du", {"tricks": 4}, (), 30),
        ("zolo-du", {"points": 104}, (), 30),
        ("zolo-du", {"tricks": 3}, (), -30),
        ("zolo-du", {"points": 96}, (), -30),
        ("zolo-du", {"tricks": 3, "points": 90}, ("kontra",), -60),
        ("zolo-du", {"tricks": 4}, ("kontra", "rej"), 120),
        ("zolo-du-honour", {}, (), 30),
    ],
)
def test_one_against_three(contract: str, taken: dict[str, int], doubling: tuple[str, ...], own: int) -> None:
    for seat in SEATS:
        result = score(contract, seat, doubling=doubling, **taken)
        assert result.payments == tuple(own if each == seat else -own // 3 for each in SEATS)
        assert (result.grade, result.won) == ("all-or-nothing", own > 0)


@pytest.mark.parametrize(
    ("calls", "prices"),
    [(0, (1, 2, 3)), (1, (2, 4, 6)), (2, (4, 8, 12)), (3, (8, 16, 24)), (4, (16, 32, 48)), (5, (32, 64, 96))],
)
def test_koscian_scale(calls: int, prices: tuple[int, int, int]) -> None:
    rules = load_rules("kop-koscian")
    paid = [
        score("game", (1, 3), points=points, doubling=rules.doubling.calls[:calls], rules=rules).payments[0]
        for points in (60, 90, 104)
    ]
    assert tuple(paid) == prices


@pytest.mark.parametrize(
    ("contract", "side", "taken", "calls", "own"),
    [
        # The old pay twice what they would win, and lose 52-52 however it was doubled.
        ("game", (1, 3), {"points": 60}, 0, 1),
        ("game", (1, 3), {"points": 44}, 0, -2),
        ("game", (1, 3), {"points": 52}, 0, -2),
        ("game", (1, 3), {"points": 52}, 1, -4),
        ("game", (1, 3), {"points": 20}, 0, -4),
        ("game", (1, 3), {"points": 0}, 4, -128),
        ("wesele", (2, 4), {"points": 104}, 0, 4),
        ("wesele", (2, 4), {"points": 40}, 2, -8),
        ("cicha", 1, {"points": 53}, 0, 12),
        ("zolo", 1, {"points": 53}, 0, 15),
        ("zolo", 1, {"points": 52}, 0, -15),
        ("gran", 1, {"points": 52}, 0, -30),
        ("gran", 1, {"points": 70}, 0, 30),
        ("zolo-du", 1, {"tricks": 4}, 0, 30),
        ("gran-du", 1, {"tricks": 4}, 0, 60),
        ("gran-du", 1, {"tricks": 3}, 4, -960),
        ("baska", 1, {}, 0, 30),
    ],
)
def test_prices_of_baska(
    contract: str, side: int | tuple[int, int], taken: dict[str, int], calls: int, own: int
) -> None:
    baska = load_rules("baska-z-asem")
    last = {} if calls == 0 or contract not in ("game", "wesele") else {"last_call": "old"}
    paid = score(contract, side, doubling=baska.doubling.calls[:calls], rules=baska, **taken, **last)
    seats = (side,) if isinstance(side, int) else side
    assert [paid.payments[seat - 1] for seat in seats] == [own] * len(seats)
    assert sum(paid.payments) == 0


def test_bok_rounds_and_the_cap() -> None:
    """A bok round doubles where the rules have one; all together no more than the cap."""
    baska = load_rules("baska-z-asem")
    with pytest.raises(QueryError, match="has no bok rounds"):
        score("zolo", 1, points=60, bok_round=True, rules=baska)
    doubling = msgspec.structs.replace(baska.doubling, bok_round=8)
    rules = msgspec.structs.replace(baska, doubling=doubling)
    for calls, times in ((0, 8), (1, 16), (3, 64), (4, 64)):
        paid = score("zolo", 1, points=60, doubling=baska.doubling.calls[:calls], bok_round=True, rules=rules)
        assert (paid.multiplier, paid.payments[0]) == (times, 15 * times)
    assert score("zolo", 1, points=60, rules=rules).multiplier == 1
    # A bok round is no doubling: a tie is that of an undoubled deal.
    kop = msgspec.structs.replace(KOP, doubling=msgspec.structs.replace(KOP.doubling, bok_round=2))
    assert score("game", (1, 3), points=52, bok_round=True, rules=kop).payments == (-2, 2, -2, 2)


@pytest.mark.parametrize(
    ("contract", "side", "given", "match"),
    [
        ("zolo", (4,), {"points": 60, "doubling": CALLS[:3]}, "zolo is doubled no further than rej; bok"),
        ("zolo-du", (4,), {"tricks": 4, "doubling": CALLS[:3]}, "zolo-du is doubled no further than rej"),
        ("zolo-du-honour", (4,), {"doubling": ["kontra"]}, "zolo-du-honour is not doubled"),
        ("cicha", (4,), {"points": 60, "doubling": ["kontra"], "last_call": "old"}, "the first kontra may not come"),
        ("cicha", (4,), {"points": 60, "doubling": CALLS[:2], "last_call": "young"}, "the first kontra may not come"),
        ("zolo", (1,), {"points": 60, "doubling": ["kontra"], "last_call": "old"}, "the first kontra may not come"),
        ("game", (1, 3), {"points": 60, "doubling": ["rej"]}, "rej is out of order; next would be: kontra"),
        ("game", (1, 3), {"points": 60, "doubling": ["kontra", "bok"]}, "bok is out of order; next would be: rej"),
        ("game", (1, 3), {"points": 60, "doubling": [*CALLS, "sup"]}, "sup is out of order; next would be: none"),
        ("game", (1, 3), {"points": 60, "doubling": ["hirsh"]}, "“hirsh” is no doubling"),
        ("game", (1, 3), {"points": 60, "last_call": "old"}, "Nothing was doubled"),
        ("game", (1,), {"points": 60}, "The side of game has 2 seats, not 1"),
        ("zolo", (1, 2), {"points": 60}, "The side of zolo has 1 seat, not 2"),
        ("game", (1, 1), {"points": 60}, "is not a side"),
        ("game", (1, 5), {"points": 60}, "5"),
        ("game", (1, 3), {}, "points or the tricks"),
        ("game", (1, 3), {"points": 105}, "No side can take 105 of 104 points"),
        ("game", (1, 3), {"points": -1}, "No side can take -1"),
        ("game", (1, 3), {"points": 5}, "No side can take 5 of 104"),
        ("game", (1, 3), {"points": 100}, "No side can take 100 of 104"),
        ("game", (1, 3), {"points": 90, "tricks": 1}, "90 points in 1 trick cannot be"),
        ("game", (1, 3), {"tricks": 5}, "0 to 4 tricks, not 5"),
        ("game", (1, 3), {"tricks": 2}, "game: give the points"),
        ("zolo-du-honour", (1,), {"points": 104}, "paid without play"),
        ("pas", (1, 3), {"points": 5}, "no contract “pas”"),
        ("game", (1, 3), {"misplay": 5}, "5"),
        ("game", (1, 3), {"misplay": 1, "points": 9999}, "No side can take 9999"),
        ("zolo-du-honour", (1,), {"misplay": 1}, "paid without play"),
        ("game", (1, 3), {"points": 60, "doubling": "kontra", "last_call": "both"}, "“both” is no side"),
    ],
)
def test_what_is_refused(contract: str, side: tuple[int, ...], given: dict, match: str) -> None:
    with pytest.raises(KopsimError, match=match):
        score(contract, side, **given)


def test_a_partner_may_double_first() -> None:
    """The announcer of a wesele may not, which a side as a whole does not show."""
    assert score("wesele", (1, 2), points=60, doubling=["kontra"], last_call="old").payments[0] == 2


def test_misplays() -> None:
    """The offender's side loses whatever was taken: the pair, the three, or the soloist."""
    assert score("game", (1, 3), misplay=1).payments == (-1, 1, -1, 1)
    assert score("game", (1, 3), misplay=2, points=8, doubling=["kontra"]).payments == (2, -2, 2, -2)
    assert score("zolo", 4, misplay=4).payments == (5, 5, 5, -15)
    assert score("zolo", 4, misplay=1).payments == (-5, -5, -5, 15)
    assert score("game", (1, 3), misplay=2).misplayed
    assert not score("game", (1, 3), points=60).misplayed
    alone = msgspec.structs.replace(KOP, misplay=Misplay(loses="player", grade="under-26"))
    assert score("game", (1, 3), misplay=1, rules=alone).payments == (-4, 2, 0, 2)
    assert score("zolo", 4, misplay=1, rules=alone).payments == (-15, 0, 0, 15)
    assert score("zolo", 4, misplay=4, rules=alone).payments == (5, 5, 5, -15)


@st.composite
def doubled(draw: st.DrawFn) -> dict:
    calls = draw(st.integers(0, 2))
    last = "young" if calls % 2 else "old"
    return {"doubling": CALLS[:calls], "last_call": last if calls else None}


@given(st.sampled_from(["game", "wesele", "cicha", "zolo", "zolo-du"]), st.integers(1, 4), doubled())
def test_payments_by_points(contract: str, seat: int, doubling: dict) -> None:
    """Rows sum to zero, more points never pay less, and each possible row is what `score` says."""
    side = (seat,) if KOP.contract(contract).sides == "soloist" else tuple(sorted((seat, seat % 4 + 1)))
    paid = payments_by_points(contract, side, **doubling)
    assert paid.shape == (105, 4)
    assert not paid.sum(axis=1).any()
    assert (np.diff(paid[:, side[0] - 1]) >= 0).all()
    for points in (0, *range(8, 97), 104):
        assert tuple(paid[points]) == score(contract, side, points=points, **doubling).payments


def test_payments_by_points_that_cannot_be() -> None:
    with pytest.raises(QueryError, match="paid without play"):
        payments_by_points("zolo-du-honour", 1)
    with pytest.raises(QueryError, match="cannot be told from points"):
        payments_by_points("zolo", 1, rules=worthless())


def worthless() -> RuleSet:
    """Kop with queens and jacks worth nothing, so that a trick may be."""
    order = msgspec.structs.replace(KOP.orders["ordinary"], points={"A": 11, "10": 10, "Q": 0, "J": 0})
    return msgspec.structs.replace(KOP, orders={"ordinary": order})


def test_tricks_where_points_do_not_tell() -> None:
    rules = worthless()
    assert score("zolo-du", 1, tricks=4, rules=rules).won
    with pytest.raises(QueryError, match="zolo-du: give the number of tricks"):
        score("zolo-du", 1, points=84, rules=rules)
    with pytest.raises(QueryError, match="game: give the number of tricks"):
        score("game", (1, 3), points=0, rules=rules)
    assert score("game", (1, 3), points=0, tricks=1, rules=rules).grade == "under-26"
    assert score("game", (1, 3), points=0, tricks=0, rules=rules).grade == "no-trick"


def test_sides_of_the_wrong_size_are_refused() -> None:
    for contract in ("game", "wesele", "cicha", "zolo", "zolo-du"):
        for size in (1, 2, 3):
            for side in combinations(SEATS, size):
                if size == (1 if KOP.contract(contract).sides == "soloist" else 2):
                    assert not payments_by_points(contract, side).sum(axis=1).any()
                    continue
                with pytest.raises(QueryError, match="The side of"):
                    payments_by_points(contract, side)


def test_rule_files_name_all_prices() -> None:
    with pytest.raises(RuleError, match="with-26"):
        msgspec.structs.replace(KOP.contract("game"), value={"with-26": 1})
    replace = msgspec.structs.replace
    with pytest.raises(RuleError, match="who the partner is"):
        replace(KOP.contract("wesele"), partner="none")
    with pytest.raises(RuleError, match="two `cards`, not 1"):
        replace(KOP.contract("game"), cards=Cards(KOP.contract("game").cards[:1]))


def test_names_in_both_languages() -> None:
    for text, key in (("Gra", "game"), ("honorowe zolo-du", "zolo-du-honour"), ("ZOLO", "zolo"), ("gran", "gran")):
        assert KOP.contract_key(text) == key
    assert score("game", (1, 3), points=60, doubling="kontra,rej").multiplier == 4


def test_a_bok_round_on_the_command_line(run: Callable[..., Answer], tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('base = "baska-z-asem"\nid = "club"\n[doubling]\nbok_round = 2\n', encoding="utf-8")
    line = ["score", "--contract", "gran", "--sides", "2", "--points", "60", "--bok-round", "--json"]
    assert run(*line, "--rules", str(club)).data["payments"] == [-20, 60, -20, -20]
    refused = run(*line, "--rules", "baska-z-asem")
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)


def test_a_misplay_is_told_with_its_price(run: Callable[..., Answer], tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('base = "kop-gorzow-2014"\nid = "club"\n[misplay]\ngrade = "no-trick"\n', encoding="utf-8")
    line = ["score", "--contract", "game", "--sides", "1,2", "--misplay", "1"]
    assert "losers without a trick" in run(*line, "--rules", str(club)).out
    assert "losers with 26" in run(*line).out
