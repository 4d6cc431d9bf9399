"""A text in blocks, written once and shown on a terminal or as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.padding import Padding

from kopsim.faces.layout import plain_table, unbroken


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the title."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, or a line of its own right under what stands before it; strong: it is the answer."""

    text: str
    strong: bool = False


@dataclass(frozen=True)
class Items:
    """A list, numbered or not."""

    texts: Sequence[str]
    numbered: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; the first `left` columns are set to the left, the others to the right."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]] = field(default_factory=list)
    left: int = 1


Block = Heading | Paragraph | Items | Grid


def title_of(blocks: Iterable[Block]) -> str:
    """The first heading."""
    return next(block.text for block in blocks if isinstance(block, Heading))


def on_terminal(blocks: Iterable[Block]) -> Group:
    """The blocks for a terminal."""
    shown: list[RenderableType] = []
    after_heading = True
    for block in blocks:
        space = 0 if after_heading else 1
        if isinstance(block, Heading):
            shown.append(Padding(unbroken(block.text, style="bold"), (1 if shown else 0, 0, 0, 0)))
        elif isinstance(block, Grid):
            shown.append(Padding(plain_table(block.headings, block.rows, left=block.left), (space, 0, 0, 0)))
        elif isinstance(block, Items):
            marks = [f"{number}. " if block.numbered else "- " for number in range(1, len(block.texts) + 1)]
            lines = "\n".join(mark + text for mark, text in zip(marks, block.texts, strict=True))
            shown.append(Padding(unbroken(lines), (space, 0, 0, 0)))
        else:
            shown.append(Padding(unbroken(block.text, style="bold" if block.strong else ""), (space, 0, 0, 0)))
        after_heading = isinstance(block, Heading)
    return Group(*shown)


def as_markdown(blocks: Iterable[Block]) -> str:
    """The blocks as Markdown with tables."""
    return "\n\n".join(map(_markdown, blocks)) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {_escaped(block.text)}"
    if isinstance(block, Items):
        marks = [f"{number}." if block.numbered else "-" for number in range(1, len(block.texts) + 1)]
        return "\n".join(f"{mark} {_escaped(text)}" for mark, text in zip(marks, block.texts, strict=True))
    if isinstance(block, Grid):
        rule = [":--" if place < block.left else "--:" for place in range(len(block.headings))]
        return "\n".join(_row(cells) for cells in (block.headings, rule, *block.rows))
    return _escaped(block.text)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_escaped(cell).replace("|", "\\|") for cell in cells) + " |"


def _escaped(text: str) -> str:
    """Text in which nothing is taken for markup."""
    return "".join("\\" + char if char in "\\`*_<>#[]" else char for char in text)
