"""Rule sets compared by what they do to hands: the same figures as asked for one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Answer

from kopsim import DealError, KopsimError, QueryError, load_rules, odds, parse_cards, rule_ids
from kopsim.advice import advise
from kopsim.hand_odds import lone_contracts
from kopsim.rule_comparison import compare_hand
from kopsim.rules.model import SEATS, AtLeast
from kopsim.throwdowns.comparison import ComparedThrowdowns, compare_throwdowns
from kopsim.throwdowns.prover import guaranteed

Run = Callable[..., Answer]
KOP, BASKA = load_rules(), load_rules("baska-z-asem")
HANDS = ("A♥ 10♥ Q♣ Q♠", "J♣ J♠ A♥ 10♦", "A♥ 10♣ 10♥ Q♠", "10♠ A♠ Q♦ J♥")


@pytest.mark.parametrize("name", rule_ids())
def test_advice_is_by_its_own_figures_and_those_are_the_odds(name: str) -> None:
    """For every rule set: the best is recommended, and lone contracts win and pay what their odds say."""
    rules = load_rules(name)
    for number, hand in enumerate(HANDS):
        seat = SEATS[number]
        found = advise(hand, seat=seat, rules=rules)
        best = found.earned(found.recommended).value
        assert found.reason == "close" or all(best >= found.earned(each).value for each in found.values)
        told = {each.call: each for each in found.values}
        for key in lone_contracts(rules, parse_cards(hand)):
            contract = rules.contract(key)
            if not contract.allows(frozenset(parse_cards(hand)), seat):
                assert key not in told
                continue
            alone = odds(hand, seat=seat, contract=key, rules=rules)
            assert (told[key].wins, told[key].layouts) == (alone.wins, alone.layouts)
            paid, lost = 3 * contract.value["made"], 3 * (contract.lost_value or contract.value["made"])
            assert told[key].mean * alone.layouts == paid * alone.wins - lost * (alone.layouts - alone.wins)
            assert told[key].guaranteed == guaranteed(hand, seat=seat, contract=key, rules=rules)
            if isinstance(contract.goal, AtLeast):
                assert not told[key].guaranteed or alone.wins == alone.layouts


def test_a_hand_under_two_rule_sets() -> None:
    compared = compare_hand("A♥ 10♥ Q♣ Q♥", (KOP, BASKA))
    assert [each.seat for each in compared] == sorted(each.seat for each in compared)
    for each in compared:
        kop, baska = each.values
        assert (kop is None) == (each.call in ("gran", "gran-du"))
        assert baska is not None
        assert each.differs
        if kop is not None and each.call == "zolo":
            assert kop.wins == odds("A♥ 10♥ Q♣ Q♥", seat=each.seat, contract="zolo").wins
    assert not any(each.differs for each in compare_hand("A♥ 10♥ Q♣ Q♥", (KOP, load_rules("kop-wolsztyn"))))
    with pytest.raises(DealError):
        compare_hand("A♥ 10♥ Q♣ Q♥", (KOP, BASKA), seats=[5])
    with pytest.raises(KopsimError, match="A♥ appears twice"):
        compare_hand([*parse_cards("A♥ 10♥ Q♣"), *parse_cards("A♥")], (KOP, BASKA))


def test_throwdowns_under_two_rule_sets() -> None:
    (zolo,) = compare_throwdowns(KOP, BASKA, "zolo")
    assert zolo.first is not None
    assert zolo.second is not None
    both = {frozenset(hand): seats for hand, seats in zolo.second.items()}
    for hand, (first, second) in zolo.differing.items():
        assert first != second
        assert zolo.first.get(hand, ()) == first
        assert both.get(frozenset(hand), ()) == second
    same = [hand for hand, seats in zolo.first.items() if both.get(frozenset(hand)) == seats]
    assert zolo.alike == len(same) > 0
    assert len({frozenset(hand) for hand in (*zolo.first, *zolo.second)}) == zolo.alike + len(zolo.differing)
    # Hands are the same whatever the order in which their cards are written.
    turned = {hand[::-1]: seats for hand, seats in zolo.first.items()}
    assert ComparedThrowdowns("zolo", zolo.first, turned).differing == {}
    with pytest.raises(QueryError, match="has no contract “szlem”"):
        compare_throwdowns(KOP, BASKA, "szlem")


def test_on_the_command_line(run: Run, tmp_path: Path) -> None:
    line = ["compare", HANDS[0], "--rules", "kop-gorzow-2014", "--rules", "kop-koscian", "--seat", "1"]
    data = run(*line, "--json").data
    assert data["rules"] == ["kop-gorzow-2014", "kop-koscian"]
    assert {each["call"] for each in data["results"]} == {"cicha", "wesele", "zolo", "zolo-du"}
    (wesele,) = (each for each in data["results"] if each["call"] == "wesele")
    assert wesele["differs"]
    assert wesele["values"][0]["mean"] > wesele["values"][1]["mean"]
    shown = run(*line, "--lang", "pl").out.replace("\N{NO-BREAK SPACE}", " ")
    assert "≠" in shown
    assert "Kop, Kościan" in shown
    club = tmp_path / "club.toml"
    club.write_text('base = "kop-gorzow-2014"\nid = "club"\n[contracts]\nzolo-du = false\n', encoding="utf-8")
    told = run("throwdowns", "compare", "kop-gorzow-2014", str(club), "--json").data["contracts"]
    assert {each["contract"]: each["hands"] for each in told} == {
        "cicha": [3, 3],
        "zolo": [36, 36],
        "zolo-du": [2, None],
    }
    assert "zolo-du" in run("throwdowns", "compare", "kop-gorzow-2014", str(club)).out
    for bad in (
        line[:4],
        [*line[:4], *line[2:4]],
        [*line[:5], "kop-warszawa"],
        ["compare", "A♥ 10♥", *line[2:]],
        ["throwdowns", "compare", "kop-gorzow-2014"],
        ["throwdowns", "compare", "kop-gorzow-2014", "kop-koscian", "--contract", "game"],
    ):
        answer = run(*bad)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), bad
