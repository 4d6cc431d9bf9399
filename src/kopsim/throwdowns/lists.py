"""Lists of hands that are said to be won without play, as data.

Each line names a contract, seats, and cards of which x stands for any card.  A line
claims every hand of its cards at each of its seats where it may play the contract; a line of
hands that may not, at none of its seats, is about why they are barred, and claims them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from kopsim.barred import barred_hand
from kopsim.cards import Card, parse_pattern
from kopsim.deals import check_hand, sort_hand
from kopsim.errors import KopsimError, RuleError
from kopsim.resources import data_path
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, Name, Record, Seat
from kopsim.text_file import names_file
from kopsim.throwdowns.prover import check_throwable
from kopsim.toml_records import read_toml, to_record

if TYPE_CHECKING:
    from kopsim.record_faults import Found


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
    """The file of a list: a packaged id, or a path if the name has a dot or a slash or is "-"; else RuleError."""
    if names_file(name):
        return Path(name)
    if name not in list_ids():
        raise RuleError("list-unknown", text=name, choices=list_ids())
    return data_path("throwdowns", f"{name}.toml")


def rules_of_list(path: Path) -> str:
    """The id of the rule set that a list says it was written for; raises RuleError for what does not say it."""
    rules = read_toml(path).data.get("rules")
    return rules if isinstance(rules, str) else to_record(read_toml(path), _WrittenList).rules


def read_list(path: Path, rules: RuleSet) -> ThrowdownList:
    """A list of throw-downs, checked against a rule set; raises RuleError.

    Its `faults` are all that is wrong in the file, each with line, column, key and reason.
    """

    def faults(written: _WrittenList) -> Iterator[Found]:
        for number, line in enumerate(written.lines or ()):
            if isinstance(line, _WrittenLine):
                key = "contract"
                try:
                    check_throwable(line.contract, rules)
                    key = "cards"
                    _checked(line, rules)
                except KopsimError as error:
                    yield ("lines", number, key), error

    written = to_record(read_toml(path), _WrittenList, check=faults)
    lines = tuple(_checked(line, rules) for line in written.lines)
    return ThrowdownList(path.stem, written.rules, written.name, lines)


def _checked(line: _WrittenLine, rules: RuleSet) -> Line:
    contract = rules.contract_key(line.contract)
    check_throwable(contract, rules)
    known = sort_hand(check_hand(line.cards, rules), rules, contract)
    checked = Line(contract, known, line.cards.count(None), tuple(sorted(set(line.seats))))
    if not checked.hands(rules):
        raise RuleError("list-no-hand", contract=contract, needs=rules.contract(contract).cards)
    return checked
