"""TOML read statement by statement, so that one that is wrong does not hide what is wrong with the others."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from kopsim.errors import RuleError
from kopsim.faults import Fault, Spot
from kopsim.toml_writing import place_text

# A line that begins a statement: a header, or a key with "=", or a name that looks like one.
_KEY = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_STATEMENT = re.compile(rf"[ \t]*(?:\[{{1,2}}[ \t]*{_KEY}[ \t.\]\w-]*(?:#.*)?$|{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*[ \t]*=)")
_BEGINNING = re.compile(rf"[ \t]*(?P<bracket>\[*)[ \t]*(?P<keys>{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)?")
_SAID = re.compile(r"(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_MOST = 50
_NO_STATEMENT = ("toml-statement", "toml-key-start", "toml-equals")

# What the parser says, in our words.
_REASONS = {
    "Invalid statement": "toml-statement",
    "Invalid initial character for a key part": "toml-key-start",
    "Expected newline or end of document after a statement": "toml-after",
    "Expected '=' after a key in a key/value pair": "toml-equals",
    "Expected ']' at the end of a table declaration": "toml-header",
    "Expected ']]' at the end of an array declaration": "toml-header",
    "Invalid value": "toml-value",
    "Unclosed array": "toml-array",
    "Unclosed inline table": "toml-inline",
    "Unterminated string": "toml-quote",
    'Expected "\'"': "toml-quote",
    'Expected \'"""\'': "toml-quote",
    "Expected \"'''\"": "toml-quote",
    "Illegal character": "toml-character",
    "Found invalid character": "toml-character",
    "Unescaped '\\'": "toml-escape",
    "Invalid hex value": "toml-escape",
    "Escaped character is not a Unicode scalar value": "toml-escape",
    "Invalid date or datetime": "toml-value",
    "Cannot overwrite a value": "toml-twice",
    "Cannot declare": "toml-twice",
    "Cannot redefine": "toml-twice",
    "Cannot mutate immutable namespace": "toml-twice",
    "Duplicate inline table key": "toml-twice",
}


class Broken:
    """Stands in the data for a value that cannot be read, so that nobody calls it missing."""


@dataclass
class Parsed:
    """What could be read of a TOML text.

    data: of the sound statements, `Broken` where the key of another could still be read; sound: the
    text without the statements that are wrong, but for their keys; faults: what is wrong with those.
    """

    data: dict[str, Any]
    sound: str
    faults: list[Fault] = field(default_factory=list)


