"""A dict that cannot be changed, so that what holds one can be hashed."""

from __future__ import annotations

from typing import NoReturn, TypeVar

import msgspec

Key = TypeVar("Key")
Item = TypeVar("Item")


class FrozenMap(dict[Key, Item]):
    """A dict like any other to read, compare and write down; whoever would change it gets a TypeError."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping is part of a value and cannot be changed; make a dict of it first")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenMap[Key, Item]], tuple[dict[Key, Item]]]:
        return type(self), (dict(self),)


def freeze_maps(record: msgspec.Struct) -> None:
    """Puts a `FrozenMap` in place of every dict that a frozen record was just made with."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, dict) and not isinstance(value, FrozenMap):
            msgspec.structs.force_setattr(record, name, FrozenMap(value))
