from __future__ import annotations

import threading

import pytest

from kopsim.cluster import in_chunks, spans, usable_cores


def test_spans_cover_everything_once() -> None:
    assert spans(10, 4) == [(0, 4), (4, 8), (8, 10)]
    assert spans(0, 4) == []
    assert sum(stop - start for start, stop in spans(12345, 100)) == 12345


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_results_come_in_order(threads: int | None) -> None:
    assert list(in_chunks(lambda n: n * n, range(50), threads)) == [n * n for n in range(50)]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_stops_before_the_next_chunk(threads: int) -> None:
    started = []
    lock = threading.Lock()

    def task(number: int) -> int:
        with lock:
            started.append(number)
        if number == 5:
            raise KeyboardInterrupt
        return number

    with pytest.raises(KeyboardInterrupt):
        list(in_chunks(task, range(10_000), threads))
    assert len(started) < 10_000


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1
