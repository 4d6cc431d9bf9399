"""Retrograde tables against the reference and against search, and their files against damage."""

from __future__ import annotations

import errno
import hashlib
import random
import tomllib
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import reference
from positions import PACKS_OF_16, RULES, random_deal, start

from kopsim import Deal, Position, QueryError, TableError, load_rules
from kopsim._tablebase import DEALS, HANDS, EndgameTables, deal_hands, deal_rank
from kopsim._tally import Tally
from kopsim.deals_table import COLUMNS, DealsTable
from kopsim.double_dummy import solve, solve_many
from kopsim.resources import data_path
from kopsim.roles import Role, old_cards, order_hash, partner_cards
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.compile import compile_order
from kopsim.rules.load import check_rules
from kopsim.seats import check_side
from kopsim.table_file import HEADER, Header, building, header_for, read_header, write_table
from kopsim.table_proof import verify_table
from kopsim.tablebase import build_deals, build_odds

GOLDEN = tomllib.loads((Path(__file__).parent / "golden" / "tables.toml").read_text(encoding="utf-8"))


@cache
def two_cards_left(name: str, order: str) -> EndgameTables:
    """Tables with every ending of two cards a hand, for an order of 16 cards."""
    tables = EndgameTables(compile_order(RULES[name], order).kernel)
    for number in range(tables.sets(2)):
        tables.fill(2, number)
    return tables


@pytest.mark.parametrize(("name", "order"), PACKS_OF_16)
def test_two_tricks_left_for_every_coalition(name: str, order: str) -> None:
    rng, compiled = random.Random(4), compile_order(RULES[name], order)
    for _ in range(60):
        position = start(random_deal(RULES[name], 2, rng), order)
        points = two_cards_left(name, order).points([compiled.mask(hand) for hand in position.hands])
        for column, coalition in enumerate(COLUMNS):
            side = [seat for seat in (1, 2, 3, 4) if coalition >> (seat - 1) & 1]
            assert points[column] == reference.value(position, side)


@pytest.mark.parametrize(("name", "order"), PACKS_OF_16)
def test_three_tricks_left_for_every_coalition(name: str, order: str) -> None:
    """A few sets of what can be left, solved whole and compared with search on every kind of position in them."""
    tables, compiled = two_cards_left(name, order), compile_order(RULES[name], order)
    rng = random.Random(8)
    for number in rng.sample(range(tables.sets(3)), 2):
        tables.fill(3, number)
        left = compiled.cards_of(tables.left(3, number))
        for _ in range(40):
            rng.shuffle(left)
            deal = Deal(tuple(frozenset(left[seat::4]) for seat in range(4)), RULES[name])
            points = tables.points([compiled.mask(hand) for hand in deal.hands])
            for column, coalition in enumerate(COLUMNS):
                side = [seat for seat in (1, 2, 3, 4) if coalition >> (seat - 1) & 1]
                assert points[column] == solve(start(deal, order), side=side).points
        position = start(deal, order)
        assert points[0] == reference.value(position, [1])
        assert points[4] == reference.value(position, [1, 2])


def test_what_the_method_does_not_fit() -> None:
    for name in ("belote", "kierki"):
        with pytest.raises(QueryError, match="packs of 16 cards"):
            build_deals(RULES[name], next(iter(RULES[name].orders)), Path("nowhere"))
    tables = EndgameTables(compile_order(load_rules(), "ordinary").kernel)
    for cards, number in ((2, -1), (2, tables.sets(2)), (4, 0)):
        with pytest.raises(IndexError):
            tables.fill(cards, number)
    for number in (-1, HANDS):
        with pytest.raises(IndexError):
            tables.solve_deals(number, np.zeros((34650, 7), dtype=np.uint8))
    with pytest.raises(ValueError, match="34650 x 7"):
        tables.solve_deals(0, np.zeros((1, 7), dtype=np.uint8))
    for hands in ((1, 2, 4, 8), (15, 15, 15 << 4, 15 << 8), (15, 15 << 4, 15 << 8, 15 << 16)):
        with pytest.raises(ValueError, match="four hands"):
            deal_rank(hands)


