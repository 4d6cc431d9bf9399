from __future__ import annotations

import copy
import pickle
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import FIXTURES, ORDERS, RULES

from kopsim import RuleError, load_rules, rule_ids
from kopsim.cards import format_cards
from kopsim.resources import data_path
from kopsim.rules import read_rules, rules_hash
from kopsim.rules.compile import compile_order
from kopsim.rules.load import check_rules, joined
from kopsim.rules.model import AtLeast, EveryTrick

KOP = tomllib.loads(data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8"))


def test_kop_is_the_regulation() -> None:
    rules = load_rules()
    order = rules.orders["ordinary"]
    assert rule_ids()[0] == rules.id == "kop-gorzow-2014"
    assert format_cards(order.trumps) == "A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ J♣ J♠ J♥ J♦ A♦ 10♦"
    assert [format_cards(suit) for suit in order.side_suits] == ["A♣", "A♠"]
    assert sum(order.worth(card) for card in order.cards) == 104
    assert list(rules.contracts) == ["game", "wesele", "cicha", "zolo", "zolo-du", "zolo-du-honour"]
    assert rules.contract("zolo").doubling == ("kontra", "rej")
    assert rules.contract("game").value == {"with-26": 1, "under-26": 2, "no-trick": 4}


def test_baska_is_the_regulation() -> None:
    rules = load_rules("baska-z-asem")
    ordinary, gran = rules.orders["ordinary"], rules.orders["gran"]
    assert format_cards(ordinary.trumps) == "A♥ 10♥ Q♣ Q♠ Q♥ Q♦ J♣ J♠ J♥ J♦ A♦ 10♦"
    assert [format_cards(suit) for suit in ordinary.side_suits] == ["A♣ 10♣", "A♠ 10♠"]
    assert format_cards(gran.trumps) == "J♣ J♠ J♥ J♦"
    assert [format_cards(suit) for suit in gran.side_suits] == [f"A{suit} 10{suit} Q{suit}" for suit in "♣♠♥♦"]
    by_rank = sorted(rules.contracts, key=lambda key: rules.contracts[key].rank)
    assert by_rank == ["game", "wesele", "cicha", "gran", "zolo", "gran-du", "zolo-du", "baska"]
    assert {rules.contract(key).order for key in ("gran", "gran-du")} == {"gran"}
    assert (rules.doubling.calls, rules.doubling.cap) == (("kontra", "rekontra", "bok", "hirsh"), 64)
    assert (rules.doubling.same_side, rules.doubling.bok_round) == ("counts-once", 1)


def test_clubs_are_told_by_what_differs() -> None:
    koscian, wolsztyn, gorzow = load_rules("kop-koscian"), load_rules("kop-wolsztyn"), load_rules()
    assert koscian.contract("game").value == {"with-26": 1, "under-26": 2, "no-trick": 3}
    assert koscian.multipliers("game") == (2, 4, 8, 16, 32)
    assert koscian.multipliers("zolo") == koscian.multipliers("cicha") == (2, 4, 8)
    assert koscian.contract("wesele").first_double_by_declarer
    assert koscian.tournament is not None
    assert (koscian.tournament.rounds, koscian.tournament.table_points) == (5, (5, 3, 1, 0))
    assert wolsztyn.doubling.calls == ("kontra", "rej", "bok", "słup")
    for club in (koscian, wolsztyn):
        assert (club.orders, club.pack, list(club.contracts)) == (gorzow.orders, gorzow.pack, list(gorzow.contracts))
        assert club.doubling.same_side == "counts-once"


def test_a_base_is_joined_table_by_table(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(
        'base = "kop-gorzow-2014"\nid = "club"\n'
        "[contracts]\nzolo-du-honour = false\n"
        '[contracts.zolo]\ngoal = { kind = "every-trick" }\n'
        "[contracts.cicha.goal]\nat_least = 60\n"
        "[contracts.game.value]\nno-trick = 3\n"
        "[contracts.wesele]\nvalue = { made = 2 }\n",
        encoding="utf-8",
    )
    rules, base = load_rules(str(club)), load_rules()
    assert list(rules.contracts) == [key for key in base.contracts if key != "zolo-du-honour"]
    assert rules.contract("zolo").goal == EveryTrick()
    assert rules.contract("cicha").goal == AtLeast(at_least=60)
    assert rules.contract("game").value == {"with-26": 1, "under-26": 2, "no-trick": 3}
    assert rules.contract("wesele").value == {"made": 2}
    assert (rules.orders, rules.name) == (base.orders, base.name)
    # A base of a base, named as seen from the file.
    (tmp_path / "deeper").mkdir()
    guest = tmp_path / "deeper" / "guest.toml"
    guest.write_text('base = "../club.toml"\nid = "guest"\n', encoding="utf-8")
    assert load_rules(str(guest)).contracts == rules.contracts


@pytest.mark.parametrize(
    ("base", "reason"),
    [
        ('"kop-warszawa"', "no rule set “kop-warszawa”"),
        ('"none.toml"', "there is no such file"),
        ('"./club.toml"', "leads back to this file"),
        ("5", "at base: the id or file of a rule set is wanted"),
    ],
)
def test_a_base_that_is_none(base: str, reason: str, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(f'base = {base}\nid = "club"\n', encoding="utf-8")
    with pytest.raises(RuleError, match=reason) as caught:
        load_rules(str(club))
    assert caught.value.text("pl") != str(caught.value)


def test_a_fault_of_a_base_is_told() -> None:
    """What a file changes is checked as if all of it stood there."""
    with pytest.raises(RuleError, match=r"club\.toml: at contracts\.zolo\.doubling\[1\]: the call “hirsh” is not"):
        check_rules(joined(KOP, {"contracts": {"zolo": {"doubling": ["hirsh"]}}}), Path("club.toml"))


def test_a_fault_in_a_base_is_told_as_its_own(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        'base = "kop-gorzow-2014"\nid = "bad"\n[contracts.zolo]\nrank = "x"\n', encoding="utf-8"
    )
    (tmp_path / "club.toml").write_text('base = "bad.toml"\nid = "club"\n', encoding="utf-8")
    with pytest.raises(RuleError, match=r"bad\.toml, line 4, column 8: at contracts\.zolo\.rank"):
        load_rules(str(tmp_path / "club.toml"))


def test_a_new_price_is_that_of_losing_too() -> None:
    """Gorzów says what a lost zolo costs; a club that sets the price does not mean the old one."""
    own = check_rules(joined(KOP, {"contracts": {"zolo": {"value": {"made": 6}}}}), Path("club.toml"))
    assert own.contract("zolo").lost_value is None
    both = check_rules(joined(KOP, {"contracts": {"zolo": {"value": {"made": 6}, "lost_value": 4}}}), Path("club.toml"))
    assert both.contract("zolo").lost_value == 4


def test_the_model_reaches_further_than_kop() -> None:
    assert len(RULES["baska-z-asem"].orders) == 2
    assert len(RULES["belote"].pack.cards) == 32
    assert RULES["kierki"].seats.hand_size == 13
    belote = RULES["belote"].orders["hearts"]
    assert sum(belote.worth(card) for card in belote.cards) + sum(belote.trick_bonus) == 162
    kierki = RULES["kierki"].orders["robber"]
    assert sum(kierki.worth(card) for card in kierki.cards) + sum(kierki.trick_bonus) == -111


@pytest.mark.parametrize(("name", "order"), ORDERS)
def test_compiled_orders_keep_cards_and_points(name: str, order: str) -> None:
    rules = RULES[name]
    compiled = compile_order(rules, order)
    assert set(compiled.cards) == rules.pack.cards
    assert compiled.kernel.cards == len(rules.pack.cards)
    assert compiled.cards_of(compiled.mask(rules.pack.cards)) == list(rules.orders[order].cards)
    tricks = compile_order(rules, order, "tricks")
    assert (tricks.lowest, tricks.highest) == (0, rules.seats.hand_size)


def wrong(place: str, value: object) -> dict[str, Any]:
    """Kop's rule data with one key changed, or removed where the value is None."""
    data = copy.deepcopy(KOP)
    *path, last = place.split("/")
    table = data
    for key in path:
        table = table[key]
    if value is None:
        del table[last]
    else:
        table[last] = value
    return data


@pytest.mark.parametrize(
    ("place", "value", "key", "reason"),
    [
        ("orders/ordinary/trumps", "A♥ Zz", "orders.ordinary.trumps", "“Zz” is not a card"),
        ("orders/ordinary/trumps", "A♥ A♥", "orders.ordinary.trumps", "A♥ appears twice"),
        ("orders/ordinary/trumps", 5, "orders.ordinary.trumps", "a text in quotes is wanted here, not a whole number"),
        ("orders/ordinary/trumps", None, "orders.ordinary", "“trumps” is missing"),
        ("orders/ordinary/side_suits", ["A♣"], "orders.ordinary", "missing: A♠"),
        ("orders/ordinary/side_suits", ["A♣", "A♠ K♠"], "orders.ordinary", "no points are given for K"),
        ("orders/ordinary/side_suits", ["A♣", "A♠ A♥"], "orders.ordinary", "A♥ appears twice"),
        ("orders/ordinary/points/Q", None, "orders.ordinary", "no points are given for Q"),
        ("orders/ordinary/points/Q", "x", "orders.ordinary.points.Q", "a whole number is wanted here, not a text"),
        ("orders/ordinary/trick_bonus", [1], "orders.ordinary.trick_bonus", "1 bonus for 4 tricks"),
        (
            "orders/ordinary/obligations/trump_led",
            ["beet"],
            "obligations.trump_led",
            "did you mean “beat”?",
        ),
        ("orders", {}, "orders", ""),
        ("contracts/zolo/order", "gran", "contracts.zolo.order", "“gran” is not defined"),
        (
            "contracts/zolo/goal/kind",
            "luck",
            "contracts.zolo.goal.kind",
            "“luck” is not known here; known: more-points",
        ),
        (
            "contracts/zolo/goal/at_least",
            "x",
            "contracts.zolo.goal.at_least",
            "a whole number is wanted here, not a text",
        ),
        ("contracts/zolo/doubling", ["hej"], "contracts.zolo.doubling", "“hej” is not defined"),
        ("contracts/zolo/doubling", ["rej"], "contracts.zolo.doubling", "wanted: kontra"),
        ("contracts/zolo/barred", [{"cards": "K♥"}], "contracts.zolo.barred", "K♥ is not in the pack"),
        ("contracts/cicha/barred", [{"cards": "A♥ 10♣ 10♠"}], "contracts.cicha.barred", "no hand of 4 can hold"),
        ("contracts/cicha/cards", "K♥", "contracts.cicha.cards", "K♥ is not in the pack"),
        ("contracts/zolo/colour", "red", "contracts.zolo", "“colour” is not known"),
        ("seats/hand_size", 5, "seats.hand_size", "cannot be dealt"),
        ("seats/speaking", [1, 2, 2, 3], "seats.speaking", "each seat must be named once"),
        ("seats/partners", [3, 4, 1, 1], "seats.partners", "partners two by two"),
        ("doubling/multipliers", [2], "doubling", "4 calls but 1 multiplier"),
        ("orders/ordinary/points/W", 99, "orders.ordinary.points.W", "“W” is not a rank"),
        (
            "orders/ordinary/card_points",
            {"Qs": 13},
            "orders.ordinary.card_points.Qs",
            "“Qs” is not a card of",
        ),
        ("orders/ordinary/trump_points", {"T": 13}, "orders.ordinary.trump_points.T", "“T” is not a rank"),
        ("orders/ordinary/points/Q", 1001, "orders.ordinary.points", "a number from -1000 to 1000 is wanted, not 1001"),
        ("orders/ordinary/trick_bonus", [1000, 1000, 1000, "x"], "orders.ordinary.trick_bonus[4]", "a whole number"),
        ("contracts/game/cards", "", "contracts.game", "need two `cards`, not 0"),
        ("seats/names", [], "seats.names", "4 entries are wanted, not 0"),
        ("id", "My Club", "id", "unlike “My Club”"),
        ("colour", "red", "", "“colour” is not known"),
    ],
)
def test_a_wrong_file_is_refused_with_key_and_reason(place: str, value: object, key: str, reason: str) -> None:
    with pytest.raises(RuleError) as caught:
        check_rules(wrong(place, value), Path("my-club.toml"))
    for sentence in (str(caught.value), caught.value.text("pl")):
        assert sentence.startswith("my-club.toml: ")
        assert key in sentence
        assert sentence.count("\n") == 0
    assert reason in str(caught.value)


def test_files_that_are_no_rule_files(tmp_path: Path) -> None:
    for name, content, reason in (
        ("a.toml", b"id = ", "a.toml, line 1, column 5: at id: a value is not finished"),
        ("b.toml", b"\xff\xfe", "it is saved as UTF-16; save it as UTF-8"),
        ("c.toml", b"", "“id” is missing"),
        ("d.toml", b"a = " + b"[" * 9000, "nested too deeply"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RuleError, match=reason):
            load_rules(str(tmp_path / name))
    with pytest.raises(RuleError, match="there is no such file"):
        load_rules(str(tmp_path / "none.toml"))
    (tmp_path / "dir.toml").mkdir()
    with pytest.raises(RuleError, match="it is a folder"):
        load_rules(str(tmp_path / "dir.toml"))
    with pytest.raises(RuleError, match="known: kop-gorzow-2014"):
        load_rules("kop-warszawa")


def test_worths_beyond_the_kernels_are_refused_in_the_file() -> None:
    data = tomllib.loads((FIXTURES / "bridge.toml").read_text(encoding="utf-8"))
    data["orders"]["spades"]["points"] = dict.fromkeys(data["orders"]["spades"]["points"], 1000)
    with pytest.raises(RuleError, match="add up to more than 30000"):
        check_rules(data, Path("rich.toml"))


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "club.rules"
    path.write_text(data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert load_rules(str(path)) == load_rules()


def test_hash_sees_rules_and_not_layout(tmp_path: Path) -> None:
    source = data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8")
    path = tmp_path / "copy.toml"
    path.write_text("# a remark\n" + source, encoding="utf-8")
    assert rules_hash(read_rules(path)) == rules_hash(load_rules())
    path.write_text(source.replace("at_least = 53", "at_least = 54", 1), encoding="utf-8")
    assert rules_hash(read_rules(path)) != rules_hash(load_rules())


def test_rule_sets_survive_pickling() -> None:
    for path in FIXTURES.glob("*.toml"):
        rules = read_rules(path)
        assert pickle.loads(pickle.dumps(rules)) == rules


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    place=st.sampled_from(
        sorted(_places := [*KOP, *(f"{k}/{n}" for k, v in KOP.items() if isinstance(v, dict) for n in v)])
    ),
    value=values,
)
def test_any_value_anywhere_is_a_rule_set_or_a_clear_error(place: str, value: object) -> None:
    try:
        rules = check_rules(wrong(place, value), Path("fuzz.toml"))
    except RuleError as error:
        assert str(error).startswith("fuzz.toml: ")
        assert error.text("pl").startswith("fuzz.toml: ")
        assert "does not fit" not in str(error)  # every fault has its own words
    else:
        for order in rules.orders:
            compile_order(rules, order)


@pytest.mark.parametrize(
    "name",
    ["zolo-du", "zolo du", "zolodu", "Zolo Du", "ZOLO–DU", "żolo\xa0du", "Żolo-du", "zolo\u200bdu", " zolo  du "],
)
def test_a_contract_by_the_names_that_people_say(name: str) -> None:
    assert load_rules("kop-gorzow-2014").contract_key(name) == "zolo-du"
    assert load_rules("kop-gorzow-2014").order_of(name) == "ordinary"


def test_what_is_no_contract_stays_what_it_is() -> None:
    assert load_rules("kop-gorzow-2014").contract_key("zolo du du") == "zolo du du"
