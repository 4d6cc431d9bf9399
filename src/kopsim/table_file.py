"""Table files: a checked header and a body, written aside and renamed, refused when damaged.

Layout: 8 bytes of magic, CRC-32 and length of the header (4 bytes each, little
endian), the header as JSON padded with spaces to `HEADER` bytes in all, the body.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from filelock import FileLock, Timeout

from kopsim import __version__
from kopsim.errors import KopsimError, TableError, refusal
from kopsim.roles import order_hash
from kopsim.rules import RuleSet, rules_hash
from kopsim.values import Value

MAGIC = b"kopsim1\n"
HEADER = 4096
VERSION = 1
_SAVE = 15.0  # seconds between savings
Kind = Literal["deals", "odds", "play-out", "bounds", "kontra"]


@dataclass(frozen=True, eq=False)
class Header(Value):
    """What a table is.

    kind: "deals" (points of every deal), "odds" (histograms by hand), "play-out" (sums by
    hand), "bounds" (layouts won at least and at most, by hand) or "kontra" (calls lost and
    doubled, by hand); rules, rules_hash: the
    rule set it was made with; order, order_hash: what the numbers depend on (see
    `kopsim.roles.order_hash`); shape: of the numbers; body_bytes and sha256: of the body;
    made: command, seed, seconds and version that made it.
    """

    kind: Kind
    rules: str
    rules_hash: str
    order: str
    order_hash: str
    shape: tuple[int, ...]
    body_bytes: int
    sha256: str
    made: dict[str, Any]
    version: int = VERSION

    def packed(self) -> bytes:
        """The first `HEADER` bytes of a file."""
        text = json.dumps(asdict(self), ensure_ascii=False).encode()
        room = HEADER - len(MAGIC) - 8
        if len(text) > room:
            raise ValueError(f"a header of {len(text)} bytes; there is room for {room}")
        text = text.ljust(room)
        return MAGIC + struct.pack("<II", zlib.crc32(text), room) + text


def header_for(
    kind: Kind, rules: RuleSet, order: str, shape: tuple[int, ...], size: int, digest: str, made: Mapping[str, Any]
) -> Header:
    """The header of a table just made; size and SHA-256 digest are the body's, `made` says how it was made."""
    return Header(
        kind=kind,
        rules=rules.id,
        rules_hash=rules_hash(rules),
        order=order,
        order_hash=order_hash(rules, order),
        shape=shape,
        body_bytes=size,
        sha256=digest,
        made={**made, "kopsim": __version__, "date": time.strftime("%Y-%m-%d")},
    )


def read_header(path: Path, *, whole: bool = True) -> Header:
    """The header of a table file; raises TableError naming the file and what is wrong with it.

    whole: the file must also have just the size that the header gives.
    """
    try:
        with path.open("rb") as file:
            start = file.read(HEADER)
            size = path.stat().st_size
    except OSError as error:
        raise TableError("table-read", file=path.as_posix(), reason=refusal(error)) from None
    if not start.startswith(MAGIC):
        raise TableError("table-foreign", file=path.as_posix())
    try:
        crc, room = struct.unpack_from("<II", start, len(MAGIC))
        text = start[len(MAGIC) + 8 :]
        if len(text) != room or zlib.crc32(text) != crc:
            raise ValueError("a header of another length or checksum")
        data = json.loads(text)
        header = Header(**{**data, "shape": tuple(data["shape"])})
    except (ValueError, TypeError, KeyError, struct.error):
        raise TableError("table-damaged", file=path.as_posix()) from None
    if header.version != VERSION:
        raise TableError("table-version", file=path.as_posix(), version=header.version, wanted=VERSION)
    if whole and size != HEADER + header.body_bytes:
        raise TableError("table-size", file=path.as_posix(), size=size, wanted=HEADER + header.body_bytes)
    return header


def header_of(path: Path, kind: Kind, rules: RuleSet, order: str) -> Header:
    """The header of a table of this kind for these rules; raises TableError if it is another."""
    header = read_header(path)
    if header.kind != kind:
        raise TableError("table-kind", file=path.as_posix(), kind=KopsimError(f"kind-{header.kind}"))
    if header.order_hash != order_hash(rules, order):
        raise TableError("table-rules", file=path.as_posix(), made=header.rules, rules=rules)
    return header


def refuse_damage(path: Path, header: Header) -> None:
    """Raises TableError if the body is not the one that was written."""
    with path.open("rb") as file:
        if body_hash(file) != header.sha256:
            raise TableError("table-damaged", file=path.as_posix())


def body_hash(file: BinaryIO, length: int | None = None) -> str:
    """SHA-256 of the body of an open file, or of its first `length` bytes."""
    digest = hashlib.sha256()
    file.seek(HEADER)
    left = length
    while left is None or left > 0:
        block = file.read(1 << 20 if left is None else min(1 << 20, left))
        if not block:
            break
        digest.update(block)
        left = None if left is None else left - len(block)
    return digest.hexdigest()


def write_table(path: Path, header: Header, body: bytes) -> None:
    """Writes a whole table, into a folder made for it if need be; see `write_whole`."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, header.packed() + body)


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file aside and renames it, so that no half-written one is ever seen; TableError if that cannot be.

    A device or a pipe, which must not be replaced, is written into as it is.
    """
    if path.is_dir():
        raise TableError("table-write", file=path.as_posix(), reason=KopsimError("file-folder"))
    if path.exists() and not path.is_file():
        with writing(path):
            path.write_bytes(content)
        return
    aside = path.with_name(path.name + ".new")
    with writing(path):
        try:
            with aside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise


@contextmanager
def building(path: Path) -> Iterator[Path]:
    """The place beside a table where it is built, NAME.part, for this process alone.

    Raises TableError if the table cannot be written there or another process is building it.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise TableError("table-write", file=path.as_posix(), reason=TableError("file-not-plain"))
        lock = FileLock(path.with_name(path.name + ".lock"), timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise TableError("table-busy", file=path.as_posix()) from None
    try:
        yield path.with_name(path.name + ".part")
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


def saved_meanwhile(steps: Iterable[object], save: Callable[[], None]) -> None:
    """Goes through the steps of a build; saves every few seconds and, if any was done, when it ends in whatever way."""
    saved, done = time.monotonic(), False
    try:
        for _ in steps:
            done = True
            if time.monotonic() - saved > _SAVE:
                save()
                saved = time.monotonic()
    finally:
        if done:
            save()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns an operating system's refusal to write into a TableError naming the file."""
    try:
        yield
    except OSError as error:
        raise TableError("table-write", file=path.as_posix(), reason=refusal(error)) from None
