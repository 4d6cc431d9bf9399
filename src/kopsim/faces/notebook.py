"""How notebooks show objects and charts."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kopsim.errors import Lang
from kopsim.faces.document import Block, on_terminal
from kopsim.faces.html_fragment import fragment
from kopsim.faces.layout import laid_out
from kopsim.faces.object_text import blocks_of
from kopsim.faces.words import check_lang, default_lang
from kopsim.rules import RuleSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DOTS = 130  # an inch of a chart: sharp enough for a page, small enough for a file under version control
_WIDTH = 520  # pixels of a page


@dataclass(frozen=True)
class Display:
    """Something in words and tables: HTML in a notebook, plain text elsewhere."""

    blocks: Sequence[Block]
    lang: Lang

    def _repr_html_(self) -> str:
        return fragment(self.blocks, self.lang)

    def __repr__(self) -> str:
        return laid_out(on_terminal(self.blocks), plain=True)


@dataclass(frozen=True, eq=False)
class Picture:
    """A chart: a picture with a description in a notebook, the description elsewhere."""

    figure: Figure

    def _repr_png_(self) -> tuple[bytes, dict[str, str | int]]:
        from PIL import Image  # comes with matplotlib

        from kopsim.faces.chart_file import chart_bytes

        drawn = Image.open(io.BytesIO(chart_bytes(self.figure, ".png", _DOTS))).convert("RGB")
        # A palette makes the picture a quarter as large; an octree keeps colours of which there is little.
        few = drawn.quantize(method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        small = io.BytesIO()
        few.save(small, "png", optimize=True)
        return small.getvalue(), {"alt": repr(self), "width": _WIDTH}

    def __repr__(self) -> str:
        from kopsim.faces.chart_style import alt_text

        return alt_text(self.figure)


def show(what: object, *, lang: Lang | None = None, rules: RuleSet | None = None) -> Display:
    """Something of kopsim for a notebook, or for `print`, as the commands show it.

    what: a card, a hand, known in part or whole, a deal, position, odds, odds in pairs, advice, solution, score,
    auction, played or judged deal, audit or one verdict of it, found list, certificate, counterexample, calling
    ranges, rule set, an error, or a list of such; odds and advice of one hand come in one table.
    lang: by default that of the system.  rules: for a score, whose seats and contracts get
    names from them, and for a certificate made for rules that did not come with kopsim.
    Raises TypeError for anything else, QueryError for another language.
    """
    lang = default_lang() if lang is None else check_lang(lang)
    return Display(blocks_of(what, lang, rules), lang)
