"""What the study draws is what the tables say; deals are told as they are played."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Answer

from kopsim import load_rules, parse_cards
from kopsim.bound_table import packaged_bounds
from kopsim.calling_range import CallingRanges, packaged_ranges, range_hash
from kopsim.errors import QueryError, TableError
from kopsim.faces.deal_story import deal_story
from kopsim.hand_odds import odds
from kopsim.hidden_proof import verify_hidden
from kopsim.hidden_study import compare, seat_worths
from kopsim.odds_table import hand_rank
from kopsim.play_out import make_setting, play_deal
from kopsim.play_out_build import build_play_outs
from kopsim.play_out_table import PlayOutTable, merge_tables, packaged_play_outs, write_sums
from kopsim.resources import data_path
from kopsim.rules.compile import compile_order

Run = Callable[..., Answer]
KOP = load_rules()
HAND = "A♥ 10♣ J♣ J♠"


def test_the_study_reads_the_tables() -> None:
    ranges = packaged_ranges(KOP)
    rows = compare(KOP, "zolo", ranges)
    assert len(rows) == 4 * 1820
    (row,) = [row for row in rows if row.hand == tuple(parse_cards(HAND)) and row.seat == 3]
    assert row.open_cards == float(odds(HAND, seat=3, contract="zolo").probability)
    assert row.any_hand == packaged_play_outs(KOP, "zolo").estimate(row.hand, 3)
    assert row.played == packaged_play_outs(KOP, "zolo", range_hash(ranges, "zolo")).estimate(row.hand, 3)
    assert row.best == packaged_bounds(KOP, "zolo", "best-defence").bracket(row.hand, 3)
    replies = packaged_bounds(KOP, "zolo", "reply-bound")
    assert row.reply == replies.bracket(row.hand, 3)
    assert row.best.probability < row.open_cards < row.played.probability < row.any_hand.probability
    with pytest.raises(QueryError, match="no packaged table"):
        compare(KOP, "zolo-du-honour", ranges)


def test_seats_are_paid_by_each_other() -> None:
    """Where everybody passes the four seats pay each other, so that all they earn on average is nothing."""
    worths = seat_worths(KOP, "zolo", packaged_ranges(KOP))
    assert abs(sum(worth.passing.value for worth in worths)) < 0.01
    assert all(worth.calling.value > worth.passing.value for worth in worths)
    none = CallingRanges(KOP, {("zolo", seat): frozenset() for seat in (1, 2, 3, 4)})
    with pytest.raises(QueryError):
        seat_worths(KOP, "zolo", none)


def test_a_deal_is_told_as_it_is_played() -> None:
    hands, calls, cards, _ = deal_story(KOP, "zolo", parse_cards("A♥ 10♣ J♣ J♦"), 3, 5315)
    setting = make_setting("A♥ 10♣ J♣ J♦", 3, "zolo", "pimc", None, None, 20, 0, KOP)
    played = play_deal(setting, 5315)
    assert [row[2] for row in cards.rows] == [str(card) for _, card in played.cards]
    assert calls.text.endswith("2: pass, 3: zolo, 4: pass, 1: pass, 2: pass.")
    assert hands.rows[2][1].split() == ["A♥", "10♣", "J♣", "J♦"]
    assert cards.rows[1][3:] == ["52", "60", "8", "10", "10♠"]


def test_tables_are_verified_by_playing_and_searching(run: Run, tmp_path: Path) -> None:
    number = hand_rank(compile_order(KOP, "ordinary").mask(parse_cards("A♥ 10♣ Q♥ J♦")))
    paths = [tmp_path / f"{seed}.play-out" for seed in (1, 2)]
    for seed, path in enumerate(paths, start=1):
        build_play_outs(KOP, "zolo", path, layouts=2, hands=[number], seed=seed)
    answer = run("tablebase", "verify", str(paths[0]))
    assert answer.out.startswith(f"{paths[0]}: 4 done anew, all the same")
    table = PlayOutTable(paths[0], KOP, "zolo")
    table.sums[number, 2, 1] += 1
    write_sums(paths[0], KOP, "zolo", table.sums, table.header.made)
    answer = run("tablebase", "verify", str(paths[0]), "--json")
    told = json.loads(answer.out)
    assert (answer.code, told["different"], told["examples"]) == (1, 1, ["A♥ 10♣ Q♥ J♦, 3"])
    merge_tables(paths, KOP, "zolo", tmp_path / "both.play-out")
    with pytest.raises(TableError, match="several tables"):
        verify_hidden(tmp_path / "both.play-out", KOP)
    calling = {("zolo", seat): frozenset({frozenset(parse_cards(HAND))}) for seat in (1, 2, 3, 4)}
    build_play_outs(KOP, "zolo", paths[1], layouts=2, hands=[number], ranges=CallingRanges(KOP, calling))
    with pytest.raises(TableError, match="did not come with kopsim"):
        verify_hidden(paths[1], KOP)


@pytest.mark.parametrize(
    "name",
    [
        "bounds/kop-gorzow-2014.zolo.best-defence.bounds",
        "bounds/kop-gorzow-2014.zolo-du.reply-bound.bounds",
        "kontra/kop-gorzow-2014.zolo-du.kontra",
        "play_outs/kop-gorzow-2014.zolo.expected.play-out",
    ],
)
def test_packaged_tables_are_verified(name: str) -> None:
    assert verify_hidden(data_path(*name.split("/")), KOP, samples=1).different == ()