def test_deals_are_numbered_once() -> None:
    rng = np.random.default_rng(1)
    for number in (0, 700, HANDS - 1):
        hands = deal_hands(number)
        assert len(hands) == DEALS // HANDS
        for row in (0, *rng.integers(0, len(hands), 50), len(hands) - 1):
            assert deal_rank(tuple(int(mask) for mask in hands[row])) == number * len(hands) + row


def test_roles_counted_against_plain_python() -> None:
    rules, rng = load_rules(), random.Random(6)
    compiled = compile_order(rules, "ordinary")
    old, jacks = old_cards(rules, "ordinary"), partner_cards(rules, "ordinary")
    assert [str(card) for card in (*old, *jacks)] == ["Q♣", "Q♠", "J♣", "J♠", "J♥", "J♦"]
    deals = [random_deal(rules, 4, rng) for _ in range(300)]
    masks = np.array([[compiled.mask(hand) for hand in deal.hands] for deal in deals], dtype=np.uint64)
    sides = [tuple(seat for seat in (1, 2, 3, 4) if column >> (seat - 1) & 1) for column in COLUMNS]
    points = np.stack([solve_many(deals, side=side) for side in sides], axis=1).astype(np.uint8)
    counts = np.zeros((len(Role), 4, HANDS, 105), dtype=np.int32)
    Tally(104, [compiled.mask([card]) for card in old], [compiled.mask([card]) for card in jacks]).add(
        masks, points, counts
    )
    expected: dict[tuple[Role, int, int, int], int] = {}
    for deal in deals:
        holders = {seat for seat in (1, 2, 3, 4) if deal.hands[seat - 1] & set(old)}
        for seat in (1, 2, 3, 4):
            told = {Role.LONE: {seat}}
            if len(holders) == 2:
                told |= {Role.OLD: holders} if seat in holders else {Role.YOUNG: {1, 2, 3, 4} - holders}
            elif seat not in holders:
                told[Role.AGAINST] = {1, 2, 3, 4} - holders
            else:
                jack = next(card for card in jacks if card not in deal.hands[seat - 1])
                told[Role.WESELE] = {seat, *(other for other in (1, 2, 3, 4) if jack in deal.hands[other - 1])}
            for role, side in told.items():
                taken = int(solve_many([deal], side=check_side(side))[0])
                place = (role, seat - 1, hand_number(compiled.mask(deal.hands[seat - 1])), taken)
                expected[place] = expected.get(place, 0) + 1
    assert {tuple(int(i) for i in place): int(counts[tuple(place)]) for place in np.argwhere(counts)} == expected


def hand_number(mask: int) -> int:
    """The rank of a hand of four by counting the smaller ones."""
    return sum(1 for smaller in range(mask) if smaller.bit_count() == 4)


def test_rule_sets_that_differ_in_prices_share_tables() -> None:
    text = data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8")
    cheap = rules_from(text.replace("value = { made = 5 }", "value = { made = 3 }"))
    loose = rules_from(text.replace('trump_led = ["beat", "trump"]', 'trump_led = ["trump"]'))
    assert order_hash(cheap, "ordinary") == order_hash(load_rules(), "ordinary")
    assert order_hash(loose, "ordinary") != order_hash(load_rules(), "ordinary")


def rules_from(text: str) -> RuleSet:
    return check_rules(tomllib.loads(text), Path("club.toml"))


# --- files ---------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A small file in the form of a table."""
    body = bytes(range(200))
    path = tmp_path / "some.odds"
    header = header_for(
        "odds", load_rules(), "ordinary", (1,), len(body), hashlib.sha256(body).hexdigest(), {"command": "test"}
    )
    write_table(path, header, body)
    return path


