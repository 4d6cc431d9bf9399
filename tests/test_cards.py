from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopsim import Card, CardError, format_cards, parse_card, parse_cards, parse_pattern
from kopsim.cards import RANKS, SUITS

ALL = [Card(rank, suit) for rank in RANKS for suit in SUITS]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("A♥", "A♥"),
        ("Ah", "A♥"),
        ("ah", "A♥"),
        ("as kier", "A♥"),
        ("AS KIER", "A♥"),
        ("ace of hearts", "A♥"),
        ("A♥\ufe0f", "A♥"),
        ("A♡", "A♥"),
        ("10♣", "10♣"),
        ("Tc", "10♣"),
        ("10 trefl", "10♣"),
        ("dziesiątka trefl", "10♣"),
        ("dziesiatka trefl", "10♣"),
        ("10 krzyż", "10♣"),
        ("Q♠", "Q♠"),
        ("dama pik", "Q♠"),
        ("D pik", "Q♠"),
        ("D♠", "Q♠"),
        ("walet karo", "J♦"),
        ("W karo", "J♦"),
        ("bubek dzwonek", "J♦"),
        ("J d", "J♦"),
        ("As", "A♠"),
        ("as pik", "A♠"),
        ("król serce", "K♥"),
        ("ósemka karo", "8♦"),
        ("7s", "7♠"),
        ("asa kier", "A♥"),
        ("damę trefl", "Q♣"),
        ("dziesiątkę pik", "10♠"),
        ("waleta karo", "J♦"),
        ("AceOfHearts", "A♥"),
    ],
)
def test_cards_as_people_write_them(text: str, card: str) -> None:
    assert str(parse_card(text)) == card


@pytest.mark.parametrize(
    "text",
    [
        "A♥ 10♠ Q♣ A♦",
        "AhTsQcAd",
        "ahtsqcad",
        "Ah,Ts,Qc,Ad",
        "A♥,10♠;Q♣ , A♦",
        "as kier, dziesiątka pik, dama trefl, as karo",
        "as kier 10 pik dama trefl as karo",
        "asa kier 10 pik damę trefl asa karo",
        "AS KIER 10 PIK D TREFL A KARO",
        "ace of hearts ten of spades queen of clubs ace of diamonds",
        "  A♥10♠Q♣A♦\n",
    ],
)
def test_a_hand_in_every_manner(text: str) -> None:
    assert format_cards(parse_cards(text)) == "A♥ 10♠ Q♣ A♦"


def test_as_before_a_letter_is_the_word_or_the_letters() -> None:
    assert format_cards(parse_cards("As Kd")) == "A♠ K♦"
    assert format_cards(parse_cards("as karo")) == "A♦"
    assert format_cards(parse_cards("as as karo")) == "A♠ A♦"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Ah Zz", "“Zz” is not a card"),
        ("Ah 1♠", "“1♠” is not a card"),
        ("hello", "“hello” is not a card"),
        ("A", "“A” is not a card"),
        ("", "No card is given"),
        (" , ", "No card is given"),
        ("Ak", "A♦, A♥"),
        ("10♣ Dk", "card 2 can be read as Q♦, Q♥"),
        ("Ah ah", "A♥ appears twice"),
        ("Ah x", "“x” is not a card"),
    ],
)
def test_what_is_refused_and_why(text: str, part: str) -> None:
    with pytest.raises(CardError, match=r".") as caught:
        parse_cards(text)
    assert part in str(caught.value)


def test_ambiguity_names_the_choices_in_polish_letters() -> None:
    with pytest.raises(CardError) as caught:
        parse_cards("Dk")
    assert "D♦, D♥" in caught.value.text("pl")


def test_one_card_is_one_card() -> None:
    with pytest.raises(CardError, match="is 2 cards"):
        parse_card("Ah Kh")


@pytest.mark.parametrize("text", ["A♥ x 10♣ ?", "A♥x10♣?", "as kier, ?, Tc, X"])
def test_wildcards(text: str) -> None:
    assert format_cards(parse_pattern(text)) == "A♥ ? 10♣ ?"


@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=16, unique=True))
def test_round_trip_in_every_style_and_language(cards: list[Card]) -> None:
    for style in ("symbols", "ascii", "words"):
        for lang in ("pl", "en"):
            text = format_cards(cards, style, lang)
            assert list(parse_cards(text)) == cards
            assert list(parse_cards(text.upper())) == cards
            if style != "words":
                assert list(parse_cards(text.replace(" ", ""))) == cards


def test_every_two_cards_written_together_are_those_two() -> None:
    for style, lang in (("ascii", "en"), ("symbols", "en"), ("symbols", "pl")):
        shown = {card: card.text(style, lang) for card in ALL}
        for one in ALL:
            for two in ALL:
                if one != two:
                    text = shown[one] + shown[two]
                    assert parse_cards(text) == parse_cards(text.lower()) == (one, two)


@given(st.text(max_size=40) | st.text(alphabet="aAsSkK♥♣10tTdDqQxX?, |piekrco", max_size=30))
def test_any_text_is_cards_or_a_clear_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError as error:
        assert "\n" not in str(error).strip()
        assert error.text("pl")
    else:
        assert parse_cards(format_cards(cards)) == cards


def test_a_long_text_is_no_burden() -> None:
    with pytest.raises(CardError):
        parse_cards("Ah" * 2000)


def test_cards_survive_pickling() -> None:
    assert pickle.loads(pickle.dumps(ALL)) == ALL
    assert type(pickle.loads(pickle.dumps(ALL[0]))) is Card
