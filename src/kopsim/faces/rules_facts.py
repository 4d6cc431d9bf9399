"""What a rule set says, fact by fact in words: told whole by `rules show`, compared by `rules diff`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from kopsim.cards import RANKS, Card, format_cards, parse_card, rank_text
from kopsim.errors import Lang, message
from kopsim.faces.words import NO_BREAK, seat_name
from kopsim.rules import Contract, Order, RuleSet
from kopsim.rules.model import (
    SEATS,
    AtLeast,
    Barred,
    Demand,
    Doubling,
    EveryTrick,
    Honour,
    Misplay,
    MorePoints,
    Tournament,
)

Section = tuple[str, str]  # a table of the rule file and, where there are several, the id in it
Told = Iterator[tuple[str, str, bool]]  # topic, words, whether to show it

# The words of values that stand as words in a rule file.
_DIRECTIONS = {"clockwise": "rules-clockwise", "anticlockwise": "rules-anticlockwise"}
_ANNOUNCED = {"silent": "rules-silent", "first-turn": "rules-first-turn", "any-turn": "rules-any-turn"}
_TIES = {
    "declarer-loses": "rules-declarer-loses",
    "old-lose": "rules-old-lose",
    "last-caller-loses": "rules-last-caller-loses",
}
_SAME_SIDE = {"refused": "rules-refused", "counts-once": "rules-counts-once"}
_LOSERS = {"side": "rules-loser-side", "player": "rules-loser-player"}
GRADES = ("made", "with-26", "under-26", "no-trick")


@dataclass(frozen=True)
class Fact:
    """One thing that a rule set says.

    topic: key of the message that names what it is about; shown: whether a rule set told by
    itself has to say it: what is as usual, or cannot happen in a contract, it need not.
    """

    section: Section
    topic: str
    words: str
    shown: bool = True


def facts(rules: RuleSet, lang: Lang) -> list[Fact]:
    """Everything a rule set says, in the order in which it is told."""
    told: list[tuple[Section, Told]] = [(("seats", ""), _table(rules, lang))]
    told += [(("orders", key), _order(order, lang)) for key, order in rules.orders.items()]
    told += [(("contracts", key), _contract(contract, rules, lang)) for key, contract in rules.contracts.items()]
    told += [
        (("contracts", ""), _ranks(rules.contracts, lang)),
        (("doubling", ""), _doubling(rules.doubling, lang)),
        (("misplay", ""), _misplay(rules.misplay, graded(rules), lang)),
    ]
    if rules.tournament is not None:
        told.append((("tournament", ""), _tournament(rules.tournament, lang)))
    return [Fact(section, *each) for section, section_told in told for each in section_told]


def graded(rules: RuleSet) -> bool:
    """Whether the price of any contract depends on what the losers have."""
    return any("made" not in contract.value for contract in rules.contracts.values())


def named(key: str, name: str) -> str:
    """The name of a contract or an order, and its id where that is another word."""
    return name if name == key else f"{name} ({key})"


def _table(rules: RuleSet, lang: Lang) -> Told:
    seats = rules.seats
    ranks = " ".join(rank_text(rank, lang) for rank in rules.pack.ranks)
    names = [seat_name(rules, seat, lang) for seat in SEATS]
    pairs = [f"{seat}–{partner}" for seat, partner in zip(SEATS, seats.partners, strict=False) if seat < partner]
    yield "rules-pack", message("rules-pack-words", lang, ranks=ranks, suits=" ".join(rules.pack.suits)), True
    yield "rules-hand-size", str(seats.hand_size), True
    yield "rules-seat-names", _listed(names, lang), True
    yield "rules-direction", message(_DIRECTIONS[seats.direction], lang), True
    yield "rules-speaking", _listed(seats.speaking, lang), True
    yield "rules-pairs", _listed(pairs, lang), bool(pairs)


def _order(order: Order, lang: Lang) -> Told:
    must = order.obligations
    sides = " | ".join(format_cards(suit, lang=lang) for suit in order.side_suits)
    cards = {parse_card(card): worth for card, worth in order.card_points.items()}
    single = [f"{card.text(lang=lang)} {cards[card]}" for card in sorted(cards, key=lambda card: _falling(card, cards))]
    yield "rules-name", order.name.text(lang), False
    yield "rules-trumps", format_cards(order.trumps, lang=lang) or "–", True
    yield "rules-sides", sides or "–", True
    yield "rules-worth", _worths(order.points, lang), True
    yield "rules-worth-trumps", _worths(order.trump_points, lang), bool(order.trump_points)
    yield "rules-worth-cards", _listed(single, lang), bool(single)
    yield "rules-follow-trump", _ladder(must.trump_led, lang), True
    yield "rules-follow-side", _ladder(must.side_led, lang), True
    any_bonus = any(order.trick_bonus)
    yield "rules-bonuses", _listed(order.trick_bonus if any_bonus else (), lang), any_bonus
    yield "rules-partner-trump", _ladder(must.partner_trump_led, lang), must.partner_trump_led is not None
    yield "rules-partner-side", _ladder(must.partner_side_led, lang), must.partner_side_led is not None


def _falling(card: Card, worths: Mapping[Card, int]) -> tuple[int, int]:
    """What sorts cards by their worth, gained or lost, and then by rank."""
    return -abs(worths[card]), -card


def _worths(points: Mapping[str, int], lang: Lang) -> str:
    """Ranks with their worth, whatever their order in the file: the dearest first."""
    ranks = sorted(points, key=lambda rank: (-abs(points[rank]), -RANKS.index(rank)))
    return _listed([f"{rank_text(rank, lang)}{NO_BREAK}{points[rank]}" for rank in ranks], lang)


def _ladder(ladder: Sequence[Demand] | None, lang: Lang) -> str:
    if ladder is None:
        return message("rules-as-otherwise", lang)
    steps = [*(message(f"demand-{step}", lang) for step in ladder), message("demand-any", lang)]
    return message("ladder-else", lang).join(steps)


def _contract(contract: Contract, rules: RuleSet, lang: Lang) -> Told:
    held = format_cards(contract.cards, lang=lang)
    price = _price([contract.value[grade] for grade in GRADES if grade in contract.value])
    lost, may_lose = _lost(contract), not isinstance(contract.goal, Honour)
    partner = message("rules-highest-jack" if contract.partner == "highest-jack" else "doubling-none", lang)
    may_tie, doubled = isinstance(contract.goal, MorePoints), bool(contract.doubling)
    tie, tie_doubled = (message(_TIES[tie], lang) for tie in (contract.tie, contract.tie_doubled))
    yield "rules-name", contract.name.text(lang), False
    yield "rules-who", message(f"sides-{contract.sides}" if held else "sides-anyone", lang, cards=held), True
    yield "rules-with", partner, contract.sides == "partner"
    yield "rules-goal", _goal(contract, lang), True
    yield "rules-price", price, True
    yield "rules-lost", message("rules-lost-same", lang) if lost == price else lost, may_lose and lost != price
    yield "rules-doublable", _listed(contract.doubling, lang), True
    # The holders of two cards do not know each other, so neither of them declares.
    yield "rules-first-double", _first_double(contract, lang), doubled and contract.sides != "holders"
    yield "info-order", rules.orders[contract.order].name.text(lang), len(rules.orders) > 1
    yield "rules-announcement", message(_ANNOUNCED[contract.announced], lang), True
    yield "rules-barred", _listed([_barred(each, lang) for each in contract.barred], lang), bool(contract.barred)
    yield "rules-tie", tie, may_tie
    yield "rules-tie-doubled", tie_doubled, may_tie and doubled and tie_doubled != tie


def _goal(contract: Contract, lang: Lang) -> str:
    goal = contract.goal
    if isinstance(goal, AtLeast):
        return message("goal-points", lang, points=goal.at_least)
    if isinstance(goal, EveryTrick):
        return message("goal-every-trick", lang)
    return message("goal-honour" if isinstance(goal, Honour) else "goal-more-points", lang)


def _price(values: Sequence[int]) -> str:
    return f"{NO_BREAK}/{NO_BREAK}".join(map(str, values))


def _lost(contract: Contract) -> str:
    """What a contract costs when it is lost, by grade unless that is the same for all."""
    if contract.lost_value is not None:
        return str(contract.lost_times * contract.lost_value)
    return _price([contract.lost_times * contract.value[grade] for grade in GRADES if grade in contract.value])


def _first_double(contract: Contract, lang: Lang) -> str:
    if contract.first_double_by_declarer:
        return message("rules-first-any", lang)
    return message("rules-first-not-soloist" if contract.sides == "soloist" else "rules-first-not-announcer", lang)


def _barred(barred: Barred, lang: Lang) -> str:
    cards = format_cards(barred.cards, lang=lang).replace(" ", NO_BREAK) or message("rules-barred-any", lang)
    if barred.seats == SEATS:
        return cards
    return f"{cards} ({message('seat' if len(barred.seats) == 1 else 'seats', lang)} {_listed(barred.seats, lang)})"


def _ranks(contracts: Mapping[str, Contract], lang: Lang) -> Told:
    """All contracts by rank; where "=" stands neither outranks the other."""
    by_rank = sorted(contracts, key=lambda key: (contracts[key].rank, key))
    steps = groupby(by_rank, key=lambda key: contracts[key].rank)
    ranks = [" = ".join(contracts[key].name.text(lang).replace(" ", NO_BREAK) for key in keys) for _, keys in steps]
    yield "rules-ranks", " < ".join(ranks) or message("doubling-none", lang), len(contracts) > 1


def _doubling(doubling: Doubling, lang: Lang) -> Told:
    steps = [f"{call} ×{times}" for call, times in zip(doubling.calls, doubling.multipliers, strict=True)]
    none, any_calls = message("doubling-none", lang), bool(steps)
    higher = "rules-cancelled" if doubling.cancelled_by_higher else "rules-kept"
    yield "rules-calls", _listed(steps, lang), any_calls
    yield "rules-higher", message(higher, lang), any_calls
    yield "rules-same-side", message(_SAME_SIDE[doubling.same_side], lang), any_calls
    yield "rules-bok-round", f"×{doubling.bok_round}" if doubling.bok_round > 1 else none, doubling.bok_round > 1
    yield "rules-cap", none if doubling.cap is None else f"×{doubling.cap}", doubling.cap is not None


def _misplay(misplay: Misplay, graded: bool, lang: Lang) -> Told:
    yield "rules-loser", message(_LOSERS[misplay.loses], lang), True
    yield "rules-paid-as", message(f"graded-{misplay.grade}", lang), graded


def _tournament(tournament: Tournament, lang: Lang) -> Told:
    yield "rules-rounds", str(tournament.rounds), True
    yield "rules-deals", str(tournament.deals), True
    yield "rules-places", _listed(tournament.table_points, lang), True


def _listed(values: Sequence[object], lang: Lang) -> str:
    return ", ".join(map(str, values)) or message("doubling-none", lang)