def test_headers_come_back(table: Path) -> None:
    header = read_header(table)
    assert isinstance(header, Header)
    assert (header.kind, header.rules, header.shape, header.body_bytes) == ("odds", "kop-gorzow-2014", (1,), 200)
    assert header.made["command"] == "test"
    assert not list(table.parent.glob("*.new"))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda _: b"", "is not a kopsim table"),
        (lambda data: b"x" + data[1:], "is not a kopsim table"),
        (lambda data: data[:100], "is damaged"),
        (lambda data: data[:-1], "it has 4295 bytes instead of 4296"),
        (lambda data: data + b"x", "it has 4297 bytes instead of 4296"),
        (lambda data: data[:50] + b"#" + data[51:], "is damaged; its checksum"),
        (lambda data: data[: HEADER + 9] + b"#" + data[HEADER + 10 :], "is damaged; its checksum"),
    ],
)
def test_damage_is_named_and_refused(table: Path, damage, reason: str) -> None:
    table.write_bytes(damage(table.read_bytes()))
    with pytest.raises(TableError) as caught:
        verify_table(table, load_rules())
    assert table.name in str(caught.value)
    assert reason in str(caught.value)


def test_tables_of_other_rules_and_versions_are_refused(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        TableError, match="was made for kop-gorzow-2014, whose cards play otherwise than in baska-z-asem"
    ):
        verify_table(table, RULES["baska-z-asem"])
    with pytest.raises(TableError, match="another kind of table: histograms of points"):
        DealsTable(table, load_rules(), "ordinary")
    monkeypatch.setattr("kopsim.table_file.VERSION", 2)
    with pytest.raises(TableError, match="version 1; this kopsim reads version 2"):
        read_header(table)


def test_a_table_that_cannot_be_written_says_so(table: Path) -> None:
    with pytest.raises(TableError, match="cannot be written"):
        write_table(table / "below.odds", read_header(table), b"")
    with pytest.raises(TableError, match="there is no such file"):
        read_header(table.with_name("none.odds"))


def test_one_process_builds_a_table_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "some.odds"
    with building(path) as part:
        assert part == tmp_path / "some.odds.part"
        with pytest.raises(TableError, match="is being built by another process"), building(path):
            pass
    with building(path):
        pass
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "folder.odds").mkdir()
    with pytest.raises(TableError, match="something that is not a file"), building(tmp_path / "folder.odds"):
        pass


def test_nothing_is_left_of_a_table_that_could_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TableError, match=r"some\.odds cannot be written: the disk is full"):
        write_table(tmp_path / "some.odds", header_of_nothing(), b"")
    assert list(tmp_path.iterdir()) == []


def header_of_nothing() -> Header:
    return header_for("odds", load_rules(), "ordinary", (0,), 0, hashlib.sha256(b"").hexdigest(), {})


