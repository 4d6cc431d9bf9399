"""When to say kontra: the chart counts what was played, and payments are those of the balance."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Answer

from kopsim import load_rules, parse_cards
from kopsim._tablebase import combination, twin_hand
from kopsim.called_deals import PlayedCall, callers_of, drawing_seed, play_call
from kopsim.calling_range import CallingRanges, packaged_ranges, range_hash
from kopsim.cards import Card
from kopsim.double_dummy import solve_many
from kopsim.errors import DealError, QueryError, TableError
from kopsim.hidden_table import LAYOUTS
from kopsim.kontra_build import _Build, _store, build_kontra
from kopsim.kontra_table import KontraTable, empty_numbers, packaged_kontra, write_kontra
from kopsim.odds_table import hand_rank
from kopsim.play_out import drawn_layouts, make_setting, play_out
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS
from kopsim.seats import speaking_after

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
    own = drawing_seed(1, sorted(HANDS[0]), "zolo", KOP)
    told = play_out(sorted(HANDS[0]), seat=2, contract="zolo", deals=200, layouts=3, seed=own, calling=expected)
    own = played.paid[:, 0]
    assert (int((own > 0).sum()), int(own.sum())) == (told.wins, told.paid)
    assert not played.paid.sum(axis=1).any()
    assert [speaking_after(KOP, seat) for seat in SEATS] == [(2, 3, 4), (3, 4, 1), (4, 1, 2), (1, 2, 3)]
    # The other hands, put back where they sit, solved with open cards.
    masks = np.zeros((200, 4), dtype=np.uint64)
    for place, seat in enumerate(speaking_after(KOP, 2)):
        masks[:, seat - 1] = played.defenders[:, place]
    masks[:, 1] = 0xFFFF & ~(masks[:, 0] | masks[:, 2] | masks[:, 3])
    points = solve_many(masks, side=2, contract="zolo")
    assert np.array_equal(points < 53, played.lost_open)


def number_of(mask: int) -> int:
    """Of a hand and the one with the other black ace the lower number."""
    kernel = compile_order(KOP, "ordinary").kernel
    return min(hand_rank(mask), twin_hand(kernel, hand_rank(mask)))


def played_calls(caller: int) -> list[tuple[frozenset[Card], PlayedCall]]:
    """What the table of the fixture was made of: of hands alike the one with the lower number."""
    order = compile_order(KOP, "ordinary")
    hands = [order.cards_of(combination(number_of(order.mask(hand)), 4)) for hand in HANDS]
    return [(frozenset(hand), play_call(RANGES, "zolo", caller, hand, deals=300, layouts=2, seed=4)) for hand in hands]


def test_the_chart_counts_what_was_played(table: KontraTable) -> None:
    """Counted deal by deal in plain words; equal black aces are one card."""
    for caller in SEATS:
        counted: dict[tuple[int, int], list[int]] = {}
        for hand, told in played_calls(caller):
            rej = table.payment(hand, caller).rej
            for defenders, paid, lost_open in zip(
                told.defenders.tolist(), told.paid.tolist(), told.lost_open, strict=True
            ):
                numbers = [number_of(mask) for mask in defenders]
                says = [table.chart[number, caller - 1, place, 3] for place, number in enumerate(numbers)]
                for place, number in enumerate(numbers):
                    extra = sum(
                        sign * paid[place + 1] * multiplier(caller, [*says[:place], word, *says[place + 1 :]], rej)
                        for sign, word in ((1, 1), (-1, 0))
                    )
                    row = counted.setdefault((number, place), [0] * 5)
                    for column, one in enumerate((1, paid[0] < 0, lost_open, extra, extra**2)):
                        row[column] += int(one)
        chart = table.chart[:, caller - 1][:, :, [0, 1, 2, 4, 5]]
        for (number, place), row in counted.items():
            assert chart[number, place].tolist() == row
        assert sum(row[0] for row in counted.values()) == 3 * 900
        twins = np.array([twin_hand(compile_order(KOP, "ordinary").kernel, number) for number in range(1820)])
        assert np.array_equal(table.chart, table.chart[twins])
        own = [number for number in range(1820) if number <= twins[number]]
        assert chart[own, :, 0].sum() == 3 * 900
        means = chart[..., 3] / np.maximum(chart[..., 0], 1)
        says, clear = table.chart[:, caller - 1, :, 3] == 1, np.abs(means) > table.tolerance
        assert np.array_equal(says[clear], means[clear] > 0)


def multiplier(caller: int, says: list[int], rej: tuple[int, ...]) -> int:
    """Of a deal in which the places say kontra or not: the first to say it is answered or not."""
    for seat, word in zip(speaking_after(KOP, caller), says, strict=True):
        if word:
            return 4 if seat in rej else 2
    return 1


def test_callers_are_paid_by_what_was_learned_elsewhere(table: KontraTable) -> None:
    """Each half of the deals is doubled as the other half teaches."""
    for caller in SEATS:
        for hand, told in played_calls(caller):
            paid = table.payment(hand, caller)
            assert paid.undoubled.value == pytest.approx(told.paid[:, 0].mean())
            assert 0 <= paid.kontra <= 1
            assert paid.kontra > 0 or paid.doubled.value == paid.undoubled.value
            assert set(paid.rej) <= set(SEATS) - {caller}
            assert 0 < paid.undoubled.error <= paid.doubled.error < 12
    assert table.payment(frozenset(parse_cards("J♣ J♠ J♥ J♦")), 1) is None


def test_what_kontra_cannot_know_is_not_gained() -> None:
    """Whether a caller loses is a coin here: who learned from the same deals would think that he gains."""
    rng, found, thought = np.random.default_rng(2), [], []
    for _ in range(40):
        lost = rng.random(600) < 0.5
        gain = np.where(lost, 5, -5)
        played = PlayedCall(
            rng.choice(2 ** np.arange(4, dtype=np.uint64) * 15, (600, 3)).astype(np.uint64),
            np.stack([-3 * gain, gain, gain, gain], axis=1),
            lost,
        )
        build = _Build(RANGES, "zolo", 600, 2, 0, *empty_numbers(KOP), False, np.arange(1820))
        _store(build, 1, {0: played}, {})
        _, paid, _, doubled, _, answered, *_ = build.callers[0, 0]
        found.append([(doubled - paid) / 600, (answered - paid) / 600])
        thought.append(build.chart[:, 0, :, 4].max())
    assert np.mean(thought) > 0
    assert (np.abs(np.mean(found, axis=0)) < 3 * np.std(found, axis=0) / math.sqrt(len(found))).all()


def test_callers_have_draws_of_their_own() -> None:
    """A defender's hand pools the deals of all callers: on a shared draw it would know less than it says."""
    hands = sorted(packaged_ranges(KOP).callers["zolo", 1], key=sorted)[:40]
    draws = [drawing_seed(0, sorted(hand), "zolo", KOP) for hand in hands]
    assert len(set(draws)) == len(hands)
    asked = ("zolo", "pimc", None, None, 1)
    settings = [make_setting(sorted(hand), 1, *asked, draw, KOP) for hand, draw in zip(hands, draws, strict=True)]
    first, second = (drawn_layouts(each)[:2000] for each in settings[:2])
    # Two thousand of 34,650 by chance have some 115 in common.
    assert 60 < len(set(first.tolist()) & set(second.tolist())) < 180


