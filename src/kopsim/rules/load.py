"""Rule sets from TOML files, packaged or a user's own."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kopsim.errors import RuleError
from kopsim.resources import data_path
from kopsim.rules.model import Contract, Order, RuleSet
from kopsim.toml_records import in_file, read_toml, to_record

DEFAULT = "kop-gorzow-2014"


def rule_ids() -> list[str]:
    """Ids of the packaged rule sets, the default first."""
    ids = sorted(path.stem for path in data_path("rules").glob("*.toml"))
    return sorted(ids, key=lambda name: name != DEFAULT)


def load_rules(name: str = DEFAULT) -> RuleSet:
    """A rule set by packaged id, or from a file if the name has a dot or a slash in it.

    A file is read anew each time, for it may have been changed.
    Raises RuleError with file, key and reason.
    """
    if set(name) & set("./\\"):
        return read_rules(Path(name))
    if name not in rule_ids():
        raise RuleError("rules-unknown", text=name, choices=rule_ids())
    return _packaged(name)


@cache
def _packaged(name: str) -> RuleSet:
    return read_rules(data_path("rules", f"{name}.toml"))


def read_rules(path: Path) -> RuleSet:
    """Reads and checks one rule file; raises RuleError with file, key and reason."""
    return check_rules(rule_data(path), path)


def rule_data(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The data of a rule file put into those of its `base`, if it names one; raises RuleError.

    Tables are joined key by key, but one that names another `kind` replaces that of the
    base, as do prices where one of the two is the single price `made`, and `false` in
    place of a table takes it out.  Who changes a `value` does not inherit a `lost_value`.
    A base is a packaged id, or a path as seen from the file.  above: the files whose base this is.
    """
    data = read_toml(path)
    base = data.pop("base", None)
    if base is None:
        return data
    if not isinstance(base, str):
        raise in_file(path, RuleError("rules-key", place="base", reason=RuleError("rules-base-text")))
    if set(base) & set("./\\"):
        named = path.parent / base
    elif base in rule_ids():
        named = data_path("rules", f"{base}.toml")
    else:
        raise in_file(path, RuleError("rules-unknown", text=base, choices=rule_ids()))
    if named.resolve() in (each.resolve() for each in (path, *above)):
        raise in_file(path, RuleError("rules-base-loop", base=base))
    below = rule_data(named, (path, *above))
    check_rules(below, named)  # so that its faults are told as its own
    return joined(below, data)


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
    """Turns the data of a rule file into records; `path` is named in the RuleError."""
    # Tables of named records go first, one by one: msgspec does not say which name was wrong.
    for table, kind in (("orders", Order), ("contracts", Contract)):
        entries = data.get(table)
        if isinstance(entries, dict):
            for name, entry in entries.items():
                to_record(entry, kind, path, (table, name))
    return to_record(data, RuleSet, path)


def rules_hash(rules: RuleSet) -> str:
    """SHA-256 of all that a rule set says, as hexadecimal digits; comments and layout of the file do not count."""
    return hashlib.sha256(msgspec.json.encode(rules, enc_hook=str, order="deterministic")).hexdigest()
