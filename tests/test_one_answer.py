"""One question has one answer, whichever face is asked: every hand at every seat, in the library and in every face."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import Answer

from kopsim import load_rules
from kopsim.advice import Advice
from kopsim.call_chart import every_advice
from kopsim.call_grid import call_grid, calling_pairs
from kopsim.calling_range import packaged_ranges, played_out
from kopsim.deals import every_hand
from kopsim.measures import biddable_hands, packaged_measures
from kopsim.rules.model import SEATS

pytestmark = pytest.mark.xdist_group("one-answer")
Run = Callable[..., Answer]
KOP = load_rules()
RANGES = packaged_ranges(KOP)


@pytest.fixture(scope="session")
def advices() -> dict[tuple[str, int], Advice]:
    """Advice by hand, as text, and seat."""
    return {(named(each.hand), each.seat): each for each in every_advice(KOP, SEATS)}


def named(hand: object) -> str:
    """A hand by its cards, whatever their order."""
    return " ".join(sorted(map(str, hand)))


class Page:
    """The figures of the web page, read as its script reads them."""

    def __init__(self, site: Path) -> None:
        (file,) = (site / "data").glob("hands-*.js")
        text = file.read_text(encoding="utf-8")
        data = json.loads(text[text.index("{") : text.rindex("}") + 1])
        self.calls, self.reasons, rows = data["calls"], data["reasons"], data["rows"]
        planes = np.frombuffer(zlib.decompress(base64.b64decode(data["body"]), -15), dtype=np.uint8)
        pairs = planes.reshape(len(data["columns"]), 2, rows).astype(np.int64)
        self.columns = dict(zip(data["columns"], pairs[:, 0] | pairs[:, 1] << 8, strict=True))
        text = (site / "data" / "index.js").read_text(encoding="utf-8")
        self.offset = json.loads(text[text.index("{") : text.rindex("}") + 1])["offset"]

    def call(self, name: str, row: int) -> str:
        return self.calls[self.columns[name][row]]

    def points(self, name: str, row: int) -> float:
        return (int(self.columns[name][row]) - self.offset) / 100


def test_the_recommended_call_is_that_of_the_range(advices: dict[tuple[str, int], Advice]) -> None:
    assert len(advices) == 7280
    for found in advices.values():
        called = [key for key in RANGES.contracts if RANGES.calls(key, found.seat, found.hand)]
        assert [found.recommended.call] == called or (not called and found.recommended.in_range is None), found
        assert found.range_call is found.recommended
        # What does not earn most is within its error of what does.
        best = max(found.values, key=lambda each: found.earned(each).value)
        assert best is found.recommended or found.reason == "close", found


def test_doubled_calls_are_ranked_by_what_they_earn_doubled(advices: dict[tuple[str, int], Advice]) -> None:
    lured = advices[named(["A♥", "10♥", "Q♣", "Q♦"]), 1]
    (zolo,) = [each for each in lured.values if each.call == "zolo"]
    assert (lured.recommended.call, lured.undoubled.call) == ("pass", "zolo")
    assert (round(zolo.in_play.value, 2), round(lured.earned(zolo).value, 2)) == (2.39, 0.59)
    assert round(lured.earned(lured.recommended).value, 2) == 1.81
    close = advices[named(["10♣", "10♠", "Q♣", "Q♦"]), 1]
    assert (close.recommended.call, close.reason) == ("pass", "close")


def test_charts_and_tables_say_the_same(run: Run, advices: dict[tuple[str, int], Advice]) -> None:
    for seat in SEATS:
        for row in run("chart-data", "zolo", "--seat", str(seat), "--json").data["hands"]:
            found = advices[named(cards_of(row["hand"])), seat]
            assert (row["call"], row["reason"], row["range_call"]) == (
                found.recommended.call,
                found.reason,
                found.range_call.call,
            )
            assert row["mean"] == pytest.approx(found.earned(found.recommended).value, abs=1e-4)
        shown = run("range", "show", "--contract", "zolo", "--json").data["ranges"][seat - 1]
        assert shown["seat"] == seat
        told = {named(hand) for hand in shown["hands"]}
        assert told == {hand for (hand, at), each in advices.items() if at == seat and each.recommended.call == "zolo"}


def test_the_book_marks_the_hands_that_are_advised_to_call(advices: dict[tuple[str, int], Advice]) -> None:
    called = {(named(each.hand), seat) for each in biddable_hands(KOP, "zolo") for seat in each.called}
    assert called == {key for key, each in advices.items() if each.recommended.call == "zolo"}
    for seat in SEATS:
        for pair, _ in calling_pairs(KOP, "zolo", seat)[:2]:
            for cell in call_grid(KOP, "zolo", seat, pair, lower=True).cells:
                found = advices[named((*pair, *cell.rest)), seat]
                assert cell.called == (found.recommended.call == "zolo"), found


def test_the_page_says_the_same(site_folder: Path, advices: dict[tuple[str, int], Advice]) -> None:
    page = Page(site_folder)
    for row, (hand, seat) in enumerate(rows()):
        found = advices[named(hand), seat]
        assert page.call("recommended", row) == found.recommended.call
        assert page.call("range", row) == found.range_call.call
        assert page.reasons[page.columns["reason"][row]] == found.reason
        for value in found.values:
            mean = found.earned(value)
            told = [page.points(f"{value.call}.{name}", row) for name in ("earned", "earned-low", "earned-high")]
            assert told == pytest.approx([mean.value, *mean.interval], abs=0.00501), found


def test_played_out_means_one_thing(site_folder: Path, advices: dict[tuple[str, int], Advice], run: Run) -> None:
    table, page = played_out(KOP, "zolo"), Page(site_folder)
    assert table.expected is not None
    for row, (hand, seat) in enumerate(rows()):
        (zolo,) = [each for each in advices[named(hand), seat].values if each.call == "zolo"]
        assert zolo.expected
        assert zolo.played == table.estimate(hand, seat)
        share = int(page.columns["zolo.win-play"][row])
        assert {2000: 0.0005, 2001: 0.9995}.get(share, share / 1000) == pytest.approx(zolo.win_play, abs=0.00051)
    for hand in every_hand(KOP)[::90]:
        for each in packaged_measures(KOP, hand, "zolo"):
            assert each.expected
            assert each.played == table.estimate(hand, each.seat)
    line = ["--contract", "zolo", "--json", "--seat", "1", "A♥ 10♠ Q♣ A♦"]
    known = table.estimate(frozenset(advices[named(["A♥", "10♠", "Q♣", "A♦"]), 1].hand), 1).probability
    told = [
        run("odds", "--model", "all", *line).data["results"][0],
        run("odds", "--model", "play-out", *line).data["results"][0],
        run("table", "show", "--model", "play-out", *line).data["hands"][0],
    ]
    assert [each["probability"] for each in told] == [known] * 3
    options = run("advise", "--seat", "1", "--json", "A♥ 10♠ Q♣ A♦").data["options"]
    assert [each["win_play"] for each in options if each["call"] == "zolo"] == [known]


def rows() -> Iterator[tuple[tuple, int]]:
    """Hands and seats in the order of the page's rows."""
    return ((hand, seat) for hand in every_hand(KOP) for seat in SEATS)


def cards_of(text: str) -> list[str]:
    """The cards of a hand that is written without spaces."""
    suits = [place for place, char in enumerate(text) if char in "♣♦♥♠"]
    return [text[start + 1 : end + 1] for start, end in zip([-1, *suits], suits, strict=False)]
