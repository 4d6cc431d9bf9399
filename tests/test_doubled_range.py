"""Calling ranges while defenders double: who calls next by what a call brings, round by round to rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Answer

from kopsim import kontra_build, load_rules, parse_cards
from kopsim.bidding import PASS
from kopsim.calling_range import (
    CallingRanges,
    alike_hands,
    packaged_ranges,
    range_hash,
    read_ranges,
    write_ranges,
)
from kopsim.doubled_range_build import build_doubled_ranges, next_callers
from kopsim.errors import QueryError, TableError
from kopsim.kontra_table import KontraTable, empty_numbers, packaged_kontra, write_kontra
from kopsim.odds_table import hand_rank
from kopsim.play_out_build import build_play_outs
from kopsim.play_out_table import PlayOutTable, any_hand_tables, empty_sums, write_sums
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS

Run = Callable[..., Answer]
KOP = load_rules()
STRONG, MIDDLE, WEAK = (frozenset(parse_cards(text)) for text in ("A♥ 10♣ 10♥ J♠", "A♥ 10♣ J♣ J♠", "A♥ 10♥ Q♦ J♦"))
HANDS = (STRONG, MIDDLE, WEAK)
NUMBERS = [hand_rank(compile_order(KOP, "ordinary").mask(hand)) for hand in HANDS]


def ranges_of(*hands: frozenset) -> CallingRanges:
    return CallingRanges(KOP, {("zolo", seat): frozenset(hands) for seat in SEATS})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small tables: three hands, few layouts weighed; passing brings two points and a half."""
    made = tmp_path_factory.mktemp("tables")
    build_play_outs(KOP, "zolo", made / "zolo.play-out", layouts=2, hands=NUMBERS)
    sums = empty_sums(KOP)
    sums[NUMBERS] = 10_000, 0, 25_000, 70_000, 25_000, 70_000, 0  # with open cards nothing is paid
    write_sums(made / "pass.play-out", KOP, PASS, sums, {"seeds": [0], "weighed": 2, "players": "pimc"})
    return made


def told_table(path: Path, means: dict[int, tuple[float, float]]) -> KontraTable:
    """What callers are paid by number of the hand, doubled and answered: spread of four points; undoubled ten."""
    chart, callers = empty_numbers(KOP)
    for number, paid in means.items():
        deals, row = 1000, [1000, 10_000, 110_000]
        for mean in paid:
            row += [round(mean * deals), round((mean**2 + 16) * deals)]
        callers[number, :, : len(row) + 1] = [*row, 0]
    write_kontra(path, KOP, "zolo", chart, callers, {"tolerance": [0.0] * 4})
    return KontraTable(path, KOP, "zolo")


def test_a_hand_calls_when_that_pays_doubled_and_answered(folder: Path, tmp_path: Path) -> None:
    tables = any_hand_tables(KOP, folder)
    # Means of a thousand deals, spread 4: half an interval is a quarter of a point, told apart from 0.35 on.
    for answered, calls, stays, close in (
        (2.0, False, False, False),
        (2.4, False, True, True),
        (3.0, True, True, False),
    ):
        kontra = {"zolo": told_table(tmp_path / "zolo.kontra", {NUMBERS[1]: (1.0, answered)})}
        for begun, expected in ((ranges_of(WEAK), calls), (ranges_of(WEAK, MIDDLE), stays)):
            callers, unsure = next_callers(begun, kontra, tables)
            for seat in SEATS:
                assert (MIDDLE in callers["zolo", seat], MIDDLE in unsure["zolo", seat]) == (expected, close)
                # Nothing is known of the other: it was not played.
                assert WEAK not in callers["zolo", seat]


