"""The auction as the regulations have it, and laws that hold for any course of it."""

from __future__ import annotations

import random
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import random_deal

from kopsim import CallError, QueryError, load_rules, parse_cards, rule_ids
from kopsim.bidding import PASS, Auction, bid, call_names, parse_call
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS, Doubling, Honour
from kopsim.scoring import payments_by_points

KOP = load_rules()
CALLS = KOP.doubling.calls


def held(cards: str) -> frozenset:
    return frozenset(parse_cards(cards))


def auction(calls: str = "", **hands: str) -> Auction:
    return bid(Auction(KOP, {int(seat[1]): held(cards) for seat, cards in hands.items()}), calls)


def test_order_of_speech() -> None:
    """Seats 2, 3, 4 answer and seat 1 speaks last."""
    begun = Auction(KOP)
    for seat in (2, 3, 4, 1):
        assert begun.to_speak == seat
        begun = begun.call(PASS)
    assert begun.is_over
    assert (begun.to_speak, begun.legal(), begun.contract, begun.announcement) == (None, [], "game", None)
    with pytest.raises(CallError, match="the auction is over"):
        begun.call("kontra")


def test_what_may_be_said_first() -> None:
    assert Auction(KOP).legal() == [PASS, "wesele", "zolo", "zolo-du", "zolo-du-honour", "kontra"]
    assert auction(s2="A♥ 10♣ Q♣ J♠").legal() == [PASS, "zolo", "zolo-du", "kontra"]
    assert auction(s2="A♥ 10♣ Q♣ Q♠").legal() == [PASS, "wesele", "zolo", "zolo-du"]
    assert auction(s2="10♥ 10♣ 10♦ 10♠").legal() == [PASS, "zolo", "zolo-du", "zolo-du-honour", "kontra"]


@pytest.mark.parametrize(
    ("calls", "match"),
    [
        ("2: zolo, 3: zolo", "Call 2: Seat 3 may not say zolo: it is no higher than zolo"),
        ("2: zolo-du, 3: zolo", "no higher than zolo-du"),
        ("2: zolo-du, 3: zolo-du-honour", "no higher than zolo-du"),
        ("pas, pas, pas, kontra, zolo", "Call 5: Seat 2 may name zolo only the first time it speaks"),
        ("2: pas, 4: pas", "Call 2, “4: pas”: it is the turn of seat 3"),
        ("2: pas, pas, pas, pas, pas", "Call 5: pass: the auction is over"),
        ("2: cicha", "cicha is not announced"),
        ("2: gra", "game is not announced"),
        ("2: szlem", "“szlem” is no call; known: pass, wesele, zolo"),
        ("2: zolo, 3: rej", "rej is out of order; next would be: kontra"),
        ("2: zolo, 3: kontra, 4: kontra", "kontra is out of order; next would be: rej"),
        ("2: zolo, 3: kontra, 4: rej", "Seat 4 may not say rej: seat 3, who spoke last, is on its own side"),
        ("2: zolo, 3: kontra, pas, pas, rej, bok", "zolo is doubled no further than rej"),
        ("2: kontra, 3: rej, 4: bok, 1: sup, 2: sup", "sup is out of order; next would be: none"),
        ("2: zolo, pas, pas, pas, kontra", "over"),
        ("2: pass 3: zolo", "Call 1: “pass 3: zolo” is no call"),
        ("5: pas", "Call 1: “5” is not a seat"),
    ],
)
def test_what_may_not_be_said(calls: str, match: str) -> None:
    with pytest.raises(CallError, match=match) as caught:
        auction(calls)
    assert caught.value.text("pl") != caught.value.text("en")


def test_the_soloist_and_announcer_may_not_double_first() -> None:
    made = auction("2: zolo, 3: pas, 4: pas, 1: kontra")
    assert made.legal() == [PASS, "rej"]
    made = auction("pas, 3: wesele, pas, pas, pas")
    assert made.is_over
    assert auction("2: wesele, pas, pas", s1="J♣ 10♣ 10♠ A♦").legal() == [PASS, "zolo", "zolo-du", "kontra"]
    # A silent soloist is one too: he knows it, others do not.
    assert "kontra" not in auction("", s2="Q♣ Q♠ A♥ J♦").legal()
    assert auction("2: pas, 3: kontra, pas, pas", s2="Q♣ Q♠ A♥ J♦").legal() == [PASS, "rej"]
    with pytest.raises(CallError, match="cicha: the first kontra may not come"):
        auction("2: kontra", s2="Q♣ Q♠ A♥ J♦")


