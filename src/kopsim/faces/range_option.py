"""The option --range: what the others believe a caller holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kopsim.errors import KopsimError, QueryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kopsim.calling_range import CallingRanges
    from kopsim.rules import RuleSet

ANY, AUTO = "any", "auto"


def chosen_ranges(name: str | None, rules: RuleSet, contracts: Sequence[str]) -> CallingRanges | None:
    """The ranges that --range names for some contracts; None where any hand may call.

    By default the packaged ones, if they tell of one of the contracts: that is what "played
    out" means everywhere.  Else a file of ranges (.toml), or of hands that call at every seat, or
    "-"; or the packaged ones, and for other rules the hands that win half of all layouts with open cards.
    """
    from kopsim.calling_range import CallingRanges, likely_callers, packaged_ranges, read_ranges
    from kopsim.faces.hands_file import read_hands
    from kopsim.rules.model import SEATS

    if name == ANY:
        return None
    if name is None:
        known = packaged_ranges(rules)
        return known if known is not None and {*contracts} & {*known.contracts} else None
    for contract in contracts:
        record = rules.contracts.get(contract)
        if record is None or record.sides != "soloist" or record.announced == "silent":
            raise QueryError("range-pass")
    if name == AUTO:
        packaged = packaged_ranges(rules)
        if packaged is not None:
            return _having(packaged, contracts)
        guessed = {(contract, seat): likely_callers(rules, contract, seat) for contract in contracts for seat in SEATS}
        return CallingRanges(rules, guessed)
    if _holds_ranges(Path(name)):
        return _having(read_ranges(Path(name), rules), contracts)
    hands = frozenset(map(frozenset, read_hands(Path(name), rules)))
    return CallingRanges(rules, {(contract, seat): hands for contract in contracts for seat in SEATS})


def _holds_ranges(path: Path) -> bool:
    """Whether a file is one of ranges, not of hands; standard input has no ending that says so."""
    from kopsim.text_file import STANDARD_INPUT, read_text

    if path != Path(STANDARD_INPUT):
        return path.suffix == ".toml"
    try:
        return "[[callers]]" in read_text(path)
    except KopsimError:
        return False  # which reading the hands will tell


def _having(ranges: CallingRanges, contracts: Sequence[str]) -> CallingRanges:
    """Ranges that have all the contracts asked for; raises QueryError otherwise."""
    for contract in contracts:
        if contract not in ranges.contracts:
            raise QueryError("range-lacks", contract=contract, rules=ranges.rules, choices=ranges.contracts)
    return ranges
