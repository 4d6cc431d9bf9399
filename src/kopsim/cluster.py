"""Work cut into chunks and done by threads or by the workers of a Dask cluster.

A chunk's result depends on the chunk alone, so neither the number of workers nor
their fate can change an answer.  Threads are enough wherever the kernels do the
work, since they let go of the interpreter lock.
"""

from __future__ import annotations

import os
import signal
import threading
from asyncio import CancelledError as AsyncCancelledError
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TypeVar

from kopsim.errors import QueryError
from kopsim.quantities import counted

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
    threads = check_threads(threads)
    if threads == 1:
        yield from map(task, chunks)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(task, chunks)
    finally:
        pool.shutdown(cancel_futures=True)


def done_in_chunks(
    task: Callable[[Chunk], Result],
    chunks: Sequence[Chunk],
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[Result]:
    """All results of `in_chunks`; progress: called with how many are done and of how many."""
    found = []
    for result in in_chunks(task, chunks, threads):
        found.append(result)
        progress(len(found), len(chunks))
    return found


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
    Raises QueryError for a cluster that cannot be had or was lost; results that arrived stand.
    """
    if cluster is not None:
        yield from _on_cluster(task, chunks, cluster)
        return
    pool = ThreadPoolExecutor(check_threads(threads))
    try:
        futures = {pool.submit(task, chunk): chunk for chunk in chunks}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def check_threads(threads: int | None) -> int:
    """The number of threads to use; raises QueryError for fewer than one."""
    return usable_cores() if threads is None else counted(threads, "threads", "threads-bad")


def check_cluster(cluster: str | None) -> None:
    """Raises QueryError if no cluster of this name can be had, as far as that can be told without trying."""
    if cluster is None:
        return
    if find_spec("distributed") is None:
        raise QueryError("cluster-missing")
    if cluster.startswith("local:") and not _local_workers(cluster):
        raise QueryError("cluster-bad", text=cluster)


def _local_workers(cluster: str) -> int:
    """N of "local:N"; 0 for anything else."""
    number = cluster.removeprefix("local:")
    return int(number) if cluster.startswith("local:") and number.isdecimal() else 0


def _on_cluster(
    task: Callable[[Chunk], Result], chunks: Sequence[Chunk], cluster: str
) -> Iterator[tuple[Chunk, Result]]:
    check_cluster(cluster)
    import distributed

    with ExitStack() as stack:
        try:
            address = cluster
            if workers := _local_workers(cluster):
                with _deaf_to_interrupts():
                    address = stack.enter_context(
                        distributed.LocalCluster(
                            n_workers=workers,
                            threads_per_worker=1,
                            dashboard_address=":0",
                            silence_logs="CRITICAL",
                        )
                    )
            client = stack.enter_context(distributed.Client(address, timeout=10))
        except (OSError, ValueError, TypeError, distributed.comm.CommClosedError):
            raise QueryError("cluster-bad", text=cluster) from None
        futures = {client.submit(task, chunk, pure=False): chunk for chunk in chunks}
        try:
            for future in distributed.as_completed(futures):
                yield futures[future], future.result()
        except (
            distributed.KilledWorker,
            CancelledError,
            AsyncCancelledError,
            distributed.comm.CommClosedError,
        ) as error:
            raise QueryError("cluster-lost", text=cluster, reason=type(error).__name__) from None


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started here ignore Ctrl-C; stopping them is for this process to do."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
