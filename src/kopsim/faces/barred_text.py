"""What tables and data say of hands that may not play a contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.barred import BarredHand
from kopsim.errors import Lang, message
from kopsim.faces.document import Paragraph
from kopsim.rules import RuleSet

Row = tuple[int, str, list[str]]  # seat, contract, figures


def barred_data(barred: Sequence[BarredHand]) -> dict[str, Any]:
    """The seats and contracts at which a hand may not play, as a key of JSON data; nothing where it may everywhere."""
    return {"barred": [{"seat": each.seat, "contract": each.contract} for each in barred]} if barred else {}


def barred_notes(barred: Sequence[BarredHand], lang: Lang) -> list[Paragraph]:
    """A sentence for each of them."""
    return [Paragraph(each.reason.text(lang)) for each in barred]


def with_barred(rules: RuleSet, rows: Sequence[Row], barred: Sequence[BarredHand], lang: Lang) -> list[Row]:
    """Rows of seats and contracts together with those that may not be, in the order of the rules."""
    empty = ["–"] * (len(rows[0][2]) - 1)
    marked = [(each.seat, each.contract, [message("may-not", lang), *empty]) for each in barred]
    contracts = list(rules.contracts)
    return sorted([*rows, *marked], key=lambda row: (row[0], contracts.index(row[1])))
