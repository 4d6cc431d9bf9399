"""Charts of many hands at once: when to call and when to say kontra by two cards, and what the seats are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
from matplotlib.figure import Figure

from kopsim.call_grid import CallGrid, GridCell
from kopsim.cards import Card, format_cards
from kopsim.errors import Lang, message
from kopsim.faces.chart_style import (
    BLUE,
    INK,
    ORANGE,
    SKY,
    axis_numbers,
    decimal,
    percent_axis,
    sheet,
    styled,
)
from kopsim.faces.hand_charts import contract_title, pieces, seat_lines
from kopsim.faces.play_out_text import belief
from kopsim.faces.words import NO_BREAK, percent, seat_name, whole
from kopsim.hand_wins import SeatWins
from kopsim.hidden_study import SeatWorth
from kopsim.kontra_pairs import KontraGrid
from kopsim.rules import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from numpy.typing import NDArray

_PAYS = LinearSegmentedColormap.from_list("pays", [ORANGE, "#F6C9A8", "#FFFFFF", "#A9D3EA", BLUE])
_OFTEN = LinearSegmentedColormap.from_list("often", ["#FFFFFF", SKY, BLUE, "#00324F"])
_MOST = 8.0  # points a deal, beyond which colours do not deepen
_BIG = 6.0  # font size of numbers in the cells of a single grid


@styled
def strategy_chart(grids: Sequence[CallGrid], left_out: int, lang: Lang, *, noted: bool = True) -> Figure:
    """A triangle for each two cards, whose axes are the other two; numbers in the cells if there is one triangle only.

    left_out: hands that may well call and stand in none of the triangles; noted: whether it
    says below what its numbers mean.
    """
    first, alone = grids[0], len(grids) == 1
    rules, columns = first.rules, 1 if alone else 2
    rows = -(-len(grids) // columns)
    notes = strategy_notes(grids, left_out, lang) if noted else []
    subtitle = pieces(
        message("chart-strategy", lang),
        f"{message('seat', lang)} {seat_name(rules, first.seat, lang)}",
        rules.name.text(lang),
    )
    body = 5.0 if alone else 1.05 + 2.3 * rows
    hand = first.pair if alone else ()
    figure, grid = sheet(contract_title(rules, first.contract, lang), subtitle, notes, body, hand=hand, lang=lang)
    every = grid(rows, columns, left=0.28, low=1.0 if alone else 0.95, hspace=0.22, wspace=0.2)
    image = None
    for place, each in enumerate(grids):
        axis = figure.add_subplot(every[place // columns, place % columns])
        image = _triangle(axis, each, lang, numbers=alone)
        if not alone:
            name = format_cards(each.pair, lang=lang) + " +"
            axis.text(0.98, 0.9, name, transform=axis.transAxes, ha="right", weight="bold", size=9.5, gid="pair")
    assert image is not None
    _colour_bar(
        figure, image, message("chart-strategy-bar", lang), lambda value, _: decimal(value, lang, 0, signed=True)
    )
    return figure


def strategy_notes(grids: Sequence[CallGrid], left_out: int, lang: Lang) -> list[str]:
    """What colours and marks of a strategy chart mean."""
    if all(each.played for each in grids):
        error = decimal(max(each.largest_error for each in grids), lang)
        expected = all(each.expected for each in grids)
        told = message("chart-strategy-play", lang, error=error)
        told += " " + belief(grids[0].rules, grids[0].contract, lang, expected=expected)
        notes = [told, message("chart-strategy-marks", lang)]
    else:
        notes = [message("chart-strategy-open", lang), message("chart-strategy-marks-open", lang)]
    return [*notes, message("chart-left-out", lang, count=left_out)] if left_out else notes


def _triangle(axis: Axes, grid: CallGrid, lang: Lang, *, numbers: bool) -> QuadMesh:
    place = {card: number for number, card in enumerate(grid.cards)}
    gains = np.full((len(place), len(place)), np.nan)
    for cell in grid.cells:
        gains[place[cell.rest[1]], place[cell.rest[0]]] = cell.gain.value
    image = _mesh(axis, gains[1:, :-1], cmap=_PAYS, norm=TwoSlopeNorm(0, -_MOST, _MOST))
    for cell in grid.cells:
        text = _cell_text(cell, lang, played=grid.played, numbers=numbers)
        x, y = place[cell.rest[0]], place[cell.rest[1]] - 1
        axis.text(
            x, y, text, ha="center", va="center", size=_BIG if numbers else 6.5, linespacing=0.95,
            color="white" if abs(cell.gain.value) > 0.75 * _MOST else INK, gid="cell",
        )  # fmt: skip
    _card_axes(axis, grid.cards[:-1], grid.cards[1:], lang, size=7.5 if numbers else 5.8)
    return image


def _cell_text(cell: GridCell, lang: Lang, *, played: bool, numbers: bool) -> str:
    """The mark of a cell, with its number where there is room."""
    called = "•" if played else "+"  # a dot, here as in the tables of odds, is for hands that call
    mark = "↑" if cell.higher else "✓" if cell.certain else called * cell.called + "?" * cell.close
    if not numbers:
        return mark
    return "\n".join(part for part in (mark, decimal(cell.gain.value, lang, 1, signed=True)) if part)


def _mesh(axis: Axes, values: NDArray[np.float64], **colours: Any) -> QuadMesh:
    """Squares with their middles at whole numbers, the first row on top; nothing where there is no number."""
    rows, columns = (np.arange(-0.5, size) for size in values.shape)
    mesh = axis.pcolormesh(columns, rows, np.ma.masked_invalid(values), edgecolors="white", linewidth=0.7, **colours)
    axis.set_aspect("equal")
    axis.invert_yaxis()
    return mesh


def _card_axes(axis: Axes, across: Sequence[Card], down: Sequence[Card], lang: Lang, size: float) -> None:
    axis.set_xticks(range(len(across)), [card.text(lang=lang) for card in across], rotation=90)
    axis.set_yticks(range(len(down)), [card.text(lang=lang) for card in down])
    axis.tick_params(length=0, labelsize=size, pad=2)
    for spine in axis.spines.values():
        spine.set_visible(False)


def _colour_bar(figure: Figure, image: QuadMesh, label: str, told: Callable[[float, float], str]) -> None:
    """A bar at the foot of the body, as wide as half the sheet."""
    notes = next(text for text in figure.texts if text.get_gid() == "notes")
    height = figure.get_size_inches()[1]
    axis = figure.add_axes((0.25, notes.get_position()[1] + 0.42 / height, 0.5, 0.1 / height))
    bar = figure.colorbar(image, cax=axis, orientation="horizontal")
    axis.spines[:].set_visible(False)
    axis.xaxis.set_major_formatter(told)
    axis.tick_params(labelsize=7, length=2)
    bar.set_label(label, size=7.5)


@styled
def kontra_chart(grids: Sequence[KontraGrid], lang: Lang, *, noted: bool = True) -> Figure:
    """A triangle for each caller, whose axes are two of the defender's cards: how often kontra pays him."""
    first = grids[0]
    rules = first.rules
    notes = kontra_notes(lang) if noted else []
    subtitle = pieces(
        message("chart-kontra", lang),
        f"{message('seat', lang)} {seat_name(rules, first.seat, lang)}",
        rules.name.text(lang),
    )
    body = 0.95 + 4.35 * len(grids)
    figure, grid = sheet(contract_title(rules, first.contract, lang), subtitle, notes, body)
    every = grid(len(grids), 1, left=0.28, low=1.0, hspace=0.14)
    image = None
    for row, each in enumerate(grids):
        axis = figure.add_subplot(every[row])
        image = _kontra_triangle(axis, each, lang)
        caller = message("chart-caller", lang, seat=seat_name(rules, each.caller, lang))
        told = [message("chart-deals", lang, count=whole(each.deals))]
        told.append(message("chart-close-share", lang, share=percent(each.close / each.deals, lang, 0)))
        axis.text(0.98, 0.96, caller, transform=axis.transAxes, ha="right", va="top", weight="bold", size=9.5)
        axis.text(0.98, 0.9, "\n".join(told), transform=axis.transAxes, ha="right", va="top", size=8, linespacing=1.35)
    assert image is not None
    _colour_bar(figure, image, message("chart-kontra-bar", lang), axis_numbers(lang, 0, "%"))
    return figure


