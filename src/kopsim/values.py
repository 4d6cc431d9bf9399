"""What makes results values: equal, hashed and pickled by what they hold, which nobody can change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from kopsim.frozen_map import FrozenMap


class Value:
    """Base of frozen dataclasses that hold arrays, mappings or lists, and are values all the same.

    What such a dataclass is made with is kept as what cannot be changed: arrays as
    read-only copies, mappings as `FrozenMap`s, lists as tuples.  Two are equal if all that
    they hold is, arrays in every bit.  They are pickled and copied by being made anew.

    The decorator is to be told `eq=False`, for it would write a comparison of its own.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, value in self._held().items():
            object.__setattr__(self, name, _frozen(value))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((type(self), self._compared()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), self._held())

    def _held(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def _compared(self) -> tuple[object, ...]:
        return tuple(map(_comparable, self._held().values()))


def _made(kind: type[Value], held: dict[str, Any]) -> Value:
    return kind(**held)


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if value.flags.writeable:
            value = value.copy()
            value.flags.writeable = False
        return value
    if isinstance(value, FrozenMap):
        return value
    if isinstance(value, Mapping):
        return FrozenMap({key: _frozen(item) for key, item in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _comparable(value: object) -> object:
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value
