"""`kopsim kontra`: whether to double a call, by a defender's own hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, common, option, played_contract, show

if TYPE_CHECKING:
    from kopsim.kontra_table import KontraTable
    from kopsim.rules import RuleSet


@click.command(
    cls=SpokenCommand,
    help="help-kontra",
    short="short-kontra",
    examples=['kopsim kontra "10♣ 10♥ J♣ A♣" --seat 4 --soloist 3'],
)
@argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), required=True, help="help-own-seat")
@option("--soloist", type=Seat(), required=True, help="help-soloist")
@option("--contract", metavar="CONTRACT", help="help-kontra-contract")
@option("--table", "file", metavar="FILE", help="help-kontra-table")
@common
@click.pass_context
def kontra(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int,
    soloist: int,
    contract: str | None,
    file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Whether to say kontra."""
    from kopsim.cards import parse_cards
    from kopsim.deals import check_hand, sort_hand
    from kopsim.faces import kontra_text
    from kopsim.faces.document import on_terminal

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    cards = check_hand(parse_cards(" ".join(hand)), rules)
    tables = _tables(rules, None if contract is None else played_contract(rules, contract), file)
    found = [(table.contract, soloist, table.kontra(cards, seat, soloist)) for table in tables]
    rows = [(key, caller, told) for key, caller, told in found if told is not None]
    if not rows:
        raise QueryError("kontra-unknown", cards=sort_hand(cards, rules), seat=soloist)
    if as_json:
        show(kontra_text.data(rules, sorted(cards), seat, rows))
    else:
        tolerance = max(table.tolerance for table in tables)
        show(on_terminal(kontra_text.table(rules, sorted(cards), seat, rows, tolerance, lang)))


def _tables(rules: RuleSet, contract: str | None, file: str | None) -> list[KontraTable]:
    """The tables to look into: a file, or the packaged ones of one contract or all."""
    from kopsim.kontra_table import KontraTable, packaged_kontra
    from kopsim.table_file import read_header

    if file is not None:
        return [KontraTable(Path(file), rules, contract or str(read_header(Path(file)).made.get("contract")))]
    keys = rules.contracts if contract is None else (contract,)
    known = [table for key in keys if (table := packaged_kontra(rules, key)) is not None]
    if not known:
        raise QueryError("kontra-none", rules=rules, contract=contract or "zolo")
    return known