# --- the whole, built once ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All deals solved; interrupted twice on the way, to see that the build goes on."""
    folder = tmp_path_factory.mktemp("tables")
    seen = []

    def stop(stage: str, done: int, _of: int) -> None:
        seen.append((stage, done))
        if stage == "deals" and done in (300, 900) and seen.count((stage, done)) == 1:
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            build_deals(load_rules(), "ordinary", folder, progress=stop)
        assert [path.suffix for path in folder.iterdir()] == [".part"]
    text = data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8")
    other = rules_from(text.replace('led = ["beat", ', "led = ["))
    with pytest.raises(TableError, match="unfinished table of other rules"):
        build_deals(other, "ordinary", folder)
    path = build_deals(load_rules(), "ordinary", folder, progress=stop)
    assert [each.name for each in folder.iterdir()] == [path.name]
    return path


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_all_deals_have_the_golden_checksum(built: Path) -> None:
    assert read_header(built).sha256 == GOLDEN["deals"]["sha256"]
    assert build_deals(load_rules(), "ordinary", built.parent) == built


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_random_deals_against_the_reference(built: Path) -> None:
    table, rng = DealsTable(built, load_rules(), "ordinary"), random.Random(3)
    for coalition in range(1, 15):
        side = [seat for seat in (1, 2, 3, 4) if coalition >> (seat - 1) & 1]
        position = Position.start(random_deal(load_rules(), 4, rng), leader=rng.randint(1, 4))
        assert table.side_points(position, side) == reference.value(position, side)
        for _ in range(rng.randint(1, 11)):
            position = position.play(rng.choice(position.legal_cards()))
        assert table.side_points(position, side) == reference.value(position, side)


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_black_aces_can_be_exchanged_in_every_deal_of_some_hands(built: Path) -> None:
    points = DealsTable(built, load_rules(), "ordinary").points
    for number in range(0, HANDS, 91):
        hands = deal_hands(number)
        swapped = (
            (hands & ~np.uint64(3)) | (hands & np.uint64(1)) << np.uint64(1) | (hands & np.uint64(2)) >> np.uint64(1)
        )
        ranks = [deal_rank(tuple(int(mask) for mask in row)) for row in swapped[::37]]
        start_at = number * len(hands)
        assert (points[start_at : start_at + len(hands) : 37] == points[ranks]).all()


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_the_packaged_odds_are_counted_from_all_deals(built: Path) -> None:
    out = built.with_suffix(".odds")
    build_odds(built, load_rules(), "ordinary", out)
    packaged = read_header(data_path("odds", "kop-gorzow-2014.ordinary.odds"))
    assert read_header(out).sha256 == packaged.sha256 == GOLDEN["odds"][0]["sha256"]
    assert verify_table(built, load_rules(), samples=20_000).different == ()


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_a_build_stopped_at_the_last_step_is_finished(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = built.with_name(built.name + ".part")
    data = built.read_bytes()
    for left in (data + bytes(4 * HANDS), data):
        part.write_bytes(left)
        built.unlink()
        with monkeypatch.context() as patch:
            patch.setattr("kopsim.tablebase._solve_deals", None)  # nothing may be solved again
            build_deals(load_rules(), "ordinary", built.parent)
        assert built.read_bytes() == data
        assert not part.exists()


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_positions_of_other_rules_are_refused(built: Path) -> None:
    table = DealsTable(built, load_rules(), "ordinary")
    with pytest.raises(QueryError, match="The position is of baska-z-asem"):
        table.side_points(start(random_deal(RULES["baska-z-asem"], 4, random.Random(1)), "ordinary"), 1)


@pytest.mark.slow
@pytest.mark.xdist_group("built")
def test_a_damaged_chunk_is_solved_again(built: Path) -> None:
    """A part file whose chunk no longer fits its mark loses that chunk only."""
    part = built.with_name(built.name + ".part")
    data = bytearray(built.read_bytes())
    owner = f"{order_hash(load_rules(), 'ordinary')}\n".encode()
    size = (len(data) - HEADER) // HANDS
    marks = np.array([zlib.crc32(data[HEADER + n * size : HEADER + (n + 1) * size]) for n in range(HANDS)], dtype="<u4")
    data[: len(owner)] = owner
    data[HEADER + 5 * size] ^= 1
    part.write_bytes(bytes(data) + marks.tobytes())
    built.unlink()
    done: list[int] = []
    build_deals(
        load_rules(),
        "ordinary",
        built.parent,
        progress=lambda stage, n, _: done.append(n) if stage == "deals" else None,
    )
    assert len(done) == 2
    assert done[1] - done[0] == 1
    assert read_header(built).sha256 == GOLDEN["deals"]["sha256"]


@pytest.mark.parametrize("golden", GOLDEN["odds"], ids=lambda each: f"{each['rules']}-{each['order']}")
def test_golden_checksums_are_those_of_the_packaged_tables(golden: dict[str, str]) -> None:
    header = read_header(data_path("odds", f"{golden['rules']}.{golden['order']}.odds"))
    assert header.sha256 == golden["sha256"]
    assert header.rules_hash == rules_hash(load_rules(golden["rules"]))


def test_every_packaged_odds_table_has_a_golden_checksum() -> None:
    known = {f"{each['rules']}.{each['order']}.odds" for each in GOLDEN["odds"]}
    assert known == {path.name for path in data_path("odds").glob("*.odds")}
