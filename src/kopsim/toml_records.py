"""Records from TOML files; whatever is wrong with a file is said at once, each fault with line, column and key."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from kopsim.errors import KopsimError, RuleError
from kopsim.faults import Fault, Spot, refusal_of
from kopsim.text_file import read_text
from kopsim.toml_writing import place_text

if TYPE_CHECKING:
    from kopsim.record_faults import Found, Guess

Checked = TypeVar("Checked")


@dataclass(frozen=True)
class TomlFile:
    """The data of a TOML file, and what else is needed to say where a fault is.

    text: "" where the data did not come from a text; broken: faults of single statements, of which
    the data and the text have nothing; base: what else the data were put into, as the file names it.
    """

    path: Path
    data: dict[str, Any]
    text: str = ""
    broken: Sequence[Fault] = ()
    base: str | None = None

    def refusal(self, found: Iterable[Found]) -> RuleError:
        """The error that tells these faults of the data, and those that the file had before."""
        from kopsim.toml_positions import positions

        index = positions(self.text) if self.text else {}
        faults = []
        for place, reason in found:
            known = place
            while known and known not in index:
                known = known[:-1]
            spot = Spot(1, 1) if self.text else None
            # A key that is itself wrong is pointed at, else what it says.
            of_key = reason.key.startswith("rules-foreign")
            if known:
                spot = index[known].key if of_key else index[known].value
            named = place_text(place[:-1] if of_key else place)
            told = RuleError("rules-key", place=named, reason=reason) if named else reason
            if self.base is not None and self.text and place and known != place:
                told = RuleError("rules-key-base", place=named, base=self.base, reason=reason)
                spot = spot if known else index[("base",)].key
            faults.append(Fault(told, spot))
        return refusal_of(RuleError, self.path.as_posix(), [*self.broken, *faults])


def read_toml(path: Path) -> TomlFile:
    """A TOML file, as far as it can be read; raises RuleError naming the file if it is no text."""
    try:
        text = read_text(path)
    except KopsimError as error:
        raise in_file(path, RuleError("rules-read", reason=error)) from None
    try:
        return TomlFile(path, tomllib.loads(text), text)
    except (tomllib.TOMLDecodeError, RecursionError):
        from kopsim.toml_syntax import parse_toml

        parsed = parse_toml(text)
        return TomlFile(path, parsed.data, parsed.sound, parsed.faults)


def to_record(
    file: TomlFile,
    kind: type[Checked],
    *,
    check: Callable[[Any], Iterable[Found]] | None = None,
    guess: Guess | None = None,
) -> Checked:
    """The data of a file as a record of `kind`; raises RuleError with all its faults.

    check: what else may be wrong, asked of the record, or of a `Partial` with what could be read of it.
    guess: the key that was meant by a wrong one.
    """
    if not file.broken:
        try:
            record = msgspec.convert(file.data, kind, dec_hook=_decode)
        except msgspec.ValidationError:
            pass
        else:
            if found := [] if check is None else list(check(record)):
                raise file.refusal(found)
            return record
    raise refusal_of_data(file, kind, check=check, guess=guess)


def refusal_of_data(
    file: TomlFile,
    kind: type[Any],
    known: Iterable[Found] = (),
    *,
    check: Callable[[Any], Iterable[Found]] | None = None,
    guess: Guess | None = None,
    whole: bool = True,
) -> RuleError:
    """The error with all faults of data that are no record of `kind`.

    known: faults known before; whole: whether what is not there is missing; else as `to_record`.
    """
    from kopsim.record_faults import nearest_key, record_faults

    read, found = record_faults(file.data, kind, whole=whole and not file.broken, guess=guess or nearest_key)
    found = [*known, *found, *(() if check is None else check(read))]
    return file.refusal(found or ([] if file.broken else [((), RuleError("rules-other"))]))


def in_file(path: Path, reason: KopsimError) -> RuleError:
    """An error with the file it stands in."""
    return RuleError("rules-file", file=path.as_posix(), reason=reason)


def _decode(kind: type, value: object) -> object:
    """A value of one of our own types, which know how to read themselves from text."""
    read = getattr(kind, "read", None)
    if isinstance(value, str) and read is not None:
        return read(value)
    raise ValueError("not a text")
