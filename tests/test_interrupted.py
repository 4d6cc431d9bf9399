"""Stopped on purpose: an estimate that was growing is told with its error, and that it was stopped."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

import kopsim
from kopsim import Interrupted, odds, odds_of_contracts, pair_odds
from kopsim.faces.cli import INTERRUPTED
from kopsim.play_out import play_out
from kopsim.rules import load_rules

HAND = "A♥ 10♣ J♣ J♠"


def after(calls: int):
    """A progress function that presses Ctrl-C when it is called for so many times."""
    count = 0

    def progress(*_: int) -> None:
        nonlocal count
        count += 1
        if count == calls:
            raise KeyboardInterrupt

    return progress


def test_a_play_out_that_is_stopped_is_one_of_fewer_deals() -> None:
    asked = {"seat": 3, "contract": "zolo", "layouts": 5, "threads": 2}
    with pytest.raises(Interrupted) as stopped:
        play_out(HAND, deals=8000, progress=after(2), **asked)
    so_far = stopped.value.so_far
    assert 0 < so_far.deals < 8000
    assert so_far == play_out(HAND, deals=so_far.deals, **asked)
    assert so_far.payment.error > 0
    with pytest.raises(Interrupted) as stopped:
        play_out(HAND, deals=100, precision=0.001, progress=after(3), **asked)
    assert stopped.value.so_far.deals > 100


def test_a_sample_that_is_stopped_is_a_smaller_one() -> None:
    with pytest.raises(Interrupted) as stopped:
        odds_of_contracts(HAND, seat=3, contracts=["zolo"], samples=50_000, threads=1, progress=after(3))
    (so_far,) = stopped.value.so_far
    assert 0 < so_far.total == so_far.sample.size < 50_000
    assert so_far == odds(HAND, seat=3, contract="zolo", samples=so_far.total)
    with pytest.raises(Interrupted) as stopped:
        pair_odds(HAND, seat=3, contract="game", samples=50_000, threads=1, progress=after(3))
    so_far = stopped.value.so_far
    assert 0 < so_far.sample.size < 50_000
    assert so_far == pair_odds(HAND, seat=3, contract="game", samples=so_far.sample.size)


def test_contracts_that_were_not_begun_are_missing() -> None:
    """Baśka has two orders of cards, each of which is solved on its own."""
    rules, contracts = load_rules("baska-z-asem"), ["zolo", "zolo-du", "gran"]
    with pytest.raises(Interrupted) as stopped:
        odds_of_contracts(
            "J♣ J♠ J♥ A♥", seat=3, contracts=contracts, rules=rules, samples=50_000, threads=1, progress=after(2)
        )
    assert [each.contract for each in stopped.value.so_far] == ["zolo", "zolo-du"]


def test_half_a_count_of_all_layouts_is_no_answer() -> None:
    with pytest.raises(KeyboardInterrupt) as stopped:
        odds_of_contracts(HAND, seat=3, contracts=["zolo"], use_table=False, progress=after(2))
    assert not isinstance(stopped.value, Interrupted)
    with pytest.raises(KeyboardInterrupt) as stopped:
        odds_of_contracts(HAND, seat=3, contracts=["zolo"], samples=50_000, threads=1, progress=after(1))
    assert not isinstance(stopped.value, Interrupted)


COMMAND = [sys.executable, "-c", "from kopsim.faces.cli import main; main()"]
LONG = [
    ("play-out", HAND, "--seat", "3", "--contract", "zolo", "--deals", "34650", "--weigh", "1000"),
    ("odds", HAND, "--seat", "3", "--samples", "20000000"),
    ("odds", HAND, "--seat", "3", "--samples", "20000000", "--contract", "game"),
]


def stopped_after(seconds: float, *args: str) -> str:
    """What a command tells that is stopped after a while; nothing if it had not begun to count."""
    process = subprocess.Popen(
        [*COMMAND, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        # Who runs these tests in the background may not heed Ctrl-C, which children inherit.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == INTERRUPTED
    assert err.strip() == "Interrupted."
    return out


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
@pytest.mark.parametrize("args", LONG)
def test_a_command_that_is_stopped_tells_what_it_has(args: tuple[str, ...]) -> None:
    for form in ((), ("--json",)):
        # A busy machine takes longer to begin.
        out = next(told for seconds in (3, 15, 50) if (told := stopped_after(seconds, *args, *form)))
        if form:
            told = json.loads(out)
            assert told["interrupted"] is True
            low, high = told["results"][0]["interval"]
            assert 0 < low < told["results"][0]["probability"] < high < 1
        else:
            assert "%" in out
            assert "Interrupted before its end" in out


def test_the_name_is_public() -> None:
    assert issubclass(kopsim.Interrupted, KeyboardInterrupt)