def test_a_silent_soloist_is_told_of_and_not_doubled(tmp_path: Path) -> None:
    silent, queens = callers_of(RANGES, "cicha", 2), set(KOP.contract("cicha").cards)
    assert len(silent) == 91
    known = callers_of(packaged_ranges(KOP), "cicha", 2)
    assert set(silent) - set(known) == {
        hand for hand in silent if frozenset(hand) in packaged_ranges(KOP).callers["zolo", 2]
    }
    assert all(queens <= set(hand) for hand in silent)
    path = tmp_path / "cicha.kontra"
    build_kontra(RANGES, "cicha", path, deals=8, layouts=1, outside=False)
    told = KontraTable(path, KOP, "cicha")
    assert not told.callers.any()
    assert not told.chart[..., 3:].any()
    number = int(told.chart[:, 1, 0, 0].argmax())
    seen = told.kontra(compile_order(KOP, "ordinary").cards_of(combination(number, 4)), 3, 2)
    assert (seen.says, seen.gain) == (None, 0)
    own = [number for number in range(1820) if number <= twin_hand(compile_order(KOP, "ordinary").kernel, number)]
    assert told.chart[own, 1, 0, 0].sum() == 8 * len(silent)


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
    made = {key: table.header.made[key] for key in ("deals", "weighed", "seed", "seconds", "rounds")}
    made["tolerance"] = [0, 0, 0.5, 0]
    write_kontra(path, KOP, "zolo", table.chart, table.callers, made)
    line = ["kontra", cards, "--seat", "4", "--soloist", "3", "--table", str(path)]
    (row,) = run(*line, "--json").data["results"]
    known = table.kontra(parse_cards(cards), 4, 3)
    assert (row["deals"], row["lost"]) == (known.deals, known.lost)
    # Seven deals say nothing.
    assert (row["few"], row["kontra"], row["gain"]) == (True, None, None)
    assert "za mało rozdań" in run(*line, "--lang", "pl").out
    assert "0.50 points" in run(*line).out
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
    answer = run("kontra", "J♥ Q♣ 10♥ A♥", "--seat", "4", "--soloist", "1")
    assert answer.err == "With A♥, 10♥, Q♣, J♥ there is no deal on record in which seat 1 called.\n"