def test_partners_of_a_wesele() -> None:
    """The highest jack outside the announcer's hand, as far as one's own hand tells."""
    hands = {"s2": "Q♣ Q♠ J♣ A♥", "s3": "J♠ 10♣ A♦ A♣", "s4": "J♥ J♦ 10♦ A♠", "s1": "10♠ 10♥ Q♥ Q♦"}
    made = auction("2: wesele", **hands)
    assert made.declarers() == (2, 3)
    assert auction("2: wesele", s3=hands["s3"]).party(3) is None
    assert auction("2: wesele", s1=hands["s1"]).party(1) == "young"
    # The announcer has room for two jacks, so the lowest of four never decides.
    assert auction("2: wesele", s3="A♥ 10♠ J♦ A♣").party(3) == "young"
    assert auction("2: wesele", s3="A♣ A♥ A♠ J♠", s1="10♣ 10♠ 10♥ J♥").party(1) == "young"
    assert auction("2: wesele", s1=hands["s1"], s3="A♣ A♥ A♠ A♦").party(4) == "old"
    assert auction("2: wesele", s3="J♣ 10♣ A♦ A♣").party(3) == "old"
    assert auction("2: wesele", s2=hands["s2"]).party(3) is None
    assert auction("2: wesele", **{key: hands[key] for key in ("s2", "s4", "s1")}).party(3) == "old"
    # Both are of one side, so the partner may not answer the announcer nor the young each other.
    with pytest.raises(CallError, match="on its own side"):
        auction("2: wesele, 3: pas, 4: kontra, 1: rej", **hands)
    assert auction("2: wesele, 3: pas, 4: kontra, 1: pas, 2: rej", **hands).multiplier == 4


def test_sides_of_a_game() -> None:
    hands = {"s1": "Q♣ J♣ A♥ A♦", "s2": "Q♠ J♠ 10♣ 10♦", "s3": "Q♥ J♥ 10♥ A♣", "s4": "Q♦ J♦ 10♠ A♠"}
    made = auction("", **hands)
    assert made.declarers() == (1, 2)
    assert auction("", s1=hands["s1"]).party(2) is None
    assert auction("", s1=hands["s1"], s2=hands["s2"]).party(3) == "young"
    assert auction("", s1=hands["s1"], s3=hands["s3"], s4=hands["s4"]).party(2) == "old"
    # Seat 1 does not know whether seat 4 is its partner.
    asked = auction("pas, pas, 4: kontra", s1=hands["s1"])
    assert asked.legal() == [PASS, "zolo", "zolo-du", "rej"]
    assert asked.depends_on("rej") == 4
    known = auction("pas, pas, 4: kontra", **hands)
    assert known.depends_on("rej") is None
    assert auction("2: kontra, pas, pas", **hands).legal() == [PASS, "zolo", "zolo-du"]


def test_doublings_that_no_sides_make_legal() -> None:
    """2 against 3 and 3 against 4 puts 2 and 4 on one side; a chain of calls tells who can be with whom."""
    with pytest.raises(CallError, match="on its own side"):
        auction("2: kontra, 3: rej, 4: bok, 1: pas, 2: sup")
    assert "sup" not in auction("2: wesele, 3: kontra, 4: rej, 1: bok, 2: pas").legal()
    assert auction("2: kontra, 3: rej, 4: bok").legal() == [PASS, "wesele", "zolo", "zolo-du", "zolo-du-honour", "sup"]
    # Three hands without an old queen show that the fourth is silent with both.
    shown = auction("", s1="A♥ J♣ J♠ J♥", s2="10♣ 10♠ 10♥ J♦", s3="A♦ 10♦ A♣ A♠")
    assert (shown.contract, shown.declarers(), shown.party(4)) == ("cicha", (4,), "old")


def test_doublings_may_outlive_a_contract() -> None:
    kept = msgspec.structs.replace(KOP, doubling=Doubling(CALLS, (2, 4, 8, 16), cancelled_by_higher=False))
    made = bid(Auction(kept), "2: pas, 3: kontra, 4: zolo")
    assert (made.contract, made.multiplier) == ("zolo", 2)


def test_a_higher_contract_cancels_doublings() -> None:
    made = auction("2: pas, 3: kontra, 4: zolo")
    assert (made.contract, made.doubles, made.multiplier) == ("zolo", (), 1)
    assert made.legal() == [PASS, "zolo-du", "zolo-du-honour", "kontra"]


