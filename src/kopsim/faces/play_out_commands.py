"""`kopsim play-out`: a hand played out by players who see only what they would see at a table."""

from __future__ import annotations

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import (
    Seat,
    Whole,
    argument,
    chosen_rules,
    common,
    number_of,
    option,
    played_contract,
    refuse_given,
    show,
)


@click.command(
    "play-out",
    cls=SpokenCommand,
    help="help-play-out",
    short="short-play-out",
    examples=[
        "kopsim play-out AhTcJcJs --seat 3 --contract zolo",
        "kopsim play-out AhTcJcJs --seat 3 --contract zolo --show",
    ],
)
@argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), required=True, help="help-one-seat")
@option("--contract", metavar="CONTRACT", required=True, help="help-play-contract")
@option("--players", default="pimc", metavar="PLAYER", help="help-players")
@option("--defenders", metavar="PLAYER", help="help-defenders")
@option("--range", "range_name", metavar="any|auto|FILE", help="help-range")
@option("--deals", type=Whole(), default=1000, help="help-deals")
@option("--precision", metavar="0.01", help="help-precision")
@option("--weigh", type=Whole(), default=20, help="help-weigh")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--show", "show_deal", is_flag=True, help="help-show")
@option("--threads", type=Whole(), help="help-threads")
@option("--cluster", metavar="local:N|ADDRESS", help="help-cluster")
@common
@click.pass_context
def play_out(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int,
    contract: str,
    players: str,
    defenders: str | None,
    range_name: str | None,
    deals: int,
    precision: str | None,
    weigh: int,
    seed: int,
    show_deal: bool,
    threads: int | None,
    cluster: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """A hand played out."""
    from kopsim.bidding import barred_call
    from kopsim.cards import parse_cards
    from kopsim.faces import play_out_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.interrupted_text import end_of_answer, interrupted_data
    from kopsim.faces.progress import stages_bar
    from kopsim.faces.range_option import chosen_ranges
    from kopsim.interrupted import Interrupted
    from kopsim.play_out import drawn_layouts, make_setting
    from kopsim.play_out import play_out as play_deals

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    key = played_contract(rules, contract)
    if threads is not None and cluster is not None:
        raise QueryError("threads-or-cluster")
    cards, ranges = parse_cards(" ".join(hand)), chosen_ranges(range_name, rules, [key])
    calling = None if ranges is None else ranges.expected(key, seat, frozenset(cards))
    if show_deal:
        refuse_given(ctx, ("deals", "precision", "threads", "cluster"), "show-option")
        setting = make_setting(cards, seat, key, players, defenders, calling, weigh, seed, rules)
        if barred := barred_call(rules, key, cards, seat):
            raise barred.reason
        shown = play_out_text.watched(setting, int(drawn_layouts(setting)[0]))
        show(play_out_text.watched_data(shown) if as_json else on_terminal(play_out_text.watched_text(shown, lang)))
        return
    stop: KeyboardInterrupt | None = None
    try:
        with stages_bar(lang) as progress:
            result = play_deals(
                cards,
                seat=seat,
                contract=key,
                deals=deals,
                own=players,
                others=defenders,
                calling=calling,
                layouts=weigh,
                seed=seed,
                precision=None if precision is None else number_of(precision, "precision-bad"),
                rules=rules,
                threads=threads,
                cluster=cluster,
                progress=lambda done, of: progress("deals", done, of),
            )
    except Interrupted as early:
        stop, result = early, early.so_far
    if as_json:
        show(play_out_text.data(result, key) | interrupted_data(stop))
    else:
        show(on_terminal(play_out_text.table(result, key, lang)))
    end_of_answer(stop, lang, as_json)
