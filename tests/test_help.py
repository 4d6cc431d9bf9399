"""The menu, the page of each command with its examples, and what is said to mistyped words."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kopsim.faces.cli import MENU, cli
from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, example
from kopsim.resources import data_path


def pages(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], SpokenCommand]]:
    for name, command in group.commands.items():
        assert isinstance(command, SpokenCommand)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from pages(command, *path, name)


PAGES = dict(pages(cli))
EXAMPLES = {line: path for path, command in PAGES.items() for line in command.examples}

# What takes a minute or more, or wants the result of such; of these only the call is tried.
LONG = {
    ("book",),
    ("site",),
    ("site", "build"),
    ("range", "build"),
    ("range", "double"),
    ("table", "merge"),
    ("tablebase",),
    ("tablebase", "build"),
}
LONG_LINES = {"kopsim table build --method play-out --contract zolo"}


def words(line: str) -> list[str]:
    """The arguments of an example, without what the shell does with the output."""
    args = shlex.split(line.replace("\\\n", " "))
    assert args[0] == "kopsim"
    ends = [place for place, arg in enumerate(args) if arg in (">", ">>")]
    return args[1 : ends[0] if ends else None]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that examples name."""
    folder = tmp_path_factory.mktemp("desk")
    docs = Path(__file__).parents[1] / "docs"
    shutil.copy(docs / "examples" / "deal.txt", folder)
    shutil.copy(docs / "my-club.toml", folder)
    folder.joinpath("hands.txt").write_text("A♥ 10♠ Q♣ A♦\n", encoding="utf-8")
    shutil.copy(data_path("odds", "kop-gorzow-2014.ordinary.odds"), folder / "kop.odds")
    return folder


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_run(run, desk: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(desk)
    if EXAMPLES[line] in LONG or line in LONG_LINES:
        command: click.Command = cli
        context, rest = cli.make_context("kopsim", words(line)), words(line)
        while isinstance(command, click.Group):
            name, found, rest = command.resolve_command(context, rest)
            assert found is not None
            command, context = found, found.make_context(name, rest, parent=context)
        return
    if line == "kopsim throwdowns check proof.json":
        run(*words(PAGES["throwdowns", "certify"].examples[-1]))
    answer = run(*words(line))
    # An audit that finds fault says so by its exit code.
    assert answer.code == 0 or ("verify" in line and answer.code == 1), answer.err
    assert (answer.out, answer.err) != ("", "")


def test_every_page_has_an_example_of_its_own() -> None:
    for path, command in PAGES.items():
        assert command.examples, path
        assert all(words(line)[: len(path)] == list(path) for line in command.examples), path


def test_examples_have_cards_in_the_letters_of_the_language() -> None:
    assert example('kopsim bid --hand "Q♣ J♣ A♥ 10♦"', "pl") == 'kopsim bid --hand "D♣ W♣ A♥ 10♦"'
    assert example('kopsim bid --hand "Q♣ J♣ A♥ 10♦"', "en") == 'kopsim bid --hand "Q♣ J♣ A♥ 10♦"'


@pytest.mark.parametrize("lang", ["pl", "en"])
@pytest.mark.parametrize("columns", [60, 80])
def test_pages_fit(run, monkeypatch: pytest.MonkeyPatch, lang: str, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for path in ((), *PAGES):
        answer = run(*path, "--help", "--lang", lang)
        assert answer.code == 0
        assert max(map(len, answer.out.splitlines())) <= columns, path
        assert not re.search(r"\w-$", answer.out, re.MULTILINE), path


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_the_menu_is_a_line_for_each_command(run, lang: str) -> None:
    out = run("--help", "--lang", lang).out
    lines = {line.split()[0]: line for line in out.splitlines() if re.match(r"  [a-z-]+  ", line)}
    named = [command.name for commands in MENU.values() for command in commands]
    assert [name for name in lines if not name.startswith("-")] == named
    assert len(named) == len(set(named)) == len(cli.commands)
    assert all(len(line.split(maxsplit=1)[1]) <= 50 for name, line in lines.items() if not name.startswith("-"))
    assert "kopsim demo" in out.split("\n\n")[1]


def test_groups_list_all_their_commands(run) -> None:
    for path, command in PAGES.items():
        if isinstance(command, SpokenGroup):
            out = run(*path).out
            assert all(re.search(rf"^  {name} ", out, re.MULTILINE) for name in command.commands), path


def test_a_polish_page_speaks_polish(run) -> None:
    page = run("kontra", "--help", "--lang", "pl").out
    assert page.startswith("Użycie: kopsim kontra [OPCJE] RĘKA...")
    assert "--contract KONTRAKT" in page
    assert "Twoje miejsce. Wymagane." in page
    assert "D♣" not in page
    assert "W♣" in page


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (["adivse"], "There is no command “adivse”; nearest: advise."),
        (["throwdown"], "There is no command “throwdown”; nearest: throwdowns."),
        (["rules", "shwo"], "There is no command “shwo”; nearest: show."),
        (["odds", "AhTsQcAd", "--contrct", "zolo"], "There is no option --contrct; nearest: --contract."),
        (["odds", "AhTsQcAd", "--zzzzz"], "There is no option --zzzzz."),
    ],
)
def test_mistyped_words_name_the_nearest(run, args: list[str], near: str) -> None:
    answer = run(*args)
    assert (answer.code, answer.out, answer.err) == (2, "", near + "\n")
