"""The audit of a list of throw-downs as a document that a committee can attach to its minutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from kopsim import __version__
from kopsim.cards import Card
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.throwdown_text import (
    assumed,
    barred_lines,
    line_refuted,
    lines_table,
    open_only,
    right_list,
    seats_text,
)
from kopsim.faces.tricks import hand_text
from kopsim.rules import rules_hash
from kopsim.throwdowns.audit import Audit
from kopsim.throwdowns.find import find
from kopsim.throwdowns.plans import one_order
from kopsim.throwdowns.prover import Prover

_MOST_DRAWN = 4  # counterexamples of one line
METHOD = ("method-meaning", "method-search", "method-proof", "method-open")


def report(found: Audit, lang: Lang, progress: Callable[[str, int, int], None]) -> list[Block]:
    """The whole document: verdicts, counterexamples, what is missing, the right list, and how all that was found."""
    return [
        Heading(message("report-title", lang, name=found.checked.name), 1),
        Paragraph(message("report-subtitle", lang, rules=found.written.name)),
        *findings(found, lang),
        Heading(message("report-right", lang)),
        *_right(found, lang, progress),
        Heading(message("report-method", lang)),
        *(Paragraph(message(key, lang)) for key in METHOD),
        Heading(message("report-versions", lang)),
        Items(_versions(found, lang)),
    ]


def findings(found: Audit, lang: Lang) -> list[Block]:
    """What was found of the list: in short, line by line, what refutes it and what it lacks."""
    drawn = [block for line in found.lines for block in line_refuted(line, found, lang, most=_MOST_DRAWN)]
    return [
        *assumed(found.assume, lang),
        Heading(message("report-summary", lang)),
        Items(_summary(found, lang)),
        Heading(message("report-lines", lang)),
        lines_table(found, lang),
        *barred_lines(found, lang),
        Paragraph(message("report-lines-note", lang)),
        *([Heading(message("report-refuted", lang)), *drawn] if drawn else []),
        Heading(message("report-missing", lang)),
        *_missing(found, lang),
    ]


def _summary(found: Audit, lang: Lang) -> list[str]:
    kinds = Counter(each.verdict for each in found.lines)
    told = [
        message("summary-lines", lang, count=len(found.lines)),
        message("summary-holds", lang, count=kinds["guaranteed"]),
    ]
    if kinds["refuted"] or kinds["partly"]:
        told.append(message("summary-refuted", lang, refuted=kinds["refuted"], partly=kinds["partly"]))
    told.append(message("summary-missing", lang, count=len(found.missing)))
    return told


def _missing(found: Audit, lang: Lang) -> list[Block]:
    """What is missing, a row for each hand and each way to play it."""
    if not found.missing:
        return [Paragraph(message("missing-none", lang))]
    provers = {contract: Prover(found.rules, contract) for contract in found.certain}
    rows = []
    for each in found.missing:
        orders: dict[tuple[Card, ...], list[int]] = {}
        for seat in each.seats:
            prover = provers[each.contract]
            orders.setdefault(one_order(prover, prover.start(each.hand, seat)), []).append(seat)
        for order, seats in orders.items():
            told = hand_text(order, lang) if order else message("plan-long", lang)
            rows.append([hand_text(each.hand, lang), each.contract, seats_text(seats, lang), told])
    headings = [message(key, lang) for key in ("hand", "contract", "seats", "order-of-play")]
    return [Grid(headings, rows, left=4), Paragraph(message("order-of-play-note", lang))]


def _right(found: Audit, lang: Lang, progress: Callable[[str, int, int], None]) -> list[Block]:
    blocks: list[Block] = []
    for contract, certain in found.certain.items():
        what = find(found.rules, contract, certain=certain, progress=progress)
        blocks += [Heading(message("right-list", lang, contract=contract), 3), right_list(what, lang)]
        blocks += open_only(what, lang)
    return blocks


def _versions(found: Audit, lang: Lang) -> list[str]:
    return [
        f"kopsim {__version__}",
        message("version-rules", lang, id=found.written.id, hash=rules_hash(found.written)),
        message("version-source", lang, source=found.written.source),
        message("version-list", lang, id=found.checked.id),
    ]
