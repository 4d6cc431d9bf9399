"""A slow, plain weighing of layouts for the tests: deals all that fit, and solves them by plain minimax.

It shares nothing with the kernel but the numbers that chance gives.
"""

from __future__ import annotations

from collections.abc import Iterator

import reference

from kopsim import Card, Deal, Position
from kopsim.chance import Chance
from kopsim.hidden_table import Table
from kopsim.players import View
from kopsim.rules.model import SEATS
from kopsim.scoring import score


def fitting(view: View) -> Iterator[Deal]:
    """Whole deals that fit what a player sees, in the order in which the lowest cards go to the first seats."""
    table, own = view.table, view.hand
    shown = {seat: [card for owner, card in view.played if owner == seat] for seat in SEATS}
    known = {card for _, card in view.played} | own
    unseen = [card for card in table.compiled.cards if card not in known]
    room = {seat: 0 if seat == view.seat else 4 - len(shown[seat]) for seat in SEATS}
    for dealt in _shared(unseen, room):
        hands = [own if seat == view.seat else frozenset(shown[seat] + dealt[seat]) for seat in SEATS]
        deal = Deal(tuple(hands), table.rules)
        if _believed(view, deal) and _could_be(view, deal):
            yield deal


def _shared(cards: list[Card], room: dict[int, int]) -> Iterator[dict[int, list[Card]]]:
    if not cards:
        yield {seat: [] for seat in SEATS}
        return
    for seat in SEATS:
        if room[seat]:
            for rest in _shared(cards[1:], room | {seat: room[seat] - 1}):
                yield rest | {seat: [cards[0], *rest[seat]]}


def _could_be(view: View, deal: Deal) -> bool:
    """Whether everybody has played by the rules if this is the deal."""
    try:
        at(view, deal)
    except ValueError:
        return False
    return True


def at(view: View, deal: Deal) -> Position:
    """The position in a deal."""
    position = Position.start(deal, contract=view.table.played_as)
    for _, card in view.played:
        position = position.play(card)
    return position


def _believed(view: View, deal: Deal) -> bool:
    table = view.table
    if table.announcer in (None, view.seat):
        return True
    hand = deal.hands[table.announcer - 1]
    return set(table.rules.contract(table.played_as).cards) <= hand if table.soloist is None else True


def declarers(table: Table, deal: Deal) -> tuple[int, ...]:
    """Who declares, told from the words of the rules."""
    if table.soloist is not None:
        return (table.soloist,)
    if table.announcer is None:
        return tuple(seat for seat in SEATS if {str(card) for card in deal.hands[seat - 1]} & {"Q♣", "Q♠"})
    for jack in ("J♣", "J♠", "J♥", "J♦"):
        for seat in SEATS:
            if seat != table.announcer and jack in {str(card) for card in deal.hands[seat - 1]}:
                return tuple(sorted((table.announcer, seat)))
    raise AssertionError("four cards cannot hold both queens and every jack")


def weighed(view: View, layouts: int, seed: int) -> dict[str, tuple[float, float]]:
    """What each legal card earns and leaves to the own side on average."""
    table = view.table
    deals = list(fitting(view))
    if table.calling is not None and view.seat != table.soloist:
        # The kernel counts through the hands of the range one after the other, by their masks.
        called = [deal for deal in deals if deal.hands[table.announcer - 1] in table.calling]
        deals = sorted(called, key=lambda deal: table.compiled.mask(deal.hands[table.announcer - 1])) or deals
    if len(deals) > layouts:
        dealt = table.compiled.mask(view.hand)
        chance = Chance(seed, (view.seat - 1, dealt, len(view.played), view.history))
        deals = [deals[chance.below(len(deals))] for _ in range(layouts)]
    sums: dict[str, tuple[int, int]] = {}
    for deal in deals:
        side = declarers(table, deal)
        position = at(view, deal)
        own = side if view.seat in side else tuple(seat for seat in SEATS if seat not in side)
        contract = "cicha" if table.contract is None and len(side) == 1 else table.played_as
        for card, points in reference.card_values(position, own).items():
            declared = points if own == side else 104 - points
            paid = score(contract, side, points=declared).payments[view.seat - 1]
            before = sums.get(card, (0, 0))
            sums[card] = (before[0] + paid, before[1] + points)
    return {card: (paid / len(deals), points / len(deals)) for card, (paid, points) in sums.items()}
