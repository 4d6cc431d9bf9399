"""Cards and their names: one table, parsed and printed in Polish and English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from kopsim.errors import CardError, Lang
from kopsim.shown import Shown

Style = Literal["symbols", "ascii", "words"]


class CardName(NamedTuple):
    """What a rank or a suit is called."""

    symbol: dict[Lang, str]
    ascii: str
    words: dict[Lang, str]
    spellings: str  # further ways people write it, without diacritics


# Order of the tables = order of the numbers inside a Card.
SUIT_NAMES = (
    CardName({"pl": "♣", "en": "♣"}, "c", {"pl": "trefl", "en": "clubs"}, "♧ t club trefle krzyz"),
    CardName({"pl": "♦", "en": "♦"}, "d", {"pl": "karo", "en": "diamonds"}, "♢ k diamond kara dzwonek"),
    CardName({"pl": "♥", "en": "♥"}, "h", {"pl": "kier", "en": "hearts"}, "♡ k heart kiery serce"),
    CardName({"pl": "♠", "en": "♠"}, "s", {"pl": "pik", "en": "spades"}, "♤ p spade piki wino"),
)
RANK_NAMES = (
    *(
        CardName({"pl": str(n), "en": str(n)}, str(n), {"pl": pl, "en": en}, more)
        for n, pl, en, more in (
            (2, "dwójka", "two", "dwojke"),
            (3, "trójka", "three", "trojke"),
            (4, "czwórka", "four", "czworke"),
            (5, "piątka", "five", "piatke"),
            (6, "szóstka", "six", "szostke"),
            (7, "siódemka", "seven", "siodemke"),
            (8, "ósemka", "eight", "osemke"),
            (9, "dziewiątka", "nine", "dziewiatke"),
        )
    ),
    CardName({"pl": "10", "en": "10"}, "T", {"pl": "dziesiątka", "en": "ten"}, "dziesiatke dziesiec dycha dyche"),
    CardName({"pl": "W", "en": "J"}, "J", {"pl": "walet", "en": "jack"}, "waleta bubek bubka"),
    CardName({"pl": "D", "en": "Q"}, "Q", {"pl": "dama", "en": "queen"}, "dame"),
    CardName({"pl": "K", "en": "K"}, "K", {"pl": "król", "en": "king"}, "krola"),
    CardName({"pl": "A", "en": "A"}, "A", {"pl": "as", "en": "ace"}, "asa"),
)
RANKS = tuple(rank.symbol["en"] for rank in RANK_NAMES)
SUITS = tuple(suit.symbol["en"] for suit in SUIT_NAMES)
WILDCARDS = "?x"


class Card(int):
    """A playing card, 0-51: 4 * rank + suit, ranks from 2 up, suits ♣ ♦ ♥ ♠.

    The number has no meaning in a game; strength comes from a rule set's order.
    """

    __slots__ = ()

    def __new__(cls, rank: str, suit: str) -> Card:
        """The card of a rank ("A", "10", "Q", …) and a suit ("♣", "♦", "♥", "♠")."""
        return int.__new__(cls, 4 * RANKS.index(rank) + SUITS.index(suit))

    @property
    def rank(self) -> str:
        """The rank as in `RANKS`."""
        return RANKS[self // 4]

    @property
    def suit(self) -> str:
        """The suit as in `SUITS`."""
        return SUITS[self % 4]

    def text(self, style: Style = "symbols", lang: Lang = "en") -> str:
        """The card in writing: symbols "Q♥" (Polish "D♥"), ascii "Qh", words "dama kier", "queen of hearts"."""
        rank, suit = RANK_NAMES[self // 4], SUIT_NAMES[self % 4]
        if style == "symbols":
            return rank.symbol[lang] + suit.symbol[lang]
        if style == "ascii":
            return rank.ascii + suit.ascii
        return f"{rank.words[lang]}{' of ' if lang == 'en' else ' '}{suit.words[lang]}"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Card({self.rank!r}, {self.suit!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[str, str]]:
        return Card, (self.rank, self.suit)


class CardRow(tuple[Card, ...], Shown):
    """Cards in the order given: a tuple like any other, but that a notebook draws its cards."""

    __slots__ = ()


def rank_text(rank: str, lang: Lang) -> str:
    """A rank's symbol in one language: "Q", in Polish "D"."""
    return RANK_NAMES[RANKS.index(rank)].symbol[lang]


def _plain(text: str) -> str:
    """Lower case without diacritics and emoji selectors: what spellings are compared in."""
    decomposed = unicodedata.normalize("NFKD", text.lower().replace("ł", "l"))
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c != "\ufe0f")


def _forms(names: Sequence[CardName]) -> dict[str, tuple[int, ...]]:
    """Every way to write a rank or a suit (plain), and the places in the table that it can mean."""
    meanings: dict[str, dict[int, None]] = {}
    for place, name in enumerate(names):
        for form in (*name.symbol.values(), name.ascii, *name.words.values(), *name.spellings.split()):
            meanings.setdefault(_plain(form), {})[place] = None
    return {form: tuple(places) for form, places in meanings.items()}


