"""What a terminal gets: lines that fit it, colours if it has them, letters where it lacks signs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from kopsim.cards import format_cards, parse_cards
from kopsim.faces.layout import laid_out, plain_table
from kopsim.faces.letters import letters
from kopsim.rules import load_rules

pty = pytest.importorskip("pty", reason="terminals of this kind are not for Windows")

DOCS = Path(__file__).parents[1] / "docs"
SHOWN = [
    line.replace("my-club.toml", "docs/my-club.toml").replace("deal.txt", "docs/examples/deal.txt")
    for line in re.findall(
        r"^```\{command-output\} (kopsim .*)$", (DOCS / "en" / "examples.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    if "--json" not in line and "--lang" not in line
] + [
    "kopsim advise AhTsQcAd",
    "kopsim compare AhTsQcQs --rules kop-gorzow-2014 --rules kop-koscian --rules kop-wolsztyn --rules baska-z-asem",
    "kopsim range show --contract zolo --seat 3",
    "kopsim rules diff kop-gorzow-2014 baska-z-asem",
    "kopsim table show AhTsQcAd --contract zolo --model best-defence",
    "kopsim throwdowns compare kop-gorzow-2014 kop-koscian",
]
COMMAND = [sys.executable, "-c", "from kopsim.faces.cli import main; main()"]
HAND = "A♥ 10♣ J♣ J♠"


def pieces(text: str) -> set[str]:
    """What must not be broken: words, with numbers and their units as one."""
    return {each.strip() for each in re.findall(r"(?:[^\s]|\N{NO-BREAK SPACE}|\N{NARROW NO-BREAK SPACE})+", text)} - {
        ""
    }


@pytest.mark.parametrize("lang", ["pl", "en"])
@pytest.mark.parametrize("line", SHOWN)
def test_what_the_examples_show_fits(run, monkeypatch: pytest.MonkeyPatch, line: str, lang: str) -> None:
    args = [*shlex.split(line)[1:], "--lang", lang]
    shown = {}
    for columns in (60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown[columns] = run(*args).out
        assert max(map(len, shown[columns].splitlines())) <= columns
    # Text is in lines of a hundred signs, indented by two at most; tables have three spaces between columns.
    assert all(len(line) <= 102 for line in shown[200].splitlines() if "   " not in line)
    # Bars are left out where there is no room, and a hash of 64 signs is folded.
    whole = {each for each in pieces(shown[200]) if not set(each) & set("█▉▊▋▌▍▎▏") and len(each) < 60}
    for columns in (60, 80):
        # Nothing is cut off: three dots stand only between the ends of an interval.
        assert not re.search(r"…(?![+−\d])", shown[columns])
        assert whole <= pieces(shown[columns])


def test_a_table_too_wide_goes_on_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    table = plain_table(["seat", "first", "second", "third"], [["1", "11111", "22222", "33333"]])
    assert laid_out(table) == "\n".join(
        [
            "seat  first  second",
            "1     11111   22222",
            "",
            "seat   third",
            "1      33333",
        ]
    )


def written_to(ours: int, theirs: int, process: subprocess.Popen[bytes]) -> str:
    """What a process has written to a terminal when it has ended well; the two ends of the terminal are closed."""
    os.close(theirs)
    read = b""
    try:
        while part := os.read(ours, 4096):
            read += part
    except OSError:
        pass  # how Linux says that the other end has closed
    os.close(ours)
    assert process.wait() == 0
    return read.decode()


def told(*args: str, **setting: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLORTERM")}
    process = subprocess.Popen(
        [*COMMAND, *args],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**plain, "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **setting},
    )
    return written_to(ours, theirs, process).replace("\r\n", "\n")


def reported(*args: str) -> str:
    """What a command writes to a terminal about its progress; its answer goes elsewhere."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *args],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"},
    )
    return written_to(ours, theirs, process)


