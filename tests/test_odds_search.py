"""Odds tables made by search: equal to the packaged one, whoever does the work and whatever happens to him."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest
from positions import PACKS_OF_16, RULES

from kopsim import Card, QueryError, TableError, load_rules, odds, parse_cards, rule_ids
from kopsim.cluster import as_they_arrive
from kopsim.deals import every_hand
from kopsim.hand_odds import lone_contracts
from kopsim.odds_search import HandChunk, build_by_search, count_hand
from kopsim.odds_table import OddsTable, packaged_table
from kopsim.roles import Role, old_cards
from kopsim.table_file import read_header

KOP = load_rules()
HANDS = [parse_cards(text) for text in ("AhTsQcAd", "AhTsQcQs", "JhJdAdTd", "AcAsThTd", "QcQsJcAc")]


@pytest.mark.parametrize(("name", "order"), PACKS_OF_16)
def test_search_and_packaged_table_agree_in_every_role(name: str, order: str) -> None:
    """A fixed sample of hands."""
    rules = RULES[name]
    table = packaged_table(rules, order)
    assert table is not None
    sample = [*HANDS[3 * (name != KOP.id) :], *random.Random(f"{name} {order}").sample(every_hand(rules), 3)]
    for chunk, counts in as_they_arrive(count_hand, [HandChunk(rules, order, hand) for hand in sample]):
        for role in Role:
            for seat in (1, 2, 3, 4):
                assert (counts[role, seat - 1] == table.counts(chunk.hand, role, seat)).all(), (chunk.hand, role, seat)


@pytest.mark.parametrize(("name", "order"), PACKS_OF_16)
def test_the_packaged_table_is_whole_and_adds_up(name: str, order: str) -> None:
    table = packaged_table(RULES[name], order)
    assert table is not None
    assert set(map(frozenset, table.hands)) == set(map(frozenset, every_hand(RULES[name])))
    # In gran everybody plays alone: nobody is old.
    old = set(old_cards(RULES[name], order))
    assert old == (set() if order == "gran" else {Card("Q", "♣"), Card("Q", "♠")})
    lone = 0
    for hand in table.hands:
        held = len(old & set(hand))
        for seat in (1, 2, 3, 4):
            sums = [int(table.counts(hand, role, seat).sum()) for role in Role]
            # Two old queens among the other twelve cards: in two hands in 8 of 11 deals.
            shared = {0: [0, 25200, 9450, 0], 1: [34650, 0, 0, 0], 2: [0, 0, 0, 34650]}[held]
            assert sums == [34650, *(shared if old else [0] * 4)]
        lone += int(table.counts(hand, Role.LONE, 1).sum())
    assert lone == 63_063_000
    # Side suits of black cards are alike, but for the trumps; in gran all four are.
    spades = [Card(card.rank, "♠") for card in RULES[name].pack.cards if card.suit == "♣"]
    sides = {card for suit in RULES[name].orders[order].side_suits for card in suit}
    swap = {card: Card(card.rank, "♣") for card in spades if card in sides}
    swap |= {clubs: other for other, clubs in swap.items()}
    for hand in table.hands[::7]:
        mirrored = [swap.get(card, card) for card in hand]
        for role in Role:
            assert (table.counts(hand, role, 2) == table.counts(mirrored, role, 2)).all()


@pytest.mark.parametrize("name", rule_ids())
def test_odds_look_up_what_they_would_solve(name: str) -> None:
    rules = load_rules(name)
    for hand in random.Random(5).sample(every_hand(rules), 4):
        seat = random.Random(str(hand)).randint(1, 4)
        for contract in lone_contracts(rules, hand):
            quick = odds(hand, seat=seat, contract=contract, rules=rules)
            slow = odds(hand, seat=seat, contract=contract, rules=rules, use_table=False)
            assert (quick.wins, quick.total, quick.layouts) == (slow.wins, slow.total, slow.layouts)
            assert (quick.histogram == slow.histogram).all()


def test_an_open_card_is_looked_up_as_it_would_be_solved() -> None:
    quick, slow = (odds("AhTsQcx", seat=2, contract="zolo", use_table=use) for use in (True, False))
    assert (quick.wins, quick.layouts) == (slow.wins, slow.layouts) == (quick.wins, 450_450)


def test_threads_and_cluster_change_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    sums = []
    for name, where in (("one", {"threads": 1}), ("two", {"threads": 2}), ("cluster", {"cluster": "local:2"})):
        path = tmp_path / f"{name}.odds"
        build_by_search(KOP, "ordinary", HANDS, path, **where)
        sums.append(read_header(path).sha256)
    assert len(set(sums)) == 1
    table = OddsTable(tmp_path / "one.odds", KOP, "ordinary")
    assert set(map(frozenset, table.hands)) == set(map(frozenset, HANDS))
    with pytest.raises(KeyError):
        table.counts(parse_cards("AhTcThTs"), Role.LONE, 1)


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    whole = tmp_path / "whole.odds"
    build_by_search(KOP, "ordinary", HANDS, whole, threads=2)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:
        killed: list[int] = []

        def kill(_done: int, _of: int) -> None:
            if not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        path = tmp_path / "killed.odds"
        build_by_search(KOP, "ordinary", HANDS, path, cluster=cluster.scheduler_address, progress=kill)
    assert killed
    assert read_header(path).sha256 == read_header(whole).sha256


def test_a_lost_cluster_keeps_what_is_done(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    path = tmp_path / "lost.odds"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:

        def lose(_done: int, _of: int) -> None:
            cluster.close()

        with pytest.raises(QueryError, match="finished hands are kept"):
            build_by_search(KOP, "ordinary", HANDS, path, cluster=cluster.scheduler_address, progress=lose)
    done: list[int] = []
    build_by_search(KOP, "ordinary", HANDS, path, threads=2, progress=lambda number, _: done.append(number))
    assert done == [2, 3, 4, 5]


def test_an_interrupted_build_goes_on(tmp_path: Path) -> None:
    path, part = tmp_path / "some.odds", tmp_path / "some.odds.part"
    done = []

    def stop(number: int, _of: int) -> None:
        done.append(number)
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_by_search(KOP, "ordinary", HANDS, path, threads=1, progress=stop)
    assert part.exists()
    assert not path.exists()
    with pytest.raises(TableError, match="unfinished table"):
        build_by_search(RULES["baska-z-asem"], "ordinary", HANDS, path, threads=1)
    build_by_search(KOP, "ordinary", HANDS, path, threads=1, progress=stop)
    assert done == [1, 2, 3, 4, 5]
    assert [each.name for each in tmp_path.iterdir()] == ["some.odds"]
    part.write_bytes(b"no database")
    with pytest.raises(TableError, match=r"some\.odds\.part"):
        build_by_search(KOP, "ordinary", HANDS, path, threads=1)


def test_another_order_of_another_game(tmp_path: Path) -> None:
    path = tmp_path / "gran.odds"
    hand = parse_cards("JcJsJhAc")
    build_by_search(RULES["baska-z-asem"], "gran", [hand], path, threads=1)
    table = OddsTable(path, RULES["baska-z-asem"], "gran")
    for seat in (1, 3):
        solved = odds(hand, seat=seat, contract="gran-du", rules=RULES["baska-z-asem"])
        assert (table.counts(hand, Role.LONE, seat) == solved.histogram).all()
    assert table.counts(hand, Role.OLD, 1).sum() == 0


def test_what_cannot_be_built(tmp_path: Path) -> None:
    belote = RULES["belote"]
    hand = sorted(belote.pack.cards)[:8]
    with pytest.raises(QueryError, match="9465511770 layouts"):
        build_by_search(belote, "hearts", [hand], tmp_path / "big.odds")
    with pytest.raises(TableError, match="something that is not a file"):
        build_by_search(KOP, "ordinary", HANDS, tmp_path)
    assert list(tmp_path.iterdir()) == []
    for cluster in ("local:0", "local:x", "nowhere", "tcp://127.0.0.1:1"):
        with pytest.raises(QueryError, match="Dask"):
            list(as_they_arrive(count_hand, [], cluster=cluster))
    with pytest.raises(QueryError, match="at least 1"):
        list(as_they_arrive(count_hand, [], threads=0))
