"""`kopsim compare`: what rule sets do to a hand."""

from __future__ import annotations

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, language, option, show


@click.command(
    cls=SpokenCommand,
    help="help-compare",
    short="short-compare",
    examples=["kopsim compare AhTsQcQs --rules kop-gorzow-2014 \\\n    --rules kop-koscian --seat 4"],
)
@argument("hand", nargs=-1, required=True)
@option("--rules", "names", multiple=True, metavar="ID|FILE", help="help-compare-rules")
@option("--seat", type=Seat(), help="help-seat")
@option("--json", "as_json", is_flag=True, help="help-json")
@language
@click.pass_context
def compare(ctx: click.Context, hand: tuple[str, ...], names: tuple[str, ...], seat: int | None, as_json: bool) -> None:
    """The calls of a hand under several rule sets."""
    from kopsim.cards import parse_cards
    from kopsim.faces import comparison_text
    from kopsim.faces.document import on_terminal
    from kopsim.rule_comparison import compare_hand
    from kopsim.rules.model import SEATS

    if len(set(names)) < 2:
        raise QueryError("compare-two")
    rules, cards = [chosen_rules(name) for name in dict.fromkeys(names)], parse_cards(" ".join(hand))
    compared = compare_hand(cards, rules, SEATS if seat is None else (seat,))
    if as_json:
        show(comparison_text.hand_data(rules, cards, compared))
    else:
        show(on_terminal(comparison_text.hand_table(rules, cards, compared, lang_of(ctx))))