def test_kontra_against_what_open_cards_say(run: Run) -> None:
    line = ["kontra", "10♣ 10♥ J♦ A♣", "--seat", "1", "--soloist", "2", "--contract", "zolo"]
    (row,) = run(*line, "--json").data["results"]
    assert (row["deals"], row["lost"], row["probability_open"], row["kontra"]) == (31, 31, 0.0, True)
    assert row["rests_on_belief"] is True
    assert -15 <= row["gain_interval"][0] < row["gain"] < row["gain_interval"][1] <= 15
    out = run(*line).out
    assert "rests on who is believed to call" in " ".join(out.split())
    assert "0.20 points" in out  # one tolerance, whoever the caller is
    other = run("kontra", "10♣ 10♥ J♣ A♣", "--seat", "4", "--soloist", "3", "--contract", "zolo").out
    assert "0.20 points" in other
    assert "believed to call" not in " ".join(other.split())


@pytest.mark.parametrize("contract", ["zolo", "zolo-du", "cicha"])
def test_packaged_tables_are_of_the_packaged_range(contract: str) -> None:
    """They are found, were settled but for a few decisions, and agree with the play-outs against the range."""
    table = packaged_kontra(KOP, contract)
    assert table.header.made["weighed"] == LAYOUTS
    assert max(table.header.made["tolerance"]) <= 0.2
    if contract != "zolo":
        return
    played = packaged_play_outs(KOP, contract, range_hash(packaged_ranges(KOP), contract))
    off = []
    for caller in SEATS:
        for hand in packaged_ranges(KOP).callers[contract, caller]:
            paid, known = table.payment(hand, caller), played.estimate(hand, caller)
            off.append(
                (paid.undoubled.value - known.payment.value) / np.hypot(paid.undoubled.error, known.payment.error)
            )
            assert paid.doubled.error < 1
    # In units of half a 95 % interval.
    assert abs(np.mean(off)) < 0.25
    assert np.mean(np.abs(off) > 1) < 0.1


def test_advice_and_charts_tell_what_the_tables_hold(run: Run) -> None:
    table = packaged_kontra(KOP, "zolo")
    data = run("advise", "10♣ 10♠ J♣ J♠", "--seat", "1", "--json").data
    (zolo,) = (each for each in data["options"] if each["call"] == "zolo")
    paid = table.payment(parse_cards("10♣ 10♠ J♣ J♠"), 1)
    assert (zolo["mean_doubled"], zolo["kontra"]) == (paid.doubled.value, paid.kontra)
    rows = list(csv.DictReader(io.StringIO(run("chart-data", "kontra", "--seat", "4", "--csv").out)))
    assert {row["soloist"] for row in rows} == {"1", "2", "3"}
    for row in rows[::97]:
        known = table.kontra(parse_cards(row["hand"]), 4, int(row["soloist"]))
        assert (row["kontra"], int(row["deals"])) == ("" if known.few else str(known.says), known.deals)
        assert float(row["lost"]) == pytest.approx(known.probability, abs=1e-4)
    both = run("kontra", rows[0]["hand"], "--seat", "4", "--soloist", rows[0]["soloist"], "--json").data["results"]
    assert {each["contract"] for each in both} <= {"zolo", "zolo-du", "cicha"}
    assert run("chart-data", "zolo", "--seat", "4", "--contract", "zolo").code == 2
