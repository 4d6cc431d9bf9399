"""`kopsim odds` and `kopsim solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kopsim.errors import QueryError
from kopsim.faces.options import Known, Seat, Seats, SpokenCommand, Whole, chosen_rules, common, lang_of, option, show

if TYPE_CHECKING:
    from kopsim.cards import Card

MODELS = ("double-dummy", "best-defence", "reply-bound", "all")


@click.command(cls=SpokenCommand, help="help-odds")
@click.argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), help="help-seat")
@option("--contract", help="help-contract")
@option("--model", metavar="double-dummy|best-defence|reply-bound|all", help="help-model")
@option("--defenders", default="pimc", metavar="random|greedy|pimc", help="help-reply-defenders")
@option("--holds", type=Known(), multiple=True, help="help-holds")
@option("--lacks", type=Known(), multiple=True, help="help-lacks")
@option("--samples", type=Whole(), help="help-samples")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--no-table", is_flag=True, help="help-no-table")
@option("--threads", type=Whole(), help="help-threads")
@common
@click.pass_context
def odds(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int | None,
    contract: str | None,
    model: str | None,
    defenders: str,
    holds: tuple[tuple[int, tuple[Card, ...]], ...],
    lacks: tuple[tuple[int, tuple[Card, ...]], ...],
    samples: int | None,
    seed: int,
    no_table: bool,
    threads: int | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """The odds of a hand, seat by seat and contract by contract."""
    from kopsim.best_defence import best_defences
    from kopsim.cards import parse_cards, parse_pattern
    from kopsim.deals import check_hand
    from kopsim.faces import bracket_text, odds_text, pair_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import layouts_bar
    from kopsim.hand_odds import lone_contracts, odds_of_contracts
    from kopsim.pair_game_odds import is_pair_game, pair_odds
    from kopsim.reply_bound import reply_bounds
    from kopsim.rules.model import SEATS

    rules = chosen_rules(rules_name)
    cards = parse_pattern(" ".join(hand))
    check_hand(cards, rules)
    if (holds or lacks) and seat is None:
        raise QueryError("seats-where")
    seats = SEATS if seat is None else (seat,)
    contract = None if contract is None else rules.contract_key(contract)
    if model not in (None, *MODELS):
        raise QueryError("model-bad", text=model, choices=MODELS)
    if model in ("best-defence", "reply-bound", "all"):
        if holds or lacks or samples is not None or (contract is not None and is_pair_game(contract, rules)):
            raise QueryError("model-whole")
        if model == "reply-bound":
            bounds = reply_bounds(rules, parse_cards(" ".join(hand)), seats, contract, defenders, seed)
            show(
                bracket_text.reply_data(rules, bounds)
                if as_json
                else on_terminal(bracket_text.reply_table(rules, bounds, lang_of(ctx)))
            )
            return
        found = best_defences(rules, parse_cards(" ".join(hand)), seats, contract)
        show(
            bracket_text.data(rules, found, model)
            if as_json
            else on_terminal(bracket_text.table(rules, found, lang_of(ctx)))
        )
        return
    if contract is not None and is_pair_game(contract, rules):
        with layouts_bar(lang_of(ctx)) as progress:
            pairs = [
                pair_odds(
                    cards,
                    seat=each,
                    contract=contract,
                    holds=_by_seat(holds),
                    lacks=_by_seat(lacks),
                    rules=rules,
                    samples=samples,
                    seed=seed,
                    use_table=not no_table,
                    threads=threads,
                    progress=progress,
                )
                for each in seats
            ]
        show(pair_text.data(rules, pairs) if as_json else on_terminal(pair_text.table(rules, pairs, lang_of(ctx))))
        return
    contracts = lone_contracts(rules, cards) if contract is None else [contract]
    if not contracts:
        raise QueryError("contract-none", rules=rules, cards=["?" if card is None else card for card in cards])
    with layouts_bar(lang_of(ctx)) as progress:
        results = [
            result
            for each in seats
            for result in odds_of_contracts(
                cards,
                seat=each,
                contracts=contracts,
                holds=_by_seat(holds),
                lacks=_by_seat(lacks),
                rules=rules,
                samples=samples,
                seed=seed,
                use_table=not no_table,
                threads=threads,
                progress=progress,
            )
        ]
    show(
        odds_text.data(rules, results, told_model=model is not None)
        if as_json
        else odds_text.table(rules, results, lang_of(ctx))
    )


@click.command(cls=SpokenCommand, help="help-solve")
@click.argument("deal", nargs=-1, required=True)
@option("--side", type=Seats(), required=True, help="help-side")
@option("--contract", help="help-order")
@option("--lead", type=Seat(), default=1, help="help-lead")
@option("--played", default="", help="help-played")
@common
@click.pass_context
def solve(
    ctx: click.Context,
    deal: tuple[str, ...],
    side: tuple[int, ...],
    contract: str | None,
    lead: int,
    played: str,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """A deal or ending with all hands open."""
    from kopsim.cards import parse_cards
    from kopsim.deals import Deal
    from kopsim.double_dummy import solve as solve_position
    from kopsim.faces import solve_text
    from kopsim.play import Position

    rules = chosen_rules(rules_name)
    position = Position.start(Deal.parse(" ".join(deal), rules), contract=contract, leader=lead)
    for card in parse_cards(played) if played.strip() else ():
        position = position.play(card)
    solution = solve_position(position, side=side)
    show(solve_text.data(rules, solution) if as_json else solve_text.table(position, solution, lang_of(ctx)))


def _by_seat(known: tuple[tuple[int, tuple[Card, ...]], ...]) -> dict[int, tuple[Card, ...]]:
    """Joins what several options say of one seat."""
    joined: dict[int, tuple[Card, ...]] = {}
    for seat, cards in known:
        joined[seat] = (*joined.get(seat, ()), *cards)
    return joined


COMMANDS = (odds, solve)
