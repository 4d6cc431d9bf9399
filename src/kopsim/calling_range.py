"""Which hands call a contract at each seat, as the others at the table expect it: calling ranges, and files of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kopsim._tablebase import combination, twin_hand
from kopsim.barred import refuse_barred
from kopsim.bidding import PASS
from kopsim.cards import Card, parse_cards
from kopsim.deals import Hand, check_hand
from kopsim.errors import KopsimError, QueryError, RuleError
from kopsim.hand_wins import every_hands_wins, wins_at
from kopsim.hidden_table import CallingRange, table_of
from kopsim.odds_table import hand_rank, packaged_table
from kopsim.play_out_table import PlayOutTable, packaged_play_outs, play_hash
from kopsim.resources import MOST_KEPT, data_path
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, Honour
from kopsim.shown import Shown
from kopsim.table_file import write_whole
from kopsim.toml_records import read_toml, to_record
from kopsim.values import Value

if TYPE_CHECKING:
    from kopsim.record_faults import Found


class Round(Struct, frozen=True, forbid_unknown_fields=True):
    """One round: for each seat how many hands called, joined and left, and were too close to tell."""

    contract: str
    number: int
    hands: tuple[int, int, int, int]
    joined: tuple[int, int, int, int]
    left: tuple[int, int, int, int]
    close: tuple[int, int, int, int]


class _Callers(Struct, frozen=True, forbid_unknown_fields=True):
    contract: str
    seat: int
    call_hash: str
    hands: list[str]
    close: list[str]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    rules: str
    made: dict[str, Any]
    callers: list[_Callers]
    rounds: tuple[Round, ...] = ()


@dataclass(frozen=True, eq=False)
class CallingRanges(Value, Shown):
    """The hands that call each contract at each seat.

    callers, close: by contract and seat; close are the hands of which it could not be
    told, within the error, whether calling pays; made: how they were found; rounds: what changed.
    """

    rules: RuleSet
    callers: Mapping[tuple[str, int], CallingRange]
    close: Mapping[tuple[str, int], CallingRange] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)
    rounds: Sequence[Round] = ()

    @property
    def contracts(self) -> tuple[str, ...]:
        """The contracts there are ranges for."""
        return tuple(dict.fromkeys(contract for contract, _ in self.callers))

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        """SHA-256 of the range of each contract."""
        told = {
            key: [_texts(self.callers.get((key, seat), frozenset()), self.rules, key) for seat in SEATS]
            for key in self.contracts
        }
        return {key: hashlib.sha256(repr(texts).encode()).hexdigest() for key, texts in told.items()}

    def calls(self, contract: str, seat: int, hand: Hand) -> bool | None:
        """Whether a hand calls a contract at a seat; None where there is no range of it."""
        callers = self.callers.get((contract, seat))
        return None if callers is None else hand in callers

    def expected(self, contract: str, seat: int, hand: Hand) -> CallingRange | None:
        """What others believe of a caller who holds `hand`: the range, this hand and those just like it.

        They allow for the hand, so that a call they did not expect does not gain by
        surprise alone.  None if there is no range of the contract.
        """
        callers = self.callers.get((contract, seat))
        return None if callers is None else callers | alike_hands(self.rules, contract, hand)


def read_ranges(path: Path, rules: RuleSet) -> CallingRanges:
    """The ranges of a file; raises RuleError, also if it is of other rules.

    Its `faults` are all that is wrong in the file, each with line, column, key and reason.
    """
    known = to_record(read_toml(path), _File, check=lambda file: _faults(file, rules))
    keys = [(rules.contract_key(each.contract), each.seat) for each in known.callers]
    callers = {key: _hands(each.hands, rules) for key, each in zip(keys, known.callers, strict=True)}
    close = {key: _hands(each.close, rules) for key, each in zip(keys, known.callers, strict=True)}
    return CallingRanges(rules, callers, close, known.made, known.rounds)


def _faults(file: _File, rules: RuleSet) -> Iterator[Found]:
    """What is wrong with the ranges of a file, or with what could be read of them."""
    known = [each for each in file.callers or () if each is not None]
    if not known:
        yield (), RuleError("range-empty")
    for place, each in enumerate(known):
        for group, texts in (("hands", each.hands or ()), ("close", each.close or ())):
            for number, text in enumerate(texts):
                if (reason := _hand_fault(text, rules, each if group == "hands" else None)) is not None:
                    yield ("callers", place, group, number), reason
        try:
            made = each.contract and call_hash(rules, rules.contract_key(each.contract))
        except KopsimError as error:
            yield ("callers", place, "contract"), error
        else:
            if None not in (made, each.call_hash) and made != each.call_hash:
                yield ("callers", place, "call_hash"), RuleError("range-rules", made=file.rules or "?", rules=rules)
    for contract in dict.fromkeys(each.contract for each in known):
        seats = [each.seat for each in known if each.contract == contract]
        if contract and None not in seats and sorted(seats) != list(SEATS):
            yield ("callers",), RuleError("range-seat", contract=contract)


def _hand_fault(text: str | None, rules: RuleSet, caller: _Callers | None) -> KopsimError | None:
    """What is wrong with a hand; caller: whose it is said to be, if it is to call."""
    if text is not None:
        try:
            hand = check_hand(parse_cards(text), rules)
            if caller is not None and rules.contract_key(caller.contract or "") in rules.contracts:
                refuse_barred(rules, rules.contract_key(caller.contract), hand, caller.seat)
        except KopsimError as error:
            return error
    return None


def write_ranges(ranges: CallingRanges, path: Path) -> None:
    """Writes a file that `read_ranges` reads, whole or not at all; raises TableError if it cannot."""
    lines = [f'rules = "{ranges.rules.id}"', "", "[made]"]
    lines += [f"{key} = {_toml(value)}" for key, value in ranges.made.items()]
    for told in ranges.rounds:
        lines += ["", "[[rounds]]"]
        lines += [f"{key} = {_toml(getattr(told, key))}" for key in told.__struct_fields__]
    for (contract, seat), hands in ranges.callers.items():
        lines += ["", "[[callers]]", f'contract = "{contract}"', f"seat = {seat}"]
        lines.append(f'call_hash = "{call_hash(ranges.rules, contract)}"')
        close = ranges.close.get((contract, seat), frozenset())
        for key, group in (("hands", hands), ("close", close)):
            lines += [f"{key} = [", *(f'  "{hand}",' for hand in _texts(group, ranges.rules, contract)), "]"]
    write_whole(path, ("\n".join(lines) + "\n").encode())


@lru_cache(maxsize=MOST_KEPT)
def call_hash(rules: RuleSet, contract: str) -> str:
    """SHA-256 of all that calling a contract depends on.

    Who speaks when, how it is doubled, and which hands may call it and what else there is
    instead, how all that is played and what it pays.
    """
    record = rules.contract(contract)
    loud = sorted(key for key, each in rules.contracts.items() if each.announced != "silent")
    played = [key for key in loud if not isinstance(rules.contract(key).goal, Honour)]
    told = [
        contract,
        rules.seats.speaking,
        (rules.multipliers(contract), record.first_double_by_declarer),
        [
            (key, each.rank, each.announced, list(map(str, each.barred)))
            for key, each in sorted(rules.contracts.items())
        ],
        [play_hash(rules, key) for key in (contract, PASS, *played)],
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()


@lru_cache(maxsize=MOST_KEPT)
def packaged_ranges(rules: RuleSet) -> CallingRanges | None:
    """The ranges that came with kopsim for these rules, or None."""
    for path in sorted(data_path("ranges").glob("*.toml")):
        known = to_record(read_toml(path), _File)
        made = {each.contract: each.call_hash for each in known.callers}
        if all(key in rules.contracts and call_hash(rules, key) == made[key] for key in made):
            return read_ranges(path, rules)
    return None


def range_hash(ranges: CallingRanges | None, contract: str) -> str | None:
    """SHA-256 of the range of one contract, for tables made with it; None without one."""
    return None if ranges is None else ranges.hashes.get(contract)


def played_out(rules: RuleSet, contract: str, *, any_hand: bool = False) -> PlayOutTable | None:
    """What "played out" means of a contract: the packaged table in which the others expect the packaged calling range.

    Where no range of the contract is packaged, or any_hand is asked for, they believe that any hand may have
    called; a soloist who says nothing plays where everybody passes.  None where no table of these rules has it.
    """
    key = PASS if contract != PASS and rules.contract(contract).announced == "silent" else contract
    expected = None if any_hand else range_hash(packaged_ranges(rules), key)
    return packaged_play_outs(rules, key, expected)


def range_name(ranges: CallingRanges | None) -> str:
    """What --range calls ranges: "any" for none, "auto" for the packaged ones, else "FILE"."""
    if ranges is None:
        return "any"
    return "auto" if ranges == packaged_ranges(ranges.rules) else "FILE"


def likely_callers(rules: RuleSet, contract: str, seat: int, least: float = 0.5) -> CallingRange:
    """Hands that win a contract at a seat in at least such a share of layouts double dummy: a guess at who calls it.

    Raises QueryError if no table of these rules is at hand.
    """
    table = packaged_table(rules, rules.contract(contract).order)
    if table is None:
        raise QueryError("table-none", rules=rules)
    told = wins_at(every_hands_wins(table, rules, contract), seat)
    return frozenset(frozenset(row.hand) for row, wins in told if wins >= least * row.layouts)


def alike_hands(rules: RuleSet, contract: str, hand: Hand) -> CallingRange:
    """A hand and the one that differs from it by equal cards only."""
    compiled = table_of(rules, contract).compiled
    try:
        twin = twin_hand(compiled.kernel, hand_rank(compiled.mask(hand)))
    except ValueError:
        return frozenset({hand})  # equal cards are told apart where the pack is another
    return frozenset({hand, frozenset(compiled.cards_of(combination(twin, len(hand))))})


def strongest_first(hands: CallingRange, rules: RuleSet, contract: str) -> list[tuple[Card, ...]]:
    """Hands in the order in which tables list them, by the card order of a contract."""
    strength = rules.orders[rules.contract(contract).order].strength
    ordered = (tuple(sorted(hand, key=strength.__getitem__)) for hand in hands)
    return sorted(ordered, key=lambda hand: [strength[card] for card in hand])


def _hands(texts: Sequence[str], rules: RuleSet) -> CallingRange:
    return frozenset(check_hand(parse_cards(text), rules) for text in texts)


def _texts(hands: CallingRange, rules: RuleSet, contract: str) -> list[str]:
    return [" ".join(map(str, hand)) for hand in strongest_first(hands, rules, contract)]


def _toml(value: object) -> str:
    """A string, a number, yes or no, or a sequence of numbers as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    return str(list(value)) if isinstance(value, tuple) else str(value)
