"""When to say kontra: the chart counts what was played, and payments are those of the balance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Answer

from kopsim import load_rules, parse_cards
from kopsim._tablebase import combination
from kopsim.called_deals import play_call, speaking_after
from kopsim.calling_range import CallingRanges
from kopsim.double_dummy import solve_many
from kopsim.errors import DealError, QueryError, TableError
from kopsim.kontra_build import build_kontra
from kopsim.kontra_table import KontraTable, write_kontra
from kopsim.play_out import play_out
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS

Run = Callable[..., Answer]
KOP = load_rules()
HANDS = [frozenset(parse_cards(text)) for text in ("A♥ 10♣ J♣ J♠", "A♥ 10♣ Q♥ J♦", "10♣ 10♠ Q♥ A♠")]
RANGES = CallingRanges(KOP, {("zolo", seat): frozenset(HANDS) for seat in SEATS})


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> KontraTable:
    path = tmp_path_factory.mktemp("kontra") / "zolo.kontra"
    build_kontra(RANGES, "zolo", path, deals=300, layouts=2, seed=4, outside=False)
    return KontraTable(path, KOP, "zolo")


def test_calls_are_played_as_play_outs_are() -> None:
    played = play_call(RANGES, "zolo", 2, sorted(HANDS[0]), deals=200, layouts=3, seed=1)
    expected = RANGES.expected("zolo", 2, HANDS[0])
    told = play_out(sorted(HANDS[0]), seat=2, contract="zolo", deals=200, layouts=3, seed=1, calling=expected)
    assert (int((played.paid > 0).sum()), int(played.paid.sum())) == (told.wins, told.paid)
    assert [speaking_after(KOP, seat) for seat in SEATS] == [(2, 3, 4), (3, 4, 1), (4, 1, 2), (1, 2, 3)]
    # The other hands, put back where they sit, solved with open cards.
    masks = np.zeros((200, 4), dtype=np.uint64)
    for place, seat in enumerate(speaking_after(KOP, 2)):
        masks[:, seat - 1] = played.defenders[:, place]
    masks[:, 1] = 0xFFFF & ~(masks[:, 0] | masks[:, 2] | masks[:, 3])
    points = solve_many(masks, side=2, contract="zolo")
    assert np.array_equal(points >= 53, played.paid_open > 0)


def test_the_chart_counts_what_was_played(table: KontraTable) -> None:
    for caller in SEATS:
        told = [play_call(RANGES, "zolo", caller, sorted(hand), deals=300, layouts=2, seed=4) for hand in HANDS]
        for place in range(3):
            chart = table.chart[:, caller - 1, place]
            assert chart[:, 0].sum() == 900
            assert chart[:, 1].sum() == sum(int((each.paid < 0).sum()) for each in told)
            assert chart[:, 2].sum() == sum(int((each.paid_open < 0).sum()) for each in told)
    seat = speaking_after(KOP, 3)[1]
    holder = frozenset(parse_cards("J♥ A♦ 10♦ A♣"))
    found = table.kontra(holder, seat, 3)
    mask = table._mask(holder)
    told = [play_call(RANGES, "zolo", 3, sorted(hand), deals=300, layouts=2, seed=4) for hand in HANDS]
    held = [each.defenders[:, 1] == mask for each in told]
    if found is not None:
        assert found.deals == sum(int(each.sum()) for each in held)
        assert found.lost == sum(int((each.paid[mine] < 0).sum()) for each, mine in zip(told, held, strict=True))


def test_doubling_costs_callers_and_is_said_where_it_pays(table: KontraTable) -> None:
    assert table.header.made["unsettled"] == [0, 0, 0, 0] or max(table.header.made["rounds"]) > 1
    for caller in SEATS:
        for hand in HANDS:
            paid = table.payment(hand, caller)
            told = play_call(RANGES, "zolo", caller, sorted(hand), deals=300, layouts=2, seed=4)
            assert paid.undoubled == pytest.approx(told.paid.mean())
            assert 0 <= paid.kontra <= 1
            assert paid.kontra > 0 or paid.doubled == paid.undoubled
            assert set(paid.rej) <= set(SEATS) - {caller}
    assert table.payment(frozenset(parse_cards("J♣ J♠ J♥ J♦")), 1) is None


def test_interrupted_builds_and_wrong_questions(table: KontraTable, tmp_path: Path) -> None:
    path, seen = tmp_path / "zolo.kontra", []

    def stop(_stage: str, done: int, _of: int) -> None:
        seen.append(done)
        if done == 1 + len(HANDS) * 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_kontra(RANGES, "zolo", path, deals=300, layouts=2, seed=4, outside=False, progress=stop)
    with pytest.raises(TableError, match="unfinished"):
        build_kontra(RANGES, "zolo", path, deals=30, layouts=2, seed=4, outside=False)
    build_kontra(RANGES, "zolo", path, deals=300, layouts=2, seed=4, outside=False)
    again = KontraTable(path, KOP, "zolo")
    assert np.array_equal(again.chart, table.chart)
    assert np.array_equal(again.callers, table.callers)
    with pytest.raises(QueryError, match="own"):
        table.kontra(HANDS[0], 2, 2)
    with pytest.raises(DealError):
        table.kontra(HANDS[0], 5, 2)
    with pytest.raises(QueryError, match="no calling range of “zolo-du”"):
        build_kontra(RANGES, "zolo-du", tmp_path / "du.kontra")
    assert [each.name for each in tmp_path.iterdir()] == ["zolo.kontra"]


def test_on_the_command_line(run: Run, table: KontraTable, tmp_path: Path) -> None:
    chart = table.chart[:, 2, 0, 0]
    number = int(chart.argmax())
    cards = " ".join(map(str, compile_order(KOP, "ordinary").cards_of(combination(number, 4))))
    path = tmp_path / "zolo.kontra"
    made = {key: table.header.made[key] for key in ("deals", "weighed", "seed", "seconds", "rounds", "unsettled")}
    write_kontra(path, KOP, "zolo", table.chart, table.callers, made)
    line = ["kontra", cards, "--seat", "4", "--soloist", "3", "--table", str(path)]
    (row,) = run(*line, "--json").data["results"]
    known = table.kontra(parse_cards(cards), 4, 3)
    assert (row["deals"], row["lost"], row["kontra"]) == (known.deals, known.lost, known.pays)
    assert "przegrywa" in run(*line, "--lang", "pl").out
    hands = tmp_path / "hands.txt"
    hands.write_text("AhTcJcJs\n", encoding="utf-8")
    for bad in (
        [*line[:-2], "--seat", "3", "--table", str(path)],
        [*line[:2], "--soloist", "3"],
        [*line, "--contract", "zolo-du"],
        ["kontra", "AhTc", "--seat", "1", "--soloist", "2"],
        ["table", "build", "--method", "kontra", "--contract", "zolo", "--range", "any"],
        ["table", "build", "--method", "kontra", "--contract", "zolo", "--hands", str(hands)],
        ["table", "build", "--method", "kontra"],
    ):
        answer = run(*bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
