"""What a shell completes, asked as the shells' scripts ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete, CompletionItem, ShellComplete

from kopsim.faces.cli import COMPLETING, cli
from kopsim.players import KINDS
from kopsim.rules.load import rule_ids

COMMAND = [sys.executable, "-c", "from kopsim.faces.cli import main; main()"]


def items(line: str, lang: str = "en") -> list[CompletionItem[str]]:
    *args, incomplete = line.split(" ")
    return ShellComplete(cli, {"obj": lang}, "kopsim", COMPLETING).get_completions(args, incomplete)


def values(line: str) -> list[str]:
    return [item.value for item in items(line)]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("od", ["odds"]),
        ("rules d", ["diff"]),
        ("odds --contract z", ["zolo", "zolo-du", "zolo-du-honour"]),
        ("odds --rules baska-z-asem --contract g", ["game", "gran", "gran-du"]),
        ("odds --rules no-such-rules --contract ci", ["cicha"]),
        ("odds --model ", ["double-dummy", "best-defence", "play-out", "reply-bound", "all"]),
        ("odds --defenders ", list(KINDS)),
        ("rules diff kop-gorzow-2014 kop-w", ["kop-w", "kop-wolsztyn"]),
        ("odds --seat ", ["1", "2", "3", "4"]),
        ("solve --side ", ["1", "2", "3", "4"]),
        ("odds --lang ", ["pl", "en"]),
        ("odds --no-t", ["--no-table"]),
        ("odds 10", ["10♠", "10♥", "10♦", "10♣"]),
        ("odds A♥ 10♠ Q", ["Q♠", "Q♥", "Q♦", "Q♣"]),
        ("odds A♥ AsAd A", ["A♣"]),
        ("bid --hand J", ["J♠", "J♥", "J♦", "J♣"]),
        ("chart se", ["seats", "seat-value"]),
        ("chart-data ", ["zolo", "kontra", "wesele"]),
        ("table top --model p", ["play-out"]),
        ("book --size ", ["a4", "a5", "booklet"]),
        ("odds A♥ 10♠ Q♣ J♣ ", []),
        ("completion ", ["bash", "zsh", "fish"]),
        ("throwdowns verify --list kop-k", ["kop-k", "kop-koscian"]),
        ("score --last-call ", ["old", "young"]),
    ],
)
def test_values(line: str, wanted: list[str]) -> None:
    assert values(line) == wanted


def test_files_and_folders_are_left_to_the_shell() -> None:
    # Before what is named: the script for bash forgets what stands before a file.
    assert [(item.type, item.value) for item in items("rules show ")] == [
        ("file", ""),
        *[("plain", each) for each in rule_ids()],
    ]
    assert [item.type for item in items("book --out ")] == ["file"]
    assert [item.type for item in items("site build --out ")] == ["dir"]


def test_every_value_that_a_page_shows_is_completed() -> None:
    commands = [(name, command) for name, command in cli.commands.items()]
    for name, group in cli.commands.items():
        commands += [(f"{name} {below}", command) for below, command in getattr(group, "commands", {}).items()]
    checked = 0
    for line, command in commands:
        for param in command.params:
            shown = (param.metavar or "").split("|")
            if len(shown) > 1 and not any(part.isupper() or "." in part or ":" in part for part in shown):
                assert values(f"{line} {param.opts[0]} " if param.opts[0].startswith("-") else f"{line} ") == shown
                checked += 1
    assert checked > 20


def test_the_help_beside_a_value_speaks_the_language() -> None:
    (seat,) = [item for item in items("odds --sea", "pl") if item.value == "--seat"]
    assert seat.help == "Twoje miejsce: 1 wychodzi, 4 rozdaje; domyślnie wszystkie."
    assert [item.help for item in items("dem", "pl")] == ["pokaz tego, na co kopsim odpowiada"]
    assert [item.value for item in items("odds D", "pl")] == ["D♠", "D♥", "D♦", "D♣"]
    assert items("odds D♠", "pl")[0].help == "dama pik"


@pytest.mark.parametrize("line", ["nothing ", "odds --seat 9 --lang de ", "odds --samples many --", "rules nothing "])
def test_an_unfinished_line_is_no_fault(line: str) -> None:
    setting = {**os.environ, COMPLETING: "bash_complete", "COMP_WORDS": f"kopsim {line}"}
    setting["COMP_CWORD"] = str(len(line.split(" ")))
    ended = subprocess.run(COMMAND, capture_output=True, env=setting, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def asked(line: str, place: int | str) -> list[str]:
    """What the program itself says to a shell in an English locale."""
    setting = {
        **os.environ,
        "LC_ALL": "C.UTF-8",
        COMPLETING: "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(place),
    }
    ended = subprocess.run(COMMAND, capture_output=True, env=setting, check=True, encoding="utf-8")
    assert ended.stderr == ""
    return ended.stdout.split()


def test_the_line_may_say_the_language() -> None:
    assert asked("kopsim odds --lang pl D", 4) == ["plain,D♠", "plain,D♥", "plain,D♦", "plain,D♣"]
    assert asked("kopsim odds --lang p", 3) == ["plain,pl"]


def test_a_hand_in_quotes_is_completed_card_by_card() -> None:
    assert asked('kopsim odds "A♥ 10', 2) == [word for suit in "♠♥♦♣" for word in ("plain,A♥", f"10{suit}")]
    assert asked('kopsim odds "A♥ 10♠ Q♣ A♦ J', 2) == []


def test_who_is_no_shell_gets_nothing() -> None:
    assert asked("kopsim odds A", "x") == []
    setting = {key: value for key, value in os.environ.items() if key != "COMP_WORDS"} | {COMPLETING: "bash_complete"}
    ended = subprocess.run(COMMAND, capture_output=True, env=setting, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_completing_loads_little() -> None:
    """Every press of Tab starts Python anew."""
    code = (
        "import sys\nfrom kopsim.faces.cli import main\n"
        "try: main()\nfinally: print(sorted({'numpy', 'scipy', 'rich', 'matplotlib'} & set(sys.modules)))"
    )
    for line, place in (("kopsim od", 1), ("kopsim odds --contract z", 3), ("kopsim odds A", 2)):
        setting = {**os.environ, COMPLETING: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(place)}
        told = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, env=setting, encoding="utf-8", check=True
        )
        assert told.stdout.splitlines()[-1] == "[]"
        assert told.stdout.startswith("plain,")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_name_the_command(run, shell: str) -> None:
    answer = run("completion", shell)
    assert (answer.code, answer.err) == (0, "")
    assert f"{COMPLETING}={shell}_complete" in answer.out
    refused = run("completion", "tcsh")
    assert (refused.code, refused.err) == (2, "There is no completion for “tcsh”; known: bash, zsh, fish.\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_by_its_script(tmp_path) -> None:
    script = BashComplete(cli, {}, "kopsim", COMPLETING).source()
    fake = tmp_path / "kopsim"
    fake.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from kopsim.faces.cli import main; main()' \"$@\"\n")
    fake.chmod(0o755)
    line = "COMP_WORDS=(kopsim rules show kop-w); COMP_CWORD=3; compopt() { :; }"
    ask = f'{line}; _kopsim_completion kopsim; echo "${{COMPREPLY[@]}}"'
    setting = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = subprocess.run(
        ["bash", "-c", f"{script}\n{ask}"], capture_output=True, env=setting, encoding="utf-8", check=True
    )
    assert ended.stdout == "kop-wolsztyn\n"
