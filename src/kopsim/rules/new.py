"""A new rule file for a club to change: everything as in a base, and all of the base in comments, explained."""

from __future__ import annotations

import json
import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from kopsim.errors import LANGS, Lang, QueryError, message
from kopsim.resources import data_path
from kopsim.rules.load import load_rules, rule_data, rule_ids
from kopsim.rules.model import (
    Cards,
    Contract,
    Demand,
    Doubling,
    Misplay,
    Order,
    Pack,
    Seats,
    Tournament,
    without_accents,
)
from kopsim.table_file import write_whole, writing
from kopsim.text_file import STANDARD_INPUT, names_file
from kopsim.toml_writing import toml_key, toml_text

_WIDTH = 100

# Each table of a rule file, and the messages that explain it and its keys.
TABLES: dict[str, tuple[type[Struct], str, dict[str, str]]] = {
    "pack": (Pack, "new-pack", {"ranks": "new-pack-ranks", "suits": "new-pack-suits"}),
    "seats": (
        Seats,
        "new-seats",
        {
            "hand_size": "new-hand-size",
            "names": "new-seat-names",
            "direction": "new-direction",
            "speaking": "new-speaking",
            "partners": "new-partners",
        },
    ),
    "orders": (
        Order,
        "new-orders",
        {
            "name": "new-called",
            "trumps": "new-trumps",
            "side_suits": "new-side-suits",
            "points": "new-points",
            "obligations": "new-obligations",
            "trump_points": "new-trump-points",
            "card_points": "new-card-points",
            "trick_bonus": "new-trick-bonus",
        },
    ),
    "doubling": (
        Doubling,
        "new-doubling",
        {
            "calls": "new-calls",
            "multipliers": "new-multipliers",
            "cancelled_by_higher": "new-cancelled",
            "same_side": "new-same-side",
            "bok_round": "new-bok-round",
            "cap": "new-cap",
        },
    ),
    "contracts": (
        Contract,
        "new-contracts",
        {
            "name": "new-called",
            "rank": "new-rank",
            "order": "new-order",
            "sides": "new-sides",
            "goal": "new-goal",
            "value": "new-value",
            "announced": "new-announced",
            "doubling": "new-contract-doubling",
            "cards": "new-cards",
            "partner": "new-partner",
            "barred": "new-barred",
            "lost_value": "new-lost-value",
            "lost_times": "new-lost-times",
            "tie": "new-tie",
            "tie_doubled": "new-tie-doubled",
            "first_double_by_declarer": "new-first-double",
        },
    ),
    "misplay": (Misplay, "new-misplay", {"loses": "new-loses", "grade": "new-grade"}),
    "tournament": (
        Tournament,
        "new-tournament",
        {"rounds": "new-rounds", "deals": "new-deals", "table_points": "new-table-points"},
    ),
}
MANY = ("orders", "contracts")  # tables of tables, each with an id of its own


def write_new_rules(path: Path, base: str, lang: Lang) -> str:
    """Writes a new rule file and returns the id in it; base: a packaged id or a file.

    Raises QueryError for a file that is there already or has a name that will not do,
    RuleError for a base that is none, TableError if the file cannot be written.
    """
    if path.suffix.lower() != ".toml":
        raise QueryError("rules-new-ending", file=path.as_posix())
    with writing(path):
        if path.exists() or path.is_symlink():
            raise QueryError("rules-new-exists", file=path.as_posix())
    if base == STANDARD_INPUT:
        raise QueryError("rules-new-input")
    rules_id = _id_of(path.stem)
    if not rules_id:
        raise QueryError("rules-new-name", file=path.as_posix())
    if rules_id in (*rule_ids(), load_rules(base).id):
        raise QueryError("rules-new-taken", file=path.as_posix(), id=rules_id)
    text = "\n".join(_file(path, rules_id, base, lang)) + "\n"
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise QueryError("rules-new-base", file=base) from None
    write_whole(path, content)
    return rules_id


def check_command(file: str) -> str:
    """What to type to check a rule file."""
    return f'kopsim rules check "{file}"' if " " in file else f"kopsim rules check {file}"


def _id_of(stem: str) -> str:
    """The id made of a file's name: small letters without accents, digits, and a hyphen for whatever else; or ""."""
    return re.sub("[^a-z0-9]+", "-", without_accents(stem)).strip("-")


def _title_of(stem: str) -> str:
    """A name for the rules made of the file's, to be replaced by a better one."""
    title = " ".join(re.sub("[-_]", " ", _printable(stem, " ")).split())
    return title[:1].upper() + title[1:]


def _printable(text: str, substitute: str) -> str:
    """Text that cannot break a line, nor a file's encoding."""
    return "".join(char if char.isprintable() else substitute for char in text)


def _file(path: Path, rules_id: str, base: str, lang: Lang) -> Iterator[str]:
    """The lines of the new file."""
    is_file = names_file(base)
    data = rule_data(Path(base) if is_file else data_path("rules", f"{base}.toml"))
    title, base_id = _title_of(path.stem), load_rules(base).id
    yield from _explained(message("new-intro", lang, base=base_id))
    yield from _explained(message("new-how", lang, base=base_id))
    yield f"##   {check_command(_printable(path.name, '?'))}"
    yield ""
    yield f"base = {toml_value(_seen_from(path, base) if is_file else base)}"
    yield f"id = {toml_value(rules_id)}"
    yield f"name = {toml_value(dict.fromkeys(LANGS, title))}"
    source = {each: message("new-source", each, name=title) for each in LANGS}
    yield f"source = {toml_value(source)}"
    # The texts may quote what a player must do in the words of `rules show`.
    demands = {demand.replace("-", "_"): message(f"demand-{demand}", lang) for demand in get_args(Demand)}
    for table, (kind, about, keys) in TABLES.items():
        yield ""
        yield from _explained(message(about, lang))
        for key, meaning in keys.items():
            yield from _explained(f"{key}: {message(meaning, lang, **demands)}")
        if table in MANY:
            for number, (key, entry) in enumerate(data.get(table, {}).items()):
                if number:
                    yield ""
                yield from _commented(f"{table}.{toml_key(key)}", entry, kind)
        elif table in data or table != "tournament":  # which alone means nothing where it is left out
            yield from _commented(table, data.get(table, {}), kind)


def _seen_from(path: Path, base: str) -> str:
    """A base file as the new file has to name it."""
    try:
        named = Path(os.path.relpath(Path(base).resolve(), path.parent.resolve())).as_posix()
    except ValueError:  # another drive
        named = Path(base).resolve().as_posix()
    return named if set(named) & set("./") else f"./{named}"


def _explained(text: str) -> list[str]:
    """An explanation in lines that stay comments when "# " is taken away at their start."""
    return textwrap.wrap(
        text, _WIDTH, initial_indent="## ", subsequent_indent="##   ", break_long_words=False, break_on_hyphens=False
    )


def _commented(heading: str, table: Mapping[str, Any], kind: type[Struct]) -> Iterator[str]:
    """A table in comments, with what its keys mean where they are left out; a line for each key."""
    yield f"# [{heading}]"
    for field in fields(kind):
        value = table.get(field.name, default_value(field.default, field.default_factory))
        if value is not None:
            yield f"# {field.name} = {toml_value(value)}"


def default_value(default: Any, factory: Any) -> Any:
    """What a key means where it is left out, as a file would say it; None where it cannot be said."""
    if default is NODEFAULT:
        default = None if factory is NODEFAULT else factory()
    return "" if isinstance(default, Cards) else default


def toml_value(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    return toml_text(value) if isinstance(value, str) else json.dumps(value)
