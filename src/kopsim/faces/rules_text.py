"""A rule set in words, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kopsim.cards import format_cards
from kopsim.errors import Lang, message
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
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("id", message("rules-name", lang), message("rules-cards", lang)):
        table.add_column(heading)
    for rules in known:
        table.add_row(rules.id, rules.name.text(lang), str(len(rules.pack.cards)))
    return table


def in_words(rules: RuleSet, lang: Lang) -> Group:
    """A rule set as a person would read it aloud."""
    parts: list[Any] = [
        Text(f"{rules.name.text(lang)}   ({rules.id})", style="bold"),
        Text(rules.source.text(lang)),
        Text(message("rules-hash", lang, hash=rules_hash(rules)[:12])),
    ]
    for order in rules.orders.values():
        parts.append(_block(message("rules-order", lang, name=order.name), _order_lines(order, lang)))
    rows = Table(box=None, show_header=False, pad_edge=False, padding=(0, 3, 0, 0))
    for key, contract in rules.contracts.items():
        rows.add_row(key, _contract(contract, lang))
    parts += [Padding(Text(message("rules-contracts", lang), style="bold"), (1, 0, 0, 0)), rows]
    if rules.doubling.calls:
        steps = ", ".join(
            f"{call} ×{times}" for call, times in zip(rules.doubling.calls, rules.doubling.multipliers, strict=True)
        )
        parts.append(_block(message("rules-doublings", lang), [steps]))
    return Group(*parts)


def _block(heading: str, lines: Sequence[str]) -> Padding:
    return Padding(Group(Text(heading, style="bold"), *map(Text, lines)), (1, 0, 0, 0))


def _order_lines(order: Order, lang: Lang) -> list[str]:
    worths = dict.fromkeys((card.rank, order.worth(card)) for card in order.cards)
    sides = " | ".join(format_cards(suit, lang=lang) for suit in order.side_suits)
    lines = [
        message("rules-trumps", lang, cards=format_cards(order.trumps, lang=lang) or "–"),
        message("rules-sides", lang, cards=sides or "–"),
        message("rules-worth", lang, points=", ".join(f"{rank} {points}" for rank, points in worths)),
        message("rules-follow-trump", lang, ladder=_ladder(order.obligations.trump_led, lang)),
        message("rules-follow-side", lang, ladder=_ladder(order.obligations.side_led, lang)),
    ]
    if any(order.trick_bonus):
        lines.append(message("rules-bonuses", lang, points=", ".join(map(str, order.trick_bonus))))
    return lines + _exemptions(order.obligations, lang)


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
