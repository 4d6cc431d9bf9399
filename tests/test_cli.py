"""The command line as its users meet it: output, exit code, and one sentence for wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import comb
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import FIXTURES

from kopsim.faces.cli import main
from kopsim.resources import data_path

DEAL = "J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥"
KOP = data_path("rules", "kop-gorzow-2014.toml")


def test_odds_json_is_the_documented_shape(run) -> None:
    data = run("odds", "AhTsQcAd", "--json").data
    assert list(data) == ["rules", "hand", "results"]
    assert data["rules"] == "kop-gorzow-2014"
    assert data["hand"] == ["A♥", "10♠", "Q♣", "A♦"]
    assert [(r["seat"], r["contract"]) for r in data["results"]] == [
        (seat, contract) for seat in (1, 2, 3, 4) for contract in ("zolo", "zolo-du")
    ]
    assert data["results"][6] == {
        "seat": 4,
        "contract": "zolo",
        "model": "double-dummy",
        "exact": True,
        "layouts": 34650,
        "wins": 24316,
        "probability": 24316 / 34650,
    }


def test_sampled_json(run) -> None:
    (result,) = run(
        "odds", "A♥ 10♠ Q♣ A♦", "--seat", "4", "--contract", "zolo", "--samples", "500", "--seed", "7", "--json"
    ).data["results"]
    assert list(result) == ["seat", "contract", "model", "exact", "samples", "seed", "interval", "probability"]
    assert (result["exact"], result["samples"], result["seed"]) == (False, 500, 7)
    low, high = result["interval"]
    assert low < result["probability"] < high


def test_odds_with_what_others_hold(run) -> None:
    whole = run("odds", "AhTsQcAd", "--seat", "1", "--contract", "zolo", "--json").data["results"][0]
    parts = [
        run("odds", "AhTsQcAd", "--seat", "1", "--contract", "zolo", "--holds", f"{seat}:A♣", "--json").data["results"][
            0
        ]
        for seat in (2, 3, 4)
    ]
    assert sum(part["wins"] for part in parts) == whole["wins"]
    two = run(
        "odds", "AhTsQcAd", "--seat", "1", "--contract", "zolo", "--holds", "2:A♣,10♦", "--lacks", "3:A♠", "--json"
    ).data["results"][0]
    assert two["layouts"] == comb(10, 2) * comb(8, 4) - comb(9, 2) * comb(7, 3)


def test_odds_for_people_in_both_languages(run) -> None:
    english = run("odds", "as kier", "10 pik", "dama trefl", "dama pik", "--lang", "en")
    assert english.code == 0
    assert "A♥ 10♠ Q♣ Q♠" in english.out
    assert "Double dummy: everybody sees all hands" in english.out
    assert "81.7\N{NO-BREAK SPACE}%" in english.out
    polish = run("odds", "AhTsQcQs", "--lang", "pl")
    assert "A♥ 10♠ D♣ D♠" in polish.out
    assert "81,7\N{NO-BREAK SPACE}%" in polish.out
    assert "W otwarte karty" in polish.out
    assert "cicha" in polish.out
    for line in (english.out + polish.out).splitlines():
        assert len(line) <= 80


def test_solve_json_is_the_documented_shape(run) -> None:
    data = run("solve", DEAL, "--side", "4", "--json").data
    assert list(data) == ["rules", "side", "points", "others", "to_play", "cards", "line"]
    assert (data["side"], data["points"], data["others"], data["to_play"]) == ([4], 52, 52, 1)
    assert data["cards"][0] == {"card": "J♠", "points": 52}
    assert data["line"][0] == {"seat": 1, "card": "J♠"}
    assert len(data["line"]) == 16


def test_solve_a_position_in_play(run) -> None:
    data = run("solve", DEAL, "--side", "4,2", "--played", "J♠ J♣ 10♦", "--json").data
    assert (data["to_play"], data["side"]) == (4, [2, 4])
    assert len(data["line"]) == 13
    ending = run("solve", "J♠ | 10♥ | A♦ | A♥", "--side", "4", "--lead", "3", "--json").data
    assert (ending["points"], ending["others"], ending["line"][0]) == (34, 0, {"seat": 3, "card": "A♦"})
    human = run("solve", DEAL, "--side", "4", "--played", "J♠ J♣")
    assert human.code == 0
    assert "Side 4: 52 of 104 points; the others: 52." in human.out


def test_contract_picks_the_order(run) -> None:
    rules = "baska-z-asem"
    deal = "A♥ | 10♥ | J♦ | Q♣"
    ordinary = run("solve", deal, "--side", "1", "--contract", "zolo", "--rules", rules, "--json").data
    gran = run("solve", deal, "--side", "1", "--contract", "gran-du", "--rules", rules, "--json").data
    assert (ordinary["points"], gran["points"]) == (26, 0)


def test_rules_commands(run, tmp_path: Path) -> None:
    listed = run("rules", "list", "--json").data
    assert listed[0]["id"] == "kop-gorzow-2014"
    assert "kop-gorzow-2014" in run("rules", "list").out
    shown = run("rules", "show", "--json").data
    assert shown["orders"]["ordinary"]["side_suits"] == [["A♣"], ["A♠"]]
    assert shown["hash"] == listed[0]["hash"]
    words = run("rules", "show", "--lang", "pl").out
    assert "karta bijąca najwyższą" in words
    assert "kontra ×2" in words
    assert run("rules", "check", str(KOP)).code == 0
    own = tmp_path / "club.toml"
    own.write_text(KOP.read_text(encoding="utf-8").replace("at_least = 53", "at_least = 60"), encoding="utf-8")
    assert run("rules", "check", str(own), "--json").data["valid"] is True
    strict = run("odds", "AhTsQcAd", "--seat", "4", "--contract", "zolo", "--rules", str(own), "--json").data
    assert strict["results"][0]["wins"] < 24316


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["odds", "AhTsQc"], "A hand has 4 cards, but this one has 3: A♥, 10♠, Q♣."),
        (["odds", "AhTsQcAdJd"], "A hand has 4 cards, but this one has 5"),
        (["odds", "AhTsQcAh"], "A♥ appears twice."),
        (["odds", "AhTsQcZz"], "“Zz” is not a card; it begins at character 7 of “AhTsQcZz”."),
        (["odds", "AhTsQcAk"], "A♦, A♥"),
        (["odds", "AhTsQcKh"], "K♥ is not in the pack"),
        (["odds", "AhTsQcAd", "--seat", "5"], "“5” is not a seat"),
        (["odds", "AhTsQcAd", "--seat", "one"], "“one” is not a seat"),
        (["odds", "AhTsQcAd", "--contract", "gran"], "has no contract “gran”"),
        (["odds", "AhTsQcAd", "--contract", "cicha"], "cicha needs Q♣, Q♠"),
        (["odds", "AhTsQcQs", "--contract", "game"], "silent, it would be: cicha"),
        (["odds", "AhTsQcAd", "--holds", "2:A♣"], "Say which seat is yours"),
        (["odds", "AhTsQcAd", "--seat", "1", "--holds", "A♣"], "not SEAT:CARDS"),
        (["odds", "AhTsQcAd", "--seat", "1", "--holds", "2:A♣", "--lacks", "2:A♣"], "both hold and lack"),
        (["odds", "AhTsQcAd", "--seat", "1", "--holds", "2:A♥"], "A♥ appears twice"),
        (["odds", "AhTsQcAd", "--samples", "0"], "from 1 to 20000000"),
        (["odds", "AhTsQcAd", "--samples", "many"], "“many” is not a whole number"),
        (["odds", "AhTsQcAd", "--seed", "-1", "--samples", "9"], "0 or more"),
        (["odds", "AhTsQcAd", "--no-table", "--threads", "0"], "at least 1"),
        (["odds", "Zz\nYy"], "Zz Yy"),
        (["odds", "AhTsQcAd", "--rules", ""], "no rule set “”"),
        (["odds", "AhTsQcAd", "--contract", ""], "no contract “”"),
        (["odds", "AhTsQcAd", "--seat", "1", "--holds", "2:"], "not SEAT:CARDS"),
        (["odds", "AhTsQcAd", "--seat"], "--seat needs a value"),
        (["odds", "x x x x"], "63063000 layouts"),
        (["solve", DEAL, "--side", "4,"], "“4,” is not a side"),
        (["rules", "check", "a.toml", "b.toml"], "words that kopsim rules check does not take"),
        (["odds", "AcAsAdTd", "--rules", str(FIXTURES / "bridge.toml")], "has 13 cards"),
        (["odds", "AhTsQcAd", "--rules", "kop-poznan"], "no rule set “kop-poznan”"),
        (["odds", "AhTsQcAd", "--rules", "none.toml"], "none.toml: cannot be read"),
        (["odds"], "HAND is missing"),
        (["odds", "AhTsQcAd", "--colour", "red"], "no option --colour"),
        (["odds", "AhTsQcAd", "--lang", "de"], "no language “de”; known: pl, en"),
        (
            ["deal"],
            "no command “deal”; known: advise, analyse, bid, book, chart, chart-data, compare, completion, demo",
        ),
        (["solve", DEAL], "--side is missing"),
        (["solve", DEAL, "--side", "1,2,3,4"], "not a side"),
        (["solve", DEAL, "--side", "4", "--played", "J♠ J♥"], "legal are 10♥, J♣"),
        (["solve", DEAL, "--side", "4", "--played", "A♥"], "seat 1 does not hold it; legal are 10♣, Q♣, Q♦, J♠"),
        (["solve", "J♠ | 10♥ | A♦", "--side", "4"], "given: 3"),
        (["solve", "J♠ | 10♥ | A♦ | A♥ Q♥", "--side", "4"], "Seat 4 holds 2 cards but seat 1 holds 1"),
        (["solve", "J♠ | 10♥ | A♦ | A♥", "--side", "4", "--played", "J♠ 10♥ A♦ A♥"], "nothing is left"),
        (
            ["solve", "J♠ | 10♥ | A♦ | A♥", "--side", "4", "--rules", "baska-z-asem"],
            "several card orders",
        ),
        (["rules", "check", "none.toml"], "none.toml: cannot be read"),
        (["rules", "show", "kop-poznan"], "no rule set"),
    ],
)
def test_wrong_input_gets_one_sentence(run, args: list[str], reason: str) -> None:
    answer = run(*args)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.endswith("\n")
    assert answer.err.count("\n") == 1
    assert reason in answer.err
    polish = run(*args, "--lang", "pl") if "--lang" not in args else answer
    assert (polish.code, polish.out, polish.err.count("\n")) == (2, "", 1)


def test_a_damaged_rule_file_is_refused_everywhere(run, tmp_path: Path) -> None:
    damaged = tmp_path / "club.toml"
    damaged.write_text(KOP.read_text(encoding="utf-8").replace('"A♣", "A♠"', '"A♣"'), encoding="utf-8")
    for args in (
        ["rules", "check", str(damaged)],
        ["rules", "show", str(damaged)],
        ["rules", "list", "--rules", str(damaged)],
        ["odds", "AhTsQcAd", "--rules", str(damaged)],
        ["solve", DEAL, "--side", "4", "--rules", str(damaged)],
    ):
        answer = run(*args)
        assert (answer.code, answer.out) == (2, "")
        assert (
            "club.toml, line 25, column 1: at orders.ordinary: the cards in order are not the pack; missing: A♠"
            in answer.err
        )


COMMANDS = ["odds", "solve", "rules", "list", "show", "check", "deal"]
OPTIONS = [
    "--seat",
    "--side",
    "--holds",
    "--lacks",
    "--played",
    "--lead",
    "--samples",
    "--seed",
    "--contract",
    "--json",
]
VALUES = ["AhTsQcAd", DEAL, "4", "5", "2:A♣", "J♠", "zolo", "x", "|"]
words = st.text(max_size=12) | st.sampled_from(COMMANDS + OPTIONS + VALUES)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(words, max_size=7))
def test_no_command_line_ends_in_a_traceback(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"] if any(arg.startswith("/") for arg in args) else args)
    out, err = capsys.readouterr()
    assert caught.value.code in (0, 2)
    if caught.value.code == 2:
        assert out == ""
        assert err.count("\n") == 1
    else:
        assert err == ""


@pytest.mark.parametrize("lang", ["pl", "en"])
@pytest.mark.parametrize("columns", ["40", "60", "80"])
def test_nothing_is_cut_off(run, monkeypatch: pytest.MonkeyPatch, lang: str, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for args in (["odds", "AhTsQcQs"], ["odds", "AhTsQcQs", "--samples", "500"], ["rules", "show"], ["rules", "list"]):
        out = run(*args, "--lang", lang).out
        assert "…" not in out
        assert max(map(len, out.splitlines())) <= int(columns)


def test_names_are_not_markup(run, tmp_path: Path) -> None:
    odd = tmp_path / "odd.toml"
    text = KOP.read_text(encoding="utf-8")
    odd.write_text(
        text.replace("Kop, Gorzów 2014", "Kop [red]2014[/x]").replace('"zolo"', '"[/zolo]"'), encoding="utf-8"
    )
    for args in (["rules", "list"], ["rules", "show"], ["odds", "AhTsQcAd"]):
        answer = run(*args, "--rules", str(odd))
        assert answer.code == 0
        assert "Kop [red]2014[/x]" in answer.out


def test_rule_sets_in_which_a_hand_can_play_nothing(run, tmp_path: Path) -> None:
    alone = tmp_path / "alone.toml"
    text = KOP.read_text(encoding="utf-8")
    alone.write_text(text[: text.index("[contracts.zolo]")] + text[text.index("[misplay]") :], encoding="utf-8")
    answer = run("odds", "AhTsQcAd", "--rules", str(alone))
    assert (answer.code, answer.out) == (2, "")
    assert "No contract of kop-gorzow-2014 can be played alone with this hand" in answer.err


def test_groups_called_bare_show_their_help(run) -> None:
    for args in ([], ["rules"], ["table"], ["tablebase"], ["--lang", "pl"], ["rules", "--lang", "pl"]):
        answer = run(*args)
        assert answer.code == 0
        assert ("Opcje:" if "pl" in args else "Options:") in answer.out


def test_rules_in_words_use_the_letters_of_the_language(run) -> None:
    assert (
        "Punkty: A\N{NO-BREAK SPACE}11, 10\N{NO-BREAK SPACE}10, D\N{NO-BREAK SPACE}3, W"
        in run("rules", "show", "--lang", "pl").out
    )
    belote = run("rules", "show", str(FIXTURES / "belote.toml")).out
    assert "Points of trumps: J\N{NO-BREAK SPACE}20, 9\N{NO-BREAK SPACE}14" in belote
    assert "Points of single cards: Q♠ -13" in run("rules", "show", str(FIXTURES / "kierki.toml")).out


def test_terminals_that_lack_suits_and_full_disks() -> None:
    command = [sys.executable, "-c", "from kopsim.faces.cli import main; main()", "odds", "AhTsQcAd"]
    plain = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False)
    assert (plain.returncode, plain.stderr) == (0, b"")
    if Path("/dev/full").exists():
        # Bare of settings Python keeps the text for another try at its end.
        for setting in (None, {"PATH": os.environ["PATH"]}):
            with Path("/dev/full").open("wb") as full:
                ended = subprocess.run(
                    command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False, env=setting
                )
            assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="closing a stream is the shell's")
def test_a_closed_output_is_not_taken_for_written() -> None:
    for command in ("odds AhTsQcAd", "rules show --json", "--version", "score --contract zolo --sides 4 --points 60"):
        line = f"{sys.executable} -c 'from kopsim.faces.cli import main; main()' {command} >&-"
        ended = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, encoding="utf-8", check=False)
        assert (ended.returncode, ended.stderr) == (2, "The output cannot be written: it is closed.\n")


def test_help_in_both_languages(run) -> None:
    assert "Exact odds" in run("--help").out
    assert "Szanse zola" in run("odds", "--help", "--lang", "pl").out
    assert run("--version").out.startswith("kopsim 0.")


def test_installed_command_speaks_the_locale() -> None:
    command = [sys.executable, "-c", "from kopsim.faces.cli import main; main()", "odds", "AhTsQc"]
    for lang, sentence in (("pl_PL.UTF-8", "W ręce ma być kart: 4"), ("en_GB.UTF-8", "A hand has 4 cards")):
        environment = {**os.environ, "LC_ALL": lang, "PYTHONUTF8": "1"}
        ended = subprocess.run(command, capture_output=True, env=environment, encoding="utf-8", check=False)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.startswith(sentence)


def test_python_runs_it_as_a_module() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "kopsim", "odds", "as kier, tuz wino, dama żołądź, as dzwonek", "--seat", "4", "--json"],
        capture_output=True,
        check=True,
    )
    assert json.loads(ran.stdout)["hand"] == ["A♥", "Q♣", "A♦", "A♠"]
    refused = subprocess.run(
        [sys.executable, "-m", "kopsim", "odds", "as czerwony", "--lang", "en"], capture_output=True
    )
    assert refused.returncode == 2
    assert "“czerwony” is not a card; it begins at character 4 of “as czerwony”." in refused.stderr.decode()
