from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
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
        ("as czerwo", "A♥"),
        ("dama żołądź", "Q♣"),
        ("tuz wino", "A♠"),
        ("niżnik dzwonek", "J♦"),
        ("wyżnik czerwień", "Q♥"),
        ("♥A", "A♥"),
        ("kier as", "A♥"),
        ("h10", "10♥"),
        ("♣ Q", "Q♣"),
        ("pik dziesiątka", "10♠"),
        ("A❤", "A♥"),
        ("❤\ufe0fA", "A♥"),
        ("🂱", "A♥"),
        ("🂪", "10♠"),
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


@pytest.mark.parametrize(
    "text",
    [
        "A♥\ufe0e 10♠\ufe0f Q♣ A♦",
        "\ufeffA♥ 10♠ Q♣\ufeff A♦",
        "\u202aA♥\u200e 10\u200b♠ Q\u2060♣\u200d A♦\u202c",
        "A\xad♥ 10\xad♠ Q♣ A♦",
        "A♥\xa010♠\u2003Q♣\u202fA♦",
        "\uff21♥ \uff11\uff10♠ \uff31♣ \uff21♦",
        "A♥ 1\ufe0f\u20e30\ufe0f\u20e3♠ Q♣ A♦",
        "A♥ \u0661\u0660♠ Q♣ A♦",
        "♥A ♠10 ♣Q ♦A",
        "hA s10 cQ dA",
        "kier as, pik dziesiątka, trefl dama, karo as",
        "♥️A♠️10♣️Q♦️A",
        "🂱🂪🃝🃁",
    ],
)
def test_what_nobody_sees_and_what_has_one_meaning_is_read(text: str) -> None:
    assert format_cards(parse_cards(text)) == "A♥ 10♠ Q♣ A♦"


def test_a_whole_text_is_read_in_one_order() -> None:
    assert format_cards(parse_cards("AhTcQd")) == "A♥ 10♣ Q♦"
    assert format_cards(parse_cards("kd")) == "K♦"
    assert format_cards(parse_cards("as kier as pik")) == "A♥ A♠"
    assert format_cards(parse_cards("kier as pik as")) == "A♥ A♠"
    assert format_cards(parse_cards("♥A 10♠, cQ Ad")) == "A♥ 10♠ Q♣ A♦"  # each stands by itself
    with pytest.raises(CardError, match="some suit first"):
        parse_cards("A♥♠10")
    with pytest.raises(CardError, match="A♦, A♥"):
        parse_cards("kA")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("\u0410♥", "character 1 is А (U+0410 CYRILLIC CAPITAL LETTER A)"),
        ("A♥ \u041a♠", "character 4 is К (U+041A CYRILLIC CAPITAL LETTER KA)"),
        ("1\u041e♠", "character 2 is О (U+041E CYRILLIC CAPITAL LETTER O)"),
        ("\u0391♥", "U+0391 GREEK CAPITAL LETTER ALPHA"),
        ("🖤A", "U+1F5A4 BLACK HEART"),
        ("\u2169♥", "U+2169 ROMAN NUMERAL TEN"),
        ("🂬", "PLAYING CARD KNIGHT OF SPADES"),
    ],
)
def test_a_sign_that_only_looks_right_is_shown_by_its_code_point(text: str, part: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert part in str(caught.value)
    assert f"„{text}”" in caught.value.text("pl")


def test_an_error_quotes_the_input_whole_and_names_the_place() -> None:
    with pytest.raises(CardError) as caught:
        parse_cards("as czerwony")
    assert str(caught.value) == "“czerwony” is not a card; it begins at character 4 of “as czerwony”."
    long = "A♥ 10♣ dama kier, walet karo, " + "as pik " * 5 + "koniec"
    with pytest.raises(CardError) as caught:
        parse_cards(long)
    assert long in str(caught.value)


def test_lists_of_texts_and_cards_are_hands() -> None:
    hand = parse_cards("A♥ 10♠ Q♣ A♦")
    assert parse_cards(["A♥", "10♠", "Q♣", "A♦"]) == hand
    assert parse_cards(("as kier", hand[1], "c Q", np.str_("A♦"))) == hand
    assert parse_cards(np.array(["A♥", "10♠", "Q♣", "A♦"])) == hand
    assert parse_pattern(["A♥", None, "x"]) == (hand[0], None, None)
    assert parse_cards(hand[0]) == hand[:1]


@pytest.mark.parametrize(
    ("given", "part"),
    [
        (["A♥", 48], "Entry 2 is not a card: 48 (int)"),
        ([math.nan], "Entry 1 is not a card: nan (float)"),
        (["A♥", None], "Entry 2 is not a card: None"),
        (["A♥ 10♠"], "is 2 cards"),
        ({"A♥": 1}, "not as dict"),
        (b"Ah", "not as bytes"),
        (7, "not as int"),
        (["A♥", "A♥"], "A♥ appears twice"),
    ],
)
def test_what_is_no_list_of_cards_is_refused_with_the_reason(given: Any, part: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(given)
    assert part in str(caught.value)


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
