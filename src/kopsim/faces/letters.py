"""Signs that an output cannot carry, written with letters that it can: "10♥" as "10h", "ż" as "z"."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import unicodedata
from typing import TextIO

from kopsim.cards import SUITS, Card

# The name under which streams find `_replaced`.
ERRORS = "kopsim-letters"

# What decomposing a character does not tell; suits as `kopsim.cards` reads them.
_SIGNS = {
    **{suit: Card("A", suit).text("ascii")[1:] for suit in SUITS},
    **dict.fromkeys("„”“«»", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—−‑", "-"),
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", "|"),
    "✓": "+",
    "✗": "x",
    "×": "x",
    "·": ".",
    "⁄": "/",
    "→": "->",
    "≠": "!=",
    "≈": "~",
    "≤": "<=",
    "≥": ">=",
    "±": "+/-",
    "…": "...",
    "ł": "l",
    "Ł": "L",
    "ø": "o",
    "ß": "ss",
}


def letters(text: str, encoding: str | None) -> str:
    """Text in which every sign that an encoding lacks is written with letters; without an encoding as it is."""
    if encoding is None or _carries(text, encoding):
        return text
    return "".join(char if _carries(char, encoding) else _letters(char, encoding) for char in text)


def _letters(char: str, encoding: str) -> str:
    """What stands for one sign; "?" where nothing does."""
    found = _SIGNS.get(char)
    if found is None:
        decomposed = unicodedata.normalize("NFKD", char)
        found = "".join(_SIGNS.get(part, part) for part in decomposed if not unicodedata.combining(part))
    return found if found and _carries(found, encoding) else "?"


def _carries(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What a stream writes where its encoding fails; see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    failed = error.object[error.start : error.end]
    return "".join(_letters(char, error.encoding) for char in failed), error.end


class ClosedOutput(io.TextIOBase):
    """What stands for an output that whoever started us has closed: nothing can be written to it."""

    encoding = "utf-8"

    def write(self, _text: str) -> int:
        """Refuses as the operating system does."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def let_through(stream: TextIO) -> TextIO:
    """Makes a stream write letters where it lacks signs, instead of failing."""
    codecs.register_error(ERRORS, _replaced)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="ascii" if _plain_asked() else None, errors=ERRORS)
    return stream


def _plain_asked() -> bool:
    """Whether the environment wants nothing but ASCII.

    In the locale "C" Python writes UTF-8 all the same; who asks for that locale by name
    and not for an encoding means what it says.
    """
    if asked := os.environ.get("KOPSIM_ASCII"):
        return asked != "0"
    named = os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8")
    return not named and os.environ.get("LC_ALL") in ("C", "POSIX")


def carried(text: str) -> str:
    """Text as the standard output will carry it, so that it can be laid out at its true width."""
    return letters(text, getattr(sys.stdout, "encoding", None))
