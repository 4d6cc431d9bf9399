"""Advice after some calls: the layouts that fit them, found by looking at each, and what things earn in them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from conftest import Answer
from msgspec.structs import replace

from kopsim import Deal, PartialDeal, load_rules, odds, parse_cards
from kopsim.bidding import PASS, Auction, bid
from kopsim.call_values import call_values
from kopsim.calling_range import packaged_ranges
from kopsim.double_dummy import solve_many
from kopsim.errors import CallError, QueryError
from kopsim.heard import layouts_heard
from kopsim.heard_values import _multiplied, _Situation, advise_heard
from kopsim.kontra_table import packaged_kontra
from kopsim.pair_game_odds import pair_odds
from kopsim.roles import Role
from kopsim.rules.compile import compile_order
from kopsim.seats import speaking_after

Run = Callable[..., Answer]
KOP = load_rules()
ORDER = compile_order(KOP, "ordinary")
HAND = "A♥ J♦ A♣ Q♦"


def fitting(calls: str, hand: str, holds: Callable[[Deal], bool]) -> tuple[list[int], list[int]]:
    """Every fifth layout that is heard, and by looking at each whether it fits."""
    seat = bid(Auction(KOP), calls).to_speak
    cards = frozenset(parse_cards(hand))
    heard = layouts_heard(bid(Auction(KOP, {seat: cards}), calls), seat, cards, ORDER)
    partial = PartialDeal.of({seat: cards}, rules=KOP)
    every = range(0, partial.layouts, 5)
    return [rank for rank in heard.ranks.tolist() if rank % 5 == 0], [
        rank for rank in every if holds(partial.layout(rank))
    ]


@pytest.mark.parametrize("hand", [HAND, "10♣ 10♠ 10♥ A♦", "Q♣ Q♠ 10♥ J♦", "J♣ J♠ J♥ J♦"])
def test_nothing_said_changes_nothing(hand: str) -> None:
    """With open cards each call earns and wins exactly what it does without conditions."""
    told = {each.call: each for each in advise_heard(hand, "").values}
    plain = {PASS if each.silent else each.call: each for each in call_values(KOP, frozenset(parse_cards(hand)), 2)}
    assert set(plain) <= set(told)
    for call, each in plain.items():
        assert (told[call].wins, Fraction(told[call].mean).limit_denominator(10**6)) == (each.wins, each.mean), call
        within = 3 * np.hypot(told[call].played.payment.error, each.in_play.error)
        assert abs(told[call].played.payment.value - each.in_play.value) <= within + (5 if each.expected else 0.1), call


def test_callers_hold_a_hand_of_the_range_and_who_passed_holds_none() -> None:
    ranges = packaged_ranges(KOP)

    def holds(deal: Deal) -> bool:
        second, third = deal.hands[1], deal.hands[2]
        passed = all(second not in ranges.callers[contract, 2] for contract in ranges.contracts)
        return passed and third in ranges.callers["zolo", 3]

    heard, looked_at = fitting("2: pas, 3: zolo", HAND, holds)
    assert heard == looked_at
    assert len(heard) > 20
    heard, looked_at = fitting("wesele", "10♣ 10♠ 10♥ A♦", lambda deal: set(parse_cards("Q♣ Q♠")) <= deal.hands[1])
    assert heard == looked_at != []


def test_who_passes_or_goes_higher_over_a_call_is_heard_too() -> None:
    """Whoever names zolo over a wesele holds a hand of its range, and whoever passes over it holds none."""
    ranges, queens = packaged_ranges(KOP), set(parse_cards("Q♣ Q♠"))

    def higher(deal: Deal) -> bool:
        return queens <= deal.hands[1] and deal.hands[2] in ranges.callers["zolo", 3]

    heard, looked_at = fitting("wesele, zolo", "J♥ 10♦ A♦ A♣", higher)
    assert heard == looked_at != []

    def passing(deal: Deal) -> bool:
        return queens <= deal.hands[1] and all(deal.hands[2] not in ranges.callers[key, 3] for key in ranges.contracts)

    heard, looked_at = fitting("wesele, pas", "J♥ 10♦ A♦ A♣", passing)
    assert heard == looked_at


def test_doublings_that_cannot_have_been_leave_layouts_out() -> None:
    """Who says kontra to an unannounced game is no silent soloist; answers come from the other side."""
    queens = set(parse_cards("Q♣ Q♠"))
    heard, looked_at = fitting("kontra", "A♥ 10♦ A♦ A♣", lambda deal: not queens <= deal.hands[1])
    assert heard == looked_at
    told = advise_heard("A♥ J♠ Q♥ J♥", "2: kontra, 3: rej, 4: bok, 1: sup")
    assert told.layouts == 8400
    assert told.values[0].wins <= 8400


def test_what_is_paid_without_play_is_won() -> None:
    told = {each.call: each for each in advise_heard("10♣ 10♠ 10♥ 10♦", "2: pas").values}
    honour = told["zolo-du-honour"]
    assert (honour.played.probability, honour.wins, honour.played.payment.error) == (1, 34650, 0)


def test_few_layouts_do_not_make_play_exact() -> None:
    """Players draw by chance: another seed plays the same few layouts otherwise, by no more than the errors say."""
    told = [
        {each.call: each for each in advise_heard(HAND, "2: pas, 3: zolo", seed=seed).values}[PASS].played
        for seed in (0, 1, 2, 3)
    ]
    means = [each.payment.value for each in told]
    assert all(each.deals < 512 and each.payment.error > 0 for each in told)
    assert len(set(means)) > 1
    assert max(means) - min(means) < 2 * max(each.payment.error for each in told)


def test_a_call_that_nobody_makes_tells_nothing() -> None:
    """With all the jacks gone nobody has a hand of the range."""
    told = advise_heard("A♥ 10♣ J♣ J♠", "2: zolo")
    assert [each.seat for each in told.surprising] == [2]
    assert told.layouts == 34650
    assert advise_heard(HAND, "2: pas").surprising == ()


def test_open_cards_are_exact_and_doubled_as_is_said() -> None:
    told = {each.call: each for each in advise_heard(HAND, "2: pas, 3: zolo").values}
    cards = frozenset(parse_cards(HAND))
    heard = layouts_heard(bid(Auction(KOP, {4: cards}), "2: pas, 3: zolo"), 4, cards, ORDER)
    points = solve_many(heard.masks, side=3, contract="zolo")
    assert told[PASS].wins == told["kontra"].wins == int((points < 53).sum())
    assert told[PASS].mean == pytest.approx(float(np.where(points < 53, 5, -5).mean()))
    for each in (told["kontra"], told[PASS]):
        assert each.played.deals == min(512, len(heard.ranks))
    assert told["kontra"].mean == pytest.approx(2 * told[PASS].mean)
    assert told["kontra"].played.payment.value == pytest.approx(2 * told[PASS].played.payment.value)
    rej = {each.call: each for each in advise_heard("A♥ 10♣ J♣ J♠", "zolo, kontra, pas, pas").values}
    assert rej["rej"].mean == pytest.approx(2 * rej[PASS].mean)
    assert abs(rej[PASS].mean) <= 30


@pytest.mark.parametrize("calls", ["2: pas, 3: zolo", "zolo, kontra", "zolo, pas", "zolo, kontra, pas, pas"])
def test_multiplied_kontra_and_answers_are_those_of_the_table(calls: str) -> None:
    """In plain words: the first of those yet to speak who says kontra doubles, and the soloist answers or not."""
    seat = bid(Auction(KOP), calls).to_speak
    cards = frozenset(parse_cards("A♥ 10♣ J♣ J♠" if seat == 2 else HAND))
    auction, table = bid(Auction(KOP, {seat: cards}), calls), packaged_kontra(KOP, "zolo")
    heard = layouts_heard(auction, seat, cards, ORDER)
    found = _Situation(auction, seat, ORDER, heard.masks, heard.masks[:300], heard.ranks[:300], 0)
    soloist, told = auction.announcement.seat, []
    for masks in found.sample:
        hands = [ORDER.cards_of(int(mask)) for mask in masks]
        paid = table.payment(hands[soloist - 1], soloist)
        answered = () if paid is None else paid.rej
        if auction.doubles:
            # We pass: only the soloist, if that is not us, may still answer.
            told.append(4 if soloist != seat and auction.doubles[0].seat in answered else 2)
            continue
        passed = {call.seat for call in auction.calls[auction.calls.index(auction.announcement) :]}
        yet = [each for each in speaking_after(KOP, soloist) if each not in passed | {seat}]
        says = [each for each in yet if (known := table.kontra(hands[each - 1], each, soloist)) and known.says]
        told.append((4 if says[0] in answered else 2) if says else 1)
    assert _multiplied(found, auction.call(PASS), table).tolist() == told


def test_on_the_command_line(run: Run) -> None:
    data = run("advise", HAND, "--calls", "2: pas, 3: zolo", "--json").data
    assert (data["seat"], [each["call"] for each in data["calls"]]) == (4, ["pass", "zolo"])
    assert {each["call"] for each in data["options"]} == {"pass", "kontra", "zolo-du"}
    assert data["recommended"] == data["options"][0]["call"]
    assert all(each["win"]["of"] == data["layouts"] for each in data["options"])
    assert "Powiedziano: 2: pas" in run("advise", HAND, "--calls", "2: pas", "--lang", "pl").out
    for bad in (
        ["--calls", "2: pas, 3: pas, 4: pas, 1: pas"],
        ["--calls", "2: pas", "--seat", "4"],
        ["--calls", "3: pas"],
        ["--calls", "2: sto"],
        ["--calls", "2: wesele", "--rules", "nie-ma"],
    ):
        answer = run("advise", HAND, *bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
    with pytest.raises(CallError):
        advise_heard(HAND, "2: kontra, 3: zolo, 3: zolo")
    with pytest.raises(QueryError, match="seed"):
        advise_heard(HAND, "2: pas", seed=-1)
    with pytest.raises(QueryError, match="fits your hand"):
        advise_heard("Q♣ 10♠ 10♥ A♦", "2: wesele")


def test_another_card_order_in_the_rules_changes_nothing() -> None:
    """The same cards in other bits: layouts, open cards and doublings are told as before."""
    rules = replace(KOP, orders={"gran": load_rules("baska-z-asem").orders["gran"], **KOP.orders})
    assert compile_order(rules, "gran").cards != ORDER.cards
    for hand, calls in (("10♣ 10♥ J♣ A♣", "2: pas, 3: zolo"), (HAND, "2: zolo, 3: pas")):
        plain, told = advise_heard(hand, calls), advise_heard(hand, calls, rules=rules)
        assert (told.layouts, told.recommended.call) == (plain.layouts, plain.recommended.call)
        known = {each.call: each for each in plain.values}
        for each in told.values:
            assert (each.mean, each.wins) == (known[each.call].mean, known[each.call].wins)
            assert (each.doubled is None) == (known[each.call].doubled is None)


def test_a_contract_with_an_order_of_its_own_is_told_as_it_is_asked_alone() -> None:
    rules = load_rules("baska-z-asem")
    told = {each.call: each for each in advise_heard("J♣ J♠ A♥ 10♦", "", seat=2, rules=rules).values}
    for call in ("gran", "gran-du", "zolo"):
        alone = odds("J♣ J♠ A♥ 10♦", seat=2, contract=call, rules=rules)
        assert told[call].wins == alone.wins


def test_who_had_to_announce_did_not_pass() -> None:
    """Kościan bars some cichas: whoever passed first holds none of those hands, and passing is worth more for it."""
    rules, hand = load_rules("kop-koscian"), "J♠ J♥ J♦ A♦"
    barred = [set(parse_cards(cards)) for cards in ("A♥ 10♣ Q♣ Q♠", "A♥ 10♠ Q♣ Q♠", "A♥ 10♥ Q♣ Q♠")]
    cards, order = frozenset(parse_cards(hand)), compile_order(rules, "ordinary")
    heard = layouts_heard(bid(Auction(rules, {4: cards}), "pas, pas, pas"), 4, cards, order)
    partial = PartialDeal.of({4: cards}, rules=rules)
    held = [partial.layout(rank).hands[:3] for rank in range(0, partial.layouts, 7)]
    expected = sum(not any(barred[0] <= other for other in others) for others in held)
    assert sum(rank % 7 == 0 for rank in heard.ranks.tolist()) == expected < len(held)
    told = pair_odds(hand, seat=1, contract="game", rules=rules)
    against = next(role for role in told.roles if role.role == Role.AGAINST)
    # 70 layouts for each of three seats and the first hand, and for seat 4 and the two others.
    assert against.total == 9450 - 70 * 5
    assert {each.call for each in call_values(rules, frozenset(barred[1]), 4)} == {"wesele", "zolo", "zolo-du"}
