"""Scores, auctions and post-mortems for people and as data."""

from __future__ import annotations

from typing import Any

from kopsim.bidding import PASS, Auction, Call
from kopsim.cards import format_cards
from kopsim.deal_analysis import PostMortem
from kopsim.deal_analysis import post_mortem as post_mortem_of
from kopsim.errors import Lang, message
from kopsim.faces.document import Block, Grid, Heading, Paragraph
from kopsim.faces.tricks import hand_rows, trick_rows
from kopsim.faces.words import seat_name, signed
from kopsim.play import Position
from kopsim.played_deal import PlayedDeal
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.scoring import Score

# --- scores


def score_data(paid: Score) -> dict[str, Any]:
    """A score as JSON data; it says so if a misplay decided it."""
    return {
        "contract": paid.contract,
        "side": list(paid.side),
        "won": paid.won,
        "grade": paid.grade,
        "multiplier": paid.multiplier,
        "payments": list(paid.payments),
        **({"misplay": True} if paid.misplayed else {}),
    }


def score(paid: Score, rules: RuleSet | None, lang: Lang) -> list[Block]:
    """What each seat gets, and why; rules: that have names for seats and contracts, if they are at hand."""
    side = ", ".join(map(str, paid.side))
    told = message(
        "score-won" if paid.won else "score-lost",
        lang,
        side=side,
        contract=paid.contract if rules is None else _name(paid.contract, rules, lang),
    )
    if paid.misplayed:
        told += " " + message("score-misplay", lang)
        if paid.grade != "all-or-nothing":
            told += " " + message("score-misplay-paid", lang, grade=message(f"graded-{paid.grade}", lang))
    elif paid.grade != "all-or-nothing":
        told += " " + message(f"grade-{paid.grade}", lang)
    if paid.multiplier > 1:
        told += " " + message("score-multiplier", lang, times=paid.multiplier)
    seats = [str(seat) if rules is None else seat_name(rules, seat, lang) for seat in SEATS]
    rows = [[seat, signed(payment)] for seat, payment in zip(seats, paid.payments, strict=True)]
    return [Paragraph(told), Grid([message("seat", lang), message("payment", lang)], rows)]


def _name(contract: str, rules: RuleSet, lang: Lang) -> str:
    return rules.contract(contract).name.text(lang)


# --- auctions


def auction_data(auction: Auction) -> dict[str, Any]:
    """An auction as JSON data, with what may be called now."""
    announced, legal = auction.announcement, auction.legal()
    depends = {name: auction.depends_on(name) for name in legal if auction.depends_on(name) is not None}
    return {
        "rules": auction.rules.id,
        "calls": [call_data(call) for call in auction.calls],
        "contract": auction.contract,
        "announced_by": announced.seat if announced else None,
        "doubling": [call_data(call) for call in auction.doubles],
        "multiplier": auction.multiplier,
        "multipliers": list(auction.multipliers),
        "over": auction.is_over,
        "to_speak": auction.to_speak,
        "legal": legal,
        "only_if_opponent": depends,
    }


def call_data(call: Call) -> dict[str, Any]:
    """A call as JSON data."""
    return {"seat": call.seat, "call": call.name}


def auction(what: Auction, lang: Lang) -> list[Block]:
    """An auction so far, and what may be called now."""
    rules, announced = what.rules, what.announcement
    blocks: list[Block] = []
    if what.calls:
        blocks.append(Paragraph(message("bid-calls", lang, calls=calls_text(what, lang))))
    contract = _name(what.contract, rules, lang)
    key = "bid-silent" if announced is None else "bid-announced"
    stands = message(key, lang, contract=contract, **({"seat": announced.seat} if announced else {}))
    if len(what.multipliers) > 1:
        stands += " " + message("bid-multipliers", lang, times=" / ".join(f"×{times}" for times in what.multipliers))
    elif what.multiplier > 1:
        stands += " " + message("score-multiplier", lang, times=what.multiplier)
    blocks.append(Paragraph(stands))
    if what.to_speak is None:
        return [*blocks, Paragraph(message("bid-over", lang))]
    rows = []
    for name in what.legal():
        needs = what.depends_on(name)
        told = "" if needs is None else message("bid-depends", lang, seat=needs)
        if name in rules.contracts and what.to_speak not in what.hands and rules.contract(name).cards:
            told = message("bid-needs", lang, cards=rules.contract(name).cards)
        rows.append([call_text(name, rules, lang), told])
    return [*blocks, Heading(message("bid-legal", lang, seat=what.to_speak), 3), Grid(["", ""], rows, left=2)]


def call_text(name: str, rules: RuleSet, lang: Lang) -> str:
    """A call as a person says it."""
    if name == PASS:
        return message("pass", lang)
    return _name(name, rules, lang) if name in rules.contracts else name


