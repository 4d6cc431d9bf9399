"""Progress of long work, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kopsim.errors import Lang, message

# Below this much work a bar would only flicker.
_WORTH_SHOWING = 400_000


@contextmanager
def layouts_bar(lang: Lang) -> Iterator[Callable[[int], None] | None]:
    """Yields a function to report solved layouts to, or None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    with Progress(
        SpinnerColumn(),
        TextColumn(message("progress-layouts", lang) + " {task.completed:,.0f}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=None, visible=False)

        def report(count: int) -> None:
            bar.advance(task, count)
            bar.update(task, visible=bar.tasks[0].completed > _WORTH_SHOWING)

        yield report
