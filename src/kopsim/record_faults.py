"""All that is wrong with data that were to be a record, found by going through the record's types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import inspect

from kopsim.errors import KopsimError, RuleError
from kopsim.faults import nearest
from kopsim.toml_syntax import Broken

if TYPE_CHECKING:
    from kopsim.toml_positions import Place

Found = tuple["Place", KopsimError]
# The key that was meant, of those known here, as the reader should write it.
Guess = Callable[[str, Sequence[str]], str | None]

_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "toml-bool"),
    (int, "toml-int"),
    (float, "toml-float"),
    (str, "toml-text"),
    (dict, "toml-table"),
    (list, "toml-list"),
)
_WANTED: dict[type[inspect.Type], str] = {
    inspect.BoolType: "toml-bool",
    inspect.IntType: "toml-int",
    inspect.FloatType: "toml-float",
    inspect.StrType: "toml-text",
    inspect.LiteralType: "toml-text",
    inspect.CustomType: "toml-text",
    inspect.DictType: "toml-table",
    inspect.StructType: "toml-table",
    inspect.ListType: "toml-list",
    inspect.VarTupleType: "toml-list",
    inspect.TupleType: "toml-list",
}


class Partial(SimpleNamespace):
    """A record that cannot be made: it has the fields that could be read, None for the others."""


def nearest_key(word: str, known: Sequence[str]) -> str | None:
    """The known key that looks most like a mistyped one."""
    return next(iter(nearest(word, known)), None)


def record_faults(
    data: object, kind: type[Any], *, whole: bool = True, guess: Guess = nearest_key
) -> tuple[Any, list[Found]]:
    """What could be read of a record, and all faults, each with its place in the data.

    A record or, where it has faults, a `Partial`.  whole: whether a key that is not there is missing;
    False for data of which a part could not be read.  A class may have a method `faults(**fields)`
    that yields place and reason of what does not fit together, told the fields that could be read.
    """
    reader = _Reader(whole, guess)
    value, _ = reader.read(data, inspect.type_info(kind), ())
    return value, reader.found


class _Reader:
    """Goes through data with their types; every method returns a value and whether all of it could be read."""

    def __init__(self, whole: bool, guess: Guess) -> None:
        self.found: list[Found] = []
        self._whole = whole
        self._guess = guess

    def read(self, data: object, info: inspect.Type, place: Place) -> tuple[Any, bool]:
        """The value of one type."""
        if isinstance(data, Broken):
            return None, False
        if isinstance(info, inspect.AnyType):
            return data, True
        if isinstance(info, inspect.UnionType):
            return self._union(data, info, place)
        if not _fits(data, info):
            return self._refuse(place, RuleError("rules-type", wanted=_wanted(info), got=_kind_of(data)))
        if isinstance(info, inspect.StructType):
            assert isinstance(data, dict)
            return self._struct(data, info, place)
        if isinstance(info, inspect.DictType):
            assert isinstance(data, dict)
            return self._dict(data, info, place)
        if isinstance(info, (inspect.ListType, inspect.VarTupleType, inspect.TupleType)):
            assert isinstance(data, (list, tuple))
            return self._list(data, info, place)
        if isinstance(info, inspect.LiteralType):
            return self._literal(data, info, place)
        if isinstance(info, inspect.CustomType):
            return self._custom(data, info, place)
        return self._plain(data, info, place)

    def _refuse(self, place: Place, reason: KopsimError) -> tuple[None, bool]:
        self.found.append((place, reason))
        return None, False

    def _union(self, data: object, info: inspect.UnionType, place: Place) -> tuple[Any, bool]:
        tagged = [each for each in info.types if isinstance(each, inspect.StructType) and each.tag_field]
        if isinstance(data, dict) and tagged:
            structs, field = {each.tag: each for each in tagged}, str(tagged[0].tag_field)
            if field not in data:
                return self._refuse(place, RuleError("rules-missing", field=field)) if self._whole else (None, False)
            tags = [tag for tag in structs if isinstance(tag, str)]
            tag, known = self._literal(data[field], inspect.LiteralType(tuple(tags)), (*place, field))
            return self._struct(data, structs[tag], place) if known else (None, False)
        if data is None and any(isinstance(each, inspect.NoneType) for each in info.types):
            return None, True
        fitting = [each for each in info.types if _fits(data, each)]
        if not fitting:
            return self._refuse(place, RuleError("rules-type", wanted=_wanted(info), got=_kind_of(data)))
        return self.read(data, fitting[0], place)

    def _struct(self, data: dict[str, Any], info: inspect.StructType, place: Place) -> tuple[Any, bool]:
        before = len(self.found)
        values, complete = dict[str, Any](), True
        names = [field.encode_name for field in info.fields]
        meant = self._foreign(data, [*names, *([info.tag_field] if info.tag_field else [])], info, place)
        for field in info.fields:
            name = field.encode_name
            if name in data:
                value, read = self.read(data[name], field.type, (*place, name))
                complete = complete and read
                if read or value is not None:
                    values[field.name] = value
            elif field.required:
                complete = False
                if self._whole and name not in meant:
                    self._refuse(place, RuleError("rules-missing", field=name))
            elif name not in meant:
                values[field.name] = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
        for inner, reason in _own_faults(info.cls, values):
            self._refuse((*place, *inner), reason)
        if complete and len(self.found) == before:
            return info.cls(**values), True
        return Partial(**{**dict.fromkeys(field.name for field in info.fields), **values}), False

    def _foreign(
        self, data: dict[str, Any], names: Sequence[str], info: inspect.StructType, place: Place
    ) -> set[str | None]:
        """Tells keys that a record does not know; returns those that were probably meant."""
        meant: set[str | None] = set()
        for key in data:
            if key not in names and info.forbid_unknown_fields:
                meant.add(self._foreign_key(key, names, place))
        return meant

    def _foreign_key(self, key: str, known: Sequence[str], place: Place) -> str | None:
        near = self._guess(key, known)
        reason = RuleError("rules-foreign", field=key) if near is None else None
        self._refuse((*place, key), reason or RuleError("rules-foreign-near", field=key, near=near))
        return near

    def _dict(self, data: dict[str, Any], info: inspect.DictType, place: Place) -> tuple[Any, bool]:
        complete = self._long_enough(data, info.min_length, info.max_length, place)
        values = {}
        for key, each in data.items():
            if isinstance(info.key_type, inspect.LiteralType) and key not in info.key_type.values:
                self._foreign_key(key, [str(known) for known in info.key_type.values], place)
                complete = False
            else:
                values[key], read = self.read(each, info.value_type, (*place, key))
                complete = complete and read
        return _as_far_as_read(values, complete, info.value_type)

    def _list(
        self,
        data: Sequence[object],
        info: inspect.ListType | inspect.VarTupleType | inspect.TupleType,
        place: Place,
    ) -> tuple[Any, bool]:
        if isinstance(info, inspect.TupleType):
            types: Sequence[inspect.Type] = info.item_types
            complete = self._long_enough(data, len(types), len(types), place)
        else:
            types = [info.item_type] * len(data)
            complete = self._long_enough(data, info.min_length, info.max_length, place)
        read = [self.read(each, kind, (*place, n)) for n, (each, kind) in enumerate(zip(data, types, strict=False))]
        complete = complete and all(known for _, known in read)
        return _as_far_as_read(tuple(value for value, _ in read), complete, types[0] if types else None)

    def _long_enough(
        self, data: Sequence[Any] | Mapping[str, Any], least: int | None, most: int | None, place: Place
    ) -> bool:
        if (least or 0) <= len(data) and (most is None or len(data) <= most):
            return True
        if least == most:
            reason = RuleError("rules-length", wanted=least, count=len(data))
        elif len(data) < (least or 0):
            reason = RuleError("rules-length-least", wanted=least, count=len(data))
        else:
            reason = RuleError("rules-length-most", wanted=most, count=len(data))
        self._refuse(place, reason)
        return False

    def _literal(self, data: object, info: inspect.LiteralType, place: Place) -> tuple[Any, bool]:
        if isinstance(data, Broken):
            return None, False
        if data in info.values:
            return data, True
        known = [str(value) for value in info.values]
        if len(known) == 1:
            return self._refuse(place, RuleError("rules-choice", value=str(data), choices=known))
        near = self._guess(data, known) if isinstance(data, str) else None
        if near in known:
            return self._refuse(place, RuleError("rules-choice-near", value=data, near=near, choices=known))
        return self._refuse(place, RuleError("rules-choice", value=str(data), choices=known))

    def _custom(self, data: object, info: inspect.CustomType, place: Place) -> tuple[Any, bool]:
        try:
            return cast(Any, info.cls).read(data), True
        except KopsimError as error:
            return self._refuse(place, error)

    def _plain(self, data: object, info: inspect.Type, place: Place) -> tuple[Any, bool]:
        if isinstance(info, inspect.IntType):
            assert isinstance(data, int)
            least, most = info.ge, info.le
            if (least is not None and data < least) or (most is not None and data > most):
                if most is None:
                    return self._refuse(place, RuleError("rules-range-least", least=least, value=data))
                return self._refuse(place, RuleError("rules-range", least=least, most=most, value=data))
        return data, True


def _as_far_as_read(values: Any, complete: bool, kind: inspect.Type | None) -> tuple[Any, bool]:
    """Of several records those that could be read, None for the others; several values only if all could."""
    return (values if complete or isinstance(kind, inspect.StructType) else None), complete


def _own_faults(kind: type[Any], values: Mapping[str, Any]) -> Iterator[Found]:
    """What a record itself finds in its fields."""
    check = getattr(kind, "faults", None)
    if check is not None:
        yield from check(**values)


def _fits(data: object, info: inspect.Type) -> bool:
    """Whether data are of the kind that a type is written as."""
    wanted = _WANTED.get(type(info))
    if isinstance(info, inspect.LiteralType) and not isinstance(info.values[0], str):
        return not isinstance(data, (dict, list))
    return wanted is not None and (_kind_key(data) == wanted or (wanted == "toml-float" and type(data) is int))


def _kind_key(data: object) -> str:
    return next((key for kind, key in _KINDS if isinstance(data, kind)), "toml-date")


def _kind_of(data: object) -> KopsimError:
    return KopsimError(_kind_key(data))


def _wanted(info: inspect.Type) -> Sequence[KopsimError]:
    """What should stand there; where several will do, all of them."""
    types = info.types if isinstance(info, inspect.UnionType) else (info,)
    keys = dict.fromkeys(_WANTED[type(each)] for each in types if type(each) in _WANTED)
    return [KopsimError(key) for key in keys]
