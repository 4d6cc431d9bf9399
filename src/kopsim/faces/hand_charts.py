"""Charts of one hand: its points, its chances by seat, the bracket of all models, and when it says kontra."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from kopsim.cards import Card
from kopsim.errors import Lang, message
from kopsim.faces.chart_style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ON_WHITE,
    ORANGE,
    PALE,
    SKY,
    axis_numbers,
    decimal,
    percent_axis,
    sheet,
    styled,
)
from kopsim.faces.kontra_text import believed
from kopsim.faces.play_out_text import belief
from kopsim.faces.words import NO_BREAK, percent, seat_name, share_reach, whole
from kopsim.hand_odds import Odds, least_to_win
from kopsim.kontra_table import Kontra
from kopsim.measures import Measures
from kopsim.play_out import Estimate
from kopsim.rules import RuleSet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_BAR: dict[str, Any] = {"linewidth": 0.5, "edgecolor": INK}


def contract_title(rules: RuleSet, contract: str, lang: Lang) -> str:
    """A contract as a heading names it."""
    return rules.contract(contract).name.text(lang)


def pieces(*texts: str) -> str:
    """Parts of a subtitle."""
    return "  ·  ".join(texts)


@styled
def points_chart(found: Sequence[Odds], lang: Lang, left_out: Sequence[str] = ()) -> Figure:
    """How many points the hand takes alone: a panel for each seat, what wins set off by colour and hatching.

    left_out: why seats are missing, at which the hand may not play.
    """
    first = found[0]
    rules, contract = first.rules, first.rules.contract(first.contract)
    hand = [card for card in first.hand if card is not None]
    needed = least_to_win(contract, first.points)
    notes = [
        *left_out,
        message("chart-points-note", lang, layouts=whole(first.layouts)),
        message("double-dummy", lang),
    ]
    title = contract_title(rules, first.contract, lang)
    subtitle = pieces(message("chart-points", lang), rules.name.text(lang))
    figure, grid = sheet(title, subtitle, notes, 1.0 + 1.3 * len(found), hand=hand, lang=lang)
    every = grid(len(found), 1, left=0.6, head=0.45, hspace=0.62)
    highest = 100 * max(each.histogram.max() / each.total for each in found)
    taken = np.flatnonzero(sum(each.histogram for each in found)) + first.points.lowest
    left, right = min(int(taken[0]), needed) - 3, max(int(taken[-1]), needed) + 3
    for place, each in enumerate(found):
        axis = figure.add_subplot(every[place])
        points = np.arange(len(each.histogram)) + each.points.lowest
        shares = 100 * each.histogram / each.total
        won = points >= needed
        axis.bar(points[~won], shares[~won], width=0.9, color=GREY, gid="lost")
        axis.bar(points[won], shares[won], width=0.9, color=BLUE, gid="won")
        axis.axvline(needed - 0.5, color=INK, linewidth=0.8, linestyle="--")
        wins = message("chart-wins", lang, share=percent(float(each.probability), lang), wins=whole(each.wins))
        axis.set_title(pieces(seat_name(rules, each.seat, lang), wins))
        axis.set_xlim(left, right)
        axis.set_ylim(0, highest * 1.08)
        axis.yaxis.set_major_formatter(axis_numbers(lang, 0 if highest > 4 else 1, "%"))
        axis.set_xticks(_point_ticks(left, right, needed))
        if place == len(found) - 1:
            axis.set_xlabel(message("chart-points-axis", lang))
    handles = [
        Patch(color=GREY, label=message("chart-lost", lang)),
        Patch(color=BLUE, label=message("chart-won", lang, points=needed)),
    ]
    first_axis, last_axis = figure.axes[0].get_position(), figure.axes[-1].get_position()
    middle = (first_axis.y1 + last_axis.y0) / 2
    figure.text(0.035, middle, message("chart-layouts-axis", lang), rotation=90, ha="center", va="center")
    above = first_axis.y1 + 0.3 / figure.get_size_inches()[1]
    figure.legend(
        handles=handles, fontsize=7.5, frameon=False, loc="center left", bbox_to_anchor=(0.15, above), ncols=2
    )
    return figure


def _point_ticks(lowest: int, highest: int, needed: int) -> list[int]:
    """Round numbers and what is needed, none so near another that they would touch."""
    step = 20 if highest - lowest > 70 else 10
    round_ones = range(-(-lowest // step) * step, highest + 1, step)
    return sorted({each for each in round_ones if abs(each - needed) > step // 3} | {needed})


@styled
def seats_chart(
    rules: RuleSet,
    contract: str,
    hand: Sequence[Card],
    found: Sequence[Measures],
    lang: Lang,
    left_out: Sequence[str] = (),
) -> Figure:
    """The chance to win by seat: open cards beside play, where play-outs are packaged; left_out: as above."""
    played = all(each.played is not None for each in found)
    notes = [
        *left_out,
        message("chart-open-note", lang, layouts=whole(found[0].open_cards.layouts)),
        *([_play_note(rules, contract, found, lang)] if played else [message("chart-no-play", lang)]),
    ]
    subtitle = pieces(message("chart-seats", lang), rules.name.text(lang))
    figure, grid = sheet(contract_title(rules, contract, lang), subtitle, notes, 3.3, hand=hand, lang=lang)
    axis = figure.add_subplot(grid(1, 1, left=0.55, low=0.66)[0])
    places, half = np.arange(len(found)), 0.38 if played else 0.3
    opened = [100 * float(each.open_cards.probability) for each in found]
    at = places - half / 2 if played else places
    axis.bar(at, opened, half, color="white", hatch="////", label=message("open-cards", lang), gid="open", **_BAR)
    _bar_labels(axis, at, opened, [percent(float(each.open_cards.probability), lang) for each in found])
    if played:
        told = [each.played for each in found if each.played is not None]
        shares = np.array([100 * each.probability for each in told])
        errors = _errors(told)
        axis.bar(places + half / 2, shares, half, color=SKY, label=message("chart-play", lang), gid="play", **_BAR)
        axis.errorbar(places + half / 2, shares, yerr=errors, fmt="none", ecolor=INK, elinewidth=1.2, capsize=3)
        _bar_labels(axis, places + half / 2, shares + errors[1], [percent(each.probability, lang, 0) for each in told])
    axis.axhline(50, color=GREY, linewidth=0.8, linestyle=":")
    axis.set_xticks(places, [seat_lines(rules, each.seat, lang) for each in found])
    axis.tick_params(axis="x", length=0)
    axis.set_ylim(0, 112)
    axis.set_yticks(range(0, 101, 25))
    percent_axis(axis, lang)
    axis.set_ylabel(message("chart-won-axis", lang))
    axis.legend(fontsize=7.5, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, borderaxespad=0.0)
    return figure


def seat_lines(rules: RuleSet, seat: int, lang: Lang, hands: int | None = None) -> str:
    """A seat over its name, and over a number of hands, under a bar."""
    told = f"{message('seat', lang)} {seat_name(rules, seat, lang)}".replace(" (", "\n(").replace(", ", ",\n")
    return told if hands is None else told + "\n" + message("chart-hands", lang, count=hands)


def _bar_labels(axis: Axes, places: Iterable[float], tops: Iterable[float], texts: Iterable[str]) -> None:
    for place, top, text in zip(places, tops, texts, strict=True):
        axis.text(place, top + 1.5, text, ha="center", va="bottom", size=7, bbox=ON_WHITE)


def _errors(told: Sequence[Estimate]) -> NDArray[np.float64]:
    """How far the intervals reach down and up, in per cent."""
    limits = [each.interval for each in told]
    return np.array(
        [
            [100 * (each.probability - low) for each, (low, _) in zip(told, limits, strict=True)],
            [100 * (high - each.probability) for each, (_, high) in zip(told, limits, strict=True)],
        ]
    )


def _play_note(rules: RuleSet, contract: str, found: Sequence[Measures], lang: Lang) -> str:
    """How play was estimated, and what the others believed in it."""
    expected = all(each.expected for each in found)
    return message("chart-play-note", lang) + " " + belief(rules, contract, lang, expected=expected)


@styled
def bracket_chart(
    rules: RuleSet,
    contract: str,
    hand: Sequence[Card],
    found: Sequence[Measures],
    lang: Lang,
    left_out: Sequence[str] = (),
) -> Figure:
    """Every model of a hand below the other, seat by seat, from best defence to open cards; left_out: as above."""
    lanes = [(each, name, low, value, high) for each in found for name, low, value, high in _lanes(each)]
    replied = any(each.reply is not None for each in found)
    played = any(each.played is not None for each in found)
    notes = [
        *left_out,
        message("chart-bracket-note", lang, layouts=whole(found[0].open_cards.layouts)),
        message("double-dummy", lang),
        *([_play_note(rules, contract, found, lang)] if played else [message("chart-no-play", lang)]),
        *([message("best-reply-note", lang)] if replied else []),
        *([message("within-drawing", lang)] if any(each.within_drawing for each in found) else []),
    ]
    subtitle = pieces(message("chart-bracket", lang), rules.name.text(lang))
    body = 0.85 + 0.21 * len(lanes) + 0.24 * len(found)
    figure, grid = sheet(contract_title(rules, contract, lang), subtitle, notes, body, hand=hand, lang=lang)
    axis = figure.add_subplot(grid(1, 1, left=1.42, right=0.95, low=0.5)[0])
    heights, labels, at, seat = [], [], 0.0, None
    for each, name, low, value, high in lanes:
        if each.seat != seat:
            at -= 0.5 if seat is None else 1.1
            seat = each.seat
            axis.text(
                -0.02,
                at + 0.05,
                seat_name(rules, seat, lang),
                transform=axis.get_yaxis_transform(),
                weight="bold",
                ha="right",
            )
            axis.axhline(at + 0.62, color=PALE, linewidth=0.8)
        at -= 1
        heights.append(at)
        colour, marker, key = _MARKS[name]
        labels.append(message(key, lang))
        axis.plot([low, high], [at, at], color=colour, linewidth=2.2, solid_capstyle="butt", gid=f"{name} {each.seat}")
        axis.plot([value], [at], marker, color=colour, markersize=5.5, markeredgecolor=INK, markeredgewidth=0.5)
        axis.text(
            1.02,
            at,
            _lane_text(name, low, value, high, lang),
            transform=axis.get_yaxis_transform(),
            va="center",
            size=7.5,
        )
    axis.axvline(50, color=GREY, linewidth=0.8, linestyle=":")
    axis.set_yticks(heights, labels)
    axis.tick_params(axis="y", length=0, labelsize=7.5)
    axis.set_ylim(at - 0.7, 0.2)
    axis.set_xlim(-2, 102)
    percent_axis(axis, lang, "x")
    axis.set_xticks(range(0, 101, 25))
    axis.grid(axis="x", color=PALE, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_xlabel(message("chart-won-axis", lang))
    return figure


_MARKS = {
    "best": (ORANGE, "s", "chart-lane-best"),
    "played": (SKY, "o", "chart-lane-play"),
    "reply": (GREY, "D", "chart-lane-reply"),
    "open": (GREEN, "X", "chart-lane-open"),
}


def _lanes(each: Measures) -> list[tuple[str, float, float, float]]:
    """What is known at a seat: its name, and in per cent from, at and to where."""
    lanes = []
    if each.best is not None:
        low, high = (100 * wins / each.best.layouts for wins in (each.best.least, each.best.most))
        lanes.append(("best", low, low, high))
    if each.played is not None:
        low, high = (100 * limit for limit in each.played.interval)
        lanes.append(("played", low, 100 * each.played.probability, high))
    if each.reply is not None:
        share = 100 * each.reply.probability
        lanes.append(("reply", share, share, share))
    share = 100 * float(each.open_cards.probability)
    lanes.append(("open", share, share, share))
    return lanes


def _lane_text(name: str, low: float, value: float, high: float, lang: Lang) -> str:
    """A value with its interval, its two limits, or the value alone."""
    reach = share_reach((low / 100, high / 100), lang)
    if name == "played":
        return f"{percent(value / 100, lang)} ({reach.removesuffix(f'{NO_BREAK}%')})"
    return percent(value / 100, lang) if low == high else reach


@styled
def kontra_hand_chart(
    rules: RuleSet, contract: str, hand: Sequence[Card], seat: int, told: Sequence[tuple[int, Kontra]], lang: Lang
) -> Figure:
    """What a defender's hand tells of each caller: what kontra gains, and how often he loses."""
    notes = [
        message("chart-kontra-note", lang) + " " + message("chart-kontra-gain-error", lang),
        message("chart-kontra-loses-note", lang),
        *([message("kontra-belief", lang)] if any(believed(each) for _, each in told) else []),
    ]
    subtitle = pieces(message("chart-kontra-hand", lang, seat=seat_name(rules, seat, lang)), rules.name.text(lang))
    figure, grid = sheet(
        contract_title(rules, contract, lang), subtitle, notes, 1.2 + 0.62 * len(told), hand=hand, lang=lang
    )
    both = grid(1, 2, left=0.72, right=0.1, wspace=0.22, low=0.55)
    heights = -np.arange(len(told))
    gains, losses = figure.add_subplot(both[0]), figure.add_subplot(both[1])
    rows = [(float(height), each) for height, (_, each) in zip(heights, told, strict=True)]
    said = [(height, each) for height, each in rows if each.says is not None and not each.few]
    means = [each.mean_gain for _, each in said]
    gains.errorbar(
        [mean.value for mean in means],
        [height for height, _ in said],
        xerr=[[mean.value - mean.interval[0] for mean in means], [mean.interval[1] - mean.value for mean in means]],
        fmt="o",
        color=BLUE,
        ecolor=INK,
        capsize=3,
        gid="gain",
    )
    for height, each in said:
        word = "chart-close" if each.close else "chart-says" if each.says else "chart-silent-word"
        gains.text(each.mean_gain.value, height + 0.17, message(word, lang), ha="center", size=7.5, bbox=ON_WHITE)
    for height, each in rows:
        if each.few:
            gains.text(0, height + 0.17, message("kontra-few", lang), ha="center", size=7.5, bbox=ON_WHITE)
    gains.axvline(0, color=INK, linewidth=0.8)
    gains.margins(x=0.3)
    gains.set_xlabel(message("chart-gain-axis", lang), size=8)
    gains.xaxis.set_major_formatter(lambda value, _place: decimal(value, lang, 1, signed=True))
    gains.locator_params(axis="x", nbins=4)
    probabilities = np.array([100 * each.probability for _, each in told])
    limits = np.array([[100 * limit for limit in each.interval] for _, each in told])
    losses.errorbar(
        probabilities,
        heights,
        xerr=[np.maximum(0, probabilities - limits[:, 0]), np.maximum(0, limits[:, 1] - probabilities)],
        fmt="o",
        color=BLUE,
        ecolor=INK,
        capsize=3,
        label=message("chart-play", lang),
        gid="loses",
    )
    opened = [100 * each.probability_open for _, each in told]
    losses.plot(opened, heights - 0.16, "X", color=GREEN, label=message("open-cards", lang), gid="open")
    losses.set_xlim(-3, 103)
    losses.set_xticks(range(0, 101, 50))
    percent_axis(losses, lang, "x")
    losses.set_xlabel(message("chart-loses-axis", lang), size=8)
    losses.legend(
        fontsize=7,
        frameon=False,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=2,
        borderaxespad=0.0,
        columnspacing=1.0,
        handletextpad=0.2,
    )
    callers = [
        message("chart-caller", lang, seat=caller) + f"\n({message('chart-deals', lang, count=whole(each.deals))})"
        for caller, each in told
    ]
    for axis, names in ((gains, callers), (losses, [""] * len(told))):
        axis.set_yticks(heights, names)
        axis.tick_params(axis="y", length=0, labelsize=7.5)
        axis.set_ylim(heights[-1] - 0.5, 0.55)
        axis.grid(axis="x", color=PALE, linewidth=0.6)
    return figure
