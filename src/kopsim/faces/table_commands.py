"""`kopsim table`: numbers of every hand, made once and looked up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopsim.errors import QueryError
from kopsim.faces import table_build_commands
from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, lang_of
from kopsim.faces.options import (
    Seat,
    Whole,
    argument,
    chosen_rules,
    common,
    csv_options,
    language,
    option,
    played_contract,
    refuse_given,
    show,
)

SEATS = (1, 2, 3, 4)  # as in kopsim.rules.model, which takes long to import

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kopsim.bound_table import Bound
    from kopsim.cards import Card
    from kopsim.errors import Lang
    from kopsim.faces.bound_table_text import BoundRows
    from kopsim.faces.play_out_table_text import PlayedRows
    from kopsim.odds_table import OddsTable
    from kopsim.rules import RuleSet

    Rows = PlayedRows | BoundRows

MODELS = ("double-dummy", "play-out", "best-defence", "reply-bound")


@click.group(
    "table",
    cls=SpokenGroup,
    help="help-table",
    short="short-table",
    examples=["kopsim table top --contract zolo --seat 2 -n 5", "kopsim table show AhTsQcAd --seat 4"],
)
@language
def table() -> None:
    """Odds of every hand."""


@table.command(
    "export",
    cls=SpokenCommand,
    help="help-table-export",
    short="short-table-export",
    examples=["kopsim table export --contract zolo --csv"],
)
@option("--contract", metavar="CONTRACT", required=True, help="help-table-contract")
@option("--model", metavar="|".join(MODELS), default=MODELS[0], help="help-table-model")
@csv_options
@option("--range", "range_name", metavar="any|auto|FILE", help="help-range")
@option("--table", "table_file", metavar="FILE", help="help-table-file")
@common
@click.pass_context
def table_export(
    ctx: click.Context,
    contract: str,
    model: str,
    as_csv: bool,
    style: str | None,
    range_name: str | None,
    table_file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Wins of every hand at every seat."""
    from kopsim.faces import table_text
    from kopsim.faces.csv_text import csv_style
    from kopsim.hand_wins import every_hands_wins

    rules, style = chosen_rules(rules_name), csv_style(as_csv, style)
    contract = played_contract(rules, contract)
    rows = _hidden_rows(ctx, model, rules, contract, table_file, range_name)
    if rows is not None:
        _show_rows(rows, lang_of(ctx), as_json=as_json, style=style)
        return
    wins = every_hands_wins(_open(rules, contract, table_file), rules, contract)
    if as_json:
        show(table_text.wins_data(rules, contract, wins))
    else:
        show(table_text.wins_table(wins, lang_of(ctx)) if style is None else table_text.wins_csv(wins, style))


