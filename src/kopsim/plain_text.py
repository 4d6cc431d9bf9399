"""Text as people paste it, made plain enough to compare, each sign remembering where it was written.

Gone are what nobody sees (zero-width and direction marks, byte-order marks, soft hyphens, emoji
selectors) and accents; spaces of every kind are one, digits of every kind are 0 to 9.  Letters of
other alphabets stay what they are, however much they look alike: `sign_name` tells them apart.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_UNSEEN = {"Cf", "Mn", "Me"}  # format characters, and marks that only change the sign before them
_MOST_SHOWN = 200  # signs of an input that an error repeats


@dataclass(frozen=True)
class PlainText:
    """A text in small plain letters; places: where in `written` each of its signs stands."""

    written: str
    text: str
    places: tuple[int, ...]

    def place(self, at: int) -> int:
        """Where in the written text a sign of the plain one stands; behind the last one for its end."""
        return self.places[at] if at < len(self.places) else len(self.written)


def plain_text(written: str) -> PlainText:
    """A text with its plain form, sign by sign."""
    signs = [(sign, place) for place, char in enumerate(written) for sign in _plain(char)]
    return PlainText(written, "".join(sign for sign, _ in signs), tuple(place for _, place in signs))


def plain(written: str) -> str:
    """The plain form alone."""
    return plain_text(written).text


def _plain(char: str) -> str:
    if char.isspace():
        return " "
    if (digit := unicodedata.decimal(char, None)) is not None:
        return str(digit)
    if unicodedata.category(char) == "Nl":
        return char  # a Roman ten is no "x"
    decomposed = unicodedata.normalize("NFKD", char).lower().replace("ł", "l")
    seen = (part for part in decomposed if unicodedata.category(part) not in _UNSEEN)
    return "".join(" " if part.isspace() else part for part in seen)


def quoted(written: str) -> str:
    """A text for an error to repeat: on one line, what cannot be printed as code points, cut where it is very long."""
    line = " ".join(written.split())
    shown = "".join(char if char.isprintable() else f"<{_code_point(char)}>" for char in line)
    return shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}…"


def sign_name(char: str) -> str:
    """A sign by its code point and name, itself before them where it can be seen: "А (U+0410 CYRILLIC CAPITAL …)"."""
    name = f"{_code_point(char)} {unicodedata.name(char, '')}".strip()
    return f"{char} ({name})" if char.isprintable() else name


def _code_point(char: str) -> str:
    return f"U+{ord(char):04X}"
