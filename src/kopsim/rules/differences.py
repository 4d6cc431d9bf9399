"""Where the data of two rule sets differ."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from kopsim.rules.model import RuleSet

# What a rule set is called and where it comes from is not how the game is played.
_NAMES = ("id", "name", "source")


class Difference(NamedTuple):
    """One key at which two rule sets differ, as "contracts.game.value.no-trick", and what each has there or None."""

    key: str
    a: Any
    b: Any


def differences(a: RuleSet, b: RuleSet) -> list[Difference]:
    """Every key at which the data of two rule sets differ, but for their ids, names and sources.

    Lists are compared as a whole, and so is a table that only one of the two has.
    """
    first, second = (_plain(rules) for rules in (a, b))
    return _differing("", first, second)


def _plain(rules: RuleSet) -> dict[str, Any]:
    whole: dict[str, Any] = msgspec.to_builtins(rules, enc_hook=str)
    return {key: value for key, value in whole.items() if key not in _NAMES}


def _differing(place: str, a: dict[str, Any], b: dict[str, Any]) -> list[Difference]:
    found: list[Difference] = []
    for name in dict.fromkeys([*a, *b]):
        key, first, second = f"{place}{name}", a.get(name), b.get(name)
        if isinstance(first, dict) and isinstance(second, dict):
            found += _differing(f"{key}.", first, second)
        elif first != second:
            found.append(Difference(key, first, second))
    return found
