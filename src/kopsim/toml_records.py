"""Records from TOML files; whatever is wrong is said with file, key and reason."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kopsim.errors import KopsimError, RuleError, refusal

Checked = TypeVar("Checked")
_PATTERNS = {
    "rules-missing": r"Object missing required field `(?P<field>.+)`",
    "rules-foreign": r"Object contains unknown field `(?P<field>.+)`",
    "rules-type": r"Expected `(?P<wanted>.+)`, got `(?P<got>.+)`",
    "rules-choice": r"Invalid (?:enum )?value (?P<value>.+)",
    "rules-range": r"Expected `int` (?P<limit>.+)",
    "rules-length": r"Expected `(?:array|object|str)` of length (?P<limit>.+)",
}


def read_toml(path: Path) -> dict[str, Any]:
    """The data of a TOML file; raises RuleError naming the file and the reason."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = refusal(error) if isinstance(error, OSError) else RuleError("rules-utf8")
        raise in_file(path, RuleError("rules-read", reason=reason)) from None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise in_file(path, RuleError("rules-toml", reason=str(error) or "too deep")) from None


def to_record(data: object, kind: type[Checked], path: Path, place: tuple[str, ...] = ()) -> Checked:
    """A record of `kind`; errors name the file, the key and the reason, our own checks in their own words.

    place: where in the file the data stand.
    """
    try:
        return msgspec.convert(data, kind, dec_hook=_decode)
    except msgspec.ValidationError as error:
        text, _, inner = str(error).partition(" - at `")
        inner = inner.rstrip("`").removeprefix("key in ").lstrip("$").lstrip(".").replace("[...]", "")
        key = ".".join((*place, inner) if inner else place)
        reason = error.__cause__ if isinstance(error.__cause__, KopsimError) else _translatable(text)
        raise in_file(path, RuleError("rules-key", place=key, reason=reason) if key else reason) from None


def in_file(path: Path, reason: KopsimError) -> RuleError:
    """An error with the file it stands in."""
    return RuleError("rules-file", file=path.as_posix(), reason=reason)


def _decode(kind: type, value: object) -> object:
    """A value of one of our own types, which know how to read themselves from text."""
    read = getattr(kind, "read", None)
    if isinstance(value, str) and read is not None:
        return read(value)
    raise ValueError(f"Expected `str`, got `{type(value).__name__}`")


def _translatable(text: str) -> RuleError:
    """The commonest of msgspec's sentences as ours, which have a Polish form; others stay as they are."""
    for key, pattern in _PATTERNS.items():
        if match := re.fullmatch(pattern, text):
            return RuleError(key, **match.groupdict())
    return RuleError("rules-other", reason=text.rstrip("."))
