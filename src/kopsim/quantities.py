"""Numbers as programs hand them over: of Python or of the scientific stack, whole where whole ones are wanted."""

from __future__ import annotations

import math
from numbers import Real
from operator import index

from kopsim.errors import QueryError


def as_whole(value: object) -> int | None:
    """A whole number of any kind as an int, 53.0 among them; None for what is none: 53.5, nan, True, "4"."""
    if isinstance(value, bool):
        return None
    try:
        return index(value)  # type: ignore[arg-type]  # what has no index says so
    except TypeError:
        pass
    if isinstance(value, Real) and float(value).is_integer():
        return int(float(value))
    return None


def whole_number(value: object, name: str) -> int:
    """The same for the parameter of this name; raises QueryError for what is no whole number."""
    number = as_whole(value)
    if number is None:
        raise QueryError("number-whole", name=name, text=repr(value))
    return number


def real_number(value: object, name: str) -> float:
    """A finite number of any kind; raises QueryError, by the parameter's name, for what is none."""
    if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise QueryError("number-real", name=name, text=repr(value))


def counted(value: object, name: str, refusal: str, least: int = 1, most: int | None = None) -> int:
    """A whole number from `least` to `most`; raises QueryError, with the key `refusal` for one outside."""
    count = whole_number(value, name)
    if count < least or (most is not None and count > most):
        raise QueryError(refusal, count=count, most=most)
    return count