def kontra_notes(lang: Lang) -> list[str]:
    """What the numbers of a kontra chart mean."""
    return [message("chart-kontra-pairs-note", lang), message("chart-kontra-note", lang)]


def _kontra_triangle(axis: Axes, grid: KontraGrid, lang: Lang) -> QuadMesh:
    place = {card: number for number, card in enumerate(grid.cards)}
    shares = np.full((len(place), len(place)), np.nan)
    for pair in grid.pairs:
        shares[place[pair.cards[1]], place[pair.cards[0]]] = 100 * pair.doubled / pair.deals
    image = _mesh(axis, shares, cmap=_OFTEN, vmin=0, vmax=100)
    for (y, x), share in np.ndenumerate(shares):
        if not np.isnan(share):
            axis.text(
                x,
                y,
                f"{share:.0f}",
                ha="center",
                va="center",
                size=8.8,
                color="white" if share > 45 else INK,
                gid="cell",
            )
    _card_axes(axis, grid.cards, grid.cards, lang, size=8.5)
    return image


@styled
def seat_value_chart(rules: RuleSet, contract: str, found: Sequence[SeatWorth], lang: Lang) -> Figure:
    """What each seat is worth to a player who only passes, and to one who calls by the range."""
    notes = [
        message(
            "chart-seat-value-note", lang, contract=contract_title(rules, contract, lang), hands=whole(found[0].hands)
        )
    ]
    subtitle = pieces(message("chart-seat-value", lang), rules.name.text(lang))
    figure, grid = sheet(contract_title(rules, contract, lang), subtitle, notes, 3.2)
    axis = figure.add_subplot(grid(1, 1, left=0.55, low=0.75)[0])
    places = np.arange(len(found))
    series = (
        (
            "passing",
            "chart-lane-passing",
            -0.19,
            "white",
            "////",
            [each.passing for each in found],
        ),
        ("calling", "chart-lane-calling", 0.19, SKY, "", [each.calling for each in found]),
    )
    for name, key, shift, colour, hatch, means in series:
        values = [each.value for each in means]
        errors = np.abs([[each.interval[end] - each.value for each in means] for end in (0, 1)])
        axis.bar(
            places + shift, values, 0.36, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.5,
            label=message(key, lang), gid=name,
        )  # fmt: skip
        axis.errorbar(places + shift, values, yerr=errors, fmt="none", ecolor=INK, capsize=3, elinewidth=1.1)
        for place, each in zip(places, means, strict=True):
            above = each.value >= 0
            at = each.interval[1] + 0.012 if above else each.interval[0] - 0.012
            told = decimal(each.value, lang, 2, signed=True)
            axis.text(float(place) + shift, at, told, ha="center", va="bottom" if above else "top", size=7.5)
    axis.axhline(0, color=INK, linewidth=0.8)
    names = [seat_lines(rules, each.seat, lang, each.callers) for each in found]
    axis.set_xticks(places, names, size=7.5)
    axis.tick_params(axis="x", length=0)
    axis.margins(y=0.14)
    axis.yaxis.set_major_formatter(lambda value, _place: decimal(value, lang, 1, signed=True))
    axis.set_ylabel(message("chart-payment-axis", lang))
    axis.legend(fontsize=7.5, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, borderaxespad=0.0)
    return figure


