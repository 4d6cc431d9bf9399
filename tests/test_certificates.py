"""Certificates: each is checked by playing it out, and a spoilt one is refused."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from positions import PACKS_OF_16, RULES
from test_throwdowns import small_order

from kopsim import CertificateError, QueryError, TableError, certify, check_certificate, load_rules, parse_cards
from kopsim.deals import every_hand
from kopsim.play import Position
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.assume import assuming
from kopsim.rules.model import SEATS, AtLeast
from kopsim.throwdowns.certificates import (
    Certificate,
    Choices,
    InOrder,
    Layout,
    Look,
    Lost,
    Play,
    Plays,
    encode,
    read_certificate,
    write_certificate,
)
from kopsim.throwdowns.counterexamples import counterexamples
from kopsim.throwdowns.prover import Prover, throwable_contracts

KOP = load_rules()


def small_pack(name: str, key: str) -> RuleSet:
    """A rule set with one of its orders and a smaller pack, so that every certificate is soon checked.

    A hand has three cards: the jacks are left out or, where they are all the trumps, the
    tens.  Half the points that are left do not do.
    """
    replace, rules = msgspec.structs.replace, RULES[name]
    order = rules.orders[key]
    lacking = "10" if {card.rank for card in order.trumps} == {"J"} else "J"
    pack = replace(rules.pack, ranks=tuple(rank for rank in rules.pack.ranks if rank != lacking))
    small = replace(small_order(order, set(pack.cards)), trick_bonus=(0,) * len(pack.ranks))
    goal = AtLeast(sum(map(small.worth, small.cards)) // 2 + 1)
    contracts = {
        name: replace(contract, goal=goal) if isinstance(contract.goal, AtLeast) else contract
        for name, contract in rules.contracts.items()
        if contract.order == key and set(contract.cards) <= pack.cards
    }
    seats = replace(rules.seats, hand_size=len(pack.ranks))
    return replace(rules, id="small", pack=pack, seats=seats, orders={key: small}, contracts=contracts)


SMALL = small_pack("kop-gorzow-2014", "ordinary")


@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
@pytest.mark.parametrize("assume", [{}, {"must_beat": False}, {"must_trump": False}], ids=str)
def test_every_certificate_of_a_small_pack_holds(name: str, key: str, assume: dict[str, bool]) -> None:
    """Refuted ones, and a quarter of the guaranteed ones, whose plans are followed through everything."""
    small = small_pack(name, key)
    proofs = [
        certify(hand, seat=seat, contract=contract, rules=small, assume=assume)
        for hand in every_hand(small)[::18]
        for seat in SEATS
        for contract in throwable_contracts(small)
        if set(small.contract(contract).cards) <= set(hand)
    ]
    kinds = {(proof.verdict, proof.double_dummy_wins == proof.layouts) for proof in proofs}
    assert {("guaranteed", True), ("refuted", False)} <= kinds
    assert ("guaranteed", False) not in kinds
    won, lost = ([proof for proof in proofs if proof.verdict == told] for told in ("guaranteed", "refuted"))
    for proof in (*won[::4], *lost):
        check_certificate(proof, small)


@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_a_plan_that_looks(name: str, key: str) -> None:
    """Where nobody must overtake, no one order of cards will do for this hand."""
    small, readings = small_pack(name, key), {"must_beat": False}
    hand, contract = looking_hand(small, readings)
    proof = certify(hand, seat=4, contract=contract, rules=small, assume=readings)
    assert {InOrder, Look, Play} >= {type(step) for step in proof.plan} > {InOrder}
    check_certificate(proof, small)
    # The looks matter: whichever step is followed instead, some deal beats it.
    place, look = next((place, step) for place, step in enumerate(proof.plan) if isinstance(step, Look))
    blind = msgspec.structs.replace(look, cases=())
    with pytest.raises(CertificateError, match="in the deal"):
        check_certificate(msgspec.structs.replace(proof, plan=with_step(proof, place, blind)), small)


def looking_hand(small: RuleSet, readings: dict[str, bool]) -> tuple[tuple, str]:
    """A hand at seat 4 that wins a contract for certain, but not in any one order of its cards."""
    for contract in throwable_contracts(small):
        prover = Prover(assuming(small, readings), contract)
        for hand in every_hand(small, small.contract(contract).cards):
            start = prover.start(hand, 4)
            if prover.wins(start) and not any(prover.wins(start, order) for order in orders(start.own())):
                return hand, contract
    raise AssertionError("no hand needs to look")


def orders(own: list[int]) -> list[tuple[int, ...]]:
    return list(permutations(own))


def with_step(proof: Certificate, place: int, step: object) -> tuple:
    return (*proof.plan[:place], step, *proof.plan[place + 1 :])


@pytest.mark.parametrize(
    ("name", "hand", "seat", "contract", "open_wins"),
    [
        ("kop-gorzow-2014", "A♥ 10♠ Q♠ Q♥", 4, "zolo", 33114),
        ("kop-gorzow-2014", "A♥ 10♥ Q♣ Q♥", 4, "zolo", 34650),
        ("kop-gorzow-2014", "10♣ 10♠ 10♥ Q♠", 1, "zolo", 34650),
        ("kop-gorzow-2014", "A♥ 10♣ 10♠ Q♠", 4, "zolo-du", 7226),
        ("kop-gorzow-2014", "A♦ 10♦ A♣ A♠", 2, "zolo", 0),
        ("kop-gorzow-2014", "A♥ 10♣ Q♣ J♠", 1, "cicha", None),
        ("baska-z-asem", "A♥ 10♥ Q♠ 10♦", 1, "zolo", 34605),
        ("baska-z-asem", "10♥ Q♣ Q♠ J♣", 4, "zolo", 34650),
        ("baska-z-asem", "A♥ Q♣ Q♠ Q♥", 1, "zolo-du", 840),
        ("baska-z-asem", "A♥ Q♣ Q♠ Q♦", 1, "cicha", 34650),
        ("baska-z-asem", "Q♦ J♣ J♦ A♣", 1, "gran", 31080),
        ("baska-z-asem", "10♥ J♣ J♥ J♦", 4, "gran", 34650),
        ("baska-z-asem", "A♥ J♣ J♥ A♠", 2, "gran-du", 7480),
    ],
)
def test_refutations(name: str, hand: str, seat: int, contract: str, open_wins: int | None) -> None:
    rules = RULES[name]
    if open_wins is None:
        with pytest.raises(QueryError, match="cicha needs"):
            certify(hand, seat=seat, contract=contract, rules=rules)
        return
    proof = certify(hand, seat=seat, contract=contract, rules=rules)
    assert (proof.verdict, proof.double_dummy_wins) == ("refuted", open_wins)
    check_certificate(proof, rules)
    shown = counterexamples(proof, rules)
    # A deal that beats all play; or, for a hand that would have to see, a deal for each choice.
    if open_wins < 34650:
        assert [example.hidden for example in shown] == [0]
    else:
        assert len(shown) > 1
        for example in shown:
            # The last card before the hands are opened is his own, and he cannot tell the deals apart before it.
            position = example.start
            for card in example.line[: example.hidden - 1]:
                position = position.play(card)
            assert position.to_play == seat
    for example in shown:
        others = [other for other in SEATS if other != seat]
        end = example.end
        if isinstance(rules.contract(contract).goal, AtLeast):
            assert end.points(others) > 51
        else:
            assert sum(end.tricks[other - 1] for other in others)
        assert example.start.hands[seat - 1] == set(parse_cards(hand))


def test_one_plan_of_kop(tmp_path: Path) -> None:
    proof = certify("A♥ 10♣ 10♠ 10♥", seat=1, contract="zolo-du")
    assert proof.plan == (InOrder(("A♥", "10♣", "10♠", "10♥")),)
    write_certificate(proof, tmp_path / "proof.json")
    assert read_certificate(tmp_path / "proof.json") == proof
    check_certificate(read_certificate(tmp_path / "proof.json"), KOP)
    weak = msgspec.structs.replace(proof, hand=("A♥", "10♣", "10♠", "Q♠"), plan=(InOrder(("A♥", "10♣", "10♠", "Q♠")),))
    with pytest.raises(
        CertificateError, match=r"The plan loses in the deal A♥ 10♣ 10♠ Q♠ \|.*; played until then: A♥, "
    ):
        check_certificate(weak, KOP)


@pytest.mark.parametrize(("name", "key"), PACKS_OF_16)
def test_the_checker_agrees_with_the_search_about_any_order_of_cards(name: str, key: str) -> None:
    """The two share no code: an order of a hand's cards is a plan for the one if and only if it wins for the other."""
    small = small_pack(name, key)
    contract = next(each for each in throwable_contracts(small) if not small.contract(each).cards)
    prover, told = Prover(small, contract), set()
    for hand in every_hand(small, (), contract)[:40:9]:
        for seat in (1, 3):
            start = prover.start(hand, seat)
            proof = msgspec.structs.replace(
                certify(hand, seat=seat, contract=contract, rules=small), verdict="guaranteed", refutation=None
            )
            for order in orders(start.own())[::2]:
                plan = (InOrder(tuple(str(prover.compiled.cards[bit]) for bit in order)),)
                try:
                    check_certificate(msgspec.structs.replace(proof, plan=plan), small)
                    holds = True
                except CertificateError:
                    holds = False
                assert holds == prover.wins(start, order), (hand, seat, order)
                told.add(holds)
    assert told == {True, False}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_tricks_alike_in_the_card_led_and_the_best_are_alike_to_the_referee(rules: RuleSet) -> None:
    """What the checker takes for granted about a trick in progress, in every order and for any next hand."""
    rng, pack = random.Random(5), sorted(rules.pack.cards)
    for order in rules.orders.values():
        seen: dict[tuple, list[tuple]] = {}
        for _ in range(2000):
            cards = tuple(rng.sample(pack, rng.choice((2, 3))))
            position = Position(rules, order, (frozenset(),) * 4, 1, cards)
            seen.setdefault((len(cards), cards[0], position.best_so_far()), []).append(cards)
        for alike in seen.values():
            hand = frozenset(rng.sample(pack, 5))
            told = set()
            for cards in alike:
                position = Position(rules, order, (hand,) * 4, 1, cards)
                told.add((tuple(position.legal_cards()), *(tuple(position.beats(c, alike[0][0]) for c in hand),)))
            assert len(told) == 1


