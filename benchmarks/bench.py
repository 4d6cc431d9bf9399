"""Fixed workloads that assert their answers and print their speed as JSON lines.

Times are processor seconds of this process (all its threads added up), the best
of a few runs; ratios are between figures of this same run.
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import numpy as np

from kopsim import Deal, __version__, load_rules, odds, solve_many
from kopsim._search import Solver
from kopsim._tablebase import DEALS, EndgameTables
from kopsim.best_defence import best_defence
from kopsim.calling_range import CallingRanges, packaged_ranges, strongest_first
from kopsim.cluster import spans, usable_cores
from kopsim.deals_table import COLUMNS
from kopsim.faces.site.build import build_site
from kopsim.kontra_build import build_kontra
from kopsim.odds_table import OddsTable, packaged_table
from kopsim.play_out import drawn_layouts, play_out, play_ranks
from kopsim.reply_bound import reply_bound
from kopsim.resources import data_path
from kopsim.rules import read_rules
from kopsim.rules.compile import compile_order
from kopsim.rules.model import SEATS
from kopsim.table_file import read_header
from kopsim.tablebase import silent, solved_endings
from kopsim.throwdowns.prover import Prover

TESTS = Path(__file__).parents[1] / "tests"
Answer = TypeVar("Answer")

# Zolo wins out of 34,650 for a few hands, checked against `tests/reference.py` through the tests.
HANDS = {("A♥ 10♠ Q♣ A♦", 4): 24316, ("A♥ 10♠ Q♣ A♦", 1): 18167, ("A♥ 10♣ J♣ J♠", 3): 6188}


def timed(work: Callable[[], Answer], runs: int = 5) -> tuple[float, Answer]:
    """Least processor seconds of a few runs, and the answer."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        answer = work()
        best = min(best, time.process_time() - start)
    return best, answer


def report(name: str, **figures: object) -> None:
    print(json.dumps({"benchmark": name, **figures}, ensure_ascii=False), flush=True)


def one_hand() -> float:
    """One hand, one seat, every layout, nothing precomputed, one core; returns the median seconds."""
    seconds = []
    for (hand, seat), wins in HANDS.items():
        spent, result = timed(
            lambda hand=hand, seat=seat: odds(hand, seat=seat, contract="zolo", use_table=False, threads=1)
        )
        assert result.wins == wins, (hand, seat, result.wins)
        seconds.append(spent)
        report(
            "one hand, one seat",
            hand=hand,
            seat=seat,
            wins=wins,
            solves=result.layouts,
            seconds=round(spent, 4),
            microseconds_per_solve=round(1e6 * spent / result.layouts, 2),
        )
    return float(np.median(seconds))


def batch() -> float:
    """Random whole deals, one core; returns the mean microseconds a solve over the seven coalitions."""
    cards = np.random.default_rng(2026).permuted(np.tile(np.arange(16), (100_000, 1)), axis=1)
    masks = (np.uint64(1) << cards.reshape(-1, 4, 4).astype(np.uint64)).sum(axis=2, dtype=np.uint64)
    each = []
    for side in ((1,), (2,), (3,), (4,), (1, 2), (1, 3), (1, 4)):
        spent, points = timed(lambda side=side: solve_many(masks, side=side, threads=1), runs=3)
        others = solve_many(masks, side={1, 2, 3, 4} - set(side))
        assert (points + others == 104).all()
        each.append(1e6 * spent / len(masks))
        report(
            "random deals in batch",
            side=side,
            solves=len(masks),
            solves_per_second=round(len(masks) / spent),
            microseconds_per_solve=round(1e6 * spent / len(masks), 2),
        )
    mean = sum(each) / len(each)
    report(
        "random deals in batch, all coalitions",
        solves_per_second=round(1e6 / mean),
        microseconds_per_solve=round(mean, 2),
    )
    return mean


def against_reference(microseconds: float) -> None:
    """Plain minimax on the referee, a few whole deals."""
    reference = import_module("reference")
    positions = import_module("positions")
    rng = random.Random(1)
    deals = [positions.random_deal(load_rules(), 4, rng) for _ in range(4)]
    spent, values = timed(lambda: [reference.value(positions.start(deal, "ordinary"), [4]) for deal in deals], runs=1)
    assert values == solve_many(deals, side=4).tolist()
    each = 1e6 * spent / len(deals)
    report(
        "ratio to the plain reference",
        reference_microseconds_per_solve=round(each),
        batch_microseconds_per_solve=round(microseconds, 2),
        times_faster=round(each / microseconds),
    )


