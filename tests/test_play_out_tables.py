"""Tables of play-outs: what they hold is what playing gives, however often a build is interrupted."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import Answer

from kopsim import load_rules, parse_cards
from kopsim._tablebase import HANDS as HANDS_OF_KOP
from kopsim.bidding import PASS
from kopsim.bound_table import Bracket
from kopsim.errors import QueryError, TableError
from kopsim.hidden_table import LAYOUTS
from kopsim.measures import Measures, every_measure
from kopsim.odds_table import hand_rank
from kopsim.pair_game_odds import pair_odds
from kopsim.play_out import Estimate, play_out
from kopsim.play_out_build import _Build, _play_shared, build_play_outs
from kopsim.play_out_table import PlayOutTable, empty_sums, merge_tables, packaged_play_outs, write_sums
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS

Run = Callable[..., Answer]
KOP = load_rules()
HANDS = ("A♥ 10♣ J♣ J♠", "10♣ 10♠ Q♥ A♠", "Q♣ Q♠ 10♥ J♦")
NUMBERS = [hand_rank(compile_order(KOP, "ordinary").mask(parse_cards(hand))) for hand in HANDS]


@pytest.fixture(scope="module")
def zolo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "zolo.play-out"
    build_play_outs(KOP, "zolo", path, layouts=4, hands=NUMBERS, seed=3)
    return path


def test_a_table_holds_what_playing_gives(zolo: Path) -> None:
    table = PlayOutTable(zolo, KOP, "zolo")
    for hand in HANDS:
        for seat in (1, 3):
            told = table.estimate(parse_cards(hand), seat)
            played = play_out(hand, seat=seat, contract="zolo", deals=told.deals, layouts=4, seed=3)
            assert (told.wins, told.paid, told.paid_squared) == (played.wins, played.paid, played.paid_squared)
            low, high = told.interval
            assert (high - low) / 2 <= 0.02 or not 0.2 <= told.probability <= 0.8
    assert table.estimate(parse_cards("10♣ 10♠ Q♥ A♣"), 2) == table.estimate(parse_cards("10♣ 10♠ Q♥ A♠"), 2)
    assert table.estimate(parse_cards("J♣ J♠ J♥ J♦"), 2) is None
    assert len(table.hands) == 4
    assert not zolo.with_name(zolo.name + ".part").exists()


def test_an_interrupted_build_goes_on(zolo: Path, tmp_path: Path) -> None:
    path = tmp_path / "again.play-out"

    def stop(_stage: str, done: int, _of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_play_outs(KOP, "zolo", path, layouts=4, hands=NUMBERS, seed=3, threads=1, progress=stop)
    part = path.with_name(path.name + ".part")
    done = PlayOutTable(part, KOP, "zolo").sums[:, :, 0].all(axis=1).sum()
    assert 1 <= done < 4
    with pytest.raises(TableError, match="other"):
        build_play_outs(KOP, "zolo", path, layouts=5, hands=NUMBERS, seed=3)
    build_play_outs(KOP, "zolo", path, layouts=4, hands=NUMBERS, seed=3)
    assert (PlayOutTable(path, KOP, "zolo").sums == PlayOutTable(zolo, KOP, "zolo").sums).all()


def test_merging_adds(zolo: Path, tmp_path: Path) -> None:
    other, both = tmp_path / "other.play-out", tmp_path / "both.play-out"
    build_play_outs(KOP, "zolo", other, layouts=4, hands=NUMBERS[:1], seed=4)
    merge_tables([zolo, other], KOP, "zolo", both)
    sums = [PlayOutTable(path, KOP, "zolo").sums for path in (zolo, other, both)]
    assert (sums[0] + sums[1] == sums[2]).all()
    # Two draws may hold a layout twice, so that no number of deals makes them exact.
    told = PlayOutTable(both, KOP, "zolo").estimate(parse_cards(HANDS[0]), 3)
    assert told.repeats
    assert not replace(told, deals=told.layouts).exact
    assert replace(told, deals=2 * told.layouts, wins=told.layouts).payment.error > 0
    assert not PlayOutTable(zolo, KOP, "zolo").estimate(parse_cards(HANDS[0]), 3).repeats
    with pytest.raises(QueryError, match="seed 3"):
        merge_tables([both, zolo], KOP, "zolo", both)
    with pytest.raises(TableError, match="another contract"):
        PlayOutTable(zolo, KOP, "zolo-du")
    zolo_bytes = other.read_bytes()
    other.write_bytes(zolo_bytes[:-1] + bytes([zolo_bytes[-1] ^ 1]))
    with pytest.raises(TableError, match="damaged"):
        PlayOutTable(other, KOP, "zolo")


def test_passed_deals_tell_of_all_four_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each deal gives four results that sum to zero, and errors are as wanted."""
    monkeypatch.setattr("kopsim.play_out_build._SHARED", 512)
    build = _Build(KOP, PASS, 1, 1, 0.05, None, np.arange(HANDS_OF_KOP), empty_sums(KOP))
    sums = _play_shared(build, 0)
    assert (sums[..., 0].sum(axis=0) == 512).all()
    assert sums[..., 2].sum() == 0
    assert (sums[..., 3] >= np.abs(sums[..., 2])).all()
    # How much more than with open cards: nothing for the four together.
    assert sums[..., 4].sum() == 0
    assert (sums[..., 5] >= np.abs(sums[..., 4])).all()
    assert 0 < sums[..., 5].sum() < sums[..., 3].sum() / 2
    assert (_play_shared(build, 1) != sums).any()
    path = tmp_path / "pass.play-out"
    build_play_outs(KOP, PASS, path, layouts=1, hands=[NUMBERS[0], NUMBERS[2]], seed=1, paid=1.5)
    table = PlayOutTable(path, KOP, PASS)
    for hand in (HANDS[0], HANDS[2]):
        for seat in (1, 2, 3, 4):
            told = table.estimate(parse_cards(hand), seat)
            assert told.payment.error <= 1.5
    single = table.estimate(parse_cards(HANDS[2]), 2)
    again = play_out(HANDS[2], seat=2, contract=PASS, deals=single.deals, layouts=1, seed=1)
    assert (single.wins, single.paid) == (again.wins, again.paid)
    assert table.header.made["chunks"] > 0
    assert [table.estimate(parse_cards(hand), 1).repeats for hand in (HANDS[0], HANDS[2])] == [True, False]