def calls_text(what: Auction, lang: Lang) -> str:
    """The calls so far in a line."""
    return ", ".join(f"{call.seat}: {call_text(call.name, what.rules, lang)}" for call in what.calls)


# --- post-mortems


def post_mortem_data(judged: PostMortem) -> dict[str, Any]:
    """A post-mortem as JSON data."""
    deal, misplay = judged.played.deal, judged.misplay
    return {
        "rules": deal.rules.id,
        "deal": str(deal),
        "calls": [call_data(call) | {"legal": True} for call in judged.played.auction.calls],
        "contract": judged.contract,
        "side": list(judged.side),
        "model": "double-dummy",
        "cards": [
            {
                "number": each.number,
                "trick": each.trick,
                "seat": each.seat,
                "card": str(each.card),
                "legal": True,
                "before": each.before,
                "after": each.after,
                "cost": each.cost,
                "payment_cost": each.payment,
                "best": [str(card) for card in each.best],
            }
            for each in judged.cards
        ]
        + (
            []
            if misplay is None
            else [
                {
                    "number": misplay.number,
                    "trick": 1 + (misplay.number - 1) // len(SEATS),
                    "seat": misplay.seat,
                    "card": str(misplay.card),
                    "legal": False,
                    "legal_cards": [str(card) for card in misplay.legal],
                }
            ]
        ),
        "result": score_data(judged.score),
    }


def post_mortem(judged: PostMortem, lang: Lang) -> list[Block]:
    """A deal card by card: what each was worth, who lost what, and what it paid."""
    rules = judged.played.deal.rules
    side = ", ".join(map(str, judged.side))
    return [
        Heading(message("analyse-title", lang, contract=_name(judged.contract, rules, lang), side=side), 1),
        *_hands_and_calls(judged.played, lang),
        *([Heading(message("analyse-cards", lang), 3)] if judged.cards else []),
        *_cards(judged, lang),
        *(
            [Grid([message(key, lang) for key in ("seat", "cost", "payment-cost")], _totals(judged))]
            if judged.cards
            else []
        ),
        *_misplay(judged, lang),
        Heading(message("analyse-result", lang), 3),
        *score(judged.score, rules, lang),
    ]


def played(what: PlayedDeal, lang: Lang) -> list[Block]:
    """A deal as it was bid and played, not judged but for a card that was a misplay."""
    start = Position.start(what.deal, contract=what.auction.contract)
    legal = what.cards[:-1] if what.illegal else what.cards
    return [
        *_hands_and_calls(what, lang),
        Grid([""] * 5, trick_rows(start, legal, lang), left=5),
        *(_misplay(post_mortem_of(what), lang) if what.illegal else []),
    ]


def story(judged: PostMortem, lang: Lang) -> list[Block]:
    """The same without headings, totals and payments: hands, calls, and each card with what it was worth."""
    return [*_hands_and_calls(judged.played, lang), *_cards(judged, lang)]


def _hands_and_calls(what: PlayedDeal, lang: Lang) -> list[Block]:
    start = Position.start(what.deal, contract=what.auction.contract)
    return [
        Grid([message("seat", lang), message("hand", lang)], hand_rows(start, lang), left=2),
        Paragraph(message("bid-calls", lang, calls=calls_text(what.auction, lang))),
    ]


def _cards(judged: PostMortem, lang: Lang) -> list[Block]:
    if not judged.cards:
        return []
    rows = [
        [
            str(each.trick),
            str(each.seat),
            each.card.text(lang=lang),
            str(each.before),
            str(each.after),
            str(each.cost or ""),
            str(each.payment or ""),
            format_cards(each.best, lang=lang) if each.cost else "",
        ]
        for each in judged.cards
    ]
    keys = ("trick", "seat", "card", "before", "after", "cost", "payment-cost", "better")
    side = ", ".join(map(str, judged.side))
    return [
        Grid([message(key, lang) for key in keys], rows, left=3),
        Paragraph(message("analyse-note", lang, side=side)),
    ]


def _totals(judged: PostMortem) -> list[list[str]]:
    """What each seat's cards cost in all."""
    rows = []
    for seat in SEATS:
        own = [each for each in judged.cards if each.seat == seat]
        rows.append([str(seat), str(sum(each.cost for each in own)), str(sum(each.payment for each in own))])
    return rows


def _misplay(judged: PostMortem, lang: Lang) -> list[Block]:
    if (misplay := judged.misplay) is None:
        return []
    return [
        Paragraph(
            message(
                "analyse-misplay",
                lang,
                number=misplay.number,
                card=misplay.card,
                seat=misplay.seat,
                legal=misplay.legal,
            )
        )
    ]
