"""What pages take from the program itself, written as Markdown before they are read.

`write_parts` puts the pieces into `generated/` beside the pages, which include them:
`rule-keys.md` from the records and explanations of rule files, `card-names.md` from the table
of names, `command-list.md` from the commands; and copies the notebooks.  `words.toml` has the
few words around them.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
from msgspec import inspect

from kopsim.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS, CardName
from kopsim.errors import Lang, message
from kopsim.faces.cli import cli
from kopsim.faces.help_pages import SpokenCommand, example
from kopsim.resources import data_path
from kopsim.rules import DEFAULT, rule_ids
from kopsim.rules.load import rule_data
from kopsim.rules.model import Demand
from kopsim.rules.new import MANY, TABLES, default_value, toml_value

HERE = Path(__file__).parent


def write_parts(pages: Path, lang: Lang) -> None:
    """Writes the pieces for the pages of one language anew."""
    folder = pages / "generated"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, lines in (
        ("rule-keys", rule_keys(lang)),
        ("rule-files", rule_files()),
        ("card-names", card_names(lang)),
        ("command-list", command_list(lang)),
    ):
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    # Files that the pages' commands read; beside the committee's own the untouched one is written.
    for page in ("author", "cards", "examples"):
        shutil.copytree(HERE / "examples", folder / page)
    shutil.copy(HERE / "my-club.toml", folder / "examples")
    (folder / "committee" / "new").mkdir(parents=True)
    shutil.copy(HERE / {"en": "my-club.toml", "pl": "moj-klub.toml"}[lang], folder / "committee")
    if (pages / "notebooks.md").exists():
        (pages / "notebooks").mkdir(exist_ok=True)
        for notebook in (HERE.parent / "notebooks").glob("*.ipynb"):
            # What they link to in docs/ has its page beside their folder.
            text = notebook.read_text(encoding="utf-8").replace("](../docs/", "](../")
            (pages / "notebooks" / notebook.name).write_text(text, encoding="utf-8")


def _words(lang: Lang) -> dict[str, str]:
    words: dict[str, str] = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))[lang]
    return words


def rule_keys(lang: Lang) -> Iterator[str]:
    """Every table of a rule file and every key in it: what it means, what may stand there, and what if it does not."""
    words, example = _words(lang), rule_data(data_path("rules", f"{DEFAULT}.toml"))
    demands = {demand.replace("-", "_"): message(f"demand-{demand}", lang) for demand in get_args(Demand)}
    for table, (record, about, keys) in TABLES.items():
        # Of a table of tables the first that names a key shows it.
        many = table in MANY
        entries = (
            {f"{table}.{name}": entry for name, entry in example[table].items()} if many else {table: example[table]}
        )
        heading = f"{table}.{words['id']}" if many else table
        yield from (f"(rules-{table})=", f"### `[{heading}]`", "", _text(message(about, lang)), "")
        described = inspect.type_info(record)
        assert isinstance(described, inspect.StructType)
        for field in described.fields:
            meaning = _text(message(keys[field.name], lang, **demands))
            yield from (f"`{field.name}`", f": {meaning[:1].upper()}{meaning[1:]}.")
            if not _tells_all(meaning, field.type):
                yield f"  {words['kind']} {_kind(field.type, words)}."
            yield f"  {_left_out(field, words)}"
            for where, entry in entries.items():
                if field.name in entry:
                    shown = f"`{field.name} = {toml_value(entry[field.name])}`"
                    yield from ("", f"  {words['example'].format(where=f'`[{where}]`')} {shown}")
                    break
            yield ""


def _tells_all(meaning: str, kind: inspect.Type) -> bool:
    """Whether an explanation names all that may stand behind a key."""
    return isinstance(kind, inspect.LiteralType) and all(str(value) in meaning for value in kind.values)


def _left_out(field: inspect.Field, words: dict[str, str]) -> str:
    """What it means if a key is left out."""
    default = default_value(field.default, field.default_factory)
    if field.required:
        return words["required"]
    return words["optional"] if default is None else words["default"].format(value=f"`{toml_value(default)}`")


def _kind(kind: inspect.Type, words: dict[str, str]) -> str:
    """What may stand behind a key, in words."""
    if isinstance(kind, inspect.UnionType):
        return words["or"].join(_kind(each, words) for each in kind.types if not isinstance(each, inspect.NoneType))
    if isinstance(kind, inspect.LiteralType):
        # Ranks and suits in their own order, other values as they come.
        values = [each for each in (*reversed(RANKS), *SUITS) if each in kind.values] or kind.values
        return ", ".join(f"`{toml_value(each)}`" for each in values)
    if isinstance(kind, inspect.IntType):
        key = "number-from" if kind.le is None else "number"
        return words[key].format(least=kind.ge, most=kind.le)
    if isinstance(kind, inspect.VarTupleType):
        return words["list"].format(item=_kind(kind.item_type, words))
    if isinstance(kind, inspect.StructType):
        if kind.tag_field is not None:
            keys = (f"{kind.tag_field} = {toml_value(kind.tag)}", *(f"{field.name} = …" for field in kind.fields))
            return f"`{{ {', '.join(keys)} }}`"
        return words["table"].format(keys=", ".join(f"`{field.name}`" for field in kind.fields))
    if isinstance(kind, inspect.DictType):
        return words["map"].format(key=_kind(kind.key_type, words), value=_kind(kind.value_type, words))
    simple = {inspect.StrType: "text", inspect.BoolType: "bool", inspect.CustomType: "cards"}
    return words[simple[type(kind)]]


def rule_files() -> Iterator[str]:
    """The packaged rule files, whole."""
    for rules in rule_ids():
        text = data_path("rules", f"{rules}.toml").read_text(encoding="utf-8")
        yield from (f"### `{rules}`", "", "```toml", text.rstrip(), "```", "")


def card_names(lang: Lang) -> Iterator[str]:
    """The table of names: each rank and suit with every way to write it that kopsim reads."""
    words = _words(lang)
    for heading, names in (("ranks", reversed(RANK_NAMES)), ("suits", SUIT_NAMES)):
        yield from (f"| {words[heading]} |", "|---|---|---|")
        for name in names:
            further = dict.fromkeys((name.ascii, *name.spellings.split()))
            ways = ", ".join(f"`{way}`" for way in further)
            yield f"| {_shown(name, 'pl')} | {_shown(name, 'en')} | {ways} |"
        yield ""


def _shown(name: CardName, lang: Lang) -> str:
    return f"**{name.symbol[lang]}** {name.words[lang]}"


def command_list(lang: Lang) -> Iterator[str]:
    """Every command: its line, its help and its options, as `--help` tells them."""
    root = cli.make_context("kopsim", [], resilient_parsing=True)
    root.obj = lang
    yield from _command(cli, root, lang, depth=2)


def _command(command: click.Command, ctx: click.Context, lang: Lang, depth: int) -> Iterator[str]:
    words = _words(lang)
    with ctx:
        path, line = ctx.command_path, " ".join(command.collect_usage_pieces(ctx))
        yield from (f"({path.replace(' ', '-')})=", f"{'#' * depth} {path}", "", f"```text\n{path} {line}\n```", "")
        for paragraph in message(command.help or "", lang).split("\n"):
            yield from (_text(paragraph), "")
        if isinstance(command, SpokenCommand) and command.examples:
            yield from ("```sh", *(example(line, lang) for line in command.examples), "```", "")
        common = []
        for param in command.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None or isinstance(param, click.Argument):
                continue  # an argument stands in the line above, and the help tells of it
            if param.name in ("rules_name", "as_json", "help") or "--lang" in param.opts:
                common.append(f"`{param.opts[-1]}`")
            else:
                yield from (f"`{record[0]}`", f": {_text(record[1])}", "")
        yield from (words["common"].format(options=", ".join(common)), "")
        if isinstance(command, click.Group):
            for name, child in sorted(command.commands.items()):
                below = type(ctx)(child, info_name=name, parent=ctx)
                yield from _command(child, below, lang, depth + (1 if ctx.parent else 0))


# Pieces of rule files and command lines inside a sentence.
_CODE = "|".join(
    (
        r"`[^`]*`",
        r"--[a-z-]+",
        r"\[\{.*?\}\]",
        r"\{ [^{}]* \}",
        r"\[[^\]]*\]",
        r'[a-z]+ = "[^"]*"',
        "= false",
        r'"[^"]*"',
        r"\b(?:true|false)\b",
        r"[a-z]+_[a-z_]+(?:=false)?",
    )
)


def _text(text: str) -> str:
    """A sentence of the program as Markdown: options and pieces of rule files as code, the rest as it is."""
    pieces = re.split(f"({_CODE})", text)
    return "".join(
        f"`{piece.strip('`')}`" if place % 2 else re.sub(r"([\\*_<>|#$])", r"\\\1", piece)
        for place, piece in enumerate(pieces)
    )
