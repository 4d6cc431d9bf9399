"""`kopsim chart-data`: the figures of the printed charts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, common, csv_options, option, refuse_given, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from kopsim.rules import RuleSet

CHARTS = ("zolo", "kontra", "wesele")


@click.command(
    "chart-data",
    cls=SpokenCommand,
    help="help-chart-data",
    short="short-chart-data",
    examples=["kopsim chart-data zolo --seat 3 --csv", "kopsim chart-data kontra --seat 4 --csv"],
)
@argument("chart", metavar="|".join(CHARTS))
@option("--seat", type=Seat(), required=True, help="help-one-seat")
@option("--contract", metavar="CONTRACT", default="zolo", help="help-chart-contract")
@csv_options
@common
@click.pass_context
def chart_data(
    ctx: click.Context,
    chart: str,
    seat: int,
    contract: str,
    as_csv: bool,
    style: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Every hand with its call, or with its kontra."""
    from kopsim.faces.csv_text import csv_style, csv_text
    from kopsim.faces.progress import stages_bar

    rules, style = chosen_rules(rules_name), csv_style(as_csv, style)
    if chart not in CHARTS:
        raise QueryError("chart-bad", text=chart, choices=CHARTS)
    if chart == "kontra":
        rows = _kontra(rules, rules.contract_key(contract), seat)
    else:
        refuse_given(ctx, ("contract",), "chart-option", chart=chart)
        with stages_bar(lang_of(ctx)) as progress:
            rows = _calls(rules, chart, seat, partial(progress, "hands"))
    if as_json and style is None:
        show({"rules": rules.id, "chart": chart, "seat": seat, "hands": rows})
    else:
        show(csv_text(list(rows[0]), [list(row.values()) for row in rows], style or "plain"))


def _calls(rules: RuleSet, contract: str, seat: int, progress: Callable[[int, int], None]) -> list[dict[str, Any]]:
    from kopsim.call_chart import call_chart

    return [
        {
            "hand": "".join(map(str, row.hand)),
            "call": row.advice.recommended.call,
            "mean": round(row.advice.earned(row.advice.recommended).value, 4),
            "margin": None if row.advice.margin is None else round(row.advice.margin.value, 4),
            "error": None if row.advice.margin is None else round(row.advice.margin.error, 4),
            "reason": row.advice.reason,
            f"{contract}_mean": round(row.earned.value, 4),
            f"{contract}_error": round(row.earned.error, 4),
            f"{contract}_low": round(row.earned.interval[0], 4),
            f"{contract}_high": round(row.earned.interval[1], 4),
            "range_call": None if row.advice.range_call is None else row.advice.range_call.call,
        }
        for row in call_chart(rules, contract, seat, progress=progress)
    ]


def _kontra(rules: RuleSet, contract: str, seat: int) -> list[dict[str, Any]]:
    from kopsim.call_chart import kontra_chart

    rows = []
    for row in kontra_chart(rules, contract, seat):
        for caller, told in row.callers:
            if told is None:
                continue
            low, high = told.interval
            unsaid = told.few or told.says is None
            rows.append(
                {
                    "hand": "".join(map(str, row.hand)),
                    "soloist": caller,
                    "kontra": None if unsaid else told.says,
                    "gain": None if unsaid else round(told.mean_gain.value, 4),
                    "error": None if unsaid else round(told.mean_gain.error, 4),
                    "close": None if unsaid else told.close,
                    "lost": round(told.probability, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "lost_open": round(told.probability_open, 4),
                    "deals": told.deals,
                }
            )
    return rows
