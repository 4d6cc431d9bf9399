"""Rule sets compared by what they do to hands, for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kopsim.call_values import CallValue
from kopsim.cards import Card, format_cards
from kopsim.deals import sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.throwdown_text import seats_text
from kopsim.faces.words import NO_BREAK, number, percent
from kopsim.rule_comparison import ComparedCall
from kopsim.rules import RuleSet
from kopsim.throwdowns.comparison import ComparedThrowdowns

# --- a hand


def hand_data(rules: Sequence[RuleSet], hand: Sequence[Card], compared: Sequence[ComparedCall]) -> dict[str, Any]:
    """The calls of a hand as JSON data, null where a rule set does not allow one."""
    return {
        "rules": [each.id for each in rules],
        "hand": [str(card) for card in sort_hand(hand, rules[0])],
        "results": [
            {
                "seat": each.seat,
                "call": each.call,
                "differs": each.differs,
                "values": [None if value is None else _value_data(value) for value in each.values],
            }
            for each in compared
        ],
    }


def _value_data(value: CallValue) -> dict[str, Any]:
    return {
        "mean": float(value.mean),
        "win": {"count": value.wins, "of": value.layouts},
        "guaranteed": value.guaranteed,
    }


def hand_table(
    rules: Sequence[RuleSet], hand: Sequence[Card], compared: Sequence[ComparedCall], lang: Lang
) -> list[Block]:
    """The calls of a hand, a row for each seat and call, a column for each rule set."""
    rows = []
    for each in compared:
        marks = "≠" if each.differs else ""
        rows.append(
            [str(each.seat), _call_name(rules, each.call, lang), *(_cell(value, lang) for value in each.values), marks]
        )
    headings = [message("seat", lang), message("call", lang), *(each.name.text(lang) for each in rules), ""]
    return [
        Heading(format_cards(sort_hand(hand, rules[0]), lang=lang)),
        Grid(headings, rows, left=2),
        Paragraph(message("compare-note", lang)),
    ]


def _cell(value: CallValue | None, lang: Lang) -> str:
    """What a call earns and how often it wins, with a mark if that is certain."""
    if value is None:
        return "–"
    told = f"{number(float(value.mean), lang, sign=True)}  {percent(value.wins / value.layouts, lang)}"
    return (told + (" ✓" if value.guaranteed else "  ")).replace(" ", NO_BREAK)


def _call_name(rules: Sequence[RuleSet], call: str, lang: Lang) -> str:
    known = next((each for each in rules if call in each.contracts), None)
    return message("pass", lang) if known is None else known.contract(call).name.text(lang)


# --- throw-downs


def throwdowns_data(first: RuleSet, second: RuleSet, compared: Sequence[ComparedThrowdowns]) -> dict[str, Any]:
    """Hands that win for certain under either, as JSON data; counts are null where there is no such contract."""
    return {
        "rules": [first.id, second.id],
        "contracts": [
            {
                "contract": each.contract,
                "hands": [None if side is None else len(side) for side in (each.first, each.second)],
                "alike": each.alike,
                "differing": [
                    {"hand": [str(card) for card in hand], "seats": [list(seats) for seats in both]}
                    for hand, both in each.differing.items()
                ],
            }
            for each in compared
        ],
    }


def throwdowns_table(
    first: RuleSet, second: RuleSet, compared: Sequence[ComparedThrowdowns], lang: Lang
) -> list[Block]:
    """For each contract how many hands there are, and those at other seats under the other rules."""
    names = [first.name.text(lang), second.name.text(lang)]
    counts = [
        [
            _call_name((first, second), each.contract, lang),
            *("–" if side is None else str(len(side)) for side in (each.first, each.second)),
            str(each.alike),
            str(len(each.differing)),
        ]
        for each in compared
    ]
    keys = ("throw-alike", "throw-differing")
    blocks: list[Block] = [
        Heading(message("throw-compared", lang)),
        Grid([message("contract", lang), *names, *(message(key, lang) for key in keys)], counts),
    ]
    for each in compared:
        rows = [
            [format_cards(hand, lang=lang).replace(" ", NO_BREAK), *(_seats(seats, lang) for seats in both)]
            for hand, both in each.differing.items()
        ]
        if rows:
            blocks.append(Heading(_call_name((first, second), each.contract, lang), 3))
            blocks.append(Grid([message("rules-cards", lang), *names], rows, left=3))
    return [*blocks, Paragraph(message("throw-compared-note", lang))]


def _seats(seats: Sequence[int], lang: Lang) -> str:
    return seats_text(seats, lang) if seats else "–"
