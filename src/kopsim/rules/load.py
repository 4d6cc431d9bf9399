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
from kopsim.toml_records import read_toml, to_record

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
    return check_rules(read_toml(path), path)


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
