"""A rule set in words, and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Group
from rich.table import Table

from kopsim.cards import format_cards, parse_card, rank_text
from kopsim.errors import Lang, message
from kopsim.faces.layout import block, plain_table, unbroken
from kopsim.faces.words import NO_BREAK
from kopsim.rules import Contract, Obligations, Order, RuleSet, rules_hash
from kopsim.rules.model import AtLeast, Demand, EveryTrick, Honour


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


def listing(known: Sequence[RuleSet], lang: Lang) -> Table:
    """A table of rule sets."""
    headings = ["id", message("rules-name", lang), message("rules-cards", lang)]
    return plain_table(headings, [[each.id, each.name.text(lang), str(len(each.pack.cards))] for each in known], left=2)


def in_words(rules: RuleSet, lang: Lang) -> Group:
    """A rule set as a person would read it aloud."""
    contracts = plain_table(
        ["", ""],
        [[_name(key, contract, lang), _contract(contract, lang)] for key, contract in rules.contracts.items()],
        left=2,
    )
    parts: list[Any] = [
        unbroken(f"{rules.name.text(lang)}   ({rules.id})", style="bold"),
        unbroken(rules.source.text(lang)),
        unbroken(message("rules-hash", lang, hash=rules_hash(rules)[:12])),
        *(
            block(message("rules-order", lang, name=order.name), *_order_lines(order, lang))
            for order in rules.orders.values()
        ),
        block(message("rules-contracts", lang), contracts),
    ]
    if rules.doubling.calls:
        steps = zip(rules.doubling.calls, rules.doubling.multipliers, strict=True)
        parts.append(block(message("rules-doublings", lang), ", ".join(f"{call} ×{times}" for call, times in steps)))
    return Group(*parts)


def _order_lines(order: Order, lang: Lang) -> list[str]:
    sides = " | ".join(format_cards(suit, lang=lang) for suit in order.side_suits)
    lines = [
        message("rules-trumps", lang, cards=format_cards(order.trumps, lang=lang) or "–"),
        message("rules-sides", lang, cards=sides or "–"),
        message("rules-worth", lang, points=_worths(order.points, lang)),
    ]
    if order.trump_points:
        lines.append(message("rules-worth-trumps", lang, points=_worths(order.trump_points, lang)))
    if order.card_points:
        single = ", ".join(f"{parse_card(card).text(lang=lang)} {worth}" for card, worth in order.card_points.items())
        lines.append(message("rules-worth-cards", lang, points=single))
    lines += [
        message("rules-follow-trump", lang, ladder=_ladder(order.obligations.trump_led, lang)),
        message("rules-follow-side", lang, ladder=_ladder(order.obligations.side_led, lang)),
    ]
    if any(order.trick_bonus):
        lines.append(message("rules-bonuses", lang, points=", ".join(map(str, order.trick_bonus))))
    return lines + _exemptions(order.obligations, lang)


def _worths(points: Mapping[str, int], lang: Lang) -> str:
    return ", ".join(f"{rank_text(rank, lang)}{NO_BREAK}{worth}" for rank, worth in points.items())


def _exemptions(obligations: Obligations, lang: Lang) -> list[str]:
    exempt = {
        "rules-partner-trump": obligations.partner_trump_led,
        "rules-partner-side": obligations.partner_side_led,
    }
    return [message(key, lang, ladder=_ladder(ladder, lang)) for key, ladder in exempt.items() if ladder is not None]


def _ladder(ladder: Sequence[Demand], lang: Lang) -> str:
    return message("ladder-else", lang).join(
        [*(message(f"demand-{step}", lang) for step in ladder), message("demand-any", lang)]
    )


def _name(key: str, contract: Contract, lang: Lang) -> str:
    """The name of a contract, and its id where that is another word."""
    name = contract.name.text(lang)
    return name if name == key else f"{name} ({key})"


def _contract(contract: Contract, lang: Lang) -> str:
    """Sides, goal, price and doubling in one sentence."""
    goal = contract.goal
    if isinstance(goal, AtLeast):
        needs = message("goal-points", lang, points=goal.at_least)
    elif isinstance(goal, EveryTrick):
        needs = message("goal-every-trick", lang)
    elif isinstance(goal, Honour):
        needs = message("goal-honour", lang)
    else:
        needs = message("goal-more-points", lang)
    held = format_cards(contract.cards, lang=lang)
    sides = message(f"sides-{contract.sides}" if held else "sides-anyone", lang, cards=held)
    price = " / ".join(map(str, contract.value.values()))
    doubling = ", ".join(contract.doubling) or message("doubling-none", lang)
    return message("rules-contract", lang, sides=sides, needs=needs, price=price, doubling=doubling)
