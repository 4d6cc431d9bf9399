"""`kopsim advise`: which call earns most."""

from __future__ import annotations

import click

from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, common, option, show


@click.command(
    cls=SpokenCommand,
    help="help-advise",
    short="short-advise",
    examples=['kopsim advise "A♥ 10♣ J♣ J♠" --seat 3', 'kopsim advise "10♣ 10♥ J♣ A♣" --calls "2: pas, 3: zolo"'],
)
@argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), help="help-seat")
@option("--calls", default="", metavar='"2: pas, 3: zolo"', help="help-advise-calls")
@common
@click.pass_context
def advise(
    ctx: click.Context, hand: tuple[str, ...], seat: int | None, calls: str, rules_name: str | None, as_json: bool
) -> None:
    """The call that earns most with a hand."""
    from kopsim.advice import advise as advise_hand
    from kopsim.cards import parse_cards
    from kopsim.faces import advise_text
    from kopsim.faces.document import on_terminal
    from kopsim.rules.model import SEATS

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    cards = parse_cards(" ".join(hand))
    if calls.strip():
        from kopsim.faces import heard_text
        from kopsim.heard_values import advise_heard

        heard = advise_heard(cards, calls, seat=seat, rules=rules)
        show(heard_text.data(heard) if as_json else on_terminal(heard_text.screen(heard, lang)))
        return
    advices = [advise_hand(cards, seat=each, rules=rules) for each in (SEATS if seat is None else (seat,))]
    if seat is None:
        shown = advise_text.data_of_seats(advices) if as_json else on_terminal(advise_text.seats_table(advices, lang))
    else:
        shown = advise_text.data(advices[0]) if as_json else on_terminal(advise_text.screen(advices[0], lang))
    show(shown)
