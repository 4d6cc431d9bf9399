"""Charts, by what their artists hold and say; and the command that writes them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import Answer
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from kopsim import load_rules, odds
from kopsim.advice import advise
from kopsim.call_grid import CallGrid, GridCell, call_grid, calling_pairs
from kopsim.calling_range import packaged_ranges
from kopsim.cards import parse_cards
from kopsim.errors import QueryError
from kopsim.faces.chart_file import CHART_ENDINGS, chart_bytes
from kopsim.faces.chart_style import BLUE, GREY
from kopsim.faces.grid_charts import kontra_chart, seat_value_chart, seat_wins_chart, strategy_chart
from kopsim.faces.hand_charts import bracket_chart, kontra_hand_chart, points_chart, seats_chart
from kopsim.hand_wins import seat_wins
from kopsim.hidden_study import SeatWorth
from kopsim.kontra_pairs import kontra_grid
from kopsim.kontra_table import packaged_kontra
from kopsim.measures import biddable_hands, packaged_measures
from kopsim.odds_table import packaged_table
from kopsim.statistics import Mean

Run = Callable[..., Answer]
KOP, BASKA = load_rules(), load_rules("baska-z-asem")
HAND = parse_cards("A♥ 10♣ J♣ J♠")


def texts(figure: Figure, gid: str | None = None) -> list[str]:
    found = figure.findobj(Text)
    return [each.get_text() for each in found if each.get_text() and (gid is None or each.get_gid() == gid)]


def nothing_cut_off(figure: Figure) -> None:
    """No text leaves the sheet, and no two labels of one axis lie on each other."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    page = figure.bbox
    for text in figure.findobj(Text):
        if text.get_text().strip() and text.get_visible():
            box = text.get_window_extent(renderer)
            assert box.x0 >= page.x0 - 1, text.get_text()
            assert box.x1 <= page.x1 + 1, text.get_text()
            assert box.y0 >= page.y0 - 1, text.get_text()
            assert box.y1 <= page.y1 + 1, text.get_text()
    for axis in figure.axes:
        for ticks in (axis.get_xticklabels(), axis.get_yticklabels()):
            boxes = [each.get_window_extent(renderer) for each in ticks if each.get_text()]
            assert not any(a.overlaps(b) for a, b in pairwise(boxes))


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_points(lang: str) -> None:
    found = [odds("A♥ 10♠ Q♣ A♦", seat=seat, contract="zolo") for seat in (1, 4)]
    figure = points_chart(found, lang)
    nothing_cut_off(figure)
    for axis, each in zip(figure.axes, found, strict=True):
        bars = [bar for container in axis.containers for bar in container]
        assert sum(bar.get_height() for bar in bars) == pytest.approx(100)
        won = [bar for bar in bars if to_hex(bar.get_facecolor()) == BLUE.lower()]
        assert sum(bar.get_height() for bar in won) == pytest.approx(100 * each.wins / each.total)
        assert all(to_hex(bar.get_facecolor()) in (BLUE.lower(), GREY.lower()) for bar in bars)
    shown = "\n".join(texts(figure))
    assert {"pl": "70,2", "en": "70.2"}[lang] in shown
    assert texts(figure, "card") == {"pl": ["A♥", "10♠", "D♣", "A♦"], "en": ["A♥", "10♠", "Q♣", "A♦"]}[lang]
    assert {"pl": "Dokładnie", "en": "Exact"}[lang] in shown


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_seats_and_bracket(lang: str) -> None:
    found = packaged_measures(KOP, HAND, "zolo")
    figure = seats_chart(KOP, "zolo", HAND, found, lang)
    nothing_cut_off(figure)
    heights = [[bar.get_height() for bar in each] for each in figure.axes[0].containers if hasattr(each, "patches")]
    assert heights[0] == pytest.approx([100 * float(each.open_cards.probability) for each in found])
    assert heights[1] == pytest.approx([100 * each.played.probability for each in found])
    figure = bracket_chart(KOP, "zolo", HAND, found, lang)
    nothing_cut_off(figure)
    lines = {each.get_gid(): list(each.get_xdata()) for each in figure.axes[0].get_lines()}
    third = found[2]
    assert third.best is not None
    assert lines["best 3"] == pytest.approx([100 * third.best.least / 34650, 100 * third.best.most / 34650])
    assert third.played is not None
    assert third.expected
    assert lines["played 3"] == pytest.approx([100 * limit for limit in third.played.interval])
    assert f"{100 * float(third.open_cards.probability):.1f}".replace(
        ".", "," if lang == "pl" else "."
    ) + "\u00a0%" in texts(figure)


