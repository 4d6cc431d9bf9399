"""Work cut into chunks, done by threads; the kernels let go of the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from kopsim.errors import QueryError

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


def usable_cores() -> int:
    """Processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_chunks(task: Callable[[Chunk], Result], chunks: Iterable[Chunk], threads: int | None = None) -> Iterator[Result]:
    """Results of `task` for every chunk, in the order of the chunks.

    threads: default the usable cores.  An interrupt takes effect between chunks.
    Raises QueryError for fewer than one thread.
    """
    threads = usable_cores() if threads is None else threads
    if threads < 1:
        raise QueryError("threads-bad", count=threads)
    if threads == 1:
        yield from map(task, chunks)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(task, chunks)
    finally:
        pool.shutdown(cancel_futures=True)


def spans(count: int, size: int) -> list[tuple[int, int]]:
    """The numbers 0 to count - 1 as (start, stop) pairs of at most `size`."""
    return [(start, min(start + size, count)) for start in range(0, count, size)]