def test_calls_as_people_write_them() -> None:
    for text, call in (("Pas", PASS), ("PASS", PASS), (" honorowe  zolo-du ", "zolo-du-honour"), ("Kontra", "kontra")):
        assert parse_call(text, KOP) == call
    assert bid(Auction(KOP), "2:pas; zolo\n4 : Kontra,").calls == bid(Auction(KOP), "2: pas, 3: zolo, 4: kontra").calls
    assert call_names(KOP)[0] == PASS


def test_rules_without_a_silent_game() -> None:
    rules = msgspec.structs.replace(KOP, contracts={"zolo": KOP.contract("zolo")})
    with pytest.raises(QueryError, match="nobody announces"):
        _ = Auction(rules).contract


def possible(made: Auction) -> list[bool]:
    """For every old side that there can be: whether it makes this doubling and those before it legal."""
    announced = made.announcement
    if announced is None:
        sides = [{one, other} for one in SEATS for other in SEATS]
    elif KOP.contract(announced.name).sides == "soloist":
        sides = [{announced.seat}]
    else:
        sides = [{announced.seat, seat} for seat in SEATS if seat != announced.seat]
    doubles = [*(call.seat for call in made.doubles), made.to_speak]
    return [all((one in side) != (other in side) for one, other in pairwise(doubles)) for side in sides]


@pytest.mark.parametrize("rules", [load_rules(name) for name in rule_ids()], ids=rule_ids())
@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sets(st.sampled_from(SEATS)))
def test_any_auction(rules: RuleSet, seed: int, known: set[int]) -> None:
    """Whatever is legal can be said and nothing else; it ends; ranks rise; doublings go up and change sides."""
    rng = random.Random(seed)
    deal = random_deal(rules, 4, rng)
    everything = Auction(rules, dict(zip(SEATS, deal.hands, strict=True)))
    made = Auction(rules, {seat: deal.hands[seat - 1] for seat in known})
    calls = set(rules.doubling.calls)
    for _ in range(60):
        if everything.is_over:
            break
        legal = everything.legal()
        # Only a hand that the rules bar from silence must say something.
        assert legal[0] == PASS or rules.contract("cicha").barred
        # What is legal with all hands open is legal as far as fewer hands tell.
        assert set(legal) <= set(made.legal())
        if set(made.legal()) & calls and rules == KOP:
            assert any(possible(made))
        for name in call_names(rules):
            if name not in legal:
                with pytest.raises(CallError):
                    everything.call(name)
        name = rng.choice([*legal[:1], *legal])
        everything, made = everything.call(name), made.call(name)
    assert everything.is_over
    assert made.is_over
    ranks = [rules.contract(call.name).rank for call in everything.calls if call.name in rules.contracts]
    assert ranks == sorted(set(ranks))
    said = [call.name for call in everything.doubles]
    assert said == list(rules.doubling.calls[: len(said)])
    side = everything.declarers() or ()
    assert len(side) in (1, 2)
    parties = [everything.party(call.seat) for call in everything.doubles]
    changes = sum(one != other for one, other in pairwise(parties))
    if rules.doubling.same_side == "refused":
        assert changes == max(0, len(parties) - 1)
    allowed = len(rules.contract(everything.contract).doubling)
    assert everything.doublings(side) == rules.doubling.calls[: min(allowed, changes + 1 if parties else 0)]
    assert everything.multiplier in made.multipliers
    # What is doubled can be paid.
    if rules.contract(everything.contract).goal != Honour():
        paid = payments_by_points(
            everything.contract,
            side,
            doubling=everything.doublings(side),
            last_call=everything.last_doubler(side),
            rules=rules,
        )
        assert not paid.sum(axis=1).any()


