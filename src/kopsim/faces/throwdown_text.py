"""Throw-downs for people: plans in words, counterexamples drawn, audits as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kopsim.barred import without_bars
from kopsim.cards import Card, format_cards, parse_card
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.tricks import hand_rows, hand_text, trick_rows
from kopsim.faces.words import NO_BREAK, seat_name, whole
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.throwdowns.audit import Audit, HandVerdict, LineVerdict
from kopsim.throwdowns.certificates import Certificate, InOrder, Look, Step
from kopsim.throwdowns.counterexamples import Counterexample, counterexamples
from kopsim.throwdowns.find import Found
from kopsim.throwdowns.lists import Line
from kopsim.throwdowns.proofs import certify


def line_text(line: Line, lang: Lang) -> str:
    """The cards of a line as a regulation prints them: "A♥ 10♣ 10♠ + any"."""
    cards = format_cards(line.cards, lang=lang)
    if line.free == 0:
        return cards
    return message(
        "pattern-any" if line.free == 1 else "pattern-more", lang, cards=cards, count=line.free
    ).removeprefix(" + ")


def unbroken_line(line: Line, lang: Lang) -> str:
    """The same for a cell of a table, where it stays on one line."""
    return line_text(line, lang).replace(" ", NO_BREAK)


def seats_text(seats: Sequence[int], lang: Lang) -> str:
    """Seats as "1, 2", or "any" for all four."""
    return message("seats-any", lang) if tuple(seats) == SEATS else ", ".join(map(str, seats))


def assumed(readings: Mapping[str, bool], lang: Lang) -> list[Block]:
    """A sentence on what is assumed, if anything is."""
    shown = ", ".join(f"{name} = {str(holds).lower()}" for name, holds in readings.items())
    return [Paragraph(message("assumed", lang, readings=shown))] if readings else []


# --- one hand

_MOST_STEPS = 40  # of a plan in words; longer ones are for machines


def certificate(proof: Certificate, rules: RuleSet | None, lang: Lang) -> list[Block]:
    """A verdict with its plan in words or its counterexample drawn; rules: as read, if they are at hand."""
    hand = format_cards([parse_card(card) for card in proof.hand], lang=lang)
    seat = f"{message('seat', lang)} {proof.seat if rules is None else seat_name(rules, proof.seat, lang)}"
    key = "verdict-guaranteed"
    if proof.verdict == "refuted":
        key = "verdict-open-only" if proof.double_dummy_wins == proof.layouts else "verdict-refuted"
    wins = message("wins-open", lang, wins=whole(proof.double_dummy_wins), layouts=whole(proof.layouts))
    blocks: list[Block] = [
        Heading(f"{hand}   {proof.contract}   {seat}   {proof.rules if rules is None else rules.name.text(lang)}"),
        *assumed(proof.assume, lang),
    ]
    if proof.verdict == "guaranteed":
        told = Paragraph(f"{message(key, lang)} {wins}")
        return [*blocks, told, Heading(message("plan", lang), 3), plan_words(proof.plan, lang)]
    if rules is None:
        return [*blocks, Paragraph(message("shown-rules-away", lang, rules=proof.rules)), Paragraph(wins)]
    return [*blocks, Paragraph(f"{message(key, lang)} {wins}"), *refutation(proof, rules, lang)]


def proved(proof: Certificate, rules: RuleSet, file: str, lang: Lang) -> list[Block]:
    """What a certificate proves that was found to hold."""
    key = "proved-guaranteed" if proof.verdict == "guaranteed" else "proved-refuted"
    hand = format_cards([parse_card(card) for card in proof.hand], lang=lang)
    told = message(key, lang, file=file, hand=hand, seat=proof.seat, contract=proof.contract)
    return [Paragraph(told), Paragraph(message("proved-rules", lang, rules=rules.name)), *assumed(proof.assume, lang)]


def plan_words(plan: Sequence[Step], lang: Lang) -> Block:
    """A plan as sentences, numbered if there are several."""
    sentences = [_step_words(step, lang) for step in plan[:_MOST_STEPS]]
    if len(plan) > _MOST_STEPS:
        sentences.append(message("plan-cut", lang, count=len(plan)))
    return Paragraph(sentences[0]) if len(plan) == 1 else Items(sentences, numbered=True)


def _step_words(step: Step, lang: Lang) -> str:
    if isinstance(step, InOrder):
        return message("plan-order", lang, cards=_cards(step.cards, lang))
    if isinstance(step, Look):
        cases = "; ".join(f"{_cards(case.cards, lang)} → {case.next + 1}" for case in step.cases)
        return message("plan-look", lang, seat=step.seat, trick=step.trick, cases=cases, otherwise=step.otherwise + 1)
    return message("plan-play", lang, card=_cards([step.card], lang), next=step.next + 1)


def _cards(names: Sequence[str], lang: Lang) -> str:
    return ", ".join(parse_card(name).text(lang=lang) for name in names)


def refutation(proof: Certificate, rules: RuleSet, lang: Lang) -> list[Block]:
    """The counterexamples of a refuted hand, each drawn as four hands and trick by trick."""
    return [block for example in counterexamples(proof, rules) for block in counterexample(example, lang)]


def counterexample(example: Counterexample, lang: Lang) -> list[Block]:
    """One of them: the four hands, the tricks, and how much the others end with."""
    if example.hidden:
        before, own = example.line[: example.hidden - 1], example.line[example.hidden - 1]
        if before:
            heading = message("example-hidden", lang, played=format_cards(before, lang=lang), card=own.text(lang=lang))
        else:
            heading = message("example-hidden-first", lang, card=own.text(lang=lang))
    else:
        heading = message("example-open", lang)
    end, others = example.end, [other for other in SEATS if other != example.soloist]
    tricks = sum(end.tricks[other - 1] for other in others)
    return [
        Heading(heading, 4),
        Grid([message("seat", lang), message("hand", lang)], hand_rows(example.start, lang, example.soloist), left=2),
        Grid(
            [message("trick", lang), *[""] * 5],
            [[str(number), *row] for number, row in enumerate(trick_rows(example.start, example.line, lang), 1)],
            left=6,
        ),
        Paragraph(
            message("example-end", lang, points=end.points(others), tricks=tricks) + " " + message("example-note", lang)
        ),
    ]


# --- lists


def audit(found: Audit, lang: Lang) -> list[Block]:
    """An audit for the screen: the lines with their verdicts, what refutes them, and what is missing."""
    return [
        Heading(message("audit-title", lang, name=found.checked.name, rules=found.rules.name), 1),
        *assumed(found.assume, lang),
        lines_table(found, lang),
        *barred_lines(found, lang),
        *(block for line in found.lines for block in line_refuted(line, found, lang, most=1)),
        *missing(found, lang),
        Paragraph(message("audit-holds" if found.holds else "audit-fails", lang), strong=True),
    ]


def lines_table(found: Audit, lang: Lang) -> Grid:
    """A row for each line: what was found, also without what was assumed, and what it claims."""
    keys = ["line", "verdict", *(["as-written"] if found.assume else []), "contract", "seats", "wins-open-short"]
    rows = [_line_row(each, lang) for each in found.lines]
    return Grid([message(key, lang) for key in keys], rows, left=len(keys) - 1)


def barred_lines(found: Audit, lang: Lang) -> list[Block]:
    """Which lines are of hands that may not play their contract."""
    told = [f"{unbroken_line(each.line, lang)} ({each.line.contract})" for each in found.lines if each.barred]
    return [Paragraph(message("lines-barred", lang, lines=told))] if told else []


def _line_row(each: LineVerdict, lang: Lang) -> list[str]:
    verdicts = [each.verdict, *([each.as_written] if each.as_written else [])]
    return [
        unbroken_line(each.line, lang),
        *(message(f"line-{verdict}", lang) for verdict in verdicts),
        each.line.contract,
        seats_text(each.line.seats, lang),
        _wins_range(each.hands),
    ]


def line_verdict(each: LineVerdict, lang: Lang) -> list[Block]:
    """One line: what was found of it, and hand by hand at which seats."""
    line, seats = line_text(each.line, lang), seats_text(each.line.seats, lang)
    wins = f"{message('wins-open-short', lang)}: {_wins_range(each.hands)}"
    return [
        Heading(message("line-heading", lang, line=line, contract=each.line.contract, seats=seats)),
        _by_hand(each, lang),
        Paragraph(f"{message(f'line-{each.verdict}', lang)}; {wins}."),
        Paragraph(message("certain-means", lang)),
    ]


def hand_verdicts(found: Sequence[HandVerdict], lang: Lang) -> Grid:
    """A row for each hand and seat: whether it wins for certain, and its wins with open cards."""
    rows = []
    for each in found:
        kind = "guaranteed" if each.guaranteed else "open-only" if each.open_only else "refuted"
        wins = f"{whole(each.wins)} / {whole(each.layouts)}"
        rows.append([hand_text(each.hand, lang), str(each.seat), message(f"line-{kind}", lang), wins])
    return Grid([message(key, lang) for key in ("hand", "seat", "verdict", "wins-open-short")], rows, left=3)


def _wins_range(hands: Sequence[HandVerdict]) -> str:
    """The fewest and the most layouts won with open cards, of all."""
    fewest, most = min(each.wins for each in hands), max(each.wins for each in hands)
    shown = whole(fewest) if fewest == most else f"{whole(fewest)}–{whole(most)}"
    return f"{shown} / {whole(hands[0].layouts)}"


def line_refuted(each: LineVerdict, found: Audit, lang: Lang, most: int) -> list[Block]:
    """The hands of a line that do not win for certain, with counterexamples of the first `most`."""
    if not each.refuted:
        return []
    line, seats = line_text(each.line, lang), seats_text(each.line.seats, lang)
    blocks: list[Block] = [
        Heading(message("line-heading", lang, line=line, contract=each.line.contract, seats=seats), 3)
    ]
    if each.verdict == "partly":
        blocks.append(_by_hand(each, lang))
    played = without_bars(found.written)
    for bad in each.refuted[:most]:
        proof = certify(bad.hand, seat=bad.seat, contract=each.line.contract, rules=played, assume=found.assume)
        hand = format_cards(bad.hand, lang=lang)
        key = "hand-open-only" if bad.open_only else "hand-refuted"
        told = message(key, lang, hand=hand, seat=bad.seat, wins=whole(bad.wins), layouts=whole(bad.layouts))
        blocks += [Paragraph(told), *refutation(proof, found.rules, lang)]
    if len(each.refuted) > most:
        blocks.append(Paragraph(message("not-drawn", lang, count=len(each.refuted) - most)))
    return blocks


def _by_hand(each: LineVerdict, lang: Lang) -> Grid:
    """Hand by hand the seats at which it wins for certain, only with open cards, and not at all."""
    hands = dict.fromkeys(verdict.hand for verdict in each.hands)
    rows = []
    for hand in hands:
        mine = [verdict for verdict in each.hands if verdict.hand == hand]
        kinds = (
            [verdict.seat for verdict in mine if verdict.guaranteed],
            [verdict.seat for verdict in mine if verdict.open_only],
            [verdict.seat for verdict in mine if not verdict.guaranteed and not verdict.open_only],
        )
        rows.append([hand_text(hand, lang), *(", ".join(map(str, seats)) or "–" for seats in kinds)])
    keys = ("hand", "line-guaranteed", "line-open-only", "line-refuted")
    return Grid([message(key, lang) for key in keys], rows, left=4)


def missing(found: Audit, lang: Lang) -> list[Block]:
    """The hands that win for certain where no line says so."""
    if not found.missing:
        return [Paragraph(message("missing-none", lang))]
    rows = [[hand_text(each.hand, lang), each.contract, seats_text(each.seats, lang)] for each in found.missing]
    keys = ("hand", "contract", "seats")
    return [Heading(message("missing", lang), 3), Grid([message(key, lang) for key in keys], rows, left=3)]


def found(what: Sequence[Found], rules: RuleSet, readings: Mapping[str, bool], lang: Lang) -> list[Block]:
    """The right list of each contract, and the hands that seem to belong to it and do not."""
    blocks: list[Block] = [Heading(rules.name.text(lang), 1), *assumed(readings, lang)]
    for each in what:
        blocks += [Heading(message("right-list", lang, contract=each.contract), 3), right_list(each, lang)]
        blocks += open_only(each, lang)
    return [*blocks, Paragraph(message("certain-means", lang))]


def right_list(what: Found, lang: Lang) -> Block:
    """The shortest list, a row a line."""
    rows = [[unbroken_line(line, lang), seats_text(line.seats, lang)] for line in what.lines()]
    if not rows:
        return Paragraph(message("right-list-empty", lang))
    return Grid([message("line", lang), message("seats", lang)], rows, left=2)


def open_only(what: Found, lang: Lang) -> list[Block]:
    """Hands that win every layout with open cards only, with their seats."""
    seats: dict[tuple[Card, ...], list[int]] = {}
    for seat, hands in what.open_only.items():
        for hand in hands:
            seats.setdefault(hand, []).append(seat)
    if not seats:
        return []
    rows = [[hand_text(hand, lang), seats_text(at, lang)] for hand, at in seats.items()]
    told = message("open-only", lang, contract=what.contract)
    return [Paragraph(told), Grid([message("hand", lang), message("seats", lang)], rows, left=2)]
