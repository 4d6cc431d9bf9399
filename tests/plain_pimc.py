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


def drawn(view: View, layouts: int, seed: int, *, even: bool = False) -> list[Deal]:
    """The layouts that are weighed: any, or one from each of so many equal parts of all."""
    table = view.table
    deals = list(fitting(view))
    if table.calling is not None and view.seat != table.soloist:
        # The kernel counts through the hands of the range one after the other, by their masks.
        called = [deal for deal in deals if deal.hands[table.announcer - 1] in table.calling]
        deals = sorted(called, key=lambda deal: table.compiled.mask(deal.hands[table.announcer - 1])) or deals
    if len(deals) > layouts:
        dealt = table.compiled.mask(view.hand)
        chance = Chance(seed, (view.seat - 1, dealt, len(view.played), view.history, view.number))
        numbers = [chance.below(len(deals)) for _ in range(layouts)]
        if even:
            numbers = [(part * len(deals) + number) // layouts for part, number in enumerate(numbers)]
        deals = [deals[number] for number in numbers]
    return deals


def weighed(view: View, layouts: int, seed: int, *, even: bool = False) -> dict[str, tuple[float, float]]:
    """What each legal card earns and leaves to the own side on average."""
    deals = drawn(view, layouts, seed, even=even)
    sums: dict[str, tuple[int, int]] = {}
    for deal in deals:
        for card, worth in _worths(view, deal, at(view, deal)).items():
            sums[card] = _plus(sums.get(card, (0, 0)), worth)
    return {card: (paid / len(deals), points / len(deals)) for card, (paid, points) in sums.items()}


def weighed_ahead(view: View, layouts: int, seed: int) -> dict[str, tuple[float, float]]:
    """The same, weighed to the own next turn, where one card is taken for all that looks the same."""
    deals = drawn(view, layouts, seed)
    found = {}
    for card in at(view, deals[0]).legal_cards():
        seen: dict[tuple[Card, ...], dict[str, tuple[int, int]]] = {}
        for deal in deals:
            side, position, since = declarers(view.table, deal), at(view, deal).play(card), list[Card]()
            while not position.is_over and position.to_play != view.seat:
                own = side if position.to_play in side else tuple(seat for seat in SEATS if seat not in side)
                values = reference.card_values(position, own)
                weakest_first = position.legal_cards()[::-1]
                since.append(max(weakest_first, key=lambda each: values[str(each)]))
                position = position.play(since[-1])
            worths = {"": _paid(view, deal, position.points(_own(view, side)))}
            if not position.is_over:
                worths = _worths(view, deal, position)
            together = seen.setdefault(tuple(since), {})
            for each, worth in worths.items():
                together[each] = _plus(together.get(each, (0, 0)), worth)
        best = [max(together.values()) for together in seen.values()]
        found[str(card)] = (sum(paid for paid, _ in best) / len(deals), sum(points for _, points in best) / len(deals))
    return found


def _own(view: View, side: tuple[int, ...]) -> tuple[int, ...]:
    return side if view.seat in side else tuple(seat for seat in SEATS if seat not in side)


def _worths(view: View, deal: Deal, position: Position) -> dict[str, tuple[int, int]]:
    """Payment and points of the own side that each card leads to with open cards."""
    own = _own(view, declarers(view.table, deal))
    return {card: _paid(view, deal, points) for card, points in reference.card_values(position, own).items()}


def _paid(view: View, deal: Deal, points: int) -> tuple[int, int]:
    """The payment for so many points of the own side, and these."""
    side, table = declarers(view.table, deal), view.table
    contract = "cicha" if table.contract is None and len(side) == 1 else table.played_as
    declared = points if view.seat in side else 104 - points
    return score(contract, side, points=declared, rules=table.rules).payments[view.seat - 1], points


def _plus(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return first[0] + second[0], first[1] + second[1]
