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
from kopsim.cards import Card, parse_cards, parse_pattern
from kopsim.deals import Deal
from kopsim.errors import DealError, KopsimError, QueryError
from kopsim.faults import Fault, Spot, refusal_of
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
Value = TypeVar("Value")


@dataclass(frozen=True)
class _Line:
    """What a line says of a key: where it begins, and the text without comment."""

    spot: Spot
    content: str

    @classmethod
    def at(cls, number: int, column: int, text: str) -> _Line:
        """A text that begins at a column, counted from 0, put where its first sign is."""
        return cls(Spot(number, column + len(text) - len(text.lstrip()) + 1), text.strip())


_Lines = list[_Line]


class _WrongError(Exception):
    """Something is wrong here, and what depends on it cannot be judged."""

    def __init__(self, spot: Spot, reason: KopsimError) -> None:
        super().__init__(spot, reason)
        self.fault = Fault(reason, spot)


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

    Raises QueryError for whatever cannot have been: unknown keys, impossible deals, calls against
    the rules, cards that were not held, cards missing.  Its `faults` are all of it that can be
    told, each with line, column and reason; RuleError for faults of a rule file that the text names.
    """
    sections, faults = _sections(text)
    if "deal" not in sections:
        raise refusal_of(QueryError, name, faults or [Fault(QueryError("played-no-deal"), Spot(1, 1))])
    try:
        if rules is None:
            rules = load_rules() if "rules" not in sections else _read(sections["rules"], load_rules)
        deal = _deal(sections["deal"], rules, faults)
        if not faults:  # else calls or cards may stand under a key that is none
            played = _played(sections, deal)
    except _WrongError as wrong:
        faults.append(wrong.fault)
        faults += _not_cards(sections.get("play", []), wrong.fault.spot)
    if faults:
        raise refusal_of(QueryError, name, faults)
    return played


def _played(sections: dict[str, _Lines], deal: Deal) -> PlayedDeal:
    """The auction and the play of a deal."""
    rules, begin = deal.rules, sections["deal"][0].spot
    if len(deal.hands[0]) != rules.seats.hand_size:
        raise _WrongError(begin, QueryError("played-size", count=rules.seats.hand_size))
    auction = _auction(sections.get("calls", []), deal)
    try:
        contract = auction.contract
    except QueryError as error:
        raise _WrongError(begin, error) from None
    cards, illegal = _cards(sections.get("play", []), deal, contract)
    if not cards and not isinstance(rules.contract(contract).goal, Honour):
        wanted = len(SEATS) * rules.seats.hand_size
        raise _WrongError(begin, QueryError("played-short", count=0, wanted=wanted))
    return PlayedDeal(deal, auction, cards, illegal)


def _sections(text: str) -> tuple[dict[str, _Lines], list[Fault]]:
    """What is said of each key, without comments; and lines that say nothing of any."""
    sections: dict[str, _Lines] = {}
    faults: list[Fault] = []
    current: _Lines | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), start=1):
        content = line.partition("#")[0]
        if match := _KEY.fullmatch(content):
            key, current = _KEYS.get(match[1].lower()), []
            spot = Spot(number, match.start(1) + 1)
            if key is None:
                faults.append(Fault(QueryError("played-key", text=match[1], choices=list(_KEYS)), spot))
            elif key in sections:
                faults.append(Fault(QueryError("played-key-twice", key=match[1]), spot))
            else:
                sections[key] = current
            current.append(_Line.at(number, match.start(2), match[2]))
        elif content.strip():
            said = _Line.at(number, 0, content)
            if current is None:
                faults.append(Fault(QueryError("played-before-key"), said.spot))
                current = []  # more such lines say no more
            current.append(said)
    return sections, faults


def _read(lines: _Lines, parse: Callable[[str], Value]) -> Value:
    """A value that may go over several lines; the place of its first is named if it is wrong."""
    try:
        return parse(" ".join(line.content for line in lines).strip())
    except KopsimError as error:
        if error.faults:  # of another file, which it names
            raise
        raise _WrongError(lines[0].spot, error) from None


def _deal(lines: _Lines, rules: RuleSet, faults: list[Fault]) -> Deal:
    """The deal; every hand that is none is a fault at the place where it begins."""
    hands = [""]
    spots: list[Spot | None] = [None]
    for line in lines:
        column = line.spot.column - 1
        for number, part in enumerate(line.content.split("|")):
            if number:
                hands.append("")
                spots.append(None)
            if part.strip():
                hands[-1] += f" {part}"
                spots[-1] = spots[-1] or _Line.at(line.spot.line, column, part).spot
            column += len(part) + 1
    if len(hands) == len(SEATS):
        wrong = []
        for seat, hand, spot in zip(SEATS, hands, spots, strict=True):
            try:
                parse_cards(hand)
            except KopsimError as error:
                wrong.append(Fault(DealError("deal-in", seat=seat, reason=error), spot or lines[0].spot))
        if wrong:
            faults += wrong[:-1]
            raise _WrongError(wrong[-1].spot or lines[0].spot, wrong[-1].reason)
    return _read(lines, lambda written: Deal.parse(written, rules))


def _auction(lines: _Lines, deal: Deal) -> Auction:
    auction = Auction(deal.rules, dict(zip(SEATS, deal.hands, strict=True)))
    for line in lines:
        try:
            auction = bid(auction, line.content)
        except KopsimError as error:
            raise _WrongError(line.spot, error) from None
    if not auction.calls:
        for _ in SEATS:
            auction = auction.call(PASS)
    if auction.to_speak is not None:
        raise _WrongError(lines[-1].spot, QueryError("played-auction", seat=auction.to_speak))
    return auction


def _cards(lines: _Lines, deal: Deal, contract: str) -> tuple[tuple[Card, ...], bool]:
    """The cards in order, and whether the last was illegal."""
    position, played, illegal = Position.start(deal, contract=contract), list[Card](), False
    for line in lines:
        try:
            for card in parse_pattern(line.content, wildcards=False) if line.content else ():
                assert card is not None
                if isinstance(deal.rules.contract(contract).goal, Honour):
                    raise QueryError("score-honour", contract=contract)
                if illegal:
                    raise QueryError("played-after", number=len(played))
                illegal = card in position.hands[position.to_play - 1] and card not in position.legal_cards()
                position = position if illegal else position.play(card)
                played.append(card)
        except KopsimError as error:
            raise _WrongError(line.spot, error) from None
    if played and not illegal and not position.is_over:
        wanted = len(SEATS) * deal.rules.seats.hand_size
        raise _WrongError(lines[-1].spot, QueryError("played-short", count=len(played), wanted=wanted))
    return tuple(played), illegal


def _not_cards(lines: _Lines, told: Spot | None) -> list[Fault]:
    """Lines of the play that are no cards, whatever the rest; but for the one that was told already."""
    faults = []
    for line in lines:
        try:
            if line.content and line.spot != told:
                parse_pattern(line.content, wildcards=False)
        except KopsimError as error:
            faults.append(Fault(error, line.spot))
    return faults
