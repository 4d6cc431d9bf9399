"""A rule set in words and as data, and what differs between two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.padding import Padding

from kopsim.errors import Lang, message
from kopsim.faces.layout import PlainTable, plain_table, unbroken
from kopsim.faces.rules_facts import GRADES, Fact, Section, facts, graded, named
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.differences import differences

# How a fact is put into a sentence: most as "topic: words", these as their words alone or as "topic words".
_ALONE = ("rules-who", "rules-goal", "rules-announcement", "rules-calls")
_SPACED = ("rules-price", "rules-lost")


def summary(rules: RuleSet) -> dict[str, Any]:
    """What a list of rule sets says of one."""
    return {
        "id": rules.id,
        "name": {"pl": rules.name.pl, "en": rules.name.en},
        "cards": len(rules.pack.cards),
        "contracts": list(rules.contracts),
        "hash": rules_hash(rules),
    }


def data(rules: RuleSet) -> dict[str, Any]:
    """A whole rule set as JSON data, cards as symbols, with its hash."""
    whole: dict[str, Any] = msgspec.to_builtins(rules, enc_hook=str)
    return {**whole, "hash": rules_hash(rules)}


def listing(known: Sequence[RuleSet], lang: Lang) -> PlainTable:
    """A table of rule sets."""
    headings = ["id", message("rules-name", lang), message("rules-cards", lang)]
    return plain_table(headings, [[each.id, each.name.text(lang), str(len(each.pack.cards))] for each in known], left=2)


# --- one rule set


def in_words(rules: RuleSet, lang: Lang) -> Group:
    """A rule set as a person would read it aloud."""
    parts: list[RenderableType] = [
        unbroken(f"{rules.name.text(lang)}   ({rules.id})", style="bold"),
        unbroken(rules.source.text(lang)),
        unbroken(message("rules-hash", lang, hash=rules_hash(rules)[:12])),
    ]
    for heading, entries in sections(rules, lang):
        lines: list[RenderableType] = [unbroken(heading, style="bold")]
        for name, words in entries:
            lines += [unbroken(name), Padding(unbroken(words), (0, 0, 0, 2))] if name else [unbroken(words)]
        parts.append(Padding(Group(*lines), (1, 0, 0, 0)))
    return Group(*parts)


def sections(rules: RuleSet, lang: Lang) -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings with what stands under each: sentences, of contracts with the name that they go with, else with ""."""
    told = [fact for fact in facts(rules, lang) if fact.shown]
    parts = [(message("rules-table", lang), _unnamed(told, ("seats", ""), lang))]
    for key, order in rules.orders.items():
        parts.append((message("rules-order", lang, name=order.name), _unnamed(told, ("orders", key), lang)))
    if rules.contracts:
        parts.append((message("rules-contracts", lang), _contracts(rules, told, lang)))
    for heading, table in (
        ("rules-doublings", "doubling"),
        ("rules-misplay", "misplay"),
        ("rules-tournament", "tournament"),
    ):
        if lines := _unnamed(told, (table, ""), lang):
            parts.append((message(heading, lang), lines))
    return parts


def _contracts(rules: RuleSet, told: Sequence[Fact], lang: Lang) -> list[tuple[str, str]]:
    """Each contract's name and one sentence of sides, goal, price and all the rest; then what they have in common."""
    lines = []
    for key, contract in rules.contracts.items():
        said = "; ".join(_said(fact, lang) for fact in told if fact.section == ("contracts", key))
        lines.append((named(key, contract.name.text(lang)), said))
    lines += _unnamed(told, ("contracts", ""), lang)
    if graded(rules):
        grades = " / ".join(message(f"graded-{grade}", lang) for grade in GRADES[1:])
        lines.append(("", message("rules-three-prices", lang, grades=grades)))
    return lines


def _unnamed(told: Sequence[Fact], section: Section, lang: Lang) -> list[tuple[str, str]]:
    return [("", line) for line in _lines(told, section, lang)]


def _lines(told: Sequence[Fact], section: Section, lang: Lang) -> list[str]:
    """The facts of a section, a line each."""
    said = [(fact, _said(fact, lang)) for fact in told if fact.section == section]
    return [text if fact.topic in _ALONE else text[:1].upper() + text[1:] for fact, text in said]


def _said(fact: Fact, lang: Lang) -> str:
    if fact.topic in _ALONE:
        return fact.words
    return f"{message(fact.topic, lang)}{' ' if fact.topic in _SPACED else ': '}{fact.words}"


# --- two rule sets


def differences_data(a: RuleSet, b: RuleSet) -> dict[str, Any]:
    """What differs between two rule sets, key by key, as JSON data."""
    return {"a": a.id, "b": b.id, "differences": [each._asdict() for each in differences(a, b)]}


def differences_in_words(a: RuleSet, b: RuleSet, titles: tuple[str, str], lang: Lang) -> Group | str:
    """What differs between two rule sets, topic by topic; titles: what to call them."""
    first, second = ({(fact.section, fact.topic): fact.words for fact in facts(each, lang)} for each in (a, b))
    alone = _only(a, b, titles[0], lang) | _only(b, a, titles[1], lang)
    rows = [
        [_about(section, topic, a, lang), first.get((section, topic), "–"), second.get((section, topic), "–")]
        for section, topic in dict.fromkeys([*first, *second])
        if section not in alone and first.get((section, topic)) != second.get((section, topic))
    ]
    if rows or alone:
        table = [Padding(plain_table(["", *titles], rows, left=3), (0, 0, 1 if alone else 0, 0))] if rows else []
        return Group(*table, *map(unbroken, alone.values()))
    if keys := [each.key for each in differences(a, b)]:
        return message("rules-same-words", lang, a=titles[0], b=titles[1], keys=keys)
    return message("rules-same", lang, a=titles[0], b=titles[1])


def _only(rules: RuleSet, other: RuleSet, title: str, lang: Lang) -> dict[Section, str]:
    """The orders and contracts that another rule set has not, each in a line."""
    orders = {
        ("orders", key): message("rules-order-only", lang, rules=title, name=named(key, order.name.text(lang)))
        for key, order in rules.orders.items()
        if key not in other.orders
    }
    contracts = {
        ("contracts", key): message("rules-contract-only", lang, rules=title, name=named(key, contract.name.text(lang)))
        for key, contract in rules.contracts.items()
        if key not in other.contracts
    }
    return orders | contracts


def _about(section: Section, topic: str, rules: RuleSet, lang: Lang) -> str:
    """What a difference is about, as "zolo: price"; `rules` gives the names."""
    table, key = section
    headings = {"doubling": "rules-doublings", "misplay": "rules-misplay", "tournament": "rules-tournament"}
    if table in headings:
        of = message(headings[table], lang).lower()
    elif key:
        of = (rules.orders if table == "orders" else rules.contracts)[key].name.text(lang)
    else:
        return message(topic, lang)
    return f"{of}: {message(topic, lang)}"