def test_a_check_of_a_plan_shows_how_far_it_is(run, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.json")
    assert run("throwdowns", "certify", "AhTcTsTh", "--seat", "1", "--contract", "zolo-du", "--out", proof).code == 0
    told = reported("throwdowns", "check", proof)
    assert "openings of the play" in told
    assert re.search(r"\d+/\d+", told)


@pytest.mark.parametrize(
    "args",
    [
        ("chart-data", "zolo", "--seat", "4"),
        ("chart", "points", "AhTcJcJs", "--seat", "3", "--out", "points.svg"),
        ("odds", "AhTcJcJs", "--model", "play-out", "--contract", "zolo", "--seat", "3", "--rules", "baska-z-asem"),
    ],
)
def test_long_work_shows_how_far_it_is(args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert re.search(r"\d+/\d+", reported(*args))


CASES = [("advise", HAND, "--seat", "3"), ("odds", "--help"), ("rules", "diff", "kop-gorzow-2014", "kop-koscian")]


@pytest.mark.parametrize("args", CASES)
def test_colours_are_for_terminals(run, args: tuple[str, ...]) -> None:
    plain = run(*args).out
    assert "\x1b" not in plain
    coloured = told(*args)
    assert "\x1b[1m" in coloured
    # Nothing but colours: what they say is said in words or signs as well.
    uncoloured = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in uncoloured.splitlines()] == [line.rstrip() for line in plain.splitlines()]
    assert told(*args, NO_COLOR="1") == plain
    assert told(*args, TERM="dumb") == plain


def test_colours_can_be_asked_for(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[31mA♥" in run("rules", "show").out.replace(";", "")
    assert "\x1b" not in run("odds", HAND, "--json").out
    assert "\x1b" not in run("chart-data", "zolo", "--seat", "3").out


# --- letters


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_cards_in_letters_are_read_back(lang) -> None:
    for hand in combinations(load_rules().pack.cards, 4):
        written = letters(format_cards(hand, lang=lang), "ascii")
        assert written.isascii()
        assert "?" not in written
        assert parse_cards(written) == hand


def test_letters_keep_what_an_encoding_carries() -> None:
    assert letters("Kościan: „A♥ → 10♠”", "utf-8") == "Kościan: „A♥ → 10♠”"
    assert letters("Kościan: „A♥ → 10♠”", "iso-8859-2") == 'Kościan: "Ah -> 10s"'
    assert letters("Kościan: „A♥ → 10♠”", "cp1250") == "Kościan: „Ah -> 10s”"
    assert letters("łódź −3 ± 1 ≈ 2 ≠ ½ ✓ ✗ …", "ascii") == "lodz -3 +/- 1 ~ 2 != 1/2 + x ..."
    assert letters("语", "ascii") == "?"


@pytest.mark.parametrize("setting", [{"PYTHONIOENCODING": "ascii"}, {"KOPSIM_ASCII": "1"}, {"LC_ALL": "C"}])
def test_terminals_of_ascii(setting: dict[str, str]) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    environment = {**bare, "LC_ALL": "C.UTF-8", **setting, "COLUMNS": "80"}

    def written(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*COMMAND, *args], capture_output=True, env=environment, encoding="ascii", check=False)

    for args in (
        ("odds", HAND, "--lang", "pl"),
        ("throwdowns", "certify", "AhTsQsQh", "--seat", "4", "--contract", "zolo", "--lang", "pl"),
        ("table", "show", HAND),
        ("compare", "AhTsQcQs", "--rules", "kop-gorzow-2014", "--rules", "kop-koscian"),
        ("odds", "--help", "--lang", "pl"),
        ("chart-data", "wesele", "--seat", "3"),
    ):
        ended = written(*args)
        assert ended.stderr == ""
        assert "?" not in ended.stdout
        assert re.search(r"\b(?:Ah|10c)", ended.stdout)
    assert parse_cards(written("odds", HAND).stdout.partition("   ")[0]) == parse_cards(HAND)
    assert json.loads(written("odds", HAND, "--json").stdout)["hand"] == HAND.split()
    refused = written("odds", "Zzż", "--lang", "pl")
    assert (refused.returncode, refused.stderr) == (2, '"Zzz" to nie karta.\n')


def test_columns_of_ascii_stay_in_line() -> None:
    environment = {**os.environ, "KOPSIM_ASCII": "1", "COLUMNS": "80"}
    args = [*COMMAND, "advise", HAND, "--seat", "3"]
    out = subprocess.run(args, capture_output=True, env=environment, encoding="ascii", check=True).stdout
    rows = [line for line in out.splitlines() if "..." in line and "%" in line and not line.startswith("-")]
    assert len(rows) == 3
    assert len({line.rindex("%") for line in rows}) == len({len(line) for line in rows}) == 1
