"""`kopsim score`, `kopsim bid` and `kopsim analyse`: what a deal pays, what may be called, what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from kopsim.errors import KopsimError, QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, Seats, Whole, argument, chosen_rules, common, common_but, option, show
from kopsim.text_file import read_text

if TYPE_CHECKING:
    from kopsim.scoring import Party


@click.command(
    cls=SpokenCommand,
    help="help-score",
    short="short-score",
    examples=[
        "kopsim score --contract zolo --sides 4 --points 60",
        "kopsim score --contract game --sides 1,3 --points 70",
    ],
)
@option("--contract", metavar="CONTRACT", required=True, help="help-any-contract")
@option("--sides", type=Seats(), required=True, metavar="1,3", help="help-sides")
@option("--points", type=Whole(), help="help-points")
@option("--tricks", type=Whole(), help="help-tricks")
@option("--doubling", metavar="kontra,rej", help="help-doubling")
@option("--last-call", metavar="old|young", help="help-last-call")
@option("--misplay", type=Seat(), metavar="SEAT", help="help-misplay")
@option("--bok-round", is_flag=True, help="help-bok-round")
@common
@click.pass_context
def score(
    ctx: click.Context,
    contract: str,
    sides: tuple[int, ...],
    points: int | None,
    tricks: int | None,
    doubling: str | None,
    last_call: str | None,
    misplay: int | None,
    bok_round: bool,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """What a contract pays."""
    from kopsim.faces import game_text
    from kopsim.faces.document import on_terminal
    from kopsim.scoring import score as score_deal

    rules = chosen_rules(rules_name)
    calls = [call.strip().lower() for call in doubling.split(",")] if doubling is not None else []
    paid = score_deal(
        rules.contract_key(contract),
        sides,
        points=points,
        tricks=tricks,
        doubling=calls,
        last_call=cast("Party | None", last_call),
        misplay=misplay,
        bok_round=bok_round,
        rules=rules,
    )
    show(game_text.score_data(paid) if as_json else on_terminal(game_text.score(paid, rules, lang_of(ctx))))


@click.command(
    cls=SpokenCommand,
    help="help-bid",
    short="short-bid",
    examples=['kopsim bid --calls "2: pas, 3: zolo"', 'kopsim bid --hand "Q♣ J♣ A♥ A♦" --calls "2: pas"'],
)
@option("--hand", metavar="CARDS", help="help-bid-hand")
@option("--calls", default="", metavar='"2: pas, 3: zolo"', help="help-calls")
@common
@click.pass_context
def bid(ctx: click.Context, hand: str | None, calls: str, rules_name: str | None, as_json: bool) -> None:
    """What may be called now."""
    from kopsim.bidding import Auction
    from kopsim.bidding import bid as make_calls
    from kopsim.cards import parse_cards
    from kopsim.deals import check_hand
    from kopsim.faces import game_text
    from kopsim.faces.document import on_terminal

    rules = chosen_rules(rules_name)
    auction = make_calls(Auction(rules), calls)
    if hand is not None:
        cards = check_hand(parse_cards(hand), rules)
        if auction.to_speak is not None:
            # The hand may show that its own earlier calls were against the rules.
            auction = make_calls(Auction(rules, {auction.to_speak: cards}), calls)
    show(game_text.auction_data(auction) if as_json else on_terminal(game_text.auction(auction, lang_of(ctx))))


@click.command(
    cls=SpokenCommand,
    help="help-analyse",
    short="short-analyse",
    examples=["kopsim analyse deal.txt"],
)
@argument("file", required=True)
@common_but("help-rules-deal")
@click.pass_context
def analyse(ctx: click.Context, file: str, rules_name: str | None, as_json: bool) -> None:
    """A played deal judged card by card."""
    from kopsim.deal_analysis import post_mortem
    from kopsim.faces import game_text
    from kopsim.faces.document import on_terminal
    from kopsim.played_deal import parse_played

    rules = None if rules_name is None else chosen_rules(rules_name)
    path = Path(file)
    judged = post_mortem(parse_played(_text(path), path.as_posix(), rules))
    show(game_text.post_mortem_data(judged) if as_json else on_terminal(game_text.post_mortem(judged, lang_of(ctx))))


def _text(path: Path) -> str:
    """What a file holds; raises QueryError if it cannot be read."""
    try:
        return read_text(path)
    except KopsimError as error:
        raise QueryError("hands-file", file=path.as_posix(), reason=error) from None
