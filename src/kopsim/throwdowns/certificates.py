"""Certificates: proofs, as JSON data, that a hand wins for certain or that it does not.

This module is the format alone: `kopsim.throwdowns.proofs` makes certificates by search and
`kopsim.throwdowns.check` checks them without.  Cards are written as symbols.

A guaranteed hand has a `plan`, a list of steps that name each other by place, the
first one to begin with:

- `order`: from now on play the first of these cards that you may;
- `play`: at your next turn play this card, then go on with step `next`;
- `look`: when this seat has played to this trick, go on with the step of the case that
  names its card, else with step `otherwise`.

A refuted hand has a `refutation`, a tree:

- `plays`: what a defender plays;
- `choices`: whatever the soloist plays, one branch for each card he may;
- `layout`: the hands are laid open.  All that was played so far is possible in this
  layout, and in it the defence goes on as the tree says;
- `lost`: the goal is out of reach.

A refutation that begins with a layout is a deal that beats every way to play.  Another
one belongs to a hand that wins every layout with open cards: it leads to a moment at which
for each card he may play there is a layout in which that card loses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from kopsim.errors import CertificateError, KopsimError
from kopsim.faults import Fault, Spot, refusal_of
from kopsim.frozen_map import freeze_maps
from kopsim.shown import Shown
from kopsim.table_file import write_whole
from kopsim.text_file import read_text
from kopsim.toml_writing import place_text

FORMAT: Literal["kopsim-certificate"] = "kopsim-certificate"
VERSION = 1
Place = Annotated[int, Meta(ge=0)]
Seat = Annotated[int, Meta(ge=1, le=4)]


class _Record(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of steps and trees: immutable, and strict about unknown keys."""


class InOrder(_Record, frozen=True, tag="order"):
    """Play the first of these cards that you may, from now on."""

    cards: tuple[str, ...]


class Play(_Record, frozen=True, tag="play"):
    """Play this card at your next turn."""

    card: str
    next: Place


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to go on if one of these cards was played."""

    cards: tuple[str, ...]
    next: Place


class Look(_Record, frozen=True, tag="look"):
    """Go on by what a seat has played to a trick, 1 being the first."""

    trick: Annotated[int, Meta(ge=1)]
    seat: Seat
    cases: tuple[Case, ...]
    otherwise: Place


Step = InOrder | Play | Look


class Lost(_Record, frozen=True, tag="lost"):
    """The goal is out of reach."""


class Plays(_Record, frozen=True, tag="plays"):
    """A defender plays a card."""

    seat: Seat
    card: str
    then: Tree


class Choices(_Record, frozen=True, tag="choices"):
    """A branch for each card the soloist may play."""

    cards: dict[str, Tree]

    def __post_init__(self) -> None:
        freeze_maps(self)


class Layout(_Record, frozen=True, tag="layout"):
    """The four hands of the whole deal, seats 1-4, open from here on."""

    hands: tuple[tuple[str, ...], ...]
    then: Tree


Tree = Lost | Plays | Choices | Layout


class Certificate(Struct, Shown, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A verdict on one hand at one seat, with its proof.

    rules, rules_hash: the rule set it is for; assume: readings of it that were
    assumed instead (see `kopsim.rules.assume`); goal: points needed, or every trick.
    double_dummy_wins of `layouts`: layouts that win with open cards; for
    information, a check of the proof does not look at it.
    """

    format: Literal["kopsim-certificate"] = FORMAT
    version: int = VERSION
    kopsim: str
    rules: str
    rules_hash: str
    assume: dict[str, bool] = {}
    contract: str
    goal: int | Literal["every-trick"]
    seat: Seat
    hand: tuple[str, ...]
    verdict: Literal["guaranteed", "refuted"]
    double_dummy_wins: int
    layouts: int
    plan: tuple[Step, ...] = ()
    refutation: Tree | None = None

    def __post_init__(self) -> None:
        freeze_maps(self)


def encode(certificate: Certificate) -> bytes:
    """A certificate as JSON, indented; the fields that say what it is are always there."""
    told = {"format": certificate.format, "version": certificate.version, **msgspec.to_builtins(certificate)}
    return msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"


def write_certificate(certificate: Certificate, path: Path) -> None:
    """Writes a certificate whole or not at all; raises TableError if it cannot be written."""
    write_whole(path, encode(certificate))


def read_certificate(path: Path) -> Certificate:
    """Reads a certificate, Path("-") being standard input.

    Raises CertificateError; its `faults` are all that is wrong with its form, each with its key.
    """
    try:
        text = read_text(path)
    except KopsimError as error:
        raise CertificateError("table-read", file=path.as_posix(), reason=error) from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        fault = Fault(CertificateError("certificate-json"), Spot(error.lineno, error.colno))
        raise refusal_of(CertificateError, path.as_posix(), [fault]) from None
    except RecursionError:
        raise CertificateError("certificate-foreign", file=path.as_posix()) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CertificateError("certificate-foreign", file=path.as_posix())
    if data.get("version") != VERSION:
        version = data.get("version", "?")
        raise CertificateError("certificate-version", file=path.as_posix(), version=version, wanted=VERSION)
    try:
        return msgspec.convert(data, Certificate)
    except (msgspec.ValidationError, RecursionError):
        raise refusal_of(CertificateError, path.as_posix(), _faults(data)) from None


def _faults(data: object) -> Iterator[Fault]:
    """All that keeps data from being a certificate."""
    from kopsim.record_faults import record_faults

    try:
        _, found = record_faults(data, Certificate)
    except RecursionError:
        found = []
    for place, reason in found or [((), CertificateError("rules-other"))]:
        yield Fault(CertificateError("rules-key", place=place_text(place), reason=reason) if place else reason)
