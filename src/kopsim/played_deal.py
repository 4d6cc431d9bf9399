"""A deal as it was bid and played, and the text in which people write it down.

    rules: kop-gorzow-2014          (may be left out)
    deal:  J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥
    calls: 2: pas, 3: pas, 4: zolo, 1: kontra, 2: pas, 3: pas, 4: pas
    play:  J♠ J♣ 10♦ Q♥
           10♠ 10♣ J♦ A♦

Keys may be Polish (zasady, rozdanie, licytacja, rozgrywka).  A value goes on until the
next key; what follows "#" does not count.  Without calls everybody has passed.  A card
that breaks an obligation is a misplay and ends the deal; one that the seat to play does
not hold, which at the table would be a play out of turn, is taken for a slip of the pen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from kopsim.bidding import PASS, Auction, bid
from kopsim.cards import Card, parse_pattern
from kopsim.deals import Deal
from kopsim.errors import KopsimError, QueryError
from kopsim.play import Position
from kopsim.rules import RuleSet, load_rules
from kopsim.rules.model import SEATS, Honour
from kopsim.shown import Shown

_KEYS = {
    "rules": "rules",
    "zasady": "rules",
    "deal": "deal",
    "rozdanie": "deal",
    "calls": "calls",
    "licytacja": "calls",
    "play": "play",
    "rozgrywka": "play",
}
_KEY = re.compile(r"\s*([^\W\d]+)\s*:(.*)", re.DOTALL)
_Lines = list[tuple[int, str]]
Value = TypeVar("Value")


@dataclass(frozen=True)
class PlayedDeal(Shown):
    """What happened in a deal.

    auction: finished, with all hands known; cards: in the order played, each held by
    the seat to play; illegal: whether the last of them broke an obligation, which ends it.
    """

    deal: Deal
    auction: Auction
    cards: tuple[Card, ...]
    illegal: bool


def parse_played(text: str, name: str, rules: RuleSet | None = None) -> PlayedDeal:
    """Reads a deal as written down; name: of the file, for errors; rules: instead of those the text names.

    Raises QueryError with file, line and reason for whatever cannot have been: unknown
    keys, impossible deals, calls against the rules, cards that were not held, cards missing.
    """
    sections = _sections(text, name)
    if "deal" not in sections:
        raise QueryError("played-no-deal", file=name)
    if rules is None:
        rules = load_rules() if "rules" not in sections else _read(sections["rules"], name, load_rules)
    deal = _deal(sections["deal"], name, rules)
    if len(deal.hands[0]) != rules.seats.hand_size:
        raise _at(sections["deal"][0][0], name, QueryError("played-size", count=rules.seats.hand_size))
    auction = _auction(sections.get("calls", []), name, deal)
    try:
        contract = auction.contract
    except QueryError as error:
        raise _at(sections["deal"][0][0], name, error) from None
    cards, illegal = _cards(sections.get("play", []), name, deal, contract)
    if not cards and not isinstance(rules.contract(contract).goal, Honour):
        wanted = len(SEATS) * rules.seats.hand_size
        raise _at(sections["deal"][0][0], name, QueryError("played-short", count=0, wanted=wanted))
    return PlayedDeal(deal, auction, cards, illegal)


def _sections(text: str, name: str) -> dict[str, _Lines]:
    """The lines of each key, numbered, without comments."""
    sections: dict[str, _Lines] = {}
    current: _Lines | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), start=1):
        content = line.partition("#")[0]
        if match := _KEY.fullmatch(content):
            key = _KEYS.get(match[1].lower())
            if key is None:
                raise _at(number, name, QueryError("played-key", text=match[1], choices=list(_KEYS)))
            if key in sections:
                raise _at(number, name, QueryError("played-key-twice", key=match[1]))
            current = sections[key] = [(number, match[2])]
        elif content.strip():
            if current is None:
                raise _at(number, name, QueryError("played-before-key"))
            current.append((number, content))
    return sections


def _read(lines: _Lines, name: str, parse: Callable[[str], Value]) -> Value:
    """A value that may go over several lines; its first line is named if it is wrong."""
    try:
        return parse(" ".join(content.strip() for _, content in lines).strip())
    except KopsimError as error:
        raise _at(lines[0][0], name, error) from None


def _deal(lines: _Lines, name: str, rules: RuleSet) -> Deal:
    """The deal; a hand that is wrong is named with the line it begins in."""
    try:
        return _read(lines, name, lambda written: Deal.parse(written, rules))
    except QueryError as error:
        reason = error.params["reason"]
        if not isinstance(reason, KopsimError) or reason.key != "deal-in":
            raise
        starts = [number for number, content in lines for part in content.split("|")[1:]]
        # A hand stands after the bar before it, on that line or the next.
        raise _at([lines[0][0], *starts][int(str(reason.params["seat"])) - 1], name, reason) from None


def _auction(lines: _Lines, name: str, deal: Deal) -> Auction:
    auction = Auction(deal.rules, dict(zip(SEATS, deal.hands, strict=True)))
    for number, content in lines:
        try:
            auction = bid(auction, content)
        except KopsimError as error:
            raise _at(number, name, error) from None
    if not auction.calls:
        for _ in SEATS:
            auction = auction.call(PASS)
    if auction.to_speak is not None:
        raise _at(lines[-1][0], name, QueryError("played-auction", seat=auction.to_speak))
    return auction


def _cards(lines: _Lines, name: str, deal: Deal, contract: str) -> tuple[tuple[Card, ...], bool]:
    """The cards in order, and whether the last was illegal."""
    position, played, illegal = Position.start(deal, contract=contract), list[Card](), False
    for number, content in lines:
        try:
            for card in parse_pattern(content, wildcards=False) if content.strip() else ():
                assert card is not None
                if isinstance(deal.rules.contract(contract).goal, Honour):
                    raise QueryError("score-honour", contract=contract)
                if illegal:
                    raise QueryError("played-after", number=len(played))
                illegal = card in position.hands[position.to_play - 1] and card not in position.legal_cards()
                position = position if illegal else position.play(card)
                played.append(card)
        except KopsimError as error:
            raise _at(number, name, error) from None
    if played and not illegal and not position.is_over:
        wanted = len(SEATS) * deal.rules.seats.hand_size
        raise _at(lines[-1][0], name, QueryError("played-short", count=len(played), wanted=wanted))
    return tuple(played), illegal


def _at(line: int, name: str, reason: KopsimError) -> QueryError:
    return QueryError("hands-line", file=name, line=line, reason=reason)
