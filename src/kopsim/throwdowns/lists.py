"""Lists of hands that are said to be won without play, as data.

Each line names a contract, seats, and cards of which x stands for any card.  A line
claims every hand of its cards at each of its seats where it may play the contract; a line of
hands that may not, at none of its seats, is about why they are barred, and claims them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from kopsim.barred import barred_hand
from kopsim.cards import Card, parse_pattern
from kopsim.deals import check_hand, sort_hand
from kopsim.errors import KopsimError, RuleError
from kopsim.resources import data_path
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, Name, Record, Seat
from kopsim.throwdowns.prover import check_throwable
from kopsim.toml_records import in_file, read_toml, to_record


class Pattern(tuple[Card | None, ...]):
    """Cards of a hand as written in a list, None for any card."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Pattern:
        """The pattern of a text such as "A♥ 10♣ 10♠ x"; raises CardError."""
        return cls(parse_pattern(text))


class _WrittenLine(Record, frozen=True):
    contract: str
    cards: Pattern
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1)] = SEATS


class _WrittenList(Record, frozen=True):
    rules: str
    name: Name
    lines: Annotated[tuple[_WrittenLine, ...], Meta(min_length=1)]


@dataclass(frozen=True)
class Line:
    """One claim: these cards, strongest first, and so many more of any kind, win this contract at these seats."""

    contract: str
    cards: tuple[Card, ...]
    free: int
    seats: tuple[int, ...]

    def hands(self, rules: RuleSet) -> list[tuple[Card, ...]]:
        """Every hand it claims, strongest first."""
        needed = rules.contract(self.contract).cards
        others = sort_hand(rules.pack.cards.difference(self.cards), rules, self.contract)
        hands = (frozenset(self.cards).union(more) for more in combinations(others, self.free))
        return [sort_hand(hand, rules, self.contract) for hand in hands if hand.issuperset(needed)]

    def claims(self, rules: RuleSet) -> list[tuple[tuple[Card, ...], int]]:
        """Every hand with every seat that it claims, hand by hand."""
        every = [(hand, seat) for hand in self.hands(rules) for seat in self.seats]
        return [each for each in every if barred_hand(rules, self.contract, *each) is None] or every


@dataclass(frozen=True)
class ThrowdownList:
    """A list with its name; rules: id of the rule set it was written for."""

    id: str
    rules: str
    name: Name
    lines: tuple[Line, ...]


def list_ids() -> list[str]:
    """Ids of the packaged lists."""
    return sorted(path.stem for path in data_path("throwdowns").glob("*.toml"))


def list_path(name: str) -> Path:
    """The file of a list: a packaged id, or a path if the name has a dot or a slash in it; RuleError for neither."""
    if set(name) & set("./\\"):
        return Path(name)
    if name not in list_ids():
        raise RuleError("list-unknown", text=name, choices=list_ids())
    return data_path("throwdowns", f"{name}.toml")


def rules_of_list(path: Path) -> str:
    """The id of the rule set that a list says it was written for; raises RuleError for what is no list."""
    return _written(path).rules


def read_list(path: Path, rules: RuleSet) -> ThrowdownList:
    """A list of throw-downs, checked against a rule set; raises RuleError with file, line and reason."""
    written = _written(path)
    lines = []
    for number, line in enumerate(written.lines, start=1):
        try:
            lines.append(_checked(line, rules))
        except KopsimError as error:
            raise in_file(path, RuleError("list-line", number=number, reason=error)) from None
    return ThrowdownList(path.stem, written.rules, written.name, tuple(lines))


def _written(path: Path) -> _WrittenList:
    data: dict[str, Any] = read_toml(path)
    return to_record(data, _WrittenList, path)


def _checked(line: _WrittenLine, rules: RuleSet) -> Line:
    contract = rules.contract_key(line.contract)
    check_throwable(contract, rules)
    known = sort_hand(check_hand(line.cards, rules), rules, contract)
    checked = Line(contract, known, line.cards.count(None), tuple(sorted(set(line.seats))))
    if not checked.hands(rules):
        raise RuleError("list-no-hand", contract=contract, needs=rules.contract(contract).cards)
    return checked
