"""Throw-downs as JSON data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kopsim.cards import Card
from kopsim.faces.throwdown_text import line_text
from kopsim.throwdowns.audit import Audit
from kopsim.throwdowns.find import Found


def audit(found: Audit) -> dict[str, Any]:
    """An audit; where something was assumed, it is told, and the verdicts without it."""
    return {
        "rules": found.written.id,
        **({"assume": dict(found.assume)} if found.assume else {}),
        "lines": [
            {
                "text": line_text(each.line, "en"),
                "contract": each.line.contract,
                "seats": list(each.line.seats),
                "verdict": each.verdict,
                **({"as_written": each.as_written} if each.as_written else {}),
                "hands": [
                    {
                        "hand": _names(verdict.hand),
                        "seat": verdict.seat,
                        "guaranteed": verdict.guaranteed,
                        "double_dummy_wins": verdict.wins,
                        "layouts": verdict.layouts,
                        **({"barred": True} if verdict.barred else {}),
                    }
                    for verdict in each.hands
                ],
            }
            for each in found.lines
        ],
        "missing": [
            {"contract": each.contract, "hand": _names(each.hand), "seats": list(each.seats)} for each in found.missing
        ],
    }


def found(what: Found, seat: int, assume: Mapping[str, bool]) -> dict[str, Any]:
    """The right list of one contract at one seat; what was assumed is told where anything was."""
    return {
        "contract": what.contract,
        "seat": seat,
        **({"assume": dict(assume)} if assume else {}),
        "hands": [_names(hand) for hand in what.at(seat)],
        "double_dummy_only": [_names(hand) for hand in what.open_only[seat]],
        "patterns": [line_text(line, "en") for line in what.lines_at(seat)],
    }


def _names(hand: Iterable[Card]) -> list[str]:
    return [str(card) for card in hand]