@table.command(
    "top",
    cls=SpokenCommand,
    help="help-table-top",
    short="short-table-top",
    examples=["kopsim table top --contract zolo --seat 2 -n 5"],
)
@option("--contract", metavar="CONTRACT", required=True, help="help-table-contract")
@option("--model", metavar="|".join(MODELS), default=MODELS[0], help="help-table-model")
@option("--seat", type=Seat(), required=True, help="help-one-seat")
@option("-n", "count", type=Whole(), default=20, help="help-count")
@option("--range", "range_name", metavar="any|auto|FILE", help="help-range")
@option("--table", "table_file", metavar="FILE", help="help-table-file")
@common
@click.pass_context
def table_top(
    ctx: click.Context,
    contract: str,
    model: str,
    seat: int,
    count: int,
    range_name: str | None,
    table_file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """The hands that win most often."""
    from kopsim.faces import table_text
    from kopsim.hand_wins import every_hands_wins, wins_at

    if count < 1:
        raise QueryError("count-bad", count=count)
    rules = chosen_rules(rules_name)
    contract = played_contract(rules, contract)
    rows = _hidden_rows(ctx, model, rules, contract, table_file, range_name, seats=[seat])
    if rows is not None:
        rows.keep_best(count)
        _show_rows(rows, lang_of(ctx), as_json=as_json)
        return
    wins = every_hands_wins(_open(rules, contract, table_file), rules, contract)
    able = wins_at(wins, seat)
    best = [row for row, _ in sorted(able, key=lambda each: -each[1])[:count]]
    left_out = len(wins) - len(able)
    show(
        table_text.wins_data(rules, contract, best)
        if as_json
        else table_text.top(best, seat, lang_of(ctx), barred=left_out)
    )


@table.command(
    "show",
    cls=SpokenCommand,
    help="help-table-show",
    short="short-table-show",
    examples=[
        "kopsim table show AhTsQcAd --seat 4",
        "kopsim table show AhTcJcJs --contract zolo \\\n    --model play-out",
    ],
)
@argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), help="help-seat")
@option("--contract", metavar="CONTRACT", help="help-order")
@option("--model", metavar="|".join(MODELS), default=MODELS[0], help="help-table-model")
@option("--range", "range_name", metavar="any|auto|FILE", help="help-range")
@option("--table", "table_file", metavar="FILE", help="help-table-file")
@common
@click.pass_context
def table_show(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int | None,
    contract: str | None,
    model: str,
    range_name: str | None,
    table_file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """All that the table says of one hand."""
    from kopsim.barred import playable
    from kopsim.cards import parse_cards
    from kopsim.deals import check_hand, sort_hand
    from kopsim.faces import table_text
    from kopsim.hand_odds import lone_contracts

    rules = chosen_rules(rules_name)
    contract = None if contract is None else played_contract(rules, contract)
    cards = check_hand(parse_cards(" ".join(hand)), rules)
    seats = SEATS if seat is None else (seat,)
    rows = _hidden_rows(
        ctx, model, rules, contract, table_file, range_name, hands=[sort_hand(cards, rules)], seats=seats
    )
    if rows is not None:
        if not rows.rows:
            raise rows.barred[0].reason if rows.barred else QueryError("table-hand", cards=sort_hand(cards, rules))
        _show_rows(rows, lang_of(ctx), as_json=as_json)
        return
    known = _open(rules, contract, table_file)
    if cards not in known:
        raise QueryError("table-hand", cards=sort_hand(cards, rules))
    contracts = lone_contracts(rules, cards) if contract is None else [contract]
    barred = playable(rules, cards, seats, contracts).barred
    show(
        table_text.hand_data(known, rules, cards, seats, barred)
        if as_json
        else table_text.hand(known, rules, cards, seats, lang_of(ctx), barred)
    )


def _hidden_rows(
    ctx: click.Context,
    model: str,
    rules: RuleSet,
    contract: str | None,
    file: str | None,
    range_name: str | None,
    *,
    hands: Sequence[Sequence[Card]] | None = None,
    seats: Sequence[int] = SEATS,
) -> Rows | None:
    """Rows of a file or a packaged table of hidden hands; None for double dummy, whose tables hold more."""
    from kopsim.bound_table import BOUNDS

    if model not in MODELS:
        raise QueryError("model-bad", text=model, choices=MODELS)
    if model not in ("play-out", "reply-bound"):
        refuse_given(ctx, ["range_name"], "model-option", model=model)
    if model == "double-dummy":
        return None
    if contract is None:
        raise QueryError("table-which", model=model)
    key = played_contract(rules, contract)
    for bound in BOUNDS:
        if bound == model:
            return _bound_rows(rules, key, bound, file, range_name, hands, seats)
    return _played_rows(rules, key, file, range_name, hands, seats)


def _played_rows(
    rules: RuleSet,
    contract: str,
    file: str | None,
    range_name: str | None,
    hands: Sequence[Sequence[Card]] | None,
    seats: Sequence[int],
) -> PlayedRows:
    from kopsim.calling_range import range_hash
    from kopsim.faces.play_out_table_text import PlayedRows
    from kopsim.faces.range_option import chosen_ranges
    from kopsim.play_out_table import PlayOutTable, packaged_play_outs

    expected = range_hash(chosen_ranges(range_name, rules, [contract]), contract)
    if file is not None:
        table = PlayOutTable(Path(file), rules, contract)
        if range_name is not None and table.header.made.get("range") != expected:
            raise QueryError("table-expected", file=file)
        return PlayedRows(table, hands, seats)
    known = packaged_play_outs(rules, contract, expected)
    if known is None:
        raise QueryError("table-play-none", rules=rules, contract=contract)
    return PlayedRows(known, hands, seats)


def _bound_rows(
    rules: RuleSet,
    contract: str,
    bound: Bound,
    file: str | None,
    range_name: str | None,
    hands: Sequence[Sequence[Card]] | None,
    seats: Sequence[int],
) -> BoundRows:
    from kopsim.bound_table import BoundTable, packaged_bounds
    from kopsim.calling_range import range_hash
    from kopsim.faces.bound_table_text import BoundRows
    from kopsim.faces.range_option import chosen_ranges

    expected = None
    if bound == "reply-bound":
        expected = range_hash(chosen_ranges(range_name, rules, [contract]), contract)
    if file is not None:
        table = BoundTable(Path(file), rules, contract, bound)
        if range_name is not None and table.header.made.get("range") != expected:
            raise QueryError("table-expected", file=file)
        return BoundRows(table, hands, seats)
    known = packaged_bounds(rules, contract, bound, expected)
    if known is None:
        raise QueryError("table-bound-none", rules=rules, contract=contract, bound=bound)
    return BoundRows(known, hands, seats)


def _show_rows(rows: Rows, lang: Lang, *, as_json: bool, style: str | None = None) -> None:
    from kopsim.faces.document import on_terminal

    if as_json:
        show(rows.data())
    else:
        show(on_terminal(rows.blocks(lang)) if style is None else rows.csv(style))


def _open(rules: RuleSet, contract: str | None, file: str | None) -> OddsTable:
    """The odds table to look into: a file, or the packaged one of these rules."""
    from kopsim.odds_table import OddsTable, packaged_table

    order = rules.order_of(contract)
    if file is not None:
        return OddsTable(Path(file), rules, order)
    known = packaged_table(rules, order)
    if known is None:
        raise QueryError("table-none", rules=rules)
    return known


for command in (table_build_commands.table_build, table_build_commands.table_merge):
    table.add_command(command)
