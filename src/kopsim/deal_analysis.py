"""What each card of a played deal was worth, with all hands open, and what the deal paid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kopsim.cards import Card
from kopsim.double_dummy import solve
from kopsim.play import Position
from kopsim.played_deal import PlayedDeal
from kopsim.rules.model import SEATS, Honour
from kopsim.scoring import Party, Score, payments_by_points, score
from kopsim.shown import Shown


@dataclass(frozen=True)
class CardValue:
    """One card played.

    number: 1 for the first; before, after: points of the old side in the end if all
    play perfectly from there, all hands open; cost: points, and payment: the
    player's own payment, that the card cost his side against the best one; best: the
    cards that would have cost nothing.
    """

    number: int
    trick: int
    seat: int
    card: Card
    before: int
    after: int
    cost: int
    payment: int
    best: tuple[Card, ...]


@dataclass(frozen=True)
class Misplay:
    """A card that broke an obligation, and those that were legal."""

    number: int
    seat: int
    card: Card
    legal: tuple[Card, ...]


@dataclass(frozen=True)
class PostMortem(Shown):
    """A played deal judged.

    side: seats of the old side; doubling: calls that count, in order; cards: the legal ones;
    score: what the deal paid.
    """

    played: PlayedDeal
    contract: str
    side: tuple[int, ...]
    doubling: tuple[str, ...]
    last_call: Party | None
    cards: tuple[CardValue, ...]
    misplay: Misplay | None
    score: Score


def post_mortem(played: PlayedDeal) -> PostMortem:
    """Judges a deal card by card, double dummy."""
    auction, rules = played.auction, played.deal.rules
    contract, side = auction.contract, auction.declarers()
    assert side is not None  # all hands are known
    doubling = auction.doublings(side)
    last_call = auction.last_doubler(side)
    start = Position.start(played.deal, contract=contract)
    legal = played.cards[:-1] if played.illegal else played.cards
    position, misplay, values = start, None, []
    if isinstance(rules.contract(contract).goal, Honour):
        paid = score(contract, side, doubling=doubling, last_call=last_call, rules=rules)
        return PostMortem(played, contract, side, doubling, last_call, (), None, paid)
    payments = payments_by_points(contract, side, doubling=doubling, last_call=last_call, rules=rules)
    for card in legal:
        values.append(_value(position, card, side, payments))
        position = position.play(card)
    if played.illegal:
        misplay = Misplay(len(played.cards), position.to_play, played.cards[-1], tuple(position.legal_cards()))
    paid = score(
        contract,
        side,
        points=None if misplay else position.points(side),
        tricks=None if misplay else sum(position.tricks[seat - 1] for seat in side),
        doubling=doubling,
        last_call=last_call,
        misplay=misplay.seat if misplay else None,
        rules=rules,
    )
    return PostMortem(played, contract, side, doubling, last_call, tuple(values), misplay, paid)


def _value(position: Position, card: Card, side: tuple[int, ...], payments: NDArray[np.int64]) -> CardValue:
    """What one card is worth in a position."""
    solution, seat = solve(position, side=side), position.to_play
    points = dict(solution.cards)
    before, after = solution.points, points[card]
    own = payments[:, seat - 1]
    return CardValue(
        number=len(SEATS) * sum(position.tricks) + len(position.trick) + 1,
        trick=sum(position.tricks) + 1,
        seat=seat,
        card=card,
        before=before,
        after=after,
        cost=before - after if seat in side else after - before,
        payment=int(own[before] - own[after]),
        best=tuple(each for each in points if points[each] == before),
    )