@pytest.mark.parametrize(("contract", "hands", "error"), [("wesele", 91, 0.05), (PASS, 1820, 0.05)])
def test_packaged_payments_are_as_precise_as_promised(contract: str, hands: int, error: float) -> None:
    table = packaged_play_outs(KOP, contract)
    assert len(table.hands) == hands
    assert table.header.made["weighed"] == LAYOUTS
    assert max(table.estimate(hand, seat).payment.error for hand in table.hands for seat in SEATS) <= error


def test_everybody_passing_pays_what_the_others_pay() -> None:
    """All four seats together earn nothing on average, and hands alike but for equal black aces the same."""
    table = packaged_play_outs(KOP, PASS)
    means = [[table.estimate(hand, seat).payment.value for seat in SEATS] for hand in table.hands]
    assert abs(np.mean(means)) < 0.005
    first, second = (table.estimate(parse_cards(f"A♥ Q♣ J♦ {ace}"), 2) for ace in ("A♣", "A♠"))
    assert first == second


def test_merging_keeps_what_open_cards_pay(tmp_path: Path) -> None:
    """Also of a hand that only one of the tables has, and that open cards cost points."""
    both, one = (
        hand_rank(compile_order(KOP, "ordinary").mask(parse_cards(hand))) for hand in (HANDS[0], "Q♠ J♦ A♣ A♠")
    )
    paths = [tmp_path / f"{seed}.play-out" for seed in (1, 2)]
    for seed, path in enumerate(paths, start=1):
        sums = empty_sums(KOP)
        sums[both] = 100, 60, 90, 400, 20, 150, 69300
        if seed == 1:
            sums[one] = 100, 30, -80, 400, 40, 150, -34650
        write_sums(path, KOP, PASS, sums, {"seeds": [seed], "weighed": 1, "players": "pimc", "seconds": 1})
    merge_tables(paths, KOP, PASS, tmp_path / "merged.play-out")
    table = PlayOutTable(tmp_path / "merged.play-out", KOP, PASS)
    assert [table.estimate(parse_cards(hand), 2).open_mean for hand in (HANDS[0], "Q♠ J♦ A♣ A♠")] == [2, -1]
    assert table.estimate(parse_cards(HANDS[0]), 2).payment.value == pytest.approx(2 + 0.2)
    assert table.estimate(parse_cards("Q♠ J♦ A♣ A♠"), 2).payment.value == pytest.approx(-1 + 0.4)


