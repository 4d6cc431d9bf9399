"""Progress of long work, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kopsim.errors import Lang, message

if TYPE_CHECKING:
    from rich.progress import TaskID

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


@contextmanager
def stages_bar(lang: Lang) -> Iterator[Callable[[str, int, int], None]]:
    """Yields a function to report long work to: stage, how much is done, of how much.

    On a terminal it draws a bar with rate and time left; elsewhere nothing is shown.
    """
    if not sys.stderr.isatty():
        yield lambda _stage, _done, _of: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Steps a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.1f}/s" if task.speed else "")

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, of: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(message(f"stage-{stage}", lang), total=of)
            bar.update(tasks[stage], completed=done)

        yield report
