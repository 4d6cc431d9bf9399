"""Text as editors save it, from a file or standard input: read whatever its line ends, or refused by its encoding."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path
from typing import TextIO

from kopsim.errors import KopsimError, refusal

STANDARD_INPUT = "-"

# The longer marks first: that of UTF-32 begins as that of UTF-16 does.
_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
# Polish letters where the two usual eight-bit encodings differ: ą ś ź Ą Ś Ź.
_WINDOWS, _ISO = set("ąśźĄŚŹ".encode("cp1250")), set("ąśźĄŚŹ".encode("iso8859-2"))

# Standard input can be read only once; what came from it, with the stream it came from.
_taken: tuple[TextIO, bytes] | None = None


def names_file(name: str) -> bool:
    """Whether a name is that of a file, not of something packaged: it has a dot or a slash, or is "-"."""
    return name == STANDARD_INPUT or bool(set(name) & set("./\\"))


def read_text(path: Path) -> str:
    r"""The text of a file without a byte-order mark, its lines ending in "\n"; Path("-") is standard input.

    Raises KopsimError with the reason, which does not name the file: the operating system's, nothing
    on standard input, or another encoding than UTF-8, by its name.
    """
    try:
        content = _standard_input() if path == Path(STANDARD_INPUT) else path.read_bytes()
    except OSError as error:
        reason = refusal(error)
        raise reason if isinstance(reason, KopsimError) else KopsimError("file-refused", reason=reason) from None
    return _decoded(content).replace("\r\n", "\n").replace("\r", "\n")


def _standard_input() -> bytes:
    """All of standard input, as often as it is asked for."""
    global _taken
    if sys.stdin is None:  # closed by whoever started us
        raise KopsimError("input-none")
    if _taken is None or _taken[0] is not sys.stdin:
        _taken = sys.stdin, sys.stdin.buffer.read()
    if not _taken[1].strip():
        raise KopsimError("input-none")
    return _taken[1]


def _decoded(content: bytes) -> str:
    for mark, name in _MARKS.items():
        if content.startswith(mark):
            raise KopsimError("text-encoding", encoding=name)
    if b"\0" in content:
        halves = content[::2].count(0), content[1::2].count(0)
        # Every other byte of Latin letters in UTF-16 is nothing.
        if max(halves) > len(content) // 4:
            raise KopsimError("text-encoding", encoding="UTF-16")
        raise KopsimError("text-none")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        line = before.count("\n") + 1
        raise KopsimError("text-eight-bit", encoding=_eight_bit(content), line=line) from None


def _eight_bit(content: bytes) -> str:
    """Which encoding of Polish letters in single bytes a text has, as far as they tell."""
    windows, iso = (sum(byte in letters for byte in content) for letters in (_WINDOWS, _ISO))
    return "ISO 8859-2" if iso > windows else "Windows-1250"