def test_the_checker_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    hand = next(hand for hand in every_hand(SMALL) if Prover(SMALL, "zolo").guaranteed(hand, 1))
    proof = certify(hand, seat=1, contract="zolo", rules=SMALL)
    check_certificate(proof, SMALL, progress=lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == [*range(1, told[-1][1] + 1)]


def small_refutation() -> Certificate:
    proof = certify("10♣ Q♦ A♦", seat=2, contract="zolo", rules=SMALL)
    assert isinstance(proof.refutation, Layout)
    return proof


def test_spoilt_plans_are_refused() -> None:
    hand = next(hand for hand in every_hand(SMALL) if Prover(SMALL, "zolo").guaranteed(hand, 1))
    proof = certify(hand, seat=1, contract="zolo", rules=SMALL)
    (order,) = proof.plan
    assert isinstance(order, InOrder)
    replace = msgspec.structs.replace
    for changes, match in (
        ({"plan": (InOrder(order.cards[:1]),)}, "names no card"),
        ({"plan": ()}, "names step 1"),
        ({"plan": (Play(order.cards[0], 7),)}, "names step 8"),
        ({"plan": (InOrder(("A♥♥",)),)}, "does not hold"),
        ({"goal": 50}, "goal, 50"),
        ({"hand": (*proof.hand[:-1], "J♣")}, "hand is none"),
        ({"hand": proof.hand[:-1]}, "hand is none"),
        ({"hand": (*proof.hand, proof.hand[0])}, "hand is none"),
        ({"contract": "wesele"}, "hand is none"),
        ({"verdict": "refuted"}, "holds no refutation"),
    ):
        with pytest.raises(CertificateError, match=match):
            check_certificate(replace(proof, **changes), SMALL)
    for other in (KOP, msgspec.structs.replace(SMALL, id="other")):
        with pytest.raises(QueryError, match="does not say what"):
            check_certificate(proof, other)


def test_rules_whose_tricks_can_cost_points_have_no_certificates() -> None:
    """What was won before the end could be lost again, and of large packs not every hand can be listed."""
    order = msgspec.structs.replace(KOP.orders["ordinary"], trick_bonus=(10, -10, -20, 30))
    costly = msgspec.structs.replace(KOP, orders={"ordinary": order})
    proof = msgspec.structs.replace(
        certify("A♥ 10♣ 10♠ 10♥", seat=1, contract="zolo-du"), rules_hash=rules_hash(costly), rules=costly.id
    )
    with pytest.raises(CertificateError, match="without negative worths"):
        check_certificate(proof, costly)
    belote = RULES["belote"]
    big = msgspec.structs.replace(proof, rules=belote.id, rules_hash=rules_hash(belote), contract="capot")
    with pytest.raises(CertificateError, match="packs of up to 16 cards"):
        check_certificate(big, belote)


def test_spoilt_refutations_are_refused() -> None:
    proof = small_refutation()
    layout = proof.refutation
    assert isinstance(layout, Layout)
    replace = msgspec.structs.replace
    swapped = replace(layout, hands=(layout.hands[1], layout.hands[0], *layout.hands[2:]))
    for tree, match in (
        (Lost(), "without laying open"),
        (Choices({}), "without laying open"),
        (replace(layout, then=Lost()), "can still be reached"),
        (replace(layout, then=Choices({})), "leaves out a card"),
        (swapped, "does not hold"),
        (replace(layout, hands=layout.hands[:3]), "does not hold: "),
        (Plays(1, "A♥", layout), "seat 1 plays|does not hold|leaves out"),
    ):
        with pytest.raises(CertificateError, match=match):
            check_certificate(replace(proof, refutation=tree), SMALL)
    # A branch for each card the soloist may play is needed: cut them one by one, wherever there are two.
    cut = 0
    for tree in shortened(layout.then):
        cut += 1
        with pytest.raises(CertificateError, match="leaves out"):
            check_certificate(replace(proof, refutation=replace(layout, then=tree)), SMALL)
    assert cut


def shortened(tree: object) -> list:
    """Every tree that lacks one of the soloist's branches."""
    if isinstance(tree, Plays):
        return [Plays(tree.seat, tree.card, then) for then in shortened(tree.then)]
    if isinstance(tree, Choices):
        less = [Choices({k: v for k, v in tree.cards.items() if k != name}) for name in tree.cards]
        return less + [
            Choices({**tree.cards, name: then}) for name, old in tree.cards.items() for then in shortened(old)
        ]
    return []


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "not a kopsim certificate"),
        (b"{}", "not a kopsim certificate"),
        (b'{"format": "kopsim-certificate", "version": 2}', "version 2; this kopsim reads version 1"),
        (b'{"format": "kopsim-certificate", "version": 1}', "10 faults"),
        (b"[" * 100000, "not a kopsim certificate"),
        (b"\xff\xfe", "saved as UTF-16"),
    ],
)
def test_files_that_are_no_certificates(content: bytes, match: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(CertificateError, match=match):
        read_certificate(path)


def test_damaged_files_never_crash(tmp_path: Path) -> None:
    """Bytes dropped or changed anywhere: refused in form, or as no proof, or harmless; nothing else."""
    whole, path = encode(small_refutation()), tmp_path / "cut.json"
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        for changed in (whole[:at], whole[:at] + b"7" + whole[at + 1 :]):
            path.write_bytes(changed)
            try:
                check_certificate(read_certificate(path), SMALL)
            except (CertificateError, QueryError) as error:
                assert str(error)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(TableError, match="cannot be written"):
        write_certificate(small_refutation(), tmp_path / "folder")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_the_checker_knows_no_search() -> None:
    """Nothing that searches is even loaded."""
    code = (
        "import sys, kopsim.throwdowns.check\n"
        "print([name for name in sys.modules if name in ('kopsim._knowledge', 'kopsim._search', 'kopsim._tablebase',"
        " 'kopsim.throwdowns.prover', 'kopsim.throwdowns.plans', 'kopsim.throwdowns.refutations')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# --- the full table


# To follow a plan through a whole pack takes seconds: of Kop all are followed, of other orders one in so many.
SOME = 10
LONE = [
    (name, contract)
    for name, key in PACKS_OF_16
    for contract in throwable_contracts(RULES[name])
    if RULES[name].contract(contract).order == key
]
PARTS = [
    *((KOP.id, "zolo", part, 4) for part in range(4)),
    *((KOP.id, contract, 0, 1) for contract in ("zolo-du", "cicha")),
    *((name, contract, 0, SOME) for name, contract in LONE if name != KOP.id),
]


def certain(rules: RuleSet, contract: str, seat: int) -> list[tuple]:
    prover = Prover(rules, contract)
    hands = every_hand(rules, rules.contract(contract).cards)
    return [hand for hand in hands if prover.guaranteed(hand, seat)]


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("name", "contract", "part", "parts"), PARTS)
def test_every_plan_holds(name: str, contract: str, part: int, parts: int, seat: int) -> None:
    rules = RULES[name]
    for hand in certain(rules, contract, seat)[part::parts]:
        check_certificate(certify(hand, seat=seat, contract=contract, rules=rules), rules)


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("name", "contract"), LONE)
def test_every_refutation_holds(name: str, contract: str, seat: int) -> None:
    rules = RULES[name]
    won = set(certain(rules, contract, seat))
    hands = [hand for hand in every_hand(rules, rules.contract(contract).cards) if hand not in won]
    for hand in hands if rules == KOP else hands[::SOME]:
        check_certificate(certify(hand, seat=seat, contract=contract, rules=rules), rules)


@pytest.mark.slow
def test_a_plan_that_looks_at_a_whole_pack() -> None:
    """The only hand of zolo in Baśka that no one order of its cards wins."""
    rules = RULES["baska-z-asem"]
    proof = certify("A♥ 10♥ Q♠ A♦", seat=1, contract="zolo", rules=rules)
    assert {type(step) for step in proof.plan} == {InOrder, Look, Play}
    check_certificate(proof, rules)
