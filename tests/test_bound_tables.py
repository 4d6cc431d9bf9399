"""Tables of bounds: what they hold is what the searches give, ordered as the bounds are defined."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Answer

from kopsim import load_rules, parse_cards
from kopsim.best_defence import best_defence
from kopsim.bound_build import LEAST, build_bounds
from kopsim.bound_table import BOUNDS, UNKNOWN, BoundTable, packaged_bounds
from kopsim.errors import TableError
from kopsim.hand_wins import every_hands_wins
from kopsim.hidden_table import LAYOUTS
from kopsim.odds_table import hand_rank, packaged_table
from kopsim.play_out_table import packaged_play_outs
from kopsim.reply_bound import reply_bound
from kopsim.rules.compile import compile_order
from kopsim.throwdowns.prover import certain_hands

Run = Callable[..., Answer]
KOP = load_rules()
HANDS = ("A♥ 10♣ Q♣ Q♠", "10♣ 10♠ Q♥ A♠")
NUMBERS = [hand_rank(compile_order(KOP, "ordinary").mask(parse_cards(hand))) for hand in HANDS]


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_table_holds_what_searches_give(bound: str, tmp_path: Path) -> None:
    """Also after an interruption, and for hands that differ by equal black aces."""
    path, seen = tmp_path / "zolo.bounds", []

    def stop(_stage: str, done: int, _of: int) -> None:
        seen.append(done)
        if done == 2:
            raise KeyboardInterrupt

    asked = {"layouts": 2, "hands": NUMBERS, "seed": 5}
    with pytest.raises(KeyboardInterrupt):
        build_bounds(KOP, "zolo", bound, path, progress=stop, **asked)
    assert not path.exists()
    build_bounds(KOP, "zolo", bound, path, progress=lambda _stage, done, _of: seen.append(done), **asked)
    assert seen == [0, 1, 2, *range(seen[3], 9)]
    assert seen[3] >= 2
    table = BoundTable(path, KOP, "zolo", bound)
    assert len(table.hands) == 3
    for hand, seat in zip(HANDS, (4, 1), strict=True):
        found = table.bracket(parse_cards(hand), seat)
        if bound == "best-defence":
            searched = best_defence(hand, seat=seat, contract="zolo")
            assert (found.least, found.most) == (searched.kept, searched.at_most)
        else:
            wins = reply_bound(hand, seat=seat, contract="zolo", layouts=2, seed=5).wins
            assert (found.least, found.most, found.exact) == (wins, wins, True)
    assert table.bracket(parse_cards("10♣ 10♠ Q♥ A♣"), 3) == table.bracket(parse_cards(HANDS[1]), 3)
    assert table.bracket(parse_cards("J♣ J♠ J♥ J♦"), 3) is None
    assert not path.with_name(path.name + ".part").exists()


def test_what_is_no_such_table(tmp_path: Path) -> None:
    path = tmp_path / "zolo.bounds"
    build_bounds(KOP, "zolo", "best-defence", path, hands=NUMBERS[:1])
    with pytest.raises(TableError, match="best-defence"):
        BoundTable(path, KOP, "zolo", "reply-bound")
    with pytest.raises(TableError, match="zolo"):
        BoundTable(path, KOP, "zolo-du", "best-defence")
    whole = bytearray(path.read_bytes())
    whole[-1] ^= 1
    path.write_bytes(whole)
    with pytest.raises(TableError, match="damaged"):
        BoundTable(path, KOP, "zolo", "best-defence")


@pytest.mark.parametrize("contract", ["zolo", "zolo-du"])
def test_packaged_bounds_are_ordered(contract: str) -> None:
    """For every hand and seat: best defence <= double dummy, and <= best reply, above which play is not either."""
    best, reply = (packaged_bounds(KOP, contract, bound) for bound in BOUNDS)
    played = packaged_play_outs(KOP, contract)
    certain = certain_hands(KOP, contract)
    opened = {row.hand: row for row in every_hands_wins(packaged_table(KOP, "ordinary"), KOP, contract)}
    mattering = {
        hand
        for hand, row in opened.items()
        if max(row.wins) >= LEAST * row.layouts
        or max(played.estimate(hand, seat).probability for seat in (1, 2, 3, 4)) >= LEAST
    }
    assert mattering <= set(best.hands)
    assert reply.header.made["weighed"] == LAYOUTS
    assert np.array_equal(best.limits[..., 0] == UNKNOWN, reply.limits[..., 0] == UNKNOWN)
    for hand in best.hands:
        for seat in (1, 2, 3, 4):
            kept = best.bracket(hand, seat)
            assert kept.least <= kept.most <= opened[hand].wins[seat - 1]
            top = reply.bracket(hand, seat)
            assert kept.least <= top.least
            assert played.estimate(hand, seat).interval[0] <= top.probability
            assert (kept.least == kept.layouts) == (seat in certain.get(hand, ()))


def test_packaged_bounds_are_what_searches_give() -> None:
    kept = packaged_bounds(KOP, "zolo", "best-defence").bracket(parse_cards("A♥ 10♣ J♣ J♠"), 1)
    assert kept.least == best_defence("A♥ 10♣ J♣ J♠", seat=1, contract="zolo").kept
    table = packaged_bounds(KOP, "zolo-du", "reply-bound")
    hand = table.hands[0]
    again = reply_bound(hand, seat=1, contract="zolo-du", seed=table.header.made["seed"])
    assert table.bracket(hand, 1).least == again.wins


def test_on_the_command_line(run: Run, tmp_path: Path) -> None:
    line = ["--contract", "zolo", "--model", "best-defence"]
    rows = list(csv.reader(io.StringIO(run("table", "export", *line, "--csv").out)))
    assert rows[0] == ["hand", "seat", "wins", "at_most", "layouts"]
    assert len(rows) == 1 + 4 * len(packaged_bounds(KOP, "zolo", "best-defence").hands)
    top = run("table", "top", *line, "--seat", "2", "-n", "3", "--json").data
    assert [row["bound"] for row in top["hands"]] == ["exact"] * 3
    assert "exact" in run("table", "show", HANDS[0], *line).out
    certain = ["A♥ 10♣ 10♠ 10♥", "--contract", "zolo-du"]
    reply = ["table", "show", *certain, "--model", "reply-bound"]
    (row,) = run(*reply, "--seat", "3", "--json").data["hands"]
    assert (row["bound"], row["wins"], row["model"]) == ("upper", 34650, "reply-bound")
    assert "100,0" in run(*reply, "--lang", "pl").out
    found = run("odds", *certain, "--seat", "3", "--model", "all", "--json").data["results"]
    assert [each["model"] for each in found] == ["play-out", "best-defence", "reply-bound", "double-dummy"]
    assert "100.0" in run("odds", *certain, "--seat", "3", "--model", "all").out
    hands = tmp_path / "hands.txt"
    hands.write_text("AhTcQcQs\n", encoding="utf-8")
    out = str(tmp_path / "new.bounds")
    build = ["table", "build", "--hands", str(hands), "--out", out]
    made = run(*build, "--method", "best-defence", "--contract", "zolo", "--json").data
    assert made == {"rules": KOP.id, "contract": "zolo", "file": out}
    assert "proved bounds" in run("tablebase", "info", out).out
    for bad in (
        [*build, "--method", "best-defence"],
        [*build, "--method", "best-defence", "--contract", "wesele"],
        [*build, "--method", "reply-bound", "--contract", "zolo", "--seed", "-1"],
        [*build, "--method", "reply-bound", "--contract", "zolo", "--cluster", "local:1"],
        ["table", "show", "J♣ J♠ J♥ J♦", *line],
        ["table", "show", HANDS[0], "--contract", "cicha", "--model", "best-defence"],
        ["table", "show", HANDS[0], "--contract", "zolo-du", "--model", "best-defence", "--table", out],
        ["table", "show", HANDS[0], "--model", "reply-bound"],
    ):
        answer = run(*bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.txt", "new.bounds"]