def test_rounds_go_on_until_nothing_changes(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A weak hand leaves and a strong one joins; an interrupted build goes on to the same end."""
    tables, begun = any_hand_tables(KOP, folder), ranges_of(WEAK)
    monkeypatch.setattr(
        kontra_build, "packaged_play_outs", lambda rules, key: PlayOutTable(folder / f"{key}.play-out", rules, key)
    )
    whole, path, seen = tmp_path / "whole.toml", tmp_path / "broken.toml", []
    found = build_doubled_ranges(begun, tables, whole, deals=200, seed=3)
    again = read_ranges(whole, KOP)
    assert (again.callers, again.close, again.rounds, again.made) == (
        found.callers,
        found.close,
        found.rounds,
        found.made,
    )
    assert (again.made["doubled"], again.made["settled"]) == (True, True)
    assert (again.made["would_join"], again.made["would_leave"]) == (0, 0)
    assert found.rounds[-1].joined == found.rounds[-1].left == (0, 0, 0, 0)
    for seat in SEATS:
        assert STRONG in found.callers["zolo", seat]
        assert WEAK not in found.callers["zolo", seat]
    assert found.rounds[0].left == (1, 1, 1, 1)
    assert min(found.rounds[0].joined) >= 1

    def stop(_stage: str, done: int, of: int) -> None:
        seen.append(done == of)
        if sum(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_doubled_ranges(begun, tables, path, deals=200, seed=3, progress=stop)
    assert not path.exists()
    with pytest.raises(TableError, match="unfinished"):
        build_doubled_ranges(begun, tables, path, deals=100, seed=3)
    build_doubled_ranges(begun, tables, path, deals=200, seed=3)
    after = read_ranges(path, KOP)
    assert (after.callers, after.rounds) == (found.callers, found.rounds)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["broken.toml", "whole.toml"]


def test_the_packaged_ranges_are_at_rest_while_defenders_double() -> None:
    """The packaged table of doublings was made with them, and by its payments no hand clearly does otherwise."""
    ranges, tables = packaged_ranges(KOP), any_hand_tables(KOP, None)
    assert (ranges.made["doubled"], ranges.made["settled"]) == (True, True)
    kontra = {key: packaged_kontra(KOP, key) for key in ranges.contracts}
    callers, close = next_callers(ranges, kontra, tables)
    assert callers == ranges.callers
    assert close == ranges.close
    for seat in SEATS:
        both = callers["zolo", seat]
        assert both == frozenset().union(*(alike_hands(KOP, "zolo", hand) for hand in both))
        for hand in both - close["zolo", seat]:
            assert kontra["zolo"].payment(hand, seat).answered.value > tables[PASS].estimate(hand, seat).payment.value


def test_on_the_command_line(run: Run, tmp_path: Path) -> None:
    known = tmp_path / "ranges.toml"
    write_ranges(ranges_of(WEAK), known)
    out = tmp_path / "out.toml"
    line = ["range", "double", str(known), "--out", str(out)]
    for bad in (
        [*line, "--deals", "0"],
        [*line, "--seed", "-1"],
        [*line, "--tables", str(tmp_path)],
        [*line, "--tables", str(tmp_path / "none")],
        ["range", "double", str(tmp_path / "none.toml"), "--out", str(out)],
        ["range", "double", str(known)],
    ):
        answer = run(*bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
    assert [each.name for each in tmp_path.iterdir()] == ["ranges.toml"]
    made = dict(packaged_ranges(KOP).made)
    shown = run("range", "show", "--json").data
    assert (shown["made"]["would_join"], shown["made"]["would_leave"]) == (made["would_join"], made["would_leave"])
    assert "double" in run("range", "show").out
    write_ranges(CallingRanges(KOP, ranges_of(WEAK).callers, made={"settled": True, "deals": 5}), known)
    assert "undoubled, against" in " ".join(run("range", "show", "--table", str(known)).out.split())
    assert range_hash(read_ranges(known, KOP), "zolo") == range_hash(ranges_of(WEAK), "zolo")
    with pytest.raises(QueryError, match="need tables of play-outs"):
        build_doubled_ranges(ranges_of(WEAK), {}, out)
