"""Cards and their names: one table, parsed and printed in Polish and English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

from kopsim.errors import CardError, Lang
from kopsim.plain_text import PlainText, plain, plain_text, quoted, sign_name
from kopsim.shown import Shown

Style = Literal["symbols", "ascii", "words"]


class CardName(NamedTuple):
    """What a rank or a suit is called."""

    symbol: dict[Lang, str]
    ascii: str
    words: dict[Lang, str]
    spellings: str  # further ways people write it, without diacritics; of suits the German ones among them


# Order of the tables = order of the numbers inside a Card.
SUIT_NAMES = (
    CardName(
        {"pl": "♣", "en": "♣"}, "c", {"pl": "trefl", "en": "clubs"}, "♧ t club trefle trefla krzyz krzyza zoladz zoledz"
    ),
    CardName({"pl": "♦", "en": "♦"}, "d", {"pl": "karo", "en": "diamonds"}, "♢ k diamond kara dzwonek dzwonka dzwonki"),
    CardName(
        {"pl": "♥", "en": "♥"},
        "h",
        {"pl": "kier", "en": "hearts"},
        "♡ ❤ k heart kiery kiera serce serca czerwo czerwa czerwien",
    ),
    CardName({"pl": "♠", "en": "♠"}, "s", {"pl": "pik", "en": "spades"}, "♤ p spade piki pika wino wina"),
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
    CardName(
        {"pl": "10", "en": "10"},
        "T",
        {"pl": "dziesiątka", "en": "ten"},
        "dziesiatke dziesiec dycha dyche dyszka dyszke",
    ),
    CardName(
        {"pl": "W", "en": "J"},
        "J",
        {"pl": "walet", "en": "jack"},
        "waleta bubek bubka jopek jopka niznik niznika knave",
    ),
    CardName({"pl": "D", "en": "Q"}, "Q", {"pl": "dama", "en": "queen"}, "dame damy krolowa krolowe wyznik wyznika"),
    CardName({"pl": "K", "en": "K"}, "K", {"pl": "król", "en": "king"}, "krola"),
    CardName({"pl": "A", "en": "A"}, "A", {"pl": "as", "en": "ace"}, "asa tuz tuza"),
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


# How cards may be given to the library, see `parse_pattern`.
Cards = str | Card | Iterable[Card | str]
Pattern = str | Card | Iterable[Card | str | None]


class CardRow(tuple[Card, ...], Shown):
    """Cards in the order given: a tuple like any other, but that a notebook draws its cards."""

    __slots__ = ()


def rank_text(rank: str, lang: Lang) -> str:
    """A rank's symbol in one language: "Q", in Polish "D"."""
    return RANK_NAMES[RANKS.index(rank)].symbol[lang]


def _forms(names: Sequence[CardName]) -> dict[str, tuple[int, ...]]:
    """Every way to write a rank or a suit (plain), and the places in the table that it can mean."""
    meanings: dict[str, dict[int, None]] = {}
    for place, name in enumerate(names):
        for form in (*name.symbol.values(), name.ascii, *name.words.values(), *name.spellings.split()):
            meanings.setdefault(plain(form), {})[place] = None
    return {form: tuple(places) for form, places in meanings.items()}


class _Spelling(NamedTuple):
    """How cards are written: ranks and suits with what they can mean, whole cards, and what stands between."""

    ranks: dict[str, tuple[int, ...]]
    suits: dict[str, tuple[int, ...]]
    pictures: dict[str, Card]
    joint: re.Pattern[str]
    signs: frozenset[str]


@cache
def _spelling() -> _Spelling:
    ranks, suits = _forms(RANK_NAMES), _forms(SUIT_NAMES)
    pictures = {
        unicodedata.lookup(f"playing card {rank.words['en']} of {suit.words['en']}"): Card(RANKS[r], SUITS[s])
        for r, rank in enumerate(RANK_NAMES)
        for s, suit in enumerate(SUIT_NAMES)
    }
    signs = frozenset("".join((*ranks, *suits, *pictures, _SEPARATORS, WILDCARDS)))
    return _Spelling(ranks, suits, pictures, re.compile(r"(\s*)(?:of\s*)?"), signs)