def test_rules_of_which_only_open_cards_are_known() -> None:
    hand = parse_cards("A♥ 10♥ J♣ J♠")
    found = packaged_measures(BASKA, hand, "gran", [2])
    assert (found[0].played, found[0].best, found[0].reply) == (None, None, None)
    figure = seats_chart(BASKA, "gran", hand, found, "en")
    assert len(figure.axes[0].patches) == 1
    assert "only open cards are known" in " ".join(" ".join(texts(figure)).split())
    solved = packaged_measures(BASKA, hand, "gran", [2], solve=True)[0].best
    assert solved is not None
    assert 0 < solved.least <= solved.most <= found[0].open_cards.wins
    table = packaged_table(BASKA, "gran")
    assert table is not None
    figure = seat_wins_chart(BASKA, "gran", seat_wins(table, BASKA, "gran"), "pl")
    nothing_cut_off(figure)
    assert figure.axes[0].patches[0].get_height() == pytest.approx(18.48, abs=0.01)


def test_a_silent_soloist_is_known_from_passed_out_deals() -> None:
    (found,) = packaged_measures(KOP, parse_cards("A♥ 10♠ Q♣ Q♠"), "cicha", [4])
    assert found.expected is False
    assert found.played is not None
    figure = bracket_chart(KOP, "cicha", parse_cards("A♥ 10♠ Q♣ Q♠"), [found], "pl")
    nothing_cut_off(figure)
    assert "Nikt nic nie zapowiedział" in " ".join(" ".join(texts(figure, "notes")).split())


def test_the_grid_of_two_cards_says_what_advice_says() -> None:
    pair = parse_cards("10♣ A♥")
    grid = call_grid(KOP, "zolo", 3, pair)
    assert (grid.pair, len(grid.cards), len(grid.cells)) == (parse_cards("A♥ 10♣"), 14, 91)
    cells = {frozenset(cell.rest): cell for cell in grid.cells}
    cell = cells[frozenset(parse_cards("J♣ J♠"))]
    advice = advise(HAND, seat=3)
    zolo, passed = (next(each for each in advice.values if each.call == call) for call in ("zolo", "pass"))
    assert cell.gain == advice.earned(zolo).less(advice.earned(passed))
    assert (cell.certain, cell.close, cell.higher) == (False, advice.reason == "close", None)
    assert cell.called == (advice.recommended is zolo)
    assert cells[frozenset(parse_cards("10♠ Q♣"))].certain
    assert cells[frozenset(parse_cards("10♠ 10♥"))].higher == "zolo-du"
    for lang in ("pl", "en"):
        figure = strategy_chart([grid], 0, lang)
        assert len(texts(figure, "cell")) == 91
    nothing_cut_off(figure)
    values = figure.axes[0].collections[0].get_array()
    assert values.count() == 91
    assert values[grid.cards.index(cell.rest[1]) - 1, grid.cards.index(cell.rest[0])] == pytest.approx(cell.gain.value)


def test_the_strategy_of_a_seat() -> None:
    pairs = calling_pairs(KOP, "zolo", 2)
    ranges = packaged_ranges(KOP)
    assert ranges is not None
    assert sum(count for _, count in pairs) >= len(ranges.callers["zolo", 2])
    assert pairs[0][0] == parse_cards("A♥ 10♣")
    cells = (
        GridCell(parse_cards("J♣ J♠"), Mean(2.0, (1.5, 2.4)), called=True, close=False, certain=False, higher=None),
        GridCell(parse_cards("J♠ J♥"), Mean(-0.1, (-0.6, 0.5)), called=False, close=True, certain=False, higher=None),
    )
    grids = [CallGrid(KOP, "zolo", 2, pair, parse_cards("J♣ J♠ J♥"), cells, True, True) for pair, _ in pairs[:3]]
    figure = strategy_chart(grids, 7, "pl")
    nothing_cut_off(figure)
    assert texts(figure, "cell") == ["•", "?"] * 3
    assert texts(figure, "pair")[0] == "A♥ 10♣ +"
    assert "(7)" in " ".join(texts(figure))
    with pytest.raises(QueryError):
        call_grid(KOP, "cicha", 2, parse_cards("A♥ 10♣"))
    with pytest.raises(QueryError):
        call_grid(KOP, "zolo", 2, parse_cards("A♥ 10♣ J♣"))


