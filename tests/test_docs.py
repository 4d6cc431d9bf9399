"""The pages of the documentation: nothing pasted, nothing left out, and every command in them does what it says."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click
import msgspec
import page_parts
import pytest
from docs_build import DOCS, built

import kopsim
from kopsim.faces.cli import cli, main
from kopsim.rules.model import AtLeast, Barred, Obligations, RuleSet
from kopsim.rules.new import TABLES

# The library and its like are told in English only.
ONE_LANGUAGE = {"en": {"examples", "notebooks", "changelog"}, "pl": {"english"}}
# In English the README refers to them, so they stand outside the site's pages, which include them.
OUTSIDE = ("numbers", "command-line")
PAGES = [path for lang in ("en", "pl") for path in sorted((DOCS / lang).glob("*.md"))]
FENCE = re.compile(r"^( *)(`{3,}|:{3,})(\S[^\n]*)\n(.*?)^\1\2\s*$", re.DOTALL | re.MULTILINE)


def name_of(page: Path) -> str:
    return f"{page.parent.name}/{page.stem}"


def blocks(page: Path) -> list[tuple[str, str]]:
    """What stands behind each opening fence, and the text inside."""
    return [(match[3].strip(), match[4]) for match in FENCE.finditer(page.read_text(encoding="utf-8"))]


def commands(page: Path) -> list[tuple[str, int]]:
    """The kopsim commands that a page runs, each with the exit code it announces."""
    found = []
    for heading, inside in blocks(page):
        if match := re.match(r"\{(?:command-output|made)\} (kopsim .*)", heading):
            code = re.search(r"^\s*:returncode: (\d+)", inside, re.MULTILINE)
            found.append((match[1], int(code[1]) if code else 0))
    return found


def typed(page: Path) -> list[str]:
    """The lines that a page asks its reader to type, and does not run."""
    return [line for heading, inside in blocks(page) if heading == "sh" for line in inside.splitlines()]


def exit_code(command: str) -> object:
    """How one command line ends, its output swallowed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), pytest.raises(SystemExit) as ended:
        main(shlex.split(command)[1:])
    return ended.value.code


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_nothing_printed_is_pasted(page: Path) -> None:
    for heading, _ in blocks(page):
        assert heading == "sh" or heading.startswith("{"), f"a block of {heading} is not made by the build"
    for line in typed(page):
        assert re.match(r"(?:make|source|kopsim) ", line), line
    bare = re.sub(FENCE, "", page.read_text(encoding="utf-8"))
    assert not re.search(r"^\s*(?:```|\$ |    \S)", bare, re.MULTILINE)


def test_both_languages_tell_the_same() -> None:
    names = {
        lang: {page.stem for page in PAGES if page.parent.name == lang} - ONE_LANGUAGE[lang] for lang in ("en", "pl")
    }
    assert names["en"] == names["pl"]
    for name in names["en"]:
        made = {
            lang: [heading.split()[0] for heading, _ in blocks(DOCS / lang / f"{name}.md")] for lang in ("en", "pl")
        }
        assert name in OUTSIDE or made["en"] == made["pl"], name
    for name in OUTSIDE:
        english, polish = (
            re.findall(r"^#+ |^kopsim .*", path.read_text(encoding="utf-8"), re.MULTILINE)
            for path in (DOCS / f"{name}.md", DOCS / "pl" / f"{name}.md")
        )
        assert english == polish


