"""Rule sets from TOML files, packaged or a user's own."""

from __future__ import annotations

import hashlib
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kopsim.cards import parse_cards
from kopsim.errors import KopsimError, RuleError, refusal
from kopsim.resources import data_path
from kopsim.rules.model import Cards, Contract, Order, RuleSet

Checked = TypeVar("Checked")
_PATTERNS = {
    "rules-missing": r"Object missing required field `(?P<field>.+)`",
    "rules-foreign": r"Object contains unknown field `(?P<field>.+)`",
    "rules-type": r"Expected `(?P<wanted>.+)`, got `(?P<got>.+)`",
    "rules-choice": r"Invalid (?:enum )?value (?P<value>.+)",
    "rules-range": r"Expected `int` (?P<limit>.+)",
    "rules-length": r"Expected `(?:array|object|str)` of length (?P<limit>.+)",
}
DEFAULT = "kop-gorzow-2014"


def rule_ids() -> list[str]:
    """Ids of the packaged rule sets, the default first."""
    ids = sorted(path.stem for path in data_path("rules").glob("*.toml"))
    return sorted(ids, key=lambda name: name != DEFAULT)


@cache
def load_rules(name: str = DEFAULT) -> RuleSet:
    """A rule set by packaged id, or from a file if the name has a dot or a slash in it.

    Raises RuleError with file, key and reason.
    """
    if set(name) & set("./\\"):
        return read_rules(Path(name))
    if name not in rule_ids():
        raise RuleError("rules-unknown", text=name, choices=rule_ids())
    return read_rules(data_path("rules", f"{name}.toml"))


def read_rules(path: Path) -> RuleSet:
    """Reads and checks one rule file; raises RuleError with file, key and reason."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = refusal(error) if isinstance(error, OSError) else RuleError("rules-utf8")
        raise _in_file(path, RuleError("rules-read", reason=reason)) from None
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _in_file(path, RuleError("rules-toml", reason=str(error) or "too deep")) from None
    return check_rules(data, path)


def check_rules(data: dict[str, Any], path: Path) -> RuleSet:
    """Turns the data of a rule file into records; `path` is named in the RuleError."""
    # Tables of named records go first, one by one: msgspec does not say which name was wrong.
    for table, kind in (("orders", Order), ("contracts", Contract)):
        entries = data.get(table)
        if isinstance(entries, dict):
            for name, entry in entries.items():
                _convert(entry, kind, path, (table, name))
    return _convert(data, RuleSet, path, ())


def rules_hash(rules: RuleSet) -> str:
    """SHA-256 of all that a rule set says, as hexadecimal digits; comments and layout of the file do not count."""
    return hashlib.sha256(msgspec.json.encode(rules, enc_hook=str, order="deterministic")).hexdigest()


def _decode(kind: type, value: object) -> object:
    if kind is Cards and isinstance(value, str):
        return Cards(parse_cards(value)) if value.strip() else Cards()
    raise ValueError(f"Expected `str`, got `{type(value).__name__}`")


def _in_file(path: Path, reason: KopsimError) -> RuleError:
    return RuleError("rules-file", file=path.as_posix(), reason=reason)


def _convert(data: object, kind: type[Checked], path: Path, place: tuple[str, ...]) -> Checked:
    """A record of `kind`; errors name the file, the key and the reason, our own checks in their own words."""
    try:
        return msgspec.convert(data, kind, dec_hook=_decode)
    except msgspec.ValidationError as error:
        text, _, inner = str(error).partition(" - at `")
        inner = inner.rstrip("`").removeprefix("key in ").lstrip("$").lstrip(".").replace("[...]", "")
        key = ".".join((*place, inner) if inner else place)
        reason = error.__cause__ if isinstance(error.__cause__, KopsimError) else _translatable(text)
        raise _in_file(path, RuleError("rules-key", place=key, reason=reason) if key else reason) from None


def _translatable(text: str) -> RuleError:
    """The commonest of msgspec's sentences as ours, which have a Polish form; others stay as they are."""
    for key, pattern in _PATTERNS.items():
        if match := re.fullmatch(pattern, text):
            return RuleError(key, **match.groupdict())
    return RuleError("rules-other", reason=text.rstrip("."))
