"""What every hand may call at every seat, and what that earns it, as columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from kopsim.advice import Advice, Reason
from kopsim.bound_table import BOUNDS, Bound, BoundTable, packaged_bounds
from kopsim.call_chart import every_advice
from kopsim.call_values import CallValue
from kopsim.calling_range import played_out
from kopsim.deals import every_hand
from kopsim.faces.site.packed import Columns, hundredths, per_mille
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.statistics import Mean

REASONS: tuple[Reason, ...] = get_args(Reason)


def hand_figures(rules: RuleSet, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Columns of a figure for each hand, strongest first, at each seat in turn.

    Columns of one call have its name before a dot.  calls: those there are; expected: those whose
    play-outs have players who expect the calling range; reasons: what the numbers of the column "reason" mean.
    """
    rows = len(every_hand(rules)) * len(SEATS)
    columns = Columns(rows)
    calls: list[str] = []
    expected: set[str] = set()

    for row, advice in enumerate(every_advice(rules, SEATS)):
        columns.write(row, _row_figures(advice))
        for rank, value in enumerate(advice.values):
            if value.call not in calls:
                calls.append(value.call)
            if value.expected:
                expected.add(value.call)
            figures = {"rank": rank, **_call_figures(advice, value)}
            columns.write(row, {f"{value.call}.{name}": figure for name, figure in figures.items()})
        named = {"recommended": advice.recommended, "open": advice.double_dummy}
        if advice.range_call is not None:
            named["range"] = advice.range_call
        columns.write(row, {name: calls.index(value.call) for name, value in named.items()})
        if row % 100 == 0:
            progress(row, rows)
    progress(rows, rows)
    return {"calls": calls, "expected": sorted(expected), "reasons": REASONS, **columns.packed()}


def _row_figures(advice: Advice) -> dict[str, int]:
    best, instead = advice.recommended, advice.instead
    even = None if best.silent or best.guaranteed or instead is None else best.break_even(advice.earned(instead).value)
    margin = advice.margin
    return {
        "reason": REASONS.index(advice.reason),
        "played": int(advice.played),
        "agrees": int(advice.agrees),
        "even": per_mille(even),
        **({} if margin is None else mean_figures("margin", margin)),
    }


def mean_figures(name: str, mean: Mean) -> dict[str, int]:
    """A mean payment and the two ends of its interval."""
    low, high = mean.interval
    return {name: hundredths(mean.value), f"{name}-low": hundredths(low), f"{name}-high": hundredths(high)}


def _call_figures(advice: Advice, value: CallValue) -> dict[str, int]:
    figures = {
        "silent": int(value.silent),
        "guaranteed": int(value.guaranteed),
        "mean": hundredths(float(value.mean)),
        "wins": value.wins,
        "win-play": per_mille(value.win_play),
        **mean_figures("earned", advice.earned(value)),
    }
    if value.in_play is not None:
        figures |= mean_figures("mean-play", value.in_play)
    if value.doubled is not None:
        figures |= {
            **mean_figures("doubled", value.doubled.doubled),
            **mean_figures("answered", value.doubled.answered),
            "kontra": per_mille(value.doubled.kontra),
            "rej": sum(1 << seat for seat in value.doubled.rej),
        }
    for bound in BOUNDS:
        figures |= _bound_figures(advice, value, bound)
    return figures


def _bound_figures(advice: Advice, value: CallValue, bound: Bound) -> dict[str, int]:
    table = None if value.silent else _bound_table(advice.rules, value.call, bound)
    bracket = None if table is None else table.bracket(advice.hand, advice.seat)
    return {} if bracket is None else {f"{bound}-least": bracket.least, f"{bound}-most": bracket.most}


def _bound_table(rules: RuleSet, contract: str, bound: Bound) -> BoundTable | None:
    """The packaged bounds; of the best reply those against the players of the play-outs beside them."""
    played = played_out(rules, contract)
    expected = None if played is None or bound == "best-defence" else played.expected
    return packaged_bounds(rules, contract, bound, expected)
