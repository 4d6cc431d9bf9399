"""The table commands as their users meet them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from positions import FIXTURES

from kopsim.resources import data_path

ODDS = str(data_path("odds", "kop-gorzow-2014.ordinary.odds"))


def test_export_is_the_documented_csv(run) -> None:
    rows = list(csv.reader(io.StringIO(run("table", "export", "--contract", "zolo", "--csv").out)))
    assert rows[0] == ["hand", "seat1", "seat2", "seat3", "seat4"]
    assert len(rows) == 1 + 1820
    known = {row[0]: [int(wins) for wins in row[1:]] for row in rows[1:]}
    assert known["A♥10♠Q♣A♦"] == [18167, 13626, 19476, 24316]
    assert rows[1][0] == "A♥10♣10♠10♥"
    cicha = run("table", "export", "--contract", "cicha", "--csv").out.splitlines()
    assert len(cicha) == 1 + 91
    assert all("Q♣Q♠" in row for row in cicha[1:])
    data = run("table", "export", "--contract", "zolo-du", "--json").data
    assert data["hands"][0] == {"hand": ["A♥", "10♣", "10♠", "10♥"], "wins": [34650] * 4, "layouts": 34650}
    assert "A♥ 10♣ 10♠ 10♥" in run("table", "export", "--contract", "zolo").out


def test_top_counts_down(run) -> None:
    data = run("table", "top", "--contract", "zolo", "--seat", "3", "-n", "60", "--json").data
    wins = [row["wins"][2] for row in data["hands"]]
    assert len(wins) == 60
    assert wins == sorted(wins, reverse=True)
    assert (
        len(run("table", "top", "--contract", "zolo", "--seat", "1").out.split("Double")[0].strip().splitlines()) == 21
    )


def test_show_has_every_point_that_occurs(run) -> None:
    data = run("table", "show", "AhTsQcAd", "--json").data
    assert data["hand"] == ["A♥", "10♠", "Q♣", "A♦"]
    assert sum(data["seats"][3]["lone"][53:]) == 24316
    assert sum(data["seats"][0]["old"]) == 34650
    human = run("table", "show", "AhTsQcAd", "--seat", "4", "--lang", "pl").out
    lone = data["seats"][3]["lone"]
    shown = [line.split()[0] for line in human.splitlines() if line.strip()[:1].isdigit()]
    assert shown == [str(points) for points, count in enumerate(lone) if count]
    assert "Punktów co najmniej 53" in human
    for line in run("table", "show", "AhTsQcAd").out.splitlines():
        assert len(line) <= 80


def test_info_and_verify(run) -> None:
    data = run("tablebase", "info", ODDS, "--json").data
    assert (data["kind"], data["rules"], data["shape"]) == ("odds", "kop-gorzow-2014", [1820, 5, 4, 105])
    assert data["sha256"] in run("tablebase", "info", ODDS).out
    checked = run("tablebase", "verify", ODDS, "--samples", "2", "--seed", "5", "--json").data
    assert (checked["compared"], checked["different"]) == (2, 0)


def test_a_table_of_ones_own(run, tmp_path: Path) -> None:
    hands, out = tmp_path / "hands.txt", tmp_path / "own.odds"
    hands.write_text("A♥ 10♠ Q♣ A♦  # one\n\nas kier, 10 pik, dama trefl, dama pik\n", encoding="utf-8")
    built = run("table", "build", "--method", "search", "--hands", str(hands), "--out", str(out), "--json").data
    assert built["file"] == out.as_posix()
    rows = run("table", "export", "--contract", "zolo", "--csv", "--table", str(out)).out.splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["A♥10♠Q♣Q♠", "A♥10♠Q♣A♦"]
    missing = run("table", "show", "JhJdAdTd", "--table", str(out))
    assert (missing.code, missing.out) == (2, "")
    assert "does not have the hand" in missing.err


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["table", "export", "--contract", "gran"], "no contract “gran”"),
        (["table", "export", "--contract", "game"], "not played alone"),
        (["table", "export"], "--contract is missing"),
        (["table", "top", "--contract", "zolo", "--seat", "1", "-n", "0"], "at least 1"),
        (["table", "show", "AhTsQc"], "has 4 cards"),
        (["table", "show", "AhTsQcx"], "“x” is not a card"),
        (
            ["table", "build", "--method", "search", "--hands", "none.txt"],
            "none.txt cannot be read: there is no such file",
        ),
        (["table", "build", "--method", "search", "--threads", "1", "--cluster", "local:1"], "not both"),
        (["table", "build", "--method", "luck"], "no method “luck”"),
        (["table", "build"], "--method is missing"),
        (["tablebase", "info", "none.odds"], "none.odds cannot be read: there is no such file"),
        (["tablebase", "info", str(FIXTURES / "belote.toml")], "belote.toml is not a kopsim table"),
        (["tablebase", "verify", ODDS, "--rules", "baska-z-asem"], "was made for kop-gorzow-2014"),
        (["tablebase", "verify", ODDS, "--samples", "-1"], "0 or more"),
        (["tablebase", "build", "--rules", str(FIXTURES / "kierki.toml")], "packs of 16 cards"),
        (["table", "export", "--contract", "capot", "--rules", str(FIXTURES / "belote.toml")], "No table of belote"),
        (["table", "build", "--method", "search", "--rules", str(FIXTURES / "kierki.toml")], "layouts"),
        (["tablebase", "verify", ODDS, "--seed", "-1"], "0 or more"),
        (["odds", "AhTsQcAd", "--threads", "0"], "at least 1"),
    ],
)
def test_wrong_input_gets_one_sentence(run, args: list[str], reason: str) -> None:
    answer = run(*args)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert reason in answer.err
    assert run(*args, "--lang", "pl").err != answer.err


def test_narrow_terminals_keep_the_numbers(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = run("table", "show", "AhTsQcAd").out
    assert "…" not in out
    assert all(len(line) <= 40 for line in out.splitlines())
    assert [line.split()[1] for line in out.splitlines() if line.strip().startswith("43 ")] == ["995"]


def test_hands_files_name_the_wrong_line(run, tmp_path: Path) -> None:
    hands = tmp_path / "hands.txt"
    for content, reason in (
        ("AhTsQcAd\nAhTs\n", "line 2, column 1: A hand has 4 cards"),
        ("# none\n", "names no hand"),
    ):
        hands.write_text(content, encoding="utf-8")
        answer = run("table", "build", "--method", "search", "--hands", str(hands))
        assert (answer.code, answer.err.count("\n")) == (2, 1)
        assert reason in answer.err
