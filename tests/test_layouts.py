from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopsim._layouts import LayoutSpace


def by_hand(pack: int, sizes: list[int], must: list[int], may: list[int]) -> set[tuple[int, ...]]:
    """Every layout, by trying all hands for the seats in turn."""
    found = set()

    def deal(rest: int, hands: tuple[int, ...]) -> None:
        seat = len(hands)
        if seat == 4:
            found.add(hands)
            return
        bits = [bit for bit in range(64) if rest >> bit & 1]
        for chosen in combinations(bits, sizes[seat]):
            hand = sum(1 << bit for bit in chosen)
            if hand & must[seat] == must[seat] and hand & ~may[seat] == 0:
                deal(rest & ~hand, (*hands, hand))

    deal(pack, ())
    return found


@st.composite
def spaces(draw: st.DrawFn) -> tuple[int, list[int], list[int], list[int]]:
    sizes = draw(st.lists(st.integers(0, 2), min_size=4, max_size=4))
    bits = draw(st.lists(st.integers(0, 63), min_size=sum(sizes), max_size=sum(sizes), unique=True))
    pack = sum(1 << bit for bit in bits)
    some = st.lists(st.sampled_from(bits), max_size=2, unique=True) if bits else st.just([])
    must = [sum(1 << bit for bit in draw(some)) if draw(st.booleans()) else 0 for _ in range(4)]
    may = [pack & ~sum(1 << bit for bit in draw(some)) for _ in range(4)]
    return pack, sizes, must, may


@given(spaces())
def test_numbered_layouts_are_all_layouts(space: tuple[int, list[int], list[int], list[int]]) -> None:
    expected = by_hand(*space)
    layouts = LayoutSpace(*space)
    assert len(layouts) == len(expected)
    listed = [layouts.unrank(rank) for rank in range(len(layouts))]
    assert set(listed) == expected
    assert [layouts.rank(hands) for hands in listed] == list(range(len(layouts)))


def test_all_kop_deals() -> None:
    deals = LayoutSpace(0xFFFF, [4] * 4, [0] * 4, [0xFFFF] * 4)
    assert len(deals) == 63_063_000
    ranks = np.random.default_rng(3).integers(0, len(deals), 2000)
    hands = np.zeros((2000, 4), dtype=np.uint64)
    deals.unrank_many(ranks, hands)
    assert [deals.rank([int(mask) for mask in row]) for row in hands] == ranks.tolist()
    assert {int(row.sum()) for row in hands} == {0xFFFF}


def test_one_hand_and_larger_packs() -> None:
    def count(cards: int, size: int) -> int:
        pack, hand = (1 << cards) - 1, (1 << size) - 1
        return len(LayoutSpace(pack, [size] * 4, [hand, 0, 0, 0], [hand, *[pack & ~hand] * 3]))

    assert count(16, 4) == 34_650
    assert count(32, 8) == comb(24, 8) * comb(16, 8)
    assert count(52, 13) == comb(39, 13) * comb(26, 13)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="do not add up"):
        LayoutSpace(0xF, [4] * 4, [0] * 4, [0xF] * 4)
    with pytest.raises(ValueError, match="more than"):
        LayoutSpace((1 << 52) - 1, [13] * 4, [0] * 4, [(1 << 52) - 1] * 4)
    space = LayoutSpace(0xF, [1] * 4, [0] * 4, [0xF] * 4)
    for rank in (-1, 24):
        with pytest.raises(IndexError):
            space.unrank(rank)
        with pytest.raises(IndexError):
            space.unrank_many(np.array([rank]), np.zeros((1, 4), dtype=np.uint64))
    with pytest.raises(ValueError, match="four columns"):
        space.unrank_many(np.array([0]), np.zeros((2, 4), dtype=np.uint64))
    for hands in ([1, 2, 4, 4], [3, 0, 4, 8], [1, 2, 4, 16], [1, 2, 4, 0]):
        with pytest.raises(ValueError, match="not a layout"):
            space.rank(hands)