_SEPARATORS = " ,;+"


def _tokens(
    text: str, start: int, *, suit_first: bool, wildcards: bool
) -> Iterator[tuple[int, tuple[Card | None, ...]]]:
    """The cards that can be read from `start` on, each with the place where it ends."""
    spelling = _spelling()
    if wildcards and text[start] in WILDCARDS:
        yield start + 1, (None,)
    if text[start] in spelling.pictures:
        yield start + 1, (spelling.pictures[text[start]],)
    ranks, suits = spelling.ranks, spelling.suits
    inside_a_word = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    for first, first_places in (suits if suit_first else ranks).items():
        if not text.startswith(first, start):
            continue
        between = spelling.joint.match(text, start + len(first))
        assert between is not None
        # "asa kier" is one card in the accusative, not "as" and "a kier".
        if between[1] and inside_a_word:
            continue
        for second, second_places in (ranks if suit_first else suits).items():
            # "AsAd" is two cards, not "asa" and "d": a word takes a letter only after a space.
            together = not between[1] and first.isalpha() and second.isalpha()
            if together and not _is_word(second) and _is_word(first):
                continue
            if together and suit_first and _is_word(second) and not _is_word(first):
                continue
            if text.startswith(second, between.end()):
                rank_places, suit_places = (
                    (second_places, first_places) if suit_first else (first_places, second_places)
                )
                meant = tuple(Card(RANKS[r], SUITS[s]) for r in rank_places for s in suit_places)
                yield between.end() + len(second), meant


def _is_word(form: str) -> bool:
    return len(form) > 1 and form.isalpha()


class _Readings(NamedTuple):
    """Up to eight ways to read a plain text as cards.

    reach: the place up to which it can be read; begin: the last place up to there at which a card may well begin.
    """

    found: list[tuple[Card | None, ...]]
    reach: int
    begin: int


def _readings(text: str, *, suit_first: bool, wildcards: bool) -> _Readings:
    def skip(place: int) -> int:
        while place < len(text) and text[place] in _SEPARATORS:
            place += 1
        return place

    begin = skip(0)
    prefixes: dict[int, dict[tuple[Card | None, ...], None]] = {begin: {(): None}}
    for start in range(len(text)):
        if start in prefixes:
            for end, cards in _tokens(text, start, suit_first=suit_first, wildcards=wildcards):
                known = prefixes.setdefault(skip(end), {})
                # "as c" of "as czerwony" broke off inside a word; after "As" of "AsZz" a card may begin.
                if skip(end) > end or " " not in text[start:end]:
                    begin = max(begin, skip(end))
                for prefix in prefixes[start]:
                    for card in cards:
                        if len(known) < 8:
                            known[(*prefix, card)] = None
    return _Readings(list(prefixes.get(len(text), ())), max(prefixes), begin)


def parse_pattern(given: Pattern, *, wildcards: bool = True) -> tuple[Card | None, ...]:
    """Cards as people write them, with None for an "any card" ("x" or "?").

    Polish and English, symbols, letters or words, any case, with or without
    diacritics; between cards spaces, commas or nothing: "A♥ 10♣", "AhTc",
    "as kier, dziesiątka trefl", "W karo", "🂱".  Ranks first, or in the whole text suits
    first: "♥A ♣10", "kier as"; or each its own way where each stands by itself: "♥A 10♣".
    Letters are D dama, W walet; d ♦, h ♥, s p ♠, c t ♣; k alone may be karo or kier and is
    refused.  What nobody sees in a pasted text does not count.
    Or as programs have them: a card, or a list, set or column of cards and texts of one card, None for any.

    Raises CardError naming the place that is no card, or the choices.
    """
    if isinstance(given, str):
        return _read(given, wildcards)
    if isinstance(given, Card):
        return (given,)
    if isinstance(given, (Mapping, bytes)) or not isinstance(given, Iterable):
        raise CardError("cards-kind", kind=type(given).__name__)
    return tuple(_given_card(each, number, wildcards) for number, each in enumerate(given, start=1))