@cache
def _card_pattern() -> tuple[re.Pattern[str], dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
    """Ranks and suits as written, and a pattern for what stands between them."""
    return re.compile(r"(\s*)(?:of\s*)?"), _forms(RANK_NAMES), _forms(SUIT_NAMES)


_SEPARATORS = " \t\r\n,;+"


def _tokens(text: str, start: int, wildcards: bool) -> Iterable[tuple[int, tuple[Card | None, ...]]]:
    """The cards that can be read from `start` on, each with the place where it ends."""
    if wildcards and text[start] in WILDCARDS:
        yield start + 1, (None,)
    joint, ranks, suits = _card_pattern()
    inside_a_word = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    for rank, rank_places in ranks.items():
        if not text.startswith(rank, start):
            continue
        between = joint.match(text, start + len(rank))
        assert between is not None
        # "asa kier" is one card in the accusative, not "as" and "a kier".
        if between[1] and inside_a_word:
            continue
        for suit, suit_places in suits.items():
            # "AsAd" is two cards, not "asa" and "d": a word takes a letter only after a space.
            if _is_word(rank) and not _is_word(suit) and suit.isalpha() and not between[1]:
                continue
            if text.startswith(suit, between.end()):
                meant = tuple(Card(RANKS[r], SUITS[s]) for r in rank_places for s in suit_places)
                yield between.end() + len(suit), meant


def _is_word(form: str) -> bool:
    return len(form) > 1 and form.isalpha()


def _readings(text: str, wildcards: bool) -> tuple[list[tuple[Card | None, ...]], int]:
    """Up to eight ways to read a plain text as cards, and the place up to which it can be read."""

    def skip(place: int) -> int:
        while place < len(text) and text[place] in _SEPARATORS:
            place += 1
        return place

    prefixes: dict[int, dict[tuple[Card | None, ...], None]] = {skip(0): {(): None}}
    for start in range(len(text)):
        if start in prefixes:
            for end, cards in _tokens(text, start, wildcards):
                known = prefixes.setdefault(skip(end), {})
                for prefix in prefixes[start]:
                    for card in cards:
                        if len(known) < 8:
                            known[(*prefix, card)] = None
    return list(prefixes.get(len(text), ())), max(prefixes)


def parse_pattern(text: str, *, wildcards: bool = True) -> tuple[Card | None, ...]:
    """Cards as people write them, with None for an "any card" ("x" or "?").

    Polish and English, symbols, letters or words, any case, with or without
    diacritics; between cards spaces, commas or nothing: "A♥ 10♣", "AhTc",
    "as kier, dziesiątka trefl", "W karo".  Letters are D dama, W walet; d ♦, h ♥,
    s p ♠, c t ♣; k alone may be karo or kier and is refused.

    Raises CardError naming the place that is no card, or the choices.
    """
    plain = _plain(text)
    readings, place = _readings(plain, wildcards)
    if not plain.strip(_SEPARATORS):
        raise CardError("card-none")
    if not readings:
        # Lower-casing can change lengths in rare scripts; then show the plain text.
        shown = text if len(text) == len(plain) else plain
        raise CardError("card-unknown", text=(shown[place:].strip() or shown.strip())[:24])
    if len(readings) > 1:
        for number, cards in enumerate(zip(*readings, strict=False), start=1):
            if len(set(cards)) > 1:
                raise CardError("card-ambiguous", text=text.strip()[:60], number=number, choices=_distinct(cards))
        raise CardError("card-boundaries", text=text.strip()[:60])
    return readings[0]


def _distinct(cards: Iterable[Card | None]) -> list[Card | str]:
    return ["?" if card is None else card for card in dict.fromkeys(cards)]


def parse_cards(text: str) -> CardRow:
    """Known cards, in the order written; see `parse_pattern`.

    Raises CardError for what is no card, is ambiguous, or stands twice.
    """
    cards = CardRow(card for card in parse_pattern(text, wildcards=False) if card is not None)
    refuse_twice(cards)
    return cards


def parse_card(text: str) -> Card:
    """Exactly one card; raises CardError otherwise."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError("card-not-one", text=text.strip()[:60], count=len(cards))
    return cards[0]


def refuse_twice(cards: Iterable[Card | None]) -> None:
    """Raises CardError if a card stands twice."""
    seen: set[Card] = set()
    for card in cards:
        if card is None:
            continue
        if card in seen:
            raise CardError("card-twice", card=card)
        seen.add(card)


def format_cards(cards: Sequence[Card | None], style: Style = "symbols", lang: Lang = "en") -> str:
    """Cards in writing, "?" for an unknown one; words are separated by commas, the rest by spaces."""
    shown = ["?" if card is None else card.text(style, lang) for card in cards]
    return (", " if style == "words" else " ").join(shown)
