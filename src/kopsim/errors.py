"""Errors a user can cause: one sentence each, in Polish and English."""

from __future__ import annotations

import errno
import tomllib
from collections.abc import Iterable
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from kopsim.resources import data_path

if TYPE_CHECKING:
    from kopsim.faults import Fault

Lang = Literal["pl", "en"]
LANGS: tuple[Lang, ...] = get_args(Lang)


@cache
def _table(lang: Lang) -> dict[str, str]:
    with data_path("messages", f"{lang}.toml").open("rb") as file:
        return tomllib.load(file)


def message(key: str, lang: Lang, /, **params: object) -> str:
    """The text `key` of data/messages in one language, its {places} filled in.

    Parameters that know how to speak a language (cards, other errors) do so;
    lists are joined with commas.  A place such as {count:card|cards} has the word that goes with the
    number, in Polish of three ({count:karta|karty|kart}); a # in them is where the number stands, else before.
    """
    return _Sentence(lang).format(pattern(key, lang), **{name: _spoken(value, lang) for name, value in params.items()})


class _Sentence(Formatter):
    """Fills the places of a text in one language."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang

    def format_field(self, value: Any, format_spec: str) -> Any:
        """A place; see `message` for those with a choice of words."""
        if "|" not in format_spec:
            return super().format_field(value, format_spec)
        form = format_spec.split("|")[_plural_form(str(value), self._lang)]
        return form.replace("#", str(value)) if "#" in format_spec else f"{value} {form}"


def _plural_form(number: str, lang: Lang) -> int:
    """Which word goes with a number, which may be written in groups: of one, in Polish of two to four, of others."""
    digits = "".join(char for char in number if char.isdecimal())
    if digits == "1":
        return 0
    if lang == "en":
        return 1
    return 1 if digits[-1:] in ("2", "3", "4") and digits[-2:-1] != "1" else 2


def has_message(key: str, lang: Lang) -> bool:
    """Whether data/messages has a text `key`."""
    return key in _table(lang)


def pattern(key: str, lang: Lang) -> str:
    """The same with its {places} open."""
    return _table(lang)[key]


def _spoken(value: object, lang: Lang) -> object:
    speak = getattr(value, "text", None)
    if callable(speak):
        return speak(lang=lang)
    if isinstance(value, Iterable) and not isinstance(value, str):
        # An empty list is a word, so that a sentence with one can be read.
        return ", ".join(str(_spoken(item, lang)) for item in value) or pattern("none-listed", lang)
    return value


class KopsimError(ValueError):
    """Something the user gave is wrong; says what and where.

    key: name of the sentence in data/messages; params: what fills its places.
    str() is the English sentence, text(lang) either.  faults: where the error is about
    what somebody wrote in a file, all that is wrong there, each with its line and column.
    """

    def __init__(self, key: str, /, **params: object) -> None:
        super().__init__(key, params)
        self.key = key
        self.params = params

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults of a file, in their order there; () where the error is about something else."""
        return cast("tuple[Fault, ...]", self.params.get("faults", ()))

    def lines(self, lang: Lang = "en") -> list[str]:
        """The sentence in one language; where there are several faults, one more line for each."""
        several = self.faults if len(self.faults) > 1 else ()
        return [message(self.key, lang, **self.params), *(f"  {fault.text(lang)}" for fault in several)]

    def text(self, lang: Lang = "en") -> str:
        """The sentence in one language, or all of them."""
        return "\n".join(self.lines(lang))

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.key, self.params)


def _rebuild(kind: type[KopsimError], key: str, params: dict[str, object]) -> KopsimError:
    """Unpickles an error, so that it crosses from a worker process whole."""
    return kind(key, **params)


def refusal(error: OSError) -> KopsimError | str:
    """Why the operating system would not open or write a file, in both languages where the reason is a common one."""
    common = {
        errno.ENOENT: "file-missing",
        errno.EACCES: "file-forbidden",
        errno.EISDIR: "file-folder",
        errno.ENOTDIR: "file-missing",
        errno.ENOSPC: "file-full",
        errno.EEXIST: "file-not-plain",
        errno.EROFS: "file-read-only",
        errno.EIO: "file-broken",
        errno.EBADF: "file-closed",
    }
    return KopsimError(common[error.errno]) if error.errno in common else str(error.strerror or error)


class CardError(KopsimError):
    """A text that is not a card or cards."""


class DealError(KopsimError):
    """Hands that cannot lie on the table together."""


class RuleError(KopsimError):
    """A rule set, or a list made for one, that does not exist or does not hold together."""


class PlayError(KopsimError):
    """A card that may not be played now."""


class CallError(KopsimError):
    """Something that may not be said now."""


class TableError(KopsimError):
    """A table file that cannot be read, written or trusted."""


class CertificateError(KopsimError):
    """A certificate that is none, or does not prove what it says."""


class QueryError(KopsimError):
    """A question that has no answer as asked."""
