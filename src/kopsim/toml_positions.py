"""Where in a TOML text each key and each value stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from kopsim.faults import Spot

# Keys from the outermost on; entries of lists are counted from 0.
Place = tuple[str | int, ...]
_KEYS = ("bare_key", "quoted_key", "dotted_key")
_TABLES = ("table", "table_array_element")


@dataclass(frozen=True)
class Written:
    """Where a key is written and where its value; the header of a table is both."""

    key: Spot
    value: Spot


def positions(text: str) -> dict[Place, Written]:
    """The places of a sound TOML text, in their order."""
    return _Index(text).places


class _Index:
    def __init__(self, text: str) -> None:
        self.places: dict[Place, Written] = {}
        self._lines = text.encode().split(b"\n")
        # How often the header of each list of tables has come.
        self._entries: dict[Place, int] = {}
        root = Parser(Language(tree_sitter_toml.language())).parse(text.encode()).root_node
        for node in root.named_children:
            if node.type in _TABLES:
                self._table(node)
            elif node.type == "pair":
                self._pair(node, ())

    def _table(self, node: Node) -> None:
        header, *pairs = (child for child in node.named_children if child.type in (*_KEYS, "pair"))
        place, spot = Place(), self._spot(node)
        *outer, last = _keys(header)
        for key in outer:
            self._note((*place, key), spot, spot)
            place = self._latest((*place, key))
        place = (*place, last)
        if node.type == "table_array_element":
            self.places.setdefault(place, Written(spot, spot))
            self._entries[place] = self._entries.get(place, -1) + 1
            place = self._latest(place)
        self._note(place, spot, spot)
        for pair in pairs:
            self._pair(pair, place)

    def _latest(self, place: Place) -> Place:
        """The table that a key in a header means: of a list of tables its last entry."""
        return (*place, self._entries[place]) if place in self._entries else place

    def _pair(self, node: Node, place: Place) -> None:
        key, value = (child for child in node.named_children if child.type != "comment")
        for name in _keys(key):
            place = (*place, name)
            self._note(place, self._spot(key), self._spot(value))
        self._inside(value, place)

    def _inside(self, value: Node, place: Place) -> None:
        entries = [child for child in value.named_children if child.type != "comment"]
        if value.type == "inline_table":
            for pair in entries:
                self._pair(pair, place)
        elif value.type == "array":
            for number, entry in enumerate(entries):
                self._note((*place, number), self._spot(entry), self._spot(entry))
                self._inside(entry, (*place, number))

    def _note(self, place: Place, key: Spot, value: Spot) -> None:
        self.places.setdefault(place, Written(key, value))

    def _spot(self, node: Node) -> Spot:
        row, column = node.start_point
        return Spot(row + 1, len(self._lines[row][:column].decode()) + 1)


def _keys(node: Node) -> Iterator[str]:
    """The keys of a dotted key, without their quotes."""
    if node.type == "dotted_key":
        for part in node.named_children:
            yield from _keys(part)
    else:
        assert node.text is not None
        written = node.text.decode()
        yield written if node.type == "bare_key" else tomllib.loads(f"key = {written}")["key"]
