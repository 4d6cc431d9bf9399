from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import RULES, random_deal

from kopsim import CardError, Deal, DealError, PartialDeal, parse_cards

EXAMPLE = "J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥"


def test_a_deal_in_writing() -> None:
    deal = Deal.parse(EXAMPLE)
    assert str(deal) == "10♣ Q♣ Q♦ J♠ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥"
    assert Deal.parse("JsTcQcQd|ThJcJhJd|AdTdAcAs|AhTsQsQh") == deal
    assert Deal.parse(deal.text("words", "pl")) == deal


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULES)), st.data())
def test_round_trip(seed: int, name: str, data: st.DataObject) -> None:
    rules = RULES[name]
    cards = data.draw(st.integers(1, rules.seats.hand_size))
    deal = random_deal(rules, cards, random.Random(seed))
    for style in ("symbols", "ascii", "words"):
        for lang in ("pl", "en"):
            assert Deal.parse(deal.text(style, lang), rules) == deal


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "given: 0"),
        ("A♥", "given: 1"),
        ("A♥|Q♥|J♥|Q♠|J♠", "given: 5"),
        ("A♥|Q♥||Q♠", "Seat 3: No card is given"),
        ("A♥|Q♥|x|Q♠", "Seat 3: “x” is not a card"),
        ("A♥|Q♥ J♥|A♠|Q♠", "Seat 2 holds 2 cards but seat 1 holds 1"),
        ("A♥|Q♥|A♥|Q♠", "A♥ appears twice"),
        ("A♥|Q♥|K♥|Q♠", "K♥ is not in the pack of kop-gorzow-2014"),
    ],
)
def test_what_is_no_deal(text: str, reason: str) -> None:
    with pytest.raises((CardError, DealError)) as caught:
        Deal.parse(text)
    assert reason in str(caught.value)
    assert caught.value.text("pl")


def test_partial_deals_count_layouts() -> None:
    hand = parse_cards("A♥ 10♠ Q♣ A♦")
    assert PartialDeal.of({1: hand}).layouts == 34650
    assert PartialDeal.of({}).layouts == 63063000
    assert PartialDeal.of({1: hand, 2: parse_cards("A♣")}).layouts == 11550
    assert PartialDeal.of({1: hand}, {2: parse_cards("A♣")}).layouts == 23100
    assert PartialDeal.of({1: hand}, {2: parse_cards("A♣"), 3: parse_cards("A♣")}).layouts == 11550


def test_layouts_as_deals() -> None:
    hand, ace = frozenset(parse_cards("A♥ 10♠ Q♣ A♦")), parse_cards("A♣")
    partial = PartialDeal.of({1: hand, 2: ace}, {3: parse_cards("A♠")})
    sample = partial.sample(300, seed=5)
    assert sample == partial.sample(300, seed=5) != partial.sample(300, seed=6)
    for deal in sample:
        assert deal.hands[0] == hand
        assert deal.hands[1].issuperset(ace)
        assert not deal.hands[2].intersection(parse_cards("A♠"))
    every = {partial.layout(rank) for rank in range(0, partial.layouts, 100)}
    assert len(every) == -(-partial.layouts // 100)
    ten = parse_cards("10♦")[0]
    held = sum(ten in deal.hands[1] for deal in sample) / len(sample)
    exact = PartialDeal.of({1: hand, 2: [*ace, ten]}, {3: parse_cards("A♠")}).layouts / partial.layouts
    assert abs(held - exact) < 0.08
    with pytest.raises(IndexError):
        partial.layout(partial.layouts)


@pytest.mark.parametrize(
    ("holds", "lacks", "reason"),
    [
        ({1: "A♥", 2: "A♥"}, {}, "A♥ appears twice"),
        ({1: "A♥"}, {1: "A♥"}, "Seat 1 cannot both hold and lack A♥"),
        ({1: "A♥ Q♥ J♥ A♦ A♠"}, {}, "Seat 1 can hold 4 cards, but 5"),
        ({1: "K♥"}, {}, "K♥ is not in the pack"),
        ({}, {2: "K♥"}, "K♥ is not in the pack"),
        ({}, {1: "A♥", 2: "A♥", 3: "A♥", 4: "A♥"}, "No layout fits"),
        ({0: "A♥"}, {}, "“0” is not a seat"),
        ({}, {5: "A♥"}, "“5” is not a seat"),
    ],
)
def test_contradictions(holds: dict[int, str], lacks: dict[int, str], reason: str) -> None:
    with pytest.raises((CardError, DealError)) as caught:
        PartialDeal.of(
            {seat: parse_cards(text) for seat, text in holds.items()},
            {seat: parse_cards(text) for seat, text in lacks.items()},
        )
    assert reason in str(caught.value)