def parse_toml(text: str) -> Parsed:
    """Reads a TOML text as far as it can be read."""
    try:
        return Parsed(tomllib.loads(text), text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return _StatementWise(text).parsed()


class _StatementWise:
    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        starts = [number for number, line in enumerate(self._lines) if _STATEMENT.match(line)]
        bounds = sorted({0, *starts, len(self._lines)})
        self._spans = list(pairwise(bounds))
        self._faults: list[Fault] = []
        self._broken: list[tuple[str, ...]] = []

    def parsed(self) -> Parsed:
        """Each statement alone; then those that are sound alone together, for what stands twice."""
        spans = self._joined_texts()
        for begin, end in list(spans):
            fault = _fault("\n".join(self._lines[begin:end]), begin)
            if fault is not None and fault.reason.key in _NO_STATEMENT and fault.spot and fault.spot.line - 1 > begin:
                # A line without "=" was taken for the end of the statement above it.
                spans[spans.index((begin, end))] = begin, fault.spot.line - 1
                begin = fault.spot.line - 1
                spans.append((begin, end))
            if fault is not None:
                self._strike(begin, end, fault)
        spans.sort()
        while fault := _fault("\n".join(self._lines), 0):
            assert fault.spot is not None
            # What stands twice is seen when all of its statement is read.
            begin, end = next(((b, e) for b, e in reversed(spans) if b < fault.spot.line), spans[0])
            if not any(line.strip() for line in self._lines[begin:end]) or len(self._faults) >= _MOST:
                return Parsed({}, "", [*self._faults, fault])
            self._strike(begin, end, Fault(fault.reason, self._start(begin)), twice=True)
        sound = "\n".join(self._lines)
        data = tomllib.loads(sound)
        for keys in self._broken:
            _put_broken(data, keys)
        return Parsed(data, sound, self._faults)

    def _joined_texts(self) -> list[tuple[int, int]]:
        """The spans of the statements; a text of several lines may have lines that look like statements."""
        joined: list[tuple[int, int]] = []
        spans = list(self._spans)
        while spans:
            begin, end = spans.pop(0)
            opened = "\n".join(self._lines[begin:end])
            if any(opened.count(quotes) % 2 for quotes in ('"""', "'''")):
                for number, (_, last) in enumerate(spans):
                    if _fault("\n".join(self._lines[begin:last]), begin) is None:
                        end, spans = last, spans[number + 1 :]
                        break
            joined.append((begin, end))
        return joined

    def _strike(self, begin: int, end: int, fault: Fault, *, twice: bool = False) -> None:
        """Takes a statement out of the text but for its key, and a header with all that is below it.

        twice: the statement is a second one with its key.
        """
        match = _BEGINNING.match(self._lines[begin])
        assert match is not None
        keys = () if match["keys"] is None else _key_parts(match["keys"])
        place = keys if match["bracket"] else (*self._table_of(begin), *keys)
        if match["bracket"]:
            below = (b for b, _ in self._spans if b > begin and self._lines[b].lstrip().startswith("["))
            end = next(below, len(self._lines))
        for number in range(begin, end):
            self._lines[number] = ""
        if keys and not twice:
            self._broken.append(place)
            if not match["bracket"]:
                self._lines[begin] = f"{match[0]} = false"
        reason = RuleError("rules-key", place=place_text(place), reason=fault.reason) if keys else fault.reason
        self._faults.append(Fault(reason, fault.spot))

    def _table_of(self, line: int) -> tuple[str, ...]:
        """The keys of the header above a line."""
        for above in reversed(self._lines[:line]):
            match = _BEGINNING.match(above)
            if match is not None and match["bracket"] and match["keys"]:
                return _key_parts(match["keys"])
        return ()

    def _start(self, line: int) -> Spot:
        written = self._lines[line]
        return Spot(line + 1, len(written) - len(written.lstrip()) + 1)


def _key_parts(dotted: str) -> tuple[str, ...]:
    """The keys of a dotted key, without their quotes."""
    return tuple(part.strip("\"'") for part in re.findall(_KEY, dotted))


def _put_broken(data: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Marks a value that cannot be read; of a list of tables, in the last."""
    table: Any = data
    for key in keys[:-1]:
        table = table.setdefault(key, {}) if isinstance(table, dict) else table
        table = table[-1] if isinstance(table, list) and table else table
    if keys and isinstance(table, dict):
        table[keys[-1]] = table.get(keys[-1]) or Broken()


def _fault(text: str, above: int) -> Fault | None:
    """What is wrong with a text that stands below so many lines; None for a sound one."""
    try:
        tomllib.loads(text)
    except RecursionError:
        return Fault(RuleError("toml-deep"), Spot(above + 1, 1))
    except tomllib.TOMLDecodeError as error:
        said = _SAID.fullmatch(str(error))
        lines = text.rstrip().split("\n")
        spot = Spot(above + len(lines), len(lines[-1]) + 1)
        if said is not None and said["line"]:
            spot = Spot(above + int(said["line"]), int(said["column"]))
        what = "" if said is None else said["what"]
        key = next((key for words, key in _REASONS.items() if what.startswith(words)), "toml-other")
        if key == "toml-value" and not text.split("\n")[spot.line - above - 1][spot.column - 1 :].strip():
            key = "toml-unfinished"
        return Fault(RuleError(key), spot)
    return None
