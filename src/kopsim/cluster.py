"""Work cut into chunks and done by threads or by the workers of a Dask cluster.

A chunk's result depends on the chunk alone, so neither the number of workers nor
their fate can change an answer.  Threads are enough wherever the kernels do the
work, since they let go of the interpreter lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from kopsim.errors import QueryError

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


def usable_cores() -> int:
    """Processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spans(count: int, size: int) -> list[tuple[int, int]]:
    """The numbers 0 to count - 1 as (start, stop) pairs of at most `size`."""
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def in_chunks(task: Callable[[Chunk], Result], chunks: Iterable[Chunk], threads: int | None = None) -> Iterator[Result]:
    """Results of `task` for every chunk, in the order of the chunks, by threads.

    threads: default the usable cores.  An interrupt takes effect between chunks.
    Raises QueryError for fewer than one thread.
    """
    threads = _checked(threads)
    if threads == 1:
        yield from map(task, chunks)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(task, chunks)
    finally:
        pool.shutdown(cancel_futures=True)


def as_they_arrive(
    task: Callable[[Chunk], Result],
    chunks: Sequence[Chunk],
    *,
    threads: int | None = None,
    cluster: str | None = None,
) -> Iterator[tuple[Chunk, Result]]:
    """Each chunk with its result, in the order in which they are done.

    threads: so many threads of this process, default the usable cores; or
    cluster: "local:N" for N worker processes on this machine, or the address of a
    running Dask scheduler.  On a cluster `task` and chunks are pickled, and the
    chunks of a worker that dies are given to another.
    Raises QueryError for a cluster that cannot be had.
    """
    if cluster is not None:
        yield from _on_cluster(task, chunks, cluster)
        return
    pool = ThreadPoolExecutor(_checked(threads))
    try:
        futures = {pool.submit(task, chunk): chunk for chunk in chunks}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _checked(threads: int | None) -> int:
    threads = usable_cores() if threads is None else threads
    if threads < 1:
        raise QueryError("threads-bad", count=threads)
    return threads


def _on_cluster(
    task: Callable[[Chunk], Result], chunks: Sequence[Chunk], cluster: str
) -> Iterator[tuple[Chunk, Result]]:
    try:
        import distributed
    except ImportError:
        raise QueryError("cluster-missing") from None
    local = cluster.partition("local:")[2] if cluster.startswith("local:") else None
    if local is not None and not (local.isdecimal() and int(local) > 0):
        raise QueryError("cluster-bad", text=cluster)
    try:
        scheduler = (
            distributed.LocalCluster(
                n_workers=int(local), threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
            )
            if local is not None
            else None
        )
        client = distributed.Client(scheduler or cluster, timeout=10)
    except (OSError, ValueError, TypeError, distributed.comm.CommClosedError):
        raise QueryError("cluster-bad", text=cluster) from None
    try:
        futures = {client.submit(task, chunk, pure=False): chunk for chunk in chunks}
        for future in distributed.as_completed(futures):
            yield futures[future], future.result()
    finally:
        client.close()
        if scheduler is not None:
            scheduler.close()
