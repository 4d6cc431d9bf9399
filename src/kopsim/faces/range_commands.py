"""`kopsim range`: which hands call, as the others at the table expect it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, lang_of
from kopsim.faces.options import Seat, Whole, argument, chosen_rules, common, language, option, played_contract, show

if TYPE_CHECKING:
    from kopsim.calling_range import CallingRanges
    from kopsim.errors import Lang
    from kopsim.play_out_table import PlayOutTable
    from kopsim.rules import RuleSet


@click.group(
    "range",
    cls=SpokenGroup,
    help="help-range-group",
    short="short-range",
    examples=["kopsim range show --contract zolo --seat 3"],
)
@language
def calling_range() -> None:
    """Calling ranges."""


@calling_range.command(
    "build",
    cls=SpokenCommand,
    help="help-range-build",
    short="short-range-build",
    examples=["kopsim range build --out undoubled.toml"],
)
@option("--out", metavar="FILE", required=True, help="help-range-out")
@option("--tables", "folder", metavar="FOLDER", help="help-range-tables")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--threads", type=Whole(), help="help-threads")
@common
@click.pass_context
def range_build(
    ctx: click.Context,
    out: str,
    folder: str | None,
    seed: int,
    threads: int | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Finds the ranges, round by round."""
    from kopsim.calling_range_build import build_ranges
    from kopsim.faces.progress import stages_bar

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    tables = _tables(rules, folder)
    with stages_bar(lang) as progress:
        found = build_ranges(rules, tables, Path(out), seed=seed, threads=threads, progress=progress)
    _show_rounds(found, lang, as_json)


@calling_range.command(
    "double",
    cls=SpokenCommand,
    help="help-range-double",
    short="short-range-double",
    examples=["kopsim range double undoubled.toml --out doubled.toml"],
)
@argument("file")
@option("--out", metavar="FILE", required=True, help="help-range-out")
@option("--tables", "folder", metavar="FOLDER", help="help-range-tables")
@option("--deals", type=Whole(), help="help-range-deals")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--threads", type=Whole(), help="help-threads")
@common
@click.pass_context
def range_double(
    ctx: click.Context,
    file: str,
    out: str,
    folder: str | None,
    deals: int | None,
    seed: int,
    threads: int | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Goes on from ranges to those that hold while defenders double."""
    from kopsim.doubled_range_build import build_doubled_ranges
    from kopsim.faces.progress import stages_bar
    from kopsim.kontra_build import DEALS

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    ranges, tables = _ranges(rules, file), _tables(rules, folder)
    deals = DEALS if deals is None else deals
    with stages_bar(lang) as progress:
        found = build_doubled_ranges(
            ranges, tables, Path(out), deals=deals, seed=seed, threads=threads, progress=progress
        )
    _show_rounds(found, lang, as_json)


@calling_range.command(
    "show",
    cls=SpokenCommand,
    help="help-range-show",
    short="short-range-show",
    examples=["kopsim range show --contract zolo", "kopsim range show --contract zolo --seat 3"],
)
@option("--contract", metavar="CONTRACT", help="help-range-contract")
@option("--seat", type=Seat(), help="help-range-seat")
@option("--table", "file", metavar="FILE", help="help-range-file")
@common
@click.pass_context
def range_show(
    ctx: click.Context, contract: str | None, seat: int | None, file: str | None, rules_name: str | None, as_json: bool
) -> None:
    """The rounds, or the hands of one seat."""
    from kopsim.faces import range_text
    from kopsim.faces.document import on_terminal
    from kopsim.rules.model import SEATS

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    found = _ranges(rules, file)
    contracts = found.contracts if contract is None else (played_contract(rules, contract),)
    for key in contracts:
        if key not in found.contracts:
            raise QueryError("range-lacks", contract=key, rules=rules, choices=found.contracts)
    if as_json:
        show(range_text.data(found, contracts, SEATS if seat is None else (seat,)))
    elif seat is None:
        show(on_terminal(range_text.table(found, contracts, lang)))
    else:
        show(on_terminal([block for key in contracts for block in range_text.hands(found, key, seat, lang)]))


def _tables(rules: RuleSet, folder: str | None) -> dict[str, PlayOutTable]:
    """Play-outs to find ranges with: those of a folder, or the packaged ones."""
    from kopsim.play_out_table import any_hand_tables

    return any_hand_tables(rules, None if folder is None else Path(folder))


def _show_rounds(found: CallingRanges, lang: Lang, as_json: bool) -> None:
    """The rounds of ranges just found."""
    from kopsim.faces import range_text
    from kopsim.faces.document import on_terminal
    from kopsim.rules.model import SEATS

    if as_json:
        show(range_text.data(found, found.contracts, SEATS))
    else:
        show(on_terminal(range_text.table(found, found.contracts, lang)))


def _ranges(rules: RuleSet, file: str | None) -> CallingRanges:
    """A file's ranges, or the packaged ones of these rules."""
    from kopsim.calling_range import packaged_ranges, read_ranges

    known = packaged_ranges(rules) if file is None else read_ranges(Path(file), rules)
    if known is None:
        raise QueryError("range-none", rules=rules)
    return known
