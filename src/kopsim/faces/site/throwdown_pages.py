"""Throw-downs for the page: printed lists judged line by line, what refutes them card by card, and the right list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kopsim.barred import without_bars
from kopsim.cards import Card
from kopsim.deals import sort_hand
from kopsim.errors import LANGS
from kopsim.faces.document import Items, Paragraph
from kopsim.faces.throwdown_text import plan_words
from kopsim.play import Position
from kopsim.resources import MOST_KEPT
from kopsim.roles import order_hash
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.throwdowns.audit import Audit, LineVerdict, audit
from kopsim.throwdowns.counterexamples import Counterexample, counterexamples
from kopsim.throwdowns.find import find
from kopsim.throwdowns.lists import Line, list_ids, list_path, read_list
from kopsim.throwdowns.plans import shortest_plan
from kopsim.throwdowns.proofs import certify
from kopsim.throwdowns.prover import Prover, certain_hands, throwable_contracts

_MOST_DRAWN = 4  # counterexamples of one line
Hand = Sequence[Card]
Words = dict[str, list[str]]  # sentences by language


def throwdown_pages(rules: RuleSet, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Of a rule set: its printed list audited if it has one, the right list of every contract, and every plan.

    plans: by contract, hand and seat the number of its words in `words`, which are lists of sentences by language.
    """
    words: list[Words] = []
    numbers: dict[str, int] = {}
    plans: dict[str, dict[str, dict[int, int]]] = {}
    right = []
    contracts = throwable_contracts(rules)
    for done, contract in enumerate(contracts):
        progress(done, len(contracts))
        proved = _proved(_Question.of(rules, contract))
        right.append(proved.right)
        for hand, at in proved.plans.items():
            for seat, sentences in at.items():
                number = numbers.setdefault(repr(sentences), len(words))
                if number == len(words):
                    words.append(sentences)
                plans.setdefault(contract, {}).setdefault(hand, {})[seat] = number
    progress(len(contracts), len(contracts))
    checked = audit(read_list(list_path(rules.id), rules), rules) if rules.id in list_ids() else None
    return {
        "audit": None if checked is None else _audit(checked),
        "right": right,
        "plans": plans,
        "words": words,
    }


@dataclass(frozen=True)
class _Question:
    """What wins a contract for certain: alike for all rule sets whose cards play alike, so it is answered once.

    order: the hash of all that play depends on; goal, needed: of the contract.
    """

    contract: str
    order: str
    goal: str
    needed: Hand
    rules: RuleSet = field(compare=False)

    @classmethod
    def of(cls, rules: RuleSet, contract: str) -> _Question:
        record = rules.contract(contract)
        return cls(contract, order_hash(rules, record.order), repr(record.goal), record.cards, rules)


@dataclass(frozen=True)
class _Proved:
    """The right list, and plans in words by hand and seat."""

    right: dict[str, Any]
    plans: Mapping[str, Mapping[int, Words]]


@lru_cache(maxsize=MOST_KEPT)
def _proved(asked: _Question) -> _Proved:
    return _Proved(_right(asked.rules, asked.contract), _plan_words(asked.rules, asked.contract))


def _text(cards: Hand) -> str:
    """Cards as the page reads them: "AhTc"."""
    return "".join(card.text("ascii") for card in cards)


def _plan_words(rules: RuleSet, contract: str) -> Mapping[str, Mapping[int, Words]]:
    """The plan of every hand that wins for certain, by hand and seat, in both languages."""
    prover, told = Prover(rules, contract), {}
    for hand, seats in certain_hands(rules, contract).items():
        told[_text(hand)] = {seat: _words(prover, hand, seat) for seat in seats}
    return told


def _words(prover: Prover, hand: Hand, seat: int) -> Words:
    plan = shortest_plan(prover, prover.start(hand, seat))
    words: Words = {}
    for lang in LANGS:
        block = plan_words(plan, lang)
        assert isinstance(block, (Paragraph, Items))
        words[lang] = [block.text] if isinstance(block, Paragraph) else list(block.texts)
    return words


