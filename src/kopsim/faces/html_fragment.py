"""Documents as a piece of HTML that looks right wherever a notebook is shown, light or dark.

Style sheets are not at hand there, so all style stands in the elements; text takes the colour
of the page, and only cards bring their own paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape

from kopsim.cards import RANKS, SUITS, Card
from kopsim.errors import Lang
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.words import no_orphans

_CARD = "background:#fff;color:{ink};border:1px solid #8a8f98;border-radius:4px;padding:0 4px;white-space:nowrap"
_INK, _RED = "#1c1e22", "#b3123a"
_CELL = "text-align:{side};vertical-align:top;padding:.2em .9em .2em .2em;border-bottom:1px solid #8a8f9880"
_TABLE = "border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums"
_CAPTION = "caption-side:top;text-align:left;font-weight:600;color:inherit;padding:.2em 0"
# Read aloud, not seen: for tables under a heading that stands further up.
_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap"
_SHORT = 64  # characters of a caption that stays on one line though its table is narrower
_TEXT = "margin:.4em 0;max-width:52em"


def fragment(blocks: Sequence[Block], lang: Lang) -> str:
    """Blocks as one element; every card is drawn, and has a name for those who listen."""
    parts: list[str] = []
    heading, pending = "", ""
    for block in blocks:
        if isinstance(block, Grid):
            parts.append(_table(block, pending or heading, lang, seen=bool(pending)))
            pending = ""
            continue
        if pending:
            parts.append(_heading(pending, lang))
            pending = ""
        if isinstance(block, Heading):
            heading = pending = block.text
        else:
            parts.append(_words(block, lang))
    if pending:
        parts.append(_heading(pending, lang))
    # What may be wider than the page scrolls, for keys too, and has a name for who listens.
    title = next((block.text for block in blocks if isinstance(block, Heading)), "kopsim")
    wide = f' role="region" tabindex="0" aria-label="{escape(_spaced(title))}" style="overflow-x:auto"'
    tables = any(isinstance(block, Grid) for block in blocks)
    return f'<div lang="{lang}"{wide if tables else ""}>\n' + "\n".join(parts) + "\n</div>"


def _heading(text: str, lang: Lang) -> str:
    return f'<p role="heading" aria-level="4" style="{_TEXT};font-weight:600">{_drawn(text, lang)}</p>'


def _words(block: Paragraph | Items, lang: Lang) -> str:
    if isinstance(block, Paragraph):
        return f'<p style="{_TEXT}">{_drawn(no_orphans(block.text, lang), lang)}</p>'
    kind = "ol" if block.numbered else "ul"
    items = "".join(f"<li>{_drawn(no_orphans(text, lang), lang)}</li>" for text in block.texts)
    return f'<{kind} style="{_TEXT}">{items}</{kind}>'


def _table(grid: Grid, caption: str, lang: Lang, *, seen: bool) -> str:
    def cell(place: int, text: str, kind: str, scope: str = "") -> str:
        style = _CELL.format(side="left" if place < grid.left else "right")
        if scope:
            style += ";font-weight:600" if scope == "col" else ";font-weight:inherit"
        told = f' scope="{scope}"' if scope else ""
        return f'<{kind}{told} style="{style}">{_drawn(text, lang)}</{kind}>'

    rows = [
        # A first cell that says nothing heads no row.
        "".join(
            cell(place, text, "th", "row") if place == 0 and text else cell(place, text, "td")
            for place, text in enumerate(row)
        )
        for row in grid.rows
    ]
    head = ""
    if any(grid.headings):
        cells = (
            cell(place, text, "th", "col") if text else cell(place, text, "td")
            for place, text in enumerate(grid.headings)
        )
        head = f"<thead><tr>{''.join(cells)}</tr></thead>\n"
    style = _UNSEEN if not seen else _CAPTION + ";white-space:nowrap" if len(caption) < _SHORT else _CAPTION
    named = f'<caption style="{style}">{_drawn(caption, lang)}</caption>\n' if caption else ""
    body = "\n".join(f'<tr style="background:none">{row}</tr>' for row in rows)
    return f'<table style="{_TABLE}">\n{named}{head}<tbody>\n{body}\n</tbody>\n</table>'


@cache
def _card_names(lang: Lang) -> tuple[re.Pattern[str], dict[str, Card]]:
    """Every card as it is written in a language, and a pattern that finds them."""
    names = {card.text(lang=lang): card for card in (Card(rank, suit) for rank in RANKS for suit in SUITS)}
    return re.compile("|".join(map(re.escape, names))), names


def _drawn(text: str, lang: Lang) -> str:
    """Text in which nothing is taken for markup and every card is drawn."""
    pattern, names = _card_names(lang)

    def card(found: re.Match[str]) -> str:
        told = names[found[0]]
        style = _CARD.format(ink=_RED if told.suit in "♥♦" else _INK)
        return f'<span role="img" aria-label="{escape(told.text("words", lang))}" style="{style}">{found[0]}</span>'

    return pattern.sub(card, escape(_spaced(text))).replace("\n", "<br>")


def _spaced(text: str) -> str:
    """Text whose spaces a page would swallow: an indent, a gap between two figures, one between parts of a title."""
    indent = len(text) - len(text.lstrip(" "))
    return "\N{EM SPACE}" * indent + text[indent:].replace("   ", " · ").replace("  ", "\N{EM SPACE}")
