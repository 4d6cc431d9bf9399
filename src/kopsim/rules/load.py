"""Rule sets from TOML files, packaged or a user's own."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kopsim.errors import KopsimError, RuleError
from kopsim.resources import data_path
from kopsim.rules.key_words import meant_key
from kopsim.rules.model import RuleSet
from kopsim.text_file import STANDARD_INPUT, names_file
from kopsim.toml_records import TomlFile, read_toml, refusal_of_data, to_record
from kopsim.toml_syntax import Broken

DEFAULT = "kop-gorzow-2014"


def rule_ids() -> list[str]:
    """Ids of the packaged rule sets, the default first."""
    ids = sorted(path.stem for path in data_path("rules").glob("*.toml"))
    return sorted(ids, key=lambda name: name != DEFAULT)


def load_rules(name: str = DEFAULT) -> RuleSet:
    """A rule set by packaged id, or from a file if the name has a dot or a slash in it or is "-" for standard input.

    A file is read anew each time, for it may have been changed.
    Raises RuleError; its `faults` are all that is wrong in the file, each with line, column, key and reason.
    """
    if names_file(name):
        return read_rules(Path(name))
    if name not in rule_ids():
        raise RuleError("rules-unknown", text=name, choices=rule_ids())
    return _packaged(name)


@cache
def _packaged(name: str) -> RuleSet:
    return read_rules(data_path("rules", f"{name}.toml"))


def read_rules(path: Path) -> RuleSet:
    """Reads and checks one rule file, Path("-") being standard input; raises RuleError as `load_rules` does."""
    return _checked(_joined_file(path))


def rule_data(path: Path) -> dict[str, Any]:
    """The data of a rule file put into those of its `base`, if it names one; raises RuleError."""
    file = _joined_file(path)
    if file.broken:
        raise file.refusal(())
    return file.data


def _joined_file(path: Path, above: tuple[Path, ...] = ()) -> TomlFile:
    """A rule file with its data put into those of its `base`, if it names one; raises RuleError.

    Tables are joined key by key, but one that names another `kind` replaces that of the
    base, as do prices where one of the two is the single price `made`, and `false` in
    place of a table takes it out.  Who changes a `value` does not inherit a `lost_value`.
    A base is a packaged id, or a path as seen from the file.  above: the files whose base this is.
    """
    file = read_toml(path)
    if "base" not in file.data:
        return file
    own = {key: value for key, value in file.data.items() if key != "base"}
    try:
        below = _base_file(file.data["base"], (path, *above))
    except KopsimError as error:
        if error.faults or error.key == "rules-file":  # about the file of the base
            raise
        found = [] if isinstance(file.data["base"], Broken) else [(("base",), error)]
        # Without its base nothing is missing in a file, but it may have other faults.
        raise refusal_of_data(replace(file, data=own), RuleSet, found, guess=meant_key, whole=False) from None
    _checked(below)  # so that its faults are told as its own
    return replace(file, data=joined(below.data, own), base=file.data["base"])


def _base_file(base: object, above: tuple[Path, ...]) -> TomlFile:
    """The file that a `base` names; raises RuleError if it names none."""
    if not isinstance(base, str):
        raise RuleError("rules-base-text")
    is_file = base != STANDARD_INPUT and names_file(base)
    if not is_file and base not in rule_ids():
        raise RuleError("rules-unknown", text=base, choices=rule_ids())
    named = above[0].parent / base if is_file else data_path("rules", f"{base}.toml")
    if named.resolve() in (each.resolve() for each in above):
        raise RuleError("rules-base-loop", base=base)
    return _joined_file(named, above)


def joined(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The data of a base with those of a file put into them, as `rule_data` says."""
    both = dict(base)
    for key, value in own.items():
        before = both.get(key)
        if value is False and isinstance(before, dict):
            del both[key]
        elif isinstance(value, dict) and isinstance(before, dict) and _same_kind(before, value):
            both[key] = joined(before, value)
        else:
            both[key] = value
    if "lost_value" not in own and both.get("value") != base.get("value"):
        both.pop("lost_value", None)
    return both


def _same_kind(base: dict[str, Any], own: dict[str, Any]) -> bool:
    return own.get("kind", base.get("kind")) == base.get("kind") and ("made" in own) == ("made" in base)


def check_rules(data: dict[str, Any], path: Path) -> RuleSet:
    """Turns the data of a rule file into records; raises RuleError with all faults, naming `path`."""
    return _checked(TomlFile(path, data))


def _checked(file: TomlFile) -> RuleSet:
    return to_record(file, RuleSet, guess=meant_key)


def rules_hash(rules: RuleSet) -> str:
    """SHA-256 of all that a rule set says, as hexadecimal digits; comments and layout of the file do not count."""
    return hashlib.sha256(msgspec.json.encode(rules, enc_hook=str, order="deterministic")).hexdigest()