# Slow, because `make docs` runs them too and stops at one that ends otherwise.
@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=name_of)
def test_every_command_ends_as_announced(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = tmp_path / page.parent.name
    pages.mkdir()
    page_parts.write_parts(pages, page.parent.name)
    folder = pages / "generated" / page.stem
    folder.mkdir(exist_ok=True)
    for command, code in commands(page):
        if page.parent.name == "pl":
            assert re.search("--lang pl|--json|--csv", command), command
        monkeypatch.chdir(folder / "new" if "rules new" in command else folder)
        assert exit_code(command) == code, command


@pytest.mark.parametrize("page", [page for page in PAGES if typed(page)], ids=name_of)
def test_what_is_to_be_typed_exists(page: Path) -> None:
    targets = re.findall(r"^([\w-]+):", (DOCS.parent / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for line in typed(page):
        first, *rest = shlex.split(re.split(" >>? ", line)[0])
        if first == "make":
            assert rest[0] in targets
        if first == "kopsim":
            command = cli.commands[rest[0]]
            command.make_context(rest[0], rest[1:], parent=click.Context(cli, obj="en")).close()


def test_every_public_name_is_in_the_api() -> None:
    text = (DOCS / "en" / "api.rst").read_text(encoding="utf-8")
    assert set(re.findall(r"^\.\. auto(?:function|class):: kopsim\.(\w+)$", text, re.MULTILINE)) == set(kopsim.__all__)


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_every_key_of_a_rule_file_is_told(lang: str) -> None:
    told = "\n".join(page_parts.rule_keys(lang))
    for table, (record, _, _) in TABLES.items():
        start = told.index(f"(rules-{table})=")
        part = told[start:].split("\n(rules-")[0]
        for key in record.__struct_fields__:
            assert f"\n`{key}`\n: " in part, (table, key)
    for record in (Obligations, Barred, AtLeast):
        for key in record.__struct_fields__:
            assert key in told
    page = (DOCS / lang / "rule-file.md").read_text(encoding="utf-8")
    for key in ("base", *(field.name for field in msgspec.structs.fields(RuleSet))):
        assert f"\n`{key}`\n: " in page or key in TABLES, key
    for key in Obligations.__struct_fields__:
        assert f"`{key}`" in page


def walk(command: click.Command, ctx: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, ctx
    for name, child in getattr(command, "commands", {}).items():
        yield from walk(child, click.Context(child, info_name=name, parent=ctx))


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_every_command_and_option_is_told(lang: str) -> None:
    told = "\n".join(page_parts.command_list(lang))
    assert "help-" not in told.replace("--help-", "")
    for command, ctx in walk(cli, click.Context(cli, info_name="kopsim", obj=lang)):
        part = re.search(rf"^#+ {ctx.command_path}$(.*?)(?=^#|\Z)", told, re.MULTILINE | re.DOTALL)
        assert part, ctx.command_path
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                assert re.search(rf"`{param.opts[-1]}\b|, {param.opts[-1]}\b", part[1]), (ctx.command_path, param.opts)


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_the_names_of_cards_are_those_that_are_read(lang: str) -> None:
    ranks, suits = "\n".join(page_parts.card_names(lang)).split("\n\n")
    for way in re.findall("`([^`]+)`", ranks):
        assert len(kopsim.parse_cards(f"{way} pik")) == 1
    for way in re.findall("`([^`]+)`", suits):
        with contextlib.nullcontext() if way != "k" else pytest.raises(kopsim.CardError):
            assert len(kopsim.parse_cards(f"as {way}")) == 1


def test_a_page_is_built_with_what_its_commands_print_and_make(tmp_path: Path) -> None:
    for lang, title in (("en", "Tried"), ("pl", "Próba")):
        source = tmp_path / f"source-{lang}"
        source.mkdir()
        (source / "index.md").write_text(
            f"# {title}\n\n```{{command-output}} kopsim rules list --lang {lang}\n```\n\n"
            '```{made} kopsim chart points "A♥ 10♠ Q♣ A♦" --seat 4 --out drawn.svg\n:alt: What it shows\n```\n\n'
            "```{made} kopsim throwdowns report --list kop-koscian --rules kop-koscian --out audit.md\n```\n",
            encoding="utf-8",
        )
        done = built(source, tmp_path, lang)
        assert done.returncode == 0, done.stderr
        page = (tmp_path / lang / "index.html").read_text(encoding="utf-8")
        assert f'<html class="no-js" lang="{lang}"' in page
        assert "kop-wolsztyn" in page
        assert 'alt="What it shows"' in page
        assert (tmp_path / lang / "_images" / "drawn.svg").stat().st_size > 1000
        assert re.search(r'href="_downloads/[^"]*audit\.md"', page)
        assert f"../{'pl' if lang == 'en' else 'en'}/index.html" in page
        assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?//', page)


@pytest.mark.parametrize(
    ("directive", "said"),
    [
        ("```{command-output} kopsim odds AhAh\n```", "Unexpected return code 2"),
        ("```{made} kopsim chart points AhAh --out drawn.svg\n:alt: none\n```", "A♥"),
        ("```{made} kopsim chart points AhTsQcAd --out drawn.svg\n```", ":alt:"),
    ],
)
def test_a_command_that_fails_stops_the_build(tmp_path: Path, directive: str, said: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text(f"# Tried\n\n{directive}\n", encoding="utf-8")
    with mock.patch.dict(os.environ, {"LC_ALL": "C.UTF-8"}):
        done = built(source, tmp_path, "en")
    assert done.returncode != 0
    assert said in done.stderr
