"""How all charts look: colours, sizes, the cards of a hand above and what the numbers mean below.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; nothing is said by
colour alone.  A sheet is as wide as a phone shows it or a printed column holds it, and
DejaVu Sans, which comes with matplotlib, has the suits and all Polish letters.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from kopsim.cards import Card
from kopsim.errors import Lang
from kopsim.faces.words import NO_BREAK, no_orphans

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.gridspec import GridSpec

BLUE, ORANGE, GREEN, SKY, PURPLE, GREY, INK = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#56B4E9",
    "#CC79A7",
    "#7A7A7A",
    "#1C1E22",
)
PALE, RED = "#D9DCE1", "#B3123A"
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # under a label that a line would cross
WIDTH = 4.8  # inches
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "hatch.linewidth": 0.6,
    "svg.fonttype": "path",  # the same on every machine, whatever fonts it has
    "svg.hashsalt": "kopsim",
    "pdf.fonttype": 42,
}
_LEFT, _RIGHT = 0.18, 0.16  # inches at the edges
_NOTE = 7.4  # points
_NOTE_CHARS = 78

Drawing = ParamSpec("Drawing")


def styled(draw: Callable[Drawing, Figure]) -> Callable[Drawing, Figure]:
    """Draws in the style of all charts, whatever the reader's own settings are."""

    @wraps(draw)
    def drawn(*args: Drawing.args, **kwargs: Drawing.kwargs) -> Figure:
        with mpl.rc_context(STYLE):
            return draw(*args, **kwargs)

    return drawn


def sheet(
    title: str, subtitle: str, notes: Sequence[str], body: float, *, hand: Sequence[Card] = (), lang: Lang = "en"
) -> tuple[Figure, Callable[..., GridSpec]]:
    """A figure with a heading and notes, and what makes a grid of axes in the `body` inches between them.

    hand: cards drawn before the title.
    """
    told = [no_orphans(note, lang).replace("± ", f"±{NO_BREAK}") for note in notes]
    lines = [line for note in told for line in textwrap.wrap(note, _NOTE_CHARS, break_on_hyphens=False)]
    heads = textwrap.wrap(subtitle, 72, break_on_hyphens=False)
    top, bottom = 0.52 + 0.16 * len(heads), 0.14 + 0.143 * len(lines)
    height = top + body + bottom
    figure = Figure(figsize=(WIDTH, height), facecolor="white")
    after = _drawn_hand(figure, hand, height, lang)
    figure.text(after / WIDTH, 1 - 0.26 / height, title, size=11, weight="bold", va="center", gid="title")
    figure.text(
        _LEFT / WIDTH, 1 - 0.47 / height, "\n".join(heads), size=8.5, va="top", linespacing=1.25, gid="subtitle"
    )
    figure.text(
        _LEFT / WIDTH,
        bottom / height,
        "\n".join(lines),
        size=_NOTE,
        va="top",
        color="#444444",
        linespacing=1.32,
        gid="notes",
    )

    def grid(
        rows: int, columns: int, *, left: float, right: float = 0.0, low: float = 0.5, head: float = 0.2, **gaps: float
    ) -> GridSpec:
        return figure.add_gridspec(
            rows,
            columns,
            left=(_LEFT + left) / WIDTH,
            right=1 - (_RIGHT + right) / WIDTH,
            top=(bottom + body - head) / height,
            bottom=(bottom + low) / height,
            **gaps,
        )

    return figure, grid


def _drawn_hand(figure: Figure, hand: Sequence[Card], height: float, lang: Lang) -> float:
    """Little cards side by side; where they end, in inches."""
    at, wide, high = _LEFT, 0.46, 0.28
    for card in hand:
        outline = FancyBboxPatch(
            (at / WIDTH, 1 - (0.26 + high / 2) / height),
            wide / WIDTH,
            high / height,
            boxstyle="round,pad=0,rounding_size=0.012",
            mutation_aspect=WIDTH / height,
            transform=figure.transFigure,
            facecolor="white",
            edgecolor=GREY,
            linewidth=0.8,
        )
        figure.add_artist(outline)
        figure.text(
            (at + wide / 2) / WIDTH,
            1 - 0.265 / height,
            card.text(lang=lang),
            size=11,
            ha="center",
            va="center",
            color=RED if card.suit in "♥♦" else INK,
            gid="card",
        )
        at += wide + 0.07
    return at + (0.05 if hand else 0)


def alt_text(figure: Figure) -> str:
    """What a chart shows, in words: its cards, title and subtitle."""
    told = {
        gid: [text.get_text() for text in figure.texts if text.get_gid() == gid]
        for gid in ("card", "title", "subtitle")
    }
    return " ".join(" ".join(" ".join(texts) for texts in told.values()).split())


def decimal(value: float, lang: Lang, digits: int = 1, *, signed: bool = False) -> str:
    """A number with a decimal comma in Polish, and a true minus."""
    text = f"{value:{'+' if signed else ''}.{digits}f}".replace("-", "−")
    if float(f"{value:.{digits}f}") == 0:
        text = f"{0:.{digits}f}"
    return text.replace(".", ",") if lang == "pl" else text


def axis_numbers(lang: Lang, digits: int = 0, unit: str = "") -> Callable[[float, float], str]:
    """A formatter for the ticks of an axis."""
    tail = NO_BREAK + unit if unit else ""
    return lambda value, _place: decimal(value, lang, digits) + tail


def percent_axis(axis: Axes, lang: Lang, which: str = "y") -> None:
    """An axis of shares from nothing to all, written in per cent."""
    chosen = axis.yaxis if which == "y" else axis.xaxis
    chosen.set_major_formatter(axis_numbers(lang, 0, "%"))
