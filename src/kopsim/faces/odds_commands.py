"""`kopsim odds` and `kopsim solve`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Known, Seat, Seats, Whole, argument, chosen_rules, common, option, refuse_given, show
from kopsim.interrupted import Interrupted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kopsim.calling_range import CallingRanges
    from kopsim.cards import Card
    from kopsim.errors import Lang
    from kopsim.rules import RuleSet

    Shown = dict[str, Any] | RenderableType

MODELS = ("double-dummy", "best-defence", "play-out", "reply-bound", "all")


@click.command(
    cls=SpokenCommand,
    help="help-odds",
    short="short-odds",
    examples=[
        'kopsim odds "A♥ 10♠ Q♣ A♦"',
        "kopsim odds AhTsQcAd --seat 1 --holds 2:A♣,10♦",
        'kopsim odds "A♥ 10♣ J♣ J♠" --contract zolo --model all',
    ],
)
@argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), help="help-seat")
@option("--contract", metavar="CONTRACT", help="help-contract")
@option("--model", metavar="MODEL", help="help-model")
@option(
    "--defenders",
    default="pimc",
    metavar="PLAYER",
    help="help-reply-defenders",
)
@option("--range", "range_name", metavar="any|auto|FILE", help="help-range")
@option("--weigh", type=Whole(), default=20, help="help-weigh")
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
    range_name: str | None,
    weigh: int,
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
    from kopsim.cards import parse_pattern
    from kopsim.cluster import check_threads
    from kopsim.deals import check_hand
    from kopsim.hand_odds import lone_contracts
    from kopsim.rules.model import SEATS

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    cards = parse_pattern(" ".join(hand))
    check_hand(cards, rules)
    if (holds or lacks) and seat is None:
        raise QueryError("seats-where")
    if model not in (None, *MODELS):
        raise QueryError("model-bad", text=model, choices=MODELS)
    seats = SEATS if seat is None else (seat,)
    key = None if contract is None else rules.contract_key(contract)
    in_pairs = key is not None and rules.contract(key).sides != "soloist"
    asked: dict[str, Any] = {
        "holds": _by_seat(holds),
        "lacks": _by_seat(lacks),
        "rules": rules,
        "samples": samples,
        "seed": seed,
        "use_table": not no_table,
        "threads": threads,
    }
    if model in (None, "double-dummy", "best-defence"):
        refuse_given(ctx, ["range_name"], "model-option", model=model or "double-dummy")
    unused = {
        "best-defence": ("seed", "weigh", "defenders", "no_table"),
        "play-out": ("seed", "weigh", "defenders", "no_table"),
        "all": ("seed", "weigh", "defenders", "no_table"),
        "reply-bound": ("no_table",),
    }
    refuse_given(ctx, unused.get(model or "", ("weigh", "defenders")), "model-option", model=model or "double-dummy")
    if model is None or model == "double-dummy":
        if key is not None and in_pairs:
            _of_pairs(cards, seats, key, asked, lang, as_json)
        else:
            _double_dummy(cards, seats, key, asked, lang, as_json, model)
        return
    if in_pairs:
        raise QueryError("contract-pairs", contract=contract, choices=lone_contracts(rules))
    if holds or lacks or samples is not None or None in cards:
        raise QueryError("model-whole")
    check_threads(threads)
    known = [card for card in cards if card is not None]
    if model in ("play-out", "all"):
        _hidden(rules, known, seats, key, model, range_name, threads, lang, as_json)
    elif model == "reply-bound":
        asked = {"defenders": defenders, "seed": seed, "layouts": weigh, "threads": threads}
        asked["ranges"] = _ranges(range_name, rules, known, key)
        show(_reply_bound(rules, known, seats, key, asked, lang, as_json))
    else:
        show(_best_defence(rules, known, seats, key, threads, lang, as_json))


def _double_dummy(
    cards: Sequence[Card | None],
    seats: Sequence[int],
    contract: str | None,
    asked: dict[str, Any],
    lang: Lang,
    as_json: bool,
    model: str | None,
) -> None:
    from kopsim.barred import playable
    from kopsim.faces import odds_text
    from kopsim.faces.interrupted_text import end_of_answer, interrupted_data
    from kopsim.faces.progress import layouts_bar
    from kopsim.hand_odds import Odds, lone_contracts, odds_of_contracts

    rules = asked["rules"]
    contracts = lone_contracts(rules, cards) if contract is None else [contract]
    if not contracts:
        raise QueryError("contract-none", rules=rules, cards=["?" if card is None else card for card in cards])
    allowed, barred = playable(rules, cards, seats, contracts)
    stop, results = None, list[Odds]()
    try:
        with layouts_bar(lang) as progress:
            for seat in dict.fromkeys(seat for seat, _ in allowed):
                keys = [key for at, key in allowed if at == seat]
                results += odds_of_contracts(cards, seat=seat, contracts=keys, progress=progress, **asked)
    except KeyboardInterrupt as early:
        stop, results = early, [*results, *(early.so_far if isinstance(early, Interrupted) else [])]
        if not results:
            raise
    if as_json:
        show(odds_text.data(rules, results, barred, told_model=model is not None) | interrupted_data(stop))
    else:
        show(odds_text.table(rules, results, lang, barred))
    end_of_answer(stop, lang, as_json)


def _of_pairs(
    cards: Sequence[Card | None], seats: Sequence[int], contract: str, asked: dict[str, Any], lang: Lang, as_json: bool
) -> None:
    from kopsim.faces import pair_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.interrupted_text import end_of_answer, interrupted_data
    from kopsim.faces.progress import layouts_bar
    from kopsim.pair_game_odds import PairOdds, pair_odds

    rules, stop, results = asked["rules"], None, list[PairOdds]()
    try:
        with layouts_bar(lang) as progress:
            for seat in seats:
                results.append(pair_odds(cards, seat=seat, contract=contract, progress=progress, **asked))
    except KeyboardInterrupt as early:
        stop, results = early, [*results, *([early.so_far] if isinstance(early, Interrupted) else [])]
        if not results:
            raise
    if as_json:
        show(pair_text.data(rules, results) | interrupted_data(stop))
    else:
        show(on_terminal(pair_text.table(rules, results, lang)))
    end_of_answer(stop, lang, as_json)


def _best_defence(
    rules: RuleSet,
    cards: Sequence[Card],
    seats: Sequence[int],
    contract: str | None,
    threads: int | None,
    lang: Lang,
    as_json: bool,
) -> Shown:
    from kopsim.best_defence import best_defences
    from kopsim.faces import bracket_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import stages_bar
    from kopsim.throwdowns.prover import playable_alone

    with stages_bar(lang) as progress:
        found = best_defences(rules, cards, seats, contract, threads=threads, progress=partial(progress, "planned"))
    barred = playable_alone(rules, cards, seats, contract).barred
    if as_json:
        return bracket_text.data(rules, found, barred)
    return on_terminal(bracket_text.table(rules, found, lang, barred))


def _hidden(
    rules: RuleSet,
    cards: Sequence[Card],
    seats: Sequence[int],
    contract: str | None,
    model: str,
    range_name: str | None,
    threads: int | None,
    lang: Lang,
    as_json: bool,
) -> None:
    from kopsim.calling_range import range_hash
    from kopsim.faces import hidden_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.interrupted_text import end_of_answer, interrupted_data
    from kopsim.faces.progress import stages_bar
    from kopsim.measures import estimate_of_play, every_measure
    from kopsim.throwdowns.prover import playable_alone

    ranges = _ranges(range_name, rules, cards, contract)
    allowed, barred = playable_alone(rules, cards, seats, contract)
    if model == "all":
        with stages_bar(lang) as progress:
            asked: dict[str, Any] = {"ranges": ranges, "threads": threads, "progress": partial(progress, "planned")}
            found = every_measure(rules, cards, seats, contract, **asked)
        if as_json:
            show(hidden_text.data(rules, cards, found, barred))
        else:
            show(on_terminal(hidden_text.table(rules, cards, found, lang, barred)))
        return
    stop: KeyboardInterrupt | None = None
    played: list[hidden_text.Played] = []
    try:
        with stages_bar(lang) as progress:
            for seat, key in allowed:
                expected = range_hash(ranges, key) is not None
                told: dict[str, Any] = {"ranges": ranges, "threads": threads, "progress": partial(progress, "deals")}
                played.append((seat, key, estimate_of_play(rules, cards, seat, key, **told), expected))
    except KeyboardInterrupt as early:
        stop, played = (
            early,
            [*played, *([(seat, key, early.so_far, expected)] if isinstance(early, Interrupted) else [])],
        )
        if not played:
            raise
    if as_json:
        show(hidden_text.played_data(rules, cards, played, barred) | interrupted_data(stop))
    else:
        show(on_terminal(hidden_text.played_table(rules, cards, played, lang, barred)))
    end_of_answer(stop, lang, as_json)


def _ranges(name: str | None, rules: RuleSet, cards: Sequence[Card], contract: str | None) -> CallingRanges | None:
    """The ranges that --range names for one contract, or for all that the hand may announce and play alone."""
    from kopsim.faces.range_option import chosen_ranges
    from kopsim.rules.model import SEATS
    from kopsim.throwdowns.prover import playable_alone

    allowed = playable_alone(rules, cards, SEATS, contract).allowed
    keys = dict.fromkeys(key for _, key in allowed)
    loud = [key for key in keys if contract is not None or rules.contract(key).announced != "silent"]
    return chosen_ranges(name, rules, loud)


def _reply_bound(
    rules: RuleSet,
    cards: Sequence[Card],
    seats: Sequence[int],
    contract: str | None,
    asked: dict[str, Any],
    lang: Lang,
    as_json: bool,
) -> Shown:
    from kopsim.faces import bracket_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import stages_bar
    from kopsim.reply_bound import reply_bounds
    from kopsim.throwdowns.prover import playable_alone

    with stages_bar(lang) as progress:
        bounds = reply_bounds(rules, cards, seats, contract, progress=partial(progress, "replies"), **asked)
    # A contract that nobody announces has no reply, whoever may play it.
    barred = [
        each
        for each in playable_alone(rules, cards, seats, contract).barred
        if rules.contract(each.contract).announced != "silent"
    ]
    if as_json:
        return bracket_text.reply_data(rules, bounds, barred)
    return on_terminal(bracket_text.reply_table(rules, bounds, lang, barred))


@click.command(
    cls=SpokenCommand,
    help="help-solve",
    short="short-solve",
    examples=[
        'kopsim solve "J♠ | 10♥ | A♦ | A♥" --side 4 --lead 3',
        'kopsim solve "A♥ Q♣ | 10♥ J♣ | A♦ A♣ | J♠ A♠" --side 1,3',
    ],
)
@argument("deal", nargs=-1, required=True)
@option("--side", type=Seats(), required=True, help="help-side")
@option("--contract", metavar="CONTRACT", help="help-order")
@option("--lead", type=Seat(), default=1, help="help-lead")
@option("--played", default="", metavar="CARDS", help="help-played")
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
