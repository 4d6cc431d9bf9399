"""`kopsim chart`: pictures of one hand, and of all hands at a seat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopsim.errors import Lang, QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, common, option, refuse_given, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from kopsim.cards import Card
    from kopsim.rules import RuleSet

# For each kind: how many cards it takes, and which options.
KINDS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "points": ((4,), ("seat",)),
    "seats": ((4,), ()),
    "bracket": ((4,), ("seat",)),
    "strategy": ((0, 2), ("seat",)),
    "seat-value": ((0,), ()),
    "kontra": ((0, 4), ("seat", "soloist")),
}
_MOST_GRIDS = 6  # on one sheet


@click.command(
    "chart",
    cls=SpokenCommand,
    help="help-chart",
    short="short-chart",
    examples=[
        'kopsim chart bracket "A♥ 10♣ J♣ J♠" --out bracket.png',
        'kopsim chart strategy "A♥ 10♣" --seat 3 --out call.svg',
    ],
)
@argument("kind", metavar="CHART")
@argument("hand", nargs=-1)
@option("--out", required=True, metavar="FILE.png|svg|pdf", help="help-out-chart")
@option("--seat", type=Seat(), help="help-chart-seat")
@option("--contract", metavar="CONTRACT", default="zolo", help="help-drawn-contract")
@option("--soloist", type=Seat(), help="help-chart-soloist")
@common
@click.pass_context
def chart(
    ctx: click.Context,
    kind: str,
    hand: tuple[str, ...],
    out: str,
    seat: int | None,
    contract: str,
    soloist: int | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Draws a chart into a file."""
    from kopsim.faces.chart_file import check_chart_ending, check_matplotlib, write_chart
    from kopsim.faces.progress import stages_bar

    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    if kind not in KINDS:
        raise QueryError("chart-bad", text=kind, choices=KINDS)
    check_chart_ending(Path(out))
    check_matplotlib()
    sizes, options = KINDS[kind]
    refuse_given(ctx, {"seat", "soloist"} - set(options), "chart-option", chart=kind)
    cards = _cards(kind, " ".join(hand), sizes, rules)
    with stages_bar(lang) as progress:
        progress("chart", 0, 2)
        figure = _drawn(kind, cards, rules, rules.contract_key(contract), seat, soloist, lang)
        progress("chart", 1, 2)
        write_chart(figure, Path(out))
        progress("chart", 2, 2)
    show({"rules": rules.id, "chart": kind, "file": out} if as_json else out)


def _cards(kind: str, text: str, sizes: Sequence[int], rules: RuleSet) -> tuple[Card, ...]:
    """The cards of a command line; raises QueryError if the kind of chart does not take so many."""
    from kopsim.cards import parse_cards
    from kopsim.deals import refuse_strangers

    cards = parse_cards(text) if text.strip() else ()
    refuse_strangers(cards, rules)
    if len(cards) not in sizes:
        raise QueryError("chart-cards", chart=kind, sizes=" / ".join(map(str, sizes)), count=len(cards))
    return cards


def _drawn(
    kind: str,
    cards: tuple[Card, ...],
    rules: RuleSet,
    contract: str,
    seat: int | None,
    soloist: int | None,
    lang: Lang,
) -> Figure:
    from kopsim.faces import hand_charts
    from kopsim.rules.model import SEATS

    seats: tuple[int, ...] = SEATS if seat is None else (seat,)
    if kind in ("points", "seats", "bracket"):
        from kopsim.barred import playable

        allowed, barred = playable(rules, cards, seats, [contract])
        seats = tuple(each for each, _ in allowed)
        left_out = [each.reason.text(lang) for each in barred]
    if kind == "points":
        from kopsim.hand_odds import odds

        found_odds = [odds(cards, seat=each, contract=contract, rules=rules) for each in seats]
        return hand_charts.points_chart(found_odds, lang, left_out)
    if kind in ("seats", "bracket"):
        from kopsim.measures import packaged_measures

        found = packaged_measures(rules, cards, contract, seats, solve=kind == "bracket")
        draw = hand_charts.bracket_chart if kind == "bracket" else hand_charts.seats_chart
        return draw(rules, contract, cards, found, lang, left_out)
    if kind == "seat-value":
        return _seat_value(rules, contract, lang)
    if seat is None:
        raise QueryError("chart-needs-seat", chart=kind)
    if kind == "strategy":
        return _strategy(cards, rules, contract, seat, lang)
    return _kontra(cards, rules, contract, seat, soloist, lang)


def _seat_value(rules: RuleSet, contract: str, lang: Lang) -> Figure:
    """What seats are worth in play, or with open cards where no play-outs are packaged."""
    from kopsim.calling_range import packaged_ranges
    from kopsim.faces.grid_charts import seat_value_chart, seat_wins_chart
    from kopsim.hand_wins import seat_wins
    from kopsim.hidden_study import seat_worths
    from kopsim.odds_table import packaged_table

    ranges = packaged_ranges(rules)
    if ranges is not None and contract in ranges.contracts:
        return seat_value_chart(rules, contract, seat_worths(rules, contract, ranges), lang)
    table = packaged_table(rules, rules.contract(contract).order)
    if table is None:
        raise QueryError("chart-no-table", rules=rules)
    return seat_wins_chart(rules, contract, seat_wins(table, rules, contract), lang)


def _strategy(cards: tuple[Card, ...], rules: RuleSet, contract: str, seat: int, lang: Lang) -> Figure:
    from kopsim.call_grid import call_grid, calling_pairs
    from kopsim.faces.grid_charts import strategy_chart

    if cards:
        return strategy_chart([call_grid(rules, contract, seat, cards)], 0, lang)
    pairs = calling_pairs(rules, contract, seat)
    if not pairs:
        raise QueryError("chart-nobody", contract=contract, seat=seat)
    grids = [call_grid(rules, contract, seat, pair, lower=True) for pair, _ in pairs[:_MOST_GRIDS]]
    return strategy_chart(grids, sum(count for _, count in pairs[_MOST_GRIDS:]), lang)


def _kontra(
    cards: tuple[Card, ...], rules: RuleSet, contract: str, seat: int, soloist: int | None, lang: Lang
) -> Figure:
    from kopsim.faces.grid_charts import kontra_chart
    from kopsim.faces.hand_charts import kontra_hand_chart
    from kopsim.kontra_pairs import kontra_grid
    from kopsim.kontra_table import packaged_kontra
    from kopsim.rules.model import SEATS

    callers = [each for each in SEATS if each != seat] if soloist is None else [soloist]
    table = packaged_kontra(rules, contract)
    if table is None:
        raise QueryError("kontra-none", rules=rules, contract=contract)
    if not cards:
        return kontra_chart([kontra_grid(rules, contract, seat, caller) for caller in callers], lang)
    known = [(caller, table.kontra(cards, seat, caller)) for caller in callers]
    told = [(caller, each) for caller, each in known if each is not None]
    if not told:
        raise QueryError("kontra-unknown", cards=cards, seat=callers[0])
    return kontra_hand_chart(rules, contract, cards, seat, told, lang)