def test_calls_of_one_side_in_a_row_count_once() -> None:
    """Who is with whom shows later; what was said by partners one after the other is one doubling."""
    koscian, calls = load_rules("kop-koscian"), "1: kontra, 2: rej, 3: bok, 4: skok"
    hands = {1: "Q♣ A♥ J♥ J♦", 2: "Q♠ 10♥ Q♥ Q♦", 3: "10♣ 10♠ J♣ J♠", 4: "A♦ 10♦ A♣ A♠"}
    made = bid(Auction(koscian, {seat: held(hand) for seat, hand in hands.items()}), calls)
    assert (made.declarers(), made.doublings((1, 2)), made.multiplier) == ((1, 2), ("kontra", "rej"), 4)
    assert made.doublings((1, 3)) == ("kontra", "rej", "bok", "skok")
    # While nobody knows, it may be as much as if all had been opponents.
    assert bid(Auction(koscian), calls).multiplier == 16
    assert bid(Auction(koscian), calls).multipliers == (4, 8, 16)
    with pytest.raises(CallError, match="is on its own side"):
        auction("2: kontra, 3: rej", s2=hands[1], s3=hands[2])
    # Of the sides of an announced soloist everybody knows: nobody takes his answer away.
    for rules, opened in ((koscian, "1: zolo, 2: kontra"), (load_rules("kop-wolsztyn"), "2: pas, 3: zolo, 4: kontra")):
        with pytest.raises(CallError, match="is on its own side"):
            bid(Auction(rules), f"{opened}, rej")


def test_a_silent_soloist_is_doubled_as_far_as_his_contract_goes() -> None:
    """In good faith the others double a game further; what is too much for a cicha is void."""
    koscian, calls = load_rules("kop-koscian"), "1: kontra, 2: rej, 3: bok, 4: skok"
    for known in ({}, {4: held("Q♣ Q♠ A♥ J♣")}):
        made = bid(Auction(koscian, known), calls)
        assert made.doublings([4]) == ("kontra", "rej")
        assert made.last_doubler([4]) == "old"
    longer = bid(Auction(koscian), "1: kontra, 2: rej, 3: bok")
    assert longer.doublings([2]) == ("kontra", "rej", "bok")
    assert longer.last_doubler([2]) == "young"
    farther = bid(longer, "pas, pas, skok, zub")
    assert len(farther.doubles) == 5
    assert farther.doublings([2]) == ("kontra", "rej", "bok")


def test_doublings_that_a_higher_contract_keeps() -> None:
    rules = msgspec.structs.replace(KOP, doubling=msgspec.structs.replace(KOP.doubling, cancelled_by_higher=False))
    made = bid(Auction(rules), "2: kontra, 3: rej, 4: zolo")
    assert (made.contract, made.declarers(), made.multiplier) == ("zolo", (4,), 4)
    assert [name for name in made.legal() if name in CALLS] == []
    assert bid(Auction(rules), "2: kontra, 3: zolo, 4: pas").multiplier == 2


def test_calls_as_people_say_them() -> None:
    baska, wolsztyn = load_rules("baska-z-asem"), load_rules("kop-wolsztyn")
    for text in ("baśka", "Baska", "korona", "baśka (korona)"):
        assert parse_call(text, baska) == "baska"
    assert parse_call("slup", wolsztyn) == parse_call("SŁUP", wolsztyn) == "słup"
    assert parse_call("pytam", KOP) == PASS


def test_a_barred_cicha_must_be_announced() -> None:
    koscian = load_rules("kop-koscian")
    for seat, hand, barred in ((1, "A♥ 10♣ Q♣ Q♠", True), (4, "A♥ 10♠ Q♣ Q♠", True), (1, "A♥ 10♠ Q♣ Q♠", False)):
        before = ", ".join(["pas"] * (seat - 1))
        made = bid(Auction(koscian, {seat: held(hand)}), before)
        assert made.to_speak == seat
        assert (PASS in made.legal()) != barred
        assert {"wesele", "zolo"} <= set(made.legal())
        if barred:
            with pytest.raises(CallError, match=f"Seat {seat} must announce something: with .* bars cicha"):
                made.call(PASS)
    # Once somebody has announced, nothing is silent any more; in Gorzów nothing is barred.
    assert PASS in bid(Auction(koscian, {4: held("A♥ 10♠ Q♣ Q♠")}), "zolo, pas, pas").legal()
    assert PASS in auction("2: pas, 3: pas", s4="A♥ 10♠ Q♣ Q♠").legal()


def test_zolo_outranks_gran() -> None:
    made = bid(Auction(load_rules("baska-z-asem")), "2: gran, 3: zolo")
    assert [name for name in made.legal() if name in made.rules.contracts] == ["gran-du", "zolo-du", "baska"]
    with pytest.raises(CallError, match="no higher than zolo"):
        made.call("gran")
    # A higher contract does away with earlier doublings.
    assert bid(Auction(made.rules), "2: gran, 3: kontra, 4: zolo").multiplier == 1