def test_tables_of_other_fields_are_refused(run: Run, zolo: Path, tmp_path: Path) -> None:
    """Those made before payments were counted from open cards had four numbers for each hand and seat."""
    table, path = PlayOutTable(zolo, KOP, "zolo"), tmp_path / "old.play-out"
    write_sums(path, KOP, "zolo", table.sums[..., :4], table.header.made)
    with pytest.raises(TableError, match="another version"):
        PlayOutTable(path, KOP, "zolo")
    answer = run("tablebase", "verify", str(path))
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_counting_from_open_cards_changes_no_mean() -> None:
    """The two means differ by how open cards happened to pay in the deals drawn, and by no more than chance allows."""
    table, off, ratios = packaged_play_outs(KOP, PASS), [], []
    pairs = set(KOP.contract("game").cards)
    for hand in [hand for hand in table.hands if not pairs <= set(hand)][::7]:
        told = table.estimate(hand, 3)
        plain = replace(told, open_mean=None)
        opened = pair_odds(hand, seat=3, contract="game")
        squares = sum(paid**2 * count for role in opened.roles for paid, count in role.payments.items())
        assert told.open_mean == pytest.approx(float(opened.mean_payment), abs=1e-12)
        if not told.apart_squared:
            continue  # paid the same in every deal
        error = math.sqrt((squares / opened.total - told.open_mean**2) / told.deals)
        off.append((plain.payment.value - told.payment.value) / error)
        ratios.append(told.payment.error / plain.payment.error)
    assert abs(np.mean(off)) < 0.25
    assert 0.7 < np.std(off) < 1.3
    assert np.median(ratios) < 0.7
    assert max(ratios) < 1


@pytest.mark.parametrize("contract", ["zolo", "zolo-du"])
def test_packaged_tables_are_whole(contract: str) -> None:
    """Every hand at every seat, as precise as promised, and one of the hands played anew."""
    table = packaged_play_outs(KOP, contract)
    assert len(table.hands) == 1820
    assert table.header.made["weighed"] == LAYOUTS
    for hand in table.hands[::7]:
        for seat in (1, 2, 3, 4):
            told = table.estimate(hand, seat)
            low, high = told.interval
            assert (high - low) / 2 <= 0.02 or not 0.2 <= told.probability <= 0.8
            assert told.paid == 3 * (told.wins - (told.deals - told.wins)) * (10 if contract == "zolo-du" else 5)
    hand = table.hands[3]
    told, (seed,) = table.estimate(hand, 2), table.header.made["seeds"]
    again = play_out(hand, seat=2, contract=contract, deals=told.deals, seed=seed)
    assert (again.wins, again.paid) == (told.wins, told.paid)


def test_certain_hands_are_won_in_play() -> None:
    """Hands won by a blind plan are won by players who average, too, or nearly always."""
    table = packaged_play_outs(KOP, "zolo")
    for hand in ("A♥ 10♣ 10♠ J♦", "A♥ 10♣ Q♣ Q♠", "10♣ 10♠ 10♥ Q♣"):
        for seat in (1, 2, 3, 4):
            assert table.estimate(parse_cards(hand), seat).probability > 0.97


def verdict(played: float, kept: float, opened: float) -> Measures:
    """A made-up case, 1000 deals of 1000 layouts each."""
    wins = round(1000 * played)
    estimate = Estimate(deals=1000, layouts=34650, wins=wins, paid=0, paid_squared=0, bounds=(-15, 15))
    best = Bracket(round(1000 * kept), 1000, 1000)
    return Measures(3, "zolo", SimpleNamespace(probability=opened), estimate, False, best, None)


def test_verdicts() -> None:
    assert verdict(0.9, 0.8, 0.85).verdict == "clear"
    assert verdict(0.2, 0.1, 0.3).verdict == "clear"
    assert verdict(0.4, 0.1, 0.6).verdict == "open-cards-only"
    assert verdict(0.5, 0.1, 0.6).verdict == "open-cards-only"
    assert verdict(0.57, 0.16, 0.18).verdict == "defence-decides"
    assert [verdict(share, 0.16, 0.18).advice for share in (0.57, 0.2, 0.51)] == ["bid", "leave", "close"]


def test_play_outside_its_bounds_is_told_to_be_the_drawing() -> None:
    inside = verdict(0.55, 0.2, 0.3)
    assert not inside.within_drawing
    assert replace(inside, reply=Bracket(18_000, 18_000, 34_650)).within_drawing  # 51.9 %
    assert not replace(inside, reply=Bracket(20_000, 20_000, 34_650)).within_drawing
    assert replace(inside, best=Bracket(20_000, 20_000, 34_650)).within_drawing


