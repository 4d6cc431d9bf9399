"""What objects of the library say of themselves: blocks as the commands show them, for notebooks and for `print`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from kopsim.advice import Advice
from kopsim.bidding import Auction
from kopsim.calling_range import CallingRanges
from kopsim.cards import Card, CardRow, format_cards
from kopsim.deal_analysis import PostMortem
from kopsim.deals import Deal, PartialDeal, sort_hand
from kopsim.double_dummy import Solution
from kopsim.errors import KopsimError, Lang, message
from kopsim.faces import (
    advise_text,
    game_text,
    odds_text,
    pair_text,
    range_text,
    rules_text,
    solve_text,
    throwdown_text,
)
from kopsim.faces.document import Block, Grid, Heading, Items, Paragraph
from kopsim.faces.tricks import hand_text
from kopsim.faces.words import seat_name, whole
from kopsim.hand_odds import Odds
from kopsim.pair_game_odds import PairOdds
from kopsim.play import Position
from kopsim.played_deal import PlayedDeal
from kopsim.rules import RuleSet, load_rules, rule_ids, rules_hash
from kopsim.rules.assume import assuming
from kopsim.rules.model import SEATS
from kopsim.scoring import Score
from kopsim.throwdowns.audit import Audit, HandVerdict, LineVerdict
from kopsim.throwdowns.certificates import Certificate
from kopsim.throwdowns.counterexamples import Counterexample
from kopsim.throwdowns.find import Found


def blocks_of(what: object, lang: Lang, rules: RuleSet | None = None) -> list[Block]:
    """An object, or a list of some, in one language; rules: of what does not know its own.

    Raises TypeError for what has no face.
    """
    if isinstance(what, (list, tuple)) and not isinstance(what, CardRow):
        return _listed(what, lang, rules)
    match what:
        case Heading() | Paragraph() | Items() | Grid():
            return [what]
        case Card():
            return [Paragraph(what.text(lang=lang))]
        case CardRow():
            return [Paragraph(format_cards(what, lang=lang))]
        case Deal():
            return _deal(what, lang)
        case PartialDeal():
            return _partial_deal(what, lang)
        case Position():
            return _position(what, lang)
        case Odds() | PairOdds() | HandVerdict():
            return _listed([what], lang, rules)
        case Advice():
            return advise_text.screen(what, lang)
        case Solution():
            return solve_text.blocks(what, lang)
        case Score():
            return [Heading(message("analyse-result", lang)), *game_text.score(what, rules, lang)]
        case Auction():
            return game_text.auction(what, lang)
        case PlayedDeal():
            return [_title(message("shown-deal", lang), what.deal.rules, lang), *game_text.played(what, lang)]
        case PostMortem():
            return game_text.post_mortem(what, lang)
        case Audit():
            return throwdown_text.audit(what, lang)
        case LineVerdict():
            return throwdown_text.line_verdict(what, lang)
        case Found():
            return throwdown_text.found([what], what.rules, {}, lang)
        case Certificate():
            return _certificate(what, lang, rules)
        case Counterexample():
            return throwdown_text.counterexample(what, lang)
        case CallingRanges():
            return range_text.table(what, what.contracts, lang)
        case RuleSet():
            return _rules(what, lang)
        case KopsimError():
            return [Paragraph(what.text(lang))]
        case _:
            raise TypeError(f"kopsim has no way to show a {type(what).__name__}")


def _listed(what: Sequence[Any], lang: Lang, rules: RuleSet | None) -> list[Block]:
    """Several objects: in one table those that belong together, else one after the other."""
    if not what:
        return [Paragraph("–")]
    if all(each is None or isinstance(each, Card) for each in what):
        return [Paragraph(format_cards(what, lang=lang))]
    if all(isinstance(each, HandVerdict) for each in what):
        verdict = Heading(message("verdict", lang).capitalize())
        return [verdict, throwdown_text.hand_verdicts(what, lang), Paragraph(message("certain-means", lang))]
    if all(isinstance(each, Odds) for each in what):
        alike = [list(some) for _, some in groupby(what, _same_odds)]
        tables: list[Block] = []
        for some in alike:
            title, grid, notes = odds_text.blocks(some[0].rules, some, lang)
            tables += [title, grid, *notes]
        return tables
    if all(isinstance(each, PairOdds) for each in what):
        alike = [list(some) for _, some in groupby(what, lambda each: (_same_odds(each), each.contract))]
        return [block for some in alike for block in pair_text.table(some[0].rules, some, lang)]
    if all(isinstance(each, Advice) for each in what):
        alike = [list(some) for _, some in groupby(what, lambda each: (rules_hash(each.rules), each.hand))]
        return [block for some in alike for block in advise_text.seats_table(some, lang)]
    return [block for each in what for block in blocks_of(each, lang, rules)]


def _same_odds(each: Odds | PairOdds) -> tuple[object, ...]:
    """What odds have in common that stand in one table: rules, hand, and what was counted.

    In another card order the same hand may be sorted otherwise.
    """
    return rules_hash(each.rules), frozenset(each.hand), len(each.hand), each.layouts, each.sample


def _title(text: str, rules: RuleSet, lang: Lang) -> Heading:
    return Heading(f"{text}   {rules.name.text(lang)}")


def _sorted_hand(hand: frozenset[Card], rules: RuleSet, lang: Lang) -> str:
    return hand_text(sort_hand(hand, rules), lang) or "–"


def _deal(deal: Deal, lang: Lang) -> list[Block]:
    rows = [
        [seat_name(deal.rules, seat, lang), _sorted_hand(hand, deal.rules, lang)]
        for seat, hand in zip(SEATS, deal.hands, strict=True)
    ]
    return [
        _title(message("shown-deal", lang), deal.rules, lang),
        Grid([message("seat", lang), message("hand", lang)], rows, left=2),
    ]


def _partial_deal(known: PartialDeal, lang: Lang) -> list[Block]:
    rules = known.rules
    rows = [
        [seat_name(rules, seat, lang), _sorted_hand(held, rules, lang), _sorted_hand(lacked, rules, lang)]
        for seat, held, lacked in zip(SEATS, known.holds, known.lacks, strict=True)
    ]
    return [
        _title(message("shown-known", lang), rules, lang),
        Grid([message(key, lang) for key in ("seat", "shown-holds", "shown-lacks")], rows, left=3),
        Paragraph(message("shown-layouts", lang, layouts=whole(known.layouts))),
    ]


def _position(position: Position, lang: Lang) -> list[Block]:
    """What each seat holds, what it has played to this trick and what it has taken."""
    laid = {(position.leader + place - 1) % len(SEATS) + 1: card for place, card in enumerate(position.trick)}
    rows = [
        [
            seat_name(position.rules, seat, lang),
            hand_text(sorted(hand, key=position.order.strength.__getitem__), lang) or "–",
            laid[seat].text(lang=lang) if seat in laid else "",
            str(position.tricks[seat - 1]),
            str(position.taken[seat - 1]),
        ]
        for seat, hand in zip(SEATS, position.hands, strict=True)
    ]
    told = (
        message("shown-over", lang)
        if position.is_over
        else message("shown-to-play", lang, seat=position.to_play, legal=position.legal_cards())
    )
    number = sum(position.tricks) + (0 if position.is_over else 1)
    keys = ("seat", "hand", "shown-laid", "shown-tricks", "points")
    return [
        _title(message("shown-trick", lang, number=number), position.rules, lang),
        Grid([message(key, lang) for key in keys], rows, left=3),
        Paragraph(told),
    ]


def _certificate(proof: Certificate, lang: Lang, rules: RuleSet | None) -> list[Block]:
    """A verdict with its proof, as far as that can be told without its rules, which it names but does not hold."""
    if rules is None and proof.rules in rule_ids():
        rules = load_rules(proof.rules)
    fits = rules is not None and rules_hash(rules) == proof.rules_hash
    read = assuming(rules, proof.assume) if rules is not None and fits else None
    return throwdown_text.certificate(proof, read, lang)


def _rules(rules: RuleSet, lang: Lang) -> list[Block]:
    blocks: list[Block] = [
        Heading(f"{rules.name.text(lang)} ({rules.id})"),
        Paragraph(rules.source.text(lang)),
        Paragraph(message("rules-hash", lang, hash=rules_hash(rules)[:12])),
    ]
    for heading, entries in rules_text.sections(rules, lang):
        blocks.append(Heading(heading, 3))
        blocks += [Paragraph(f"{name}: {words}" if name else words) for name, words in entries]
    return blocks
