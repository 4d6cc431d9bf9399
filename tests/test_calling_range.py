"""Calling ranges: found round by round, kept in a file, and closed on themselves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Answer

from kopsim import load_rules, parse_cards
from kopsim.bidding import PASS
from kopsim.calling_range import (
    CallingRanges,
    likely_callers,
    packaged_ranges,
    range_hash,
    read_ranges,
    strongest_first,
    write_ranges,
)
from kopsim.calling_range_build import _questions, _round, _Search, build_ranges
from kopsim.errors import QueryError, RuleError, TableError
from kopsim.odds_table import hand_rank
from kopsim.play_out import play_out
from kopsim.play_out_build import build_play_outs
from kopsim.play_out_table import PlayOutTable, any_hand_tables, empty_sums, packaged_play_outs, write_sums
from kopsim.rules.compile import compile_order
from kopsim.tablebase import silent

Run = Callable[..., Answer]
KOP = load_rules()
HANDS = ("A♥ 10♣ Q♥ J♦", "10♣ 10♠ Q♥ A♠", "Q♣ J♠ 10♥ J♦")
NUMBERS = [hand_rank(compile_order(KOP, "ordinary").mask(parse_cards(hand))) for hand in HANDS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small tables: three hands, few layouts weighed; passing costs a point, or half a point less than zolo brings."""
    made = tmp_path_factory.mktemp("tables")
    build_play_outs(KOP, "zolo", made / "zolo.play-out", layouts=2, hands=NUMBERS)
    sums = empty_sums(KOP)
    sums[NUMBERS] = 1000, 0, -1000, 2000, -1000, 2000, 0  # with open cards nothing is paid
    # Against defenders who expect it, zolo will bring less, so that rounds change something.
    first = PlayOutTable(made / "zolo.play-out", KOP, "zolo").estimate(parse_cards(HANDS[0]), 1)
    paid = 1000 * first.payment.value - 500
    sums[NUMBERS[0], 0, [2, 4]] = paid
    sums[NUMBERS[0], 0, [3, 5]] = paid**2 // 1000 + 1000
    write_sums(made / "pass.play-out", KOP, PASS, sums, {"seeds": [0], "weighed": 2, "players": "pimc"})
    return made


@pytest.fixture(scope="module")
def tables(folder: Path) -> dict[str, PlayOutTable]:
    return any_hand_tables(KOP, folder)


def test_every_hand_takes_the_call_that_earns_most(tables: dict[str, PlayOutTable]) -> None:
    calling = {("zolo", seat): likely_callers(KOP, "zolo", seat) for seat in (1, 2, 3, 4)}
    ranges, search = CallingRanges(KOP, calling), _Search(KOP, tables, ("zolo",), 0, 2)
    questions = list(_questions(search))
    assert {asked.hand for asked in questions} <= set(map(frozenset, map(parse_cards, HANDS)))
    callers, close = _round(search, questions, ranges, 2, silent)
    told = 0
    for asked in questions:
        expected = ranges.expected("zolo", asked.seat, asked.hand)
        assert expected == calling["zolo", asked.seat] | asked.alike
        earned = play_out(sorted(asked.hand), seat=asked.seat, contract="zolo", deals=3000, layouts=2, calling=expected)
        if asked.hand not in close["zolo", asked.seat]:
            assert (earned.payment.value > asked.otherwise.payment.value) == (asked.hand in callers["zolo", asked.seat])
            told += 1
        # Equal black aces make no difference.
        assert len({hand in callers["zolo", asked.seat] for hand in asked.alike}) == 1
    assert told >= 4