def test_the_reason_for_another_figure_of_the_same_cards(run: Run) -> None:
    line = ["odds", HANDS[0], "--seat", "3", "--contract", "zolo", "--model", "play-out"]
    (gorzow,), (koscian,) = (run(*line, "--json", "--rules", key).data["results"] for key in (KOP.id, "kop-koscian"))
    assert (gorzow["expected"], koscian["expected"]) == ("range", "any")
    assert gorzow["probability"] < koscian["probability"]
    assert "No calling range is packaged for these rules" in run(*line, "--rules", "kop-koscian").out
    (asked,) = run(*line, "--json", "--range", "any").data["results"]
    assert asked["probability"] == koscian["probability"]


def test_all_models_side_by_side(run: Run) -> None:
    (found,) = every_measure(KOP, parse_cards(HANDS[0]), [3], "zolo")
    assert found.verdict == "defence-decides"
    assert found.best.least <= found.open_cards.wins
    results = run("odds", HANDS[0], "--seat", "3", "--contract", "zolo", "--model", "all", "--json").data["results"]
    assert (found.expected, results[0]["expected"]) == (True, "range")
    assert [each["model"] for each in results] == ["play-out", "best-defence", "reply-bound", "double-dummy"]
    assert [each["bound"] for each in results] == [None, "lower", "upper", None]
    assert results[0]["wins"] == found.played.wins
    assert results[0]["verdict"] == "defence-decides"
    out = run("odds", HANDS[0], "--seat", "3", "--contract", "zolo", "--model", "all", "--lang", "pl").out
    assert "zależy od obrony (w grze wygrywa ponad połowę)" in out
    (alone,) = run("odds", HANDS[0], "--seat", "3", "--contract", "zolo", "--model", "play-out", "--json").data[
        "results"
    ]
    assert alone == {key: value for key, value in results[0].items() if key != "verdict"}


def test_tables_on_the_command_line(run: Run, tmp_path: Path) -> None:
    rows = list(
        csv.reader(io.StringIO(run("table", "export", "--contract", "zolo", "--model", "play-out", "--csv").out))
    )
    assert len(rows) == 1 + 4 * 1820
    assert rows[0][:4] == ["hand", "seat", "deals", "wins"]
    data = run("table", "top", "--contract", "zolo", "--model", "play-out", "--seat", "3", "-n", "9", "--json").data
    chances = [row["probability"] for row in data["hands"]]
    assert chances == sorted(chances, reverse=True)
    assert len(chances) == 9
    assert "A♥ 10♣ J♣ J♠" in run("table", "show", "AhTcJcJs", "--contract", "zolo", "--model", "play-out").out
    shown = run("table", "show", "AhTcJcJs", "--contract", "zolo", "--model", "play-out", "--lang", "pl").out
    # Four rows of 80 columns, none broken, in the longer of the languages.
    whole_row = r"^A♥ 10♣ W♣ W♠ +[1-4] +\d+,\d\s% +\d+–\d+\s% +[+−]\d+,\d\d\s\([+−]\d+,\d\d…[+−]\d+,\d\d\) +[\d\s]+$"
    assert len(re.findall(whole_row, shown, re.MULTILINE)) == 4
    assert max(map(len, shown.splitlines())) <= 80
    hands = tmp_path / "hands.txt"
    hands.write_text("AhTcTsTh\n", encoding="utf-8")
    out = str(tmp_path / "new.play-out")
    line = ["table", "build", "--method", "play-out", "--hands", str(hands), "--out", out]
    assert run(*line, "--contract", "zolo-du", "--json").data == {"rules": KOP.id, "contract": "zolo-du", "file": out}
    shown = run("table", "show", "AhTcTsTh", "--contract", "zolo-du", "--model", "play-out", "--table", out, "--json")
    assert np.mean([row["probability"] for row in shown.data["hands"]]) == 1
    assert "sums of deals played out" in run("tablebase", "info", out).out
    for bad in (
        [*line, "--contract", "zolo", "--cluster", "local:1"],
        [*line, "--contract", "zolo", "--paid-error", "0"],
        [*line, "--contract", "zolo", "--paid-error", "much"],
        [*line, "--contract", "nothing"],
        [*line, "--contract", "game"],
        [*line, "--contract", "cicha"],
        [*line, "--contract", "zolo-du-honour"],
        line,
        ["table", "show", "AhTcTsTh", "--model", "play-out"],
        ["table", "show", "AhTcTsTh", "--model", "other"],
        ["table", "show", "AhTcTsQh", "--contract", "zolo-du", "--model", "play-out", "--table", out],
        ["table", "show", "AhTcTsTh", "--contract", "zolo", "--model", "play-out", "--table", out],
        ["table", "top", "--contract", "cicha", "--model", "play-out", "--seat", "1"],
        ["table", "merge", out, out, "--contract", "zolo-du", "--out", out],
    ):
        answer = run(*bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.txt", "new.play-out"]