def test_kontra() -> None:
    table = packaged_kontra(KOP, "zolo")
    assert table is not None
    grid = kontra_grid(KOP, "zolo", 4, 3)
    pairs = {pair.cards: pair for pair in grid.pairs}
    assert sum(pair.deals for (high, low), pair in pairs.items() if high == low) == 4 * grid.deals
    assert sum(pair.deals for (high, low), pair in pairs.items() if high != low) == 6 * grid.deals
    assert all(0 <= pair.doubled <= pair.deals for pair in grid.pairs)
    figure = kontra_chart([grid], "en")
    nothing_cut_off(figure)
    values = figure.axes[0].collections[0].get_array()
    high, low = parse_cards("A♥ 10♥")
    told = pairs[high, low]
    assert values[grid.cards.index(low), grid.cards.index(high)] == pytest.approx(100 * told.doubled / told.deals)
    hand = parse_cards("10♣ 10♥ J♣ A♣")
    told_of = [(caller, each) for caller in (1, 2, 3) if (each := table.kontra(hand, 4, caller)) is not None]
    figure = kontra_hand_chart(KOP, "zolo", hand, 4, told_of, "pl")
    nothing_cut_off(figure)
    gains = figure.axes[0].containers[0]
    assert list(gains.lines[0].get_xdata()) == pytest.approx([each.mean_gain.value for _, each in told_of])
    with pytest.raises(QueryError):
        kontra_grid(KOP, "cicha", 4, 3)


def around(value: float, error: float) -> Mean:
    return Mean(value, (value - error, value + error))


def test_seat_values() -> None:
    found = [
        SeatWorth(seat, 10 * seat, 1820, around(0.1 - 0.1 * seat, 0.03), around(0.2, 0.08)) for seat in (1, 2, 3, 4)
    ]
    for lang in ("pl", "en"):
        figure = seat_value_chart(KOP, "zolo", found, lang)
        nothing_cut_off(figure)
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert np.allclose(heights, [0.0, -0.1, -0.2, -0.3, 0.2, 0.2, 0.2, 0.2])
    assert "−0.30" in texts(figure)


def test_hands_worth_thinking_about() -> None:
    found = {each.hand: each for each in biddable_hands(KOP, "zolo")}
    ranges = packaged_ranges(KOP)
    assert ranges is not None
    assert {frozenset(hand) for hand in found} >= ranges.callers["zolo", 1]
    assert found[parse_cards("A♥ 10♣ 10♠ A♠")].certain == (1, 2, 3, 4)
    assert parse_cards("A♦ 10♦ A♣ A♠") not in found


def test_the_same_chart_is_the_same_file() -> None:
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    figures = [points_chart([odds("A♥ 10♠ Q♣ A♦", seat=4, contract="zolo")], "en") for _ in range(2)]
    for ending in CHART_ENDINGS:
        first, second = (chart_bytes(figure, ending) for figure in figures)
        assert first.startswith(starts[ending])
        assert first == second


def test_the_command(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    answer = run("chart", "seats", "A♥ 10♣ J♣ J♠", "--out", str(path))
    assert (answer.code, answer.out, answer.err) == (0, f"{path}\n", "")
    assert path.read_bytes().startswith(b"<?xml")
    data = run("chart", "kontra", "10♣ 10♥ J♣ A♣", "--seat", "4", "--out", str(path), "--json").data
    assert data == {"rules": "kop-gorzow-2014", "chart": "kontra", "file": str(path)}


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("pie", "A♥ 10♣ J♣ J♠"), "no chart “pie”"),
        (("points", "A♥ 10♣"), "takes this many cards: 4; here are 2"),
        (("points", "A♥ 10♣ J♣ 9♣"), "9♣"),
        (("points", "A♥ zz"), "zz"),
        (("strategy", "A♥", "--seat", "1"), "0 / 2"),
        (("strategy",), "needs your seat"),
        (("seats", "A♥ 10♣ J♣ J♠", "--seat", "1"), "--seat"),
        (("seats", "A♥ 10♣ J♣ J♠", "--contract", "game"), "game"),
        (("seats", "A♥ 10♣ J♣ J♠", "--contract", "solo"), "solo"),
        (("kontra", "--seat", "4", "--soloist", "4"), "4"),
        (("kontra", "--seat", "4", "--rules", "baska-z-asem"), "kontra"),
        (("seat-value", "--contract", "wesele"), "wesele"),
    ],
)
def test_charts_that_cannot_be(args: tuple[str, ...], told: str, run: Run, tmp_path: Path) -> None:
    answer = run("chart", *args, "--out", str(tmp_path / "chart.png"))
    assert (answer.code, answer.out, list(tmp_path.iterdir())) == (2, "", [])
    assert told in answer.err
    assert answer.err.count("\n") == 1


def test_files_that_cannot_be(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("chart", "points", "A♥ 10♣ J♣ J♠", "--seat", "1", "--out")
    answer = run(*args, str(tmp_path / "chart.gif"))
    assert (answer.code, list(tmp_path.iterdir())) == (2, [])
    assert ".pdf, .png, .svg" in answer.err
    answer = run(*args, str(tmp_path / "none" / "chart.png"))
    assert answer.code == 2
    assert "cannot be written" in answer.err
    monkeypatch.setattr("kopsim.faces.chart_file.find_spec", lambda _name: None)
    answer = run(*args, str(tmp_path / "chart.png"))
    assert answer.code == 2
    assert "kopsim[report]" in answer.err