def against_bridge(seconds: float) -> None:
    """The bridge solver on as many 4-card boards as a hand has layouts; answers compared on all of them."""
    try:
        solve_all = import_module("endplay.dds").solve_all_boards
        bridge = import_module("test_bridge")
    except ImportError:
        report("ratio to the bridge solver", skipped="endplay is not installed")
        return
    rules = read_rules(TESTS / "rules" / "bridge.toml")
    positions = import_module("positions")
    rng = random.Random(3)
    deals: list[Deal] = [positions.random_deal(rules, 4, rng) for _ in range(34_650)]
    boards = [bridge.bridge_deal(deal, bridge.TRUMPS["spades"]) for deal in deals]
    # The bridge solver takes 200 boards at a time.
    batches = [boards[start:stop] for start, stop in spans(len(boards), 200)]
    theirs, solved = timed(
        lambda: [max(tricks for _, tricks in board) for batch in batches for board in solve_all(batch)], runs=1
    )
    compiled = compile_order(rules, "spades")
    masks = np.array([[compiled.mask(hand) for hand in deal.hands] for deal in deals], dtype=np.uint64)
    tricks = np.zeros(len(deals), dtype=np.int16)
    ours, _ = timed(lambda: Solver(compiled.kernel).values(masks, 0, 0b0101, tricks), runs=3)
    assert tricks.tolist() == solved
    report(
        "ratio to the bridge solver",
        boards=len(boards),
        bridge_solver_seconds=round(theirs, 3),
        one_kop_hand_seconds=round(seconds, 4),
        times_faster=round(theirs / seconds, 1),
        same_bridge_boards_seconds=round(ours, 3),
        times_faster_at_bridge=round(theirs / ours, 1),
    )


def all_deals(batch_microseconds: float) -> None:
    """Every deal of each card order for every coalition: seconds, memory, and what a problem costs beside search."""
    golden = tomllib.loads((TESTS / "golden" / "tables.toml").read_text(encoding="utf-8"))
    command = [sys.executable, "-c", "from kopsim.faces.cli import main; main()", "tablebase", "build", "--json"]
    for table in golden["odds"]:
        rules, order = load_rules(table["rules"]), table["order"]
        contract = next(key for key, each in rules.contracts.items() if each.order == order)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            asked = ["--out", folder, "--rules", rules.id, "--contract", contract]
            ended = subprocess.run([*command, *asked], capture_output=True, check=True, encoding="utf-8")
            wall = time.perf_counter() - start
            files = {
                read_header(Path(file)).kind: read_header(Path(file)) for file in json.loads(ended.stdout)["files"]
            }
            assert files["odds"].sha256 == table["sha256"]
        each = 1e6 * wall * usable_cores() / (DEALS * len(COLUMNS))
        report(
            "all deals, seven coalitions",
            rules=rules.id,
            order=order,
            deals=DEALS,
            problems=DEALS * len(COLUMNS),
            wall_seconds=round(wall, 1),
            cores=usable_cores(),
            peak_megabytes_so_far=round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
            core_microseconds_per_problem=round(each, 3),
            times_cheaper_than_alpha_beta_at_kop=round(batch_microseconds / each, 1),
        )


def where_the_time_goes() -> None:
    """The stages of the solution on one thread: positions, seconds, and what a position costs."""
    tables = EndgameTables(compile_order(load_rules(), "ordinary").kernel)
    solved = {2: 2_520, 3: 369_600}
    for cards in (2, 3):
        # The three-trick sets are alike in size; an eighth of them tells the cost of all.
        numbers = range(0, tables.sets(cards), 1 if cards == 2 else 8)
        spent, _ = timed(lambda cards=cards, numbers=numbers: [tables.fill(cards, n) for n in numbers], runs=1)
        report(
            "stage of the tablebase",
            tricks_left=cards,
            positions=tables.sets(cards) * solved[cards],
            nanoseconds_per_position=round(1e9 * spent / (len(numbers) * solved[cards])),
        )


def certain_wins() -> None:
    """Which of all hands win for certain at which seat, zolo and zolo-du, on one thread."""
    hands = packaged_table(load_rules(), "ordinary").hands

    def count(contract: str) -> int:
        prover = Prover(load_rules(), contract)
        return sum(prover.guaranteed(hand, seat) for hand in hands for seat in (1, 2, 3, 4))

    spent, counts = timed(lambda: (count("zolo"), count("zolo-du")), runs=2)
    assert counts == (92, 5)
    report(
        "certain wins of all hands and seats, zolo and zolo-du", questions=2 * 4 * len(hands), seconds=round(spent, 2)
    )


def planned() -> None:
    """Best defence of one biddable hand at each seat: all layouts, both bounds, one core."""
    spent, found = timed(
        lambda: [best_defence("A♥ 10♣ J♣ J♠", seat=seat, contract="zolo") for seat in (1, 2, 3, 4)], runs=1
    )
    assert (found[0].kept, found[0].bound) == (27760, "exact")
    report("best defence of one hand", seats=4, seconds_a_seat=round(spent / 4, 2))


def played_out() -> None:
    """Deals a second in which all four players weigh layouts, on one core, by search and with solved endings."""
    spent, result = timed(lambda: play_out("A♥ 10♣ J♣ J♠", seat=3, contract="zolo", deals=2000, threads=1), runs=3)
    setting = result.setting
    players = setting.table.kernel(setting.layouts, setting.seed, solved_endings(setting.table.rules, "ordinary"))
    ranks = drawn_layouts(setting)[:2000]
    solved, sums = timed(lambda: play_ranks(setting, ranks, players), runs=3)
    assert (result.deals, result.wins) == (2000, sums[0]) == (2000, 1119)
    report(
        "deals played out by pimc players",
        deals_per_second=round(2000 / spent),
        with_solved_endings=round(2000 / solved),
        ratio=round(spent / solved, 1),
    )