def _read(text: str, wildcards: bool) -> tuple[Card | None, ...]:
    """The cards of a text."""
    whole = plain_text(text)
    if not whole.text.strip(_SEPARATORS):
        raise CardError("card-none")
    readings = _readings(whole.text, suit_first=False, wildcards=wildcards)
    if not readings.found:
        suit_first = _readings(whole.text, suit_first=True, wildcards=wildcards)
        readings = suit_first if suit_first.found else max(readings, suit_first, key=lambda each: each.reach)
    if not readings.found:
        if (each := _one_by_one(whole.text, wildcards)) is not None:
            return each
        raise _unreadable(whole, readings)
    if len(readings.found) > 1:
        for number, cards in enumerate(zip(*readings.found, strict=False), start=1):
            if len(set(cards)) > 1:
                raise CardError("card-ambiguous", text=quoted(text), number=number, choices=_distinct(cards))
        raise CardError("card-boundaries", text=quoted(text))
    return readings.found[0]


def _one_by_one(text: str, wildcards: bool) -> tuple[Card | None, ...] | None:
    """The cards of a plain text in which each stands by itself, some rank first and some suit first.

    None where one is no card, or can be read in two ways.
    """
    cards: list[Card | None] = []
    for piece in re.split(f"[{_SEPARATORS}]+", text.strip(_SEPARATORS)):
        both = [_readings(piece, suit_first=order, wildcards=wildcards).found for order in (False, True)]
        meant = {reading for found in both for reading in found}
        if len(meant) != 1 or len(only := meant.pop()) != 1:
            return None
        cards.append(only[0])
    return tuple(cards)


def _unreadable(whole: PlainText, readings: _Readings) -> CardError:
    """What is wrong with a text that can be read as cards only up to some place."""
    behind = range(readings.reach, len(whole.text))
    end = next((at for at in behind if whole.text[at] in _SEPARATORS), len(whole.text))
    first, text = whole.place(readings.begin), quoted(whole.written)
    for at in range(readings.begin, end):
        if not whole.text[at].isascii() and whole.text[at] not in _spelling().signs:
            place = whole.place(at)
            return CardError("card-sign", text=text, place=place + 1, sign=sign_name(whole.written[place]))
    part = quoted(whole.written[first : whole.place(end)])
    alone = whole.text[readings.begin : end]
    if any(_readings(alone, suit_first=order, wildcards=False).found for order in (False, True)):
        return CardError("card-mixed", text=text)
    if part in (text, ""):
        return CardError("card-not", text=text)
    return CardError("card-unknown", part=part, place=first + 1, text=text)


def _distinct(cards: Iterable[Card | None]) -> list[Card | str]:
    return ["?" if card is None else card for card in dict.fromkeys(cards)]


def _given_card(given: object, number: int, wildcards: bool) -> Card | None:
    """One card of a list."""
    if isinstance(given, Card) or (given is None and wildcards):
        return given
    if not isinstance(given, str):
        raise CardError("card-kind", number=number, text=quoted(repr(given)), kind=type(given).__name__)
    return _one(_read(given, wildcards), given)


def _one(cards: Sequence[Card | None], given: object) -> Card | None:
    if len(cards) != 1:
        raise CardError("card-not-one", text=quoted(str(given)), count=len(cards))
    return cards[0]


def parse_cards(given: Cards) -> CardRow:
    """Known cards, in the order written; see `parse_pattern`.

    Raises CardError for what is no card, is ambiguous, or stands twice.
    """
    cards = CardRow(card for card in parse_pattern(given, wildcards=False) if card is not None)
    refuse_twice(cards)
    return cards


def parse_card(given: Card | str) -> Card:
    """Exactly one card; raises CardError otherwise."""
    card = _one(parse_cards(given), given)
    assert card is not None
    return card


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
