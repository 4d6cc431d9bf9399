"""`kopsim chart-data`: the figures of the printed charts."""

from __future__ import annotations

import csv
import io
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, common, option, refuse_given, show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
@option("--csv", "as_csv", is_flag=True, help="help-csv")
@common
@click.pass_context
def chart_data(
    ctx: click.Context, chart: str, seat: int, contract: str, as_csv: bool, rules_name: str | None, as_json: bool
) -> None:
    """Every hand with its call, or with its kontra."""
    from kopsim.faces.progress import stages_bar

    rules = chosen_rules(rules_name)
    if chart not in CHARTS:
        raise QueryError("chart-bad", text=chart, choices=CHARTS)
    if chart == "kontra":
        rows = _kontra(rules, rules.contract_key(contract), seat)
    else:
        refuse_given(ctx, ("contract",), "chart-option", chart=chart)
        with stages_bar(lang_of(ctx)) as progress:
            rows = _calls(rules, chart, seat, partial(progress, "hands"))
    if as_json and not as_csv:
        show({"rules": rules.id, "chart": chart, "seat": seat, "hands": rows})
    else:
        show(_csv(rows))


def _calls(rules: RuleSet, contract: str, seat: int, progress: Callable[[int, int], None]) -> list[dict[str, Any]]:
    from kopsim.call_chart import call_chart

    return [
        {
            "hand": "".join(map(str, row.hand)),
            "call": row.advice.recommended.call,
            "mean": round(row.advice.earned(row.advice.recommended), 4),
            "margin": round(row.advice.margin, 4) if len(row.advice.values) > 1 else None,
            "error": round(row.advice.margin_error, 4),
            "reason": row.advice.reason,
            f"{contract}_mean": round(row.earned, 4),
            f"{contract}_error": None if row.error is None else round(row.error, 4),
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
            rows.append(
                {
                    "hand": "".join(map(str, row.hand)),
                    "soloist": caller,
                    "kontra": told.says,
                    "gain": None if told.says is None else round(told.mean_gain, 4),
                    "error": None if told.says is None else round(told.mean_gain_error, 4),
                    "close": None if told.says is None else told.close,
                    "lost": round(told.probability, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "lost_open": round(told.probability_open, 4),
                    "deals": told.deals,
                }
            )
    return rows


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().rstrip("\n")