def best_replied() -> None:
    """The best reply to averaging defenders, exact over all layouts, on one core."""
    spent, found = timed(lambda: reply_bound("A♥ 10♣ J♣ J♠", seat=3, contract="zolo"), runs=1)
    assert (found.wins, found.layouts) == (21338, 34650)
    report("best reply to pimc defenders", seconds=round(spent, 1), wins=found.wins)


def look_up() -> None:
    """One hand from the packaged table, inside Python, after the first call; and opening the table."""
    spent, result = timed(lambda: odds("A♥ 10♠ Q♣ A♦", seat=4, contract="zolo"), runs=50)
    assert result.wins == 24316
    path = packaged_table(load_rules(), "ordinary").path
    opening, table = timed(lambda: OddsTable(path, load_rules(), "ordinary"), runs=20)
    assert len(table.hands) == 1820
    report(
        "one hand from the packaged table",
        milliseconds=round(1e3 * spent, 3),
        opening_milliseconds=round(1e3 * opening, 3),
        file_kilobytes=path.stat().st_size // 1024,
    )


def tables_built() -> None:
    """A small kontra table, deals a second with playing, solving and balancing; and what the packaged tables took."""
    ranges = packaged_ranges(load_rules())
    assert ranges is not None
    strongest = {seat: strongest_first(ranges.callers["zolo", seat], ranges.rules, "zolo")[:5] for seat in SEATS}
    few = CallingRanges(
        ranges.rules, {("zolo", seat): frozenset(map(frozenset, hands)) for seat, hands in strongest.items()}
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "zolo.kontra"
        spent, _ = timed(lambda: build_kontra(few, "zolo", path, deals=500, outside=False, threads=1), runs=1)
    played = 500 * sum(map(len, few.callers.values()))
    made = {
        each.name: read_header(each).made["seconds"]
        for folder in ("play_outs", "bounds", "kontra")
        for each in sorted(data_path(folder).iterdir())
    }
    report("a small kontra table", deals_per_second=round(played / spent), seconds_of_packaged_tables=made)


def from_the_shell() -> None:
    """`kopsim odds` and `kopsim advise` for one hand and one seat, wall seconds of a whole process."""
    command = [sys.executable, "-c", "from kopsim.faces.cli import main; main()"]
    for query, asked in {
        "odds": ["AhTsQcAd", "--seat", "4", "--contract", "zolo"],
        "advise": ["AhTcJcJs", "--seat", "3"],
    }.items():
        best = float("inf")
        for _ in range(5):
            start = time.perf_counter()
            line = [*command, query, *asked, "--json"]
            ended = subprocess.run(line, capture_output=True, check=True, encoding="utf-8")
            best = min(best, time.perf_counter() - start)
        told = json.loads(ended.stdout)
        assert told["results"][0]["wins"] == 24316 if query == "odds" else told["recommended"] == "pass"
        report(f"kopsim {query} from the shell", wall_seconds=round(best, 3))


def page_answers() -> None:
    """From opening a link to a hand until the verdict is there, in Chromium slowed down four times like a phone."""
    if not (shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")):
        print("No Chromium: the web page is not timed.", file=sys.stderr)
        return
    from site_browser import browser, watched

    with tempfile.TemporaryDirectory() as folder:
        site, best = Path(folder) / "site", float("inf")
        build_site(site, [load_rules()], silent)
        with browser() as opened, watched(opened, f"{site.as_uri()}/index.html#rules/kop-gorzow-2014") as page:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
            page.add_init_script(
                """new MutationObserver((_, self) => { if (document.querySelector(".verdict")) {
                self.disconnect(); window.answered = performance.now(); } })
                .observe(document, {childList: true, subtree: true})"""
            )
            for _ in range(3):
                page.goto("about:blank")
                page.goto(f"{site.as_uri()}/index.html#hand/kop-gorzow-2014/AhTcJcJs/3")
                page.wait_for_function("window.answered")
                best = min(best, page.evaluate("window.answered"))
    report("first answer of the web page, processor slowed four times", milliseconds=round(best))


def main() -> None:
    sys.path.insert(0, str(TESTS))
    report(
        "machine", kopsim=__version__, python=platform.python_version(), cores=usable_cores(), cpu=os.uname().machine
    )
    seconds = one_hand()
    microseconds = batch()
    against_reference(microseconds)
    against_bridge(seconds)
    certain_wins()
    planned()
    played_out()
    best_replied()
    tables_built()
    look_up()
    from_the_shell()
    page_answers()
    where_the_time_goes()
    all_deals(microseconds)


if __name__ == "__main__":
    main()