@styled
def seat_wins_chart(rules: RuleSet, contract: str, found: Sequence[SeatWins], lang: Lang) -> Figure:
    """How good a contract is at each seat with open cards, where nothing else is known."""
    notes = [message("chart-seat-open-note", lang, hands=whole(found[0].hands)), message("chart-no-range", lang)]
    subtitle = pieces(message("chart-seat-value", lang), rules.name.text(lang))
    figure, grid = sheet(contract_title(rules, contract, lang), subtitle, notes, 3.0)
    axis = figure.add_subplot(grid(1, 1, left=0.55, low=0.75)[0])
    places, shares = np.arange(len(found)), [100 * each.chance for each in found]
    axis.bar(places, shares, 0.5, color="white", hatch="////", edgecolor=INK, linewidth=0.5, gid="open")
    for place, each in enumerate(found):
        axis.text(
            place, 100 * each.chance * 1.02, f"{decimal(100 * each.chance, lang)}{NO_BREAK}%", ha="center", va="bottom"
        )
    names = [seat_lines(rules, each.seat, lang, each.half) for each in found]
    axis.set_xticks(places, names, size=7.5)
    axis.tick_params(axis="x", length=0)
    axis.set_ylim(0, max(shares) * 1.15 or 1)
    percent_axis(axis, lang)
    axis.set_ylabel(message("chart-won-axis", lang))
    return figure