def test_what_is_written_is_read_back(tables: dict[str, PlayOutTable], tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    found = build_ranges(KOP, tables, path, layouts=2)
    assert found.contracts == ("zolo",)
    last = found.rounds[-1]
    assert found.made["settled"] == (last.joined == last.left == (0, 0, 0, 0))
    again = read_ranges(path, KOP)
    assert (again.callers, again.close, again.rounds) == (found.callers, found.close, found.rounds)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["ranges.toml"]


def test_an_interrupted_build_goes_on(tables: dict[str, PlayOutTable], tmp_path: Path) -> None:
    whole, path, rounds = tmp_path / "whole.toml", tmp_path / "broken.toml", []
    build_ranges(KOP, tables, whole, layouts=2)

    def stop(_stage: str, done: int, _of: int) -> None:
        rounds.append(done == 0)
        if sum(rounds) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_ranges(KOP, tables, path, layouts=2, progress=stop)
    assert not path.exists()
    with pytest.raises(TableError, match="unfinished"):
        build_ranges(KOP, tables, path, layouts=3)
    build_ranges(KOP, tables, path, layouts=2)
    first, second = read_ranges(whole, KOP), read_ranges(path, KOP)
    assert (first.callers, first.rounds) == (second.callers, second.rounds)


def test_tables_made_with_a_range(folder: Path, tmp_path: Path) -> None:
    """Others expect the range and the hand; such tables are told apart from those where any hand may have called."""
    calling = frozenset({frozenset(parse_cards("A♥ 10♣ 10♠ J♦"))})
    ranges = CallingRanges(KOP, {("zolo", seat): calling for seat in (1, 2, 3, 4)})
    path = tmp_path / "zolo.play-out"
    build_play_outs(KOP, "zolo", path, layouts=2, hands=NUMBERS[:1], ranges=ranges)
    table = PlayOutTable(path, KOP, "zolo")
    assert table.header.made["range"] == range_hash(ranges, "zolo") is not None
    told = table.estimate(parse_cards(HANDS[0]), 1)
    expected = ranges.expected("zolo", 1, frozenset(parse_cards(HANDS[0])))
    assert len(expected) == 2
    again = play_out(HANDS[0], seat=1, contract="zolo", deals=told.deals, layouts=2, calling=expected)
    assert (told.wins, told.paid) == (again.wins, again.paid)
    shutil.copy(folder / "pass.play-out", tmp_path)
    assert set(any_hand_tables(KOP, tmp_path)) == {PASS}
    with pytest.raises(QueryError, match="need tables of play-outs"):
        build_ranges(KOP, any_hand_tables(KOP, tmp_path), tmp_path / "ranges.toml")


def test_files_are_read_back_and_faults_named(tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    hands = frozenset(frozenset(parse_cards(hand)) for hand in HANDS)
    callers = {("zolo", seat): hands if seat == 3 else frozenset() for seat in (1, 2, 3, 4)}
    write_ranges(CallingRanges(KOP, callers), path)
    ranges, other = read_ranges(path, KOP), frozenset(parse_cards("A♥ Q♣ J♦ A♠"))
    assert ranges.callers == callers
    # The hand itself is allowed for, and the one just like it; nobody knows which black ace it is.
    alike = {other, frozenset(parse_cards("A♥ Q♣ J♦ A♣"))}
    assert (ranges.expected("zolo", 3, other), ranges.expected("zolo", 2, other)) == (hands | alike, alike)
    assert ranges.expected("zolo-du", 3, other) is None
    assert range_hash(ranges, "zolo-du") is None
    good = path.read_text(encoding="utf-8")
    for old, new, match in (
        ("10♠", "10", "is not a card"),
        ("A♥ 10♣ Q♥ J♦", "A♥ A♥ Q♥ J♦", "twice"),
        ("seat = 3", "seat = 5", "each of the seats"),
        ("seat = 3", "seat = 4", "each of the seats"),
        ('contract = "zolo"', 'contract = "solo"', "no contract"),
        ('call_hash = "', 'call_hash = "0', "do not fit"),
        ("[made]", "[made", "ranges.toml"),
        ("hands = [", "arms = [", "arms"),
    ):
        path.write_text(good.replace(old, new), encoding="utf-8")
        with pytest.raises(RuleError, match=match):
            read_ranges(path, KOP)


def test_the_packaged_ranges_close_on_themselves() -> None:
    """Against others who expect them, hands in them earn more than by passing, and hands outside do not."""
    ranges, passed = packaged_ranges(KOP), packaged_play_outs(KOP, PASS)
    assert ranges.made["settled"]
    last = [each for each in ranges.rounds if each.contract == "zolo"][-1]
    assert last.hands == tuple(len(ranges.callers["zolo", seat]) for seat in (1, 2, 3, 4))
    assert last.joined == last.left == (0, 0, 0, 0)
    for seat in (1, 3):
        callers, close = ranges.callers["zolo", seat], ranges.close["zolo", seat]
        called = strongest_first(callers - close, KOP, "zolo")
        elsewhere = callers | close | ranges.callers["zolo-du", seat]
        others = [hand for hand in packaged_play_outs(KOP, "zolo").hands if frozenset(hand) not in elsewhere]
        for hand in (*called[:: len(called) // 4], *others[:: len(others) // 4]):
            expected = ranges.expected("zolo", seat, frozenset(hand))
            earned = play_out(list(hand), seat=seat, contract="zolo", deals=600, calling=expected)
            gain = earned.payment.value - passed.estimate(hand, seat).payment.value
            assert abs(gain) < 2 * earned.payment.error or (gain > 0) == (frozenset(hand) in callers)


def test_on_the_command_line(run: Run, folder: Path, tmp_path: Path) -> None:
    shown = run("range", "show", "--contract", "zolo", "--json").data
    assert [each["seat"] for each in shown["ranges"]] == [1, 2, 3, 4]
    assert len(shown["ranges"][0]["hands"]) == len(packaged_ranges(KOP).callers["zolo", 1])
    assert "Settled" in run("range", "show").out
    hands = run("range", "show", "--contract", "zolo", "--seat", "3", "--lang", "pl").out
    assert "A♥ 10♣ 10♠ D♣" in hands.replace("\N{NO-BREAK SPACE}", " ")
    assert "na styku" in hands
    line = ["play-out", HANDS[0], "--seat", "3", "--contract", "zolo", "--deals", "40", "--json"]
    (result,) = run(*line).data["results"]
    assert run(*line, "--range", "any").data["results"][0]["range"] is None
    (known,) = [each for each in shown["ranges"] if each["seat"] == 3]
    assert result["range"] in (len(known["hands"]), len(known["hands"]) + 1)
    told = ["table", "show", HANDS[0], "--seat", "3", "--contract", "zolo", "--model", "play-out", "--json"]
    (expecting,) = run(*told).data["hands"]
    assert run(*told, "--range", "auto").data["hands"] == [expecting]
    (any_hand,) = run(*told, "--range", "any").data["hands"]
    assert expecting["probability"] < any_hand["probability"]
    for asked, same in (([], expecting), (["--range", "auto"], expecting), (["--range", "any"], any_hand)):
        (odds,) = run("odds", *told[2:], *asked).data["results"]
        assert odds["probability"] == same["probability"]
        assert odds["expected"] == ("any" if same is any_hand else "range")
    out = tmp_path / "ranges.toml"
    for bad in (
        ["range", "show", "--contract", "cicha"],
        ["range", "show", "--table", str(tmp_path / "none.toml")],
        ["range", "show", "--rules", "none"],
        ["range", "build", "--out", str(out), "--tables", str(tmp_path)],
        ["range", "build", "--out", str(out), "--tables", str(folder), "--seed", "-1"],
        ["play-out", HANDS[0], "--seat", "3", "--contract", "cicha", "--range", "auto"],
    ):
        answer = run(*bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
    assert not list(tmp_path.iterdir())