def _right(rules: RuleSet, contract: str) -> dict[str, Any]:
    """The shortest right list of a contract, and the hands that seem to belong to it and do not."""
    found = find(rules, contract, certain=certain_hands(rules, contract))
    open_only: dict[str, list[int]] = {}
    for seat, hands in found.open_only.items():
        for hand in hands:
            open_only.setdefault(_text(hand), []).append(seat)
    return {
        "contract": contract,
        "lines": [_line(line) for line in found.lines()],
        "open_only": [{"hand": hand, "seats": seats} for hand, seats in open_only.items()],
    }


def _line(line: Line) -> dict[str, Any]:
    return {"contract": line.contract, "cards": _text(line.cards), "free": line.free, "seats": line.seats}


# --- a printed list


def _audit(found: Audit) -> dict[str, Any]:
    return {
        "name": {lang: found.checked.name.text(lang) for lang in LANGS},
        "holds": found.holds,
        "lines": [_verdict(each, found) for each in found.lines],
        "missing": [
            {"contract": each.contract, "hand": _text(each.hand), "seats": each.seats} for each in found.missing
        ],
    }


def _verdict(each: LineVerdict, found: Audit) -> dict[str, Any]:
    """A line: the verdict, hand by hand where it holds in part, and deals that refute it."""
    hands: dict[str, dict[str, list[int]]] = {}
    for verdict in each.hands:
        kind = "guaranteed" if verdict.guaranteed else "open-only" if verdict.open_only else "refuted"
        hands.setdefault(_text(verdict.hand), {}).setdefault(kind, []).append(verdict.seat)
    return {
        **_line(each.line),
        "verdict": each.verdict,
        "wins": [min(verdict.wins for verdict in each.hands), max(verdict.wins for verdict in each.hands)],
        "layouts": each.hands[0].layouts,
        "hands": hands,
        "refuted": [
            {
                "hand": _text(bad.hand),
                "seat": bad.seat,
                "wins": bad.wins,
                "open_only": bad.open_only,
                "examples": _examples(found, each.line.contract, bad.hand, bad.seat),
            }
            for bad in each.refuted[:_MOST_DRAWN]
        ],
        "not_drawn": max(0, len(each.refuted) - _MOST_DRAWN),
    }


def _examples(found: Audit, contract: str, hand: Hand, seat: int) -> list[dict[str, Any]]:
    proof = certify(hand, seat=seat, contract=contract, rules=without_bars(found.written), assume=found.assume)
    return [_example(each, seat) for each in counterexamples(proof, found.rules)]


def _example(example: Counterexample, soloist: int) -> dict[str, Any]:
    """A deal, and card by card who plays what and why; hidden: as in `Counterexample`."""
    position, steps = example.start, []
    for card in example.line:
        step = {
            "seat": position.to_play,
            "card": card.text("ascii"),
            "must": _must(position),
            "legal": _text(position.legal_cards()),
        }
        before, position = position, position.play(card)
        if not position.trick:
            step |= {"taken_by": position.leader, "points": sum(position.taken) - sum(before.taken)}
        steps.append(step)
    others = [seat for seat in SEATS if seat != soloist]
    return {
        "hands": [_text(sort_hand(hand, example.start.rules)) for hand in example.start.hands],
        "hidden": example.hidden,
        "steps": steps,
        "points": position.points(others),
        "tricks": sum(position.tricks[seat - 1] for seat in others),
    }


def _must(position: Position) -> str:
    """What binds the player to move: he leads, a demand of the rules, no trump in hand, or nothing."""
    if not position.trick:
        return "lead"
    if position.demand is not None:
        return position.demand
    has_trump = position.hands[position.to_play - 1].intersection(position.order.trumps)
    return "free" if has_trump else "no-trump"
