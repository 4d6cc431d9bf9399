"""Numbers of the scientific stack are taken, and what is not whole is refused by name, in every parameter."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kopsim
from kopsim.best_defence import best_defence
from kopsim.calling_range_build import build_ranges
from kopsim.kontra_build import build_kontra
from kopsim.measures import every_measure
from kopsim.play_out import play_out
from kopsim.quantities import as_whole
from kopsim.reply_bound import reply_bound
from kopsim.seats import check_side
from kopsim.table_proof import verify_table

HAND = ["A♥", "10♣", "10♠", "J♦"]
RULES = kopsim.load_rules()


@pytest.mark.parametrize("number", [4, np.int64(4), np.uint8(4), 4.0, np.float32(4), Fraction(8, 2), np.array(4)])
def test_a_whole_number_of_any_kind(number: Any) -> None:
    assert as_whole(number) == 4
    assert type(as_whole(number)) is int


@pytest.mark.parametrize("value", [4.5, math.nan, math.inf, True, np.True_, "4", None, [4], Fraction(1, 2), 4j])
def test_what_is_no_whole_number(value: Any) -> None:
    assert as_whole(value) is None


FOUR: Any = np.int64(4)


@pytest.mark.parametrize(
    "ask",
    [
        lambda hand, seat: kopsim.odds(hand, seat=seat, contract="zolo").wins,
        lambda hand, seat: kopsim.odds(hand, seat=seat, contract="zolo", holds={seat: hand[:1]}).seat,
        lambda hand, seat: kopsim.pair_odds(["J♠", *hand[:3]], seat=seat, contract="game").seat,
        lambda hand, seat: kopsim.advise(hand, seat=seat).seat,
        lambda hand, seat: kopsim.guaranteed(hand, seat=seat, contract="zolo"),
        lambda hand, seat: kopsim.certify(hand, seat=seat, contract="zolo").seat,
        lambda hand, seat: best_defence(hand, seat=seat, contract="zolo").seat,
        lambda hand, seat: reply_bound(hand, seat=seat, contract="zolo", layouts=np.int32(1)).seat,
        lambda hand, seat: play_out(hand, seat=seat, contract="zolo", deals=np.int64(3)).setting.seat,
        lambda hand, seat: every_measure(RULES, hand, [seat], "zolo")[0].seat,
        lambda _hand, seat: kopsim.score("zolo", seat, points=np.int16(53)).side[0],
        lambda _hand, seat: check_side(seat)[0],
        lambda hand, seat: kopsim.Auction(RULES, {seat: hand}).hands[4],
        lambda hand, seat: kopsim.PartialDeal.of({seat: hand}).sample(np.int64(1), np.int64(0))[0],
    ],
)
def test_hands_and_seats_as_a_notebook_has_them(ask: Callable[[Any, Any], Any]) -> None:
    cards = kopsim.parse_cards(HAND)
    found = ask(HAND, FOUR)
    assert found == ask(cards, 4)
    assert type(found) is type(ask(cards, 4))


def test_a_deal_of_lists_is_a_deal() -> None:
    deal = kopsim.Deal.parse("A♥ | Q♥ | 10♣ | J♦")
    assert kopsim.Deal((["A♥"], "Q♥", {kopsim.Card("10", "♣")}, ["J♦"]), RULES) == deal  # type: ignore[arg-type]
    assert kopsim.solve(deal, side=FOUR) == kopsim.solve(deal, side=4)


ODDS = {"seat": 4, "contract": "zolo"}


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda: kopsim.score("zolo", 4, points=53.5), "points"),  # type: ignore[arg-type]
        (lambda: kopsim.score("zolo", 4, tricks=2.5), "tricks"),  # type: ignore[arg-type]
        (lambda: kopsim.score("zolo", 4, points=math.nan), "points"),  # type: ignore[arg-type]
        (lambda: kopsim.score("zolo", 4, points=True), "points"),
        (lambda: kopsim.odds(HAND, **ODDS, samples=10.5), "samples"),
        (lambda: kopsim.odds(HAND, **ODDS, samples=10, seed=0.5), "seed"),
        (lambda: kopsim.odds(HAND, **ODDS, threads=1.5), "threads"),
        (lambda: kopsim.odds(HAND, **ODDS, samples=True), "samples"),
        (lambda: play_out(HAND, **ODDS, deals=2.5), "deals"),
        (lambda: play_out(HAND, **ODDS, layouts=2.5), "layouts"),
        (lambda: play_out(HAND, **ODDS, precision=math.nan), "precision"),
        (lambda: play_out(HAND, **ODDS, precision=math.inf), "precision"),
        (lambda: play_out(HAND, **ODDS, precision="0.1"), "precision"),
        (lambda: reply_bound(HAND, **ODDS, layouts=2.5), "layouts"),
        (lambda: reply_bound(HAND, **ODDS, seed=2.5), "seed"),
        (lambda: kopsim.PartialDeal.of({}).sample(1.5, 0), "size"),  # type: ignore[arg-type]
        (lambda: kopsim.PartialDeal.of({}).sample(1, 0.5), "seed"),  # type: ignore[arg-type]
        (lambda: kopsim.PartialDeal.of({}).layout(1.5), "rank"),  # type: ignore[arg-type]
        (lambda: verify_table(Path("none"), RULES, samples=1.5), "samples"),  # type: ignore[arg-type]
        (lambda: build_ranges(RULES, {}, Path("none"), layouts=1.5), "layouts"),  # type: ignore[arg-type]
        (lambda: build_kontra(None, "zolo", Path("none"), deals=1.5), "deals"),  # type: ignore[arg-type]
    ],
)
def test_what_is_not_whole_is_refused_by_name(ask: Callable[[], Any], name: str) -> None:
    with pytest.raises(kopsim.QueryError) as caught:
        ask()
    assert str(caught.value).startswith(f"{name} must be a ")
    assert caught.value.text("pl").startswith(f"{name} musi być liczbą")


@pytest.mark.parametrize("seat", [True, 2.5, math.nan, "4", 0, np.int64(5)])
def test_what_is_no_seat(seat: Any) -> None:
    with pytest.raises(kopsim.DealError, match="is not a seat"):
        kopsim.odds(HAND, seat=seat, contract="zolo")
    with pytest.raises(kopsim.DealError, match="is not a seat"):
        kopsim.score("zolo", [seat] if isinstance(seat, str) else seat, points=53)
