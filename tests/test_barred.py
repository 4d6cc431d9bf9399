"""A hand that may not play a contract is refused with one sentence, or marked, whoever is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kopsim
from kopsim.best_defence import best_defence, best_defences
from kopsim.bidding import Auction
from kopsim.calling_range import CallingRanges, packaged_ranges, read_ranges, write_ranges
from kopsim.errors import KopsimError
from kopsim.faces import throwdown_text
from kopsim.hand_wins import every_hands_wins, seat_wins
from kopsim.measures import biddable_hands, every_measure, packaged_measures
from kopsim.odds_table import packaged_table
from kopsim.play_out import play_out
from kopsim.reply_bound import reply_bound
from kopsim.rules.model import Barred, Cards, RuleSet
from kopsim.throwdowns.audit import audit
from kopsim.throwdowns.lists import read_list
from kopsim.throwdowns.open_cards import open_only_hands
from kopsim.throwdowns.prover import certain_hands

KOSCIAN = kopsim.load_rules("kop-koscian")
HAND = kopsim.parse_cards("Q♣ Q♠ A♥ 10♥")
REASON = "Seat 4 may not play cicha with A♥, 10♥ in hand: kop-koscian bars it."


def _barring(contract: str, cards: str, seats: tuple[int, ...]) -> RuleSet:
    """Gorzów with one more bar."""
    rules = kopsim.load_rules()
    record = rules.contract(contract)
    bar = Barred(cards=Cards.read(cards), seats=seats)
    contracts = rules.contracts | {contract: msgspec.structs.replace(record, barred=(bar,))}
    return msgspec.structs.replace(rules, contracts=contracts)


@pytest.mark.parametrize(
    "ask",
    [
        lambda asked: kopsim.odds(HAND, **asked),
        lambda asked: kopsim.odds(HAND, samples=5, **asked),
        lambda _asked: kopsim.odds_of_contracts(HAND, seat=4, contracts=["zolo", "cicha"], rules=KOSCIAN),
        lambda asked: kopsim.guaranteed(HAND, **asked),
        lambda asked: kopsim.certify(HAND, **asked),
        lambda asked: play_out(HAND, deals=2, **asked),
        lambda asked: best_defence(HAND, **asked),
        lambda asked: reply_bound(HAND, **asked),
        lambda _asked: best_defences(KOSCIAN, HAND, [4], "cicha"),
        lambda _asked: every_measure(KOSCIAN, HAND, [4], "cicha"),
        lambda _asked: packaged_measures(KOSCIAN, HAND, "cicha", [4]),
    ],
)
def test_the_library_refuses_with_one_sentence(ask: Callable[[Any], Any]) -> None:
    with pytest.raises(KopsimError) as caught:
        ask({"seat": 4, "contract": "cicha", "rules": KOSCIAN})
    assert str(caught.value) == REASON
    assert "nie wolno" in caught.value.text("pl")


def test_where_it_may_play_it_is_answered() -> None:
    assert kopsim.odds(HAND, seat=3, contract="cicha", rules=KOSCIAN).wins == 27349
    assert [each.seat for each in packaged_measures(KOSCIAN, HAND, "cicha")] == [1, 2, 3]
    assert [each.seat for each in every_measure(KOSCIAN, HAND, [3, 4], "cicha")] == [3]


def test_who_may_not_be_silent_may_not_pass() -> None:
    auction = Auction(KOSCIAN, {4: HAND})
    for _ in range(2):
        auction = auction.call("pass")
    assert "pass" in auction.legal()
    with pytest.raises(KopsimError, match="Seat 4 must announce something: with A♥, 10♥"):
        auction.call("pass").call("pass")
    with pytest.raises(KopsimError, match="Seat 4 must announce something"):
        play_out(HAND, seat=4, contract="pass", rules=KOSCIAN, deals=2)


def test_any_contract_may_be_barred() -> None:
    zolo = _barring("zolo", "A♥ 10♣", (1, 2))
    with pytest.raises(KopsimError, match="Seat 2 may not play zolo with A♥, 10♣"):
        kopsim.odds("A♥ 10♣ 10♠ J♦", seat=2, contract="zolo", rules=zolo)
    hand = kopsim.parse_cards("A♥ 10♣ 10♠ J♦")
    assert certain_hands(zolo, "zolo")[hand] == (3, 4)
    assert hand not in open_only_hands(zolo, "zolo", 1, certain_hands(zolo, "zolo"))
    auction = Auction(zolo, {2: hand}).call("pass") if zolo.seats.speaking[0] == 1 else Auction(zolo, {2: hand})
    with pytest.raises(KopsimError, match="Seat 2 may not play zolo"):
        auction.call("zolo")
    wesele = _barring("wesele", "J♦", (3,))
    with pytest.raises(KopsimError, match="Seat 3 may not play wesele with J♦"):
        kopsim.pair_odds("Q♣ Q♠ J♦ J♥", seat=3, contract="wesele", rules=wesele)
    nobody = _barring("zolo-du", "", (1,))
    with pytest.raises(KopsimError, match="Seat 1 may not play zolo-du: "):
        kopsim.odds("A♥ 10♣ 10♠ 10♥", seat=1, contract="zolo-du", rules=nobody)


def test_a_card_left_open_must_be_named_if_it_may_bar() -> None:
    with pytest.raises(KopsimError, match="name all cards"):
        kopsim.odds("Q♣ Q♠ A♥ x", seat=4, contract="cicha", rules=KOSCIAN)
    assert kopsim.odds("Q♣ Q♠ 10♥ x", seat=4, contract="zolo", rules=KOSCIAN).wins


def test_tables_leave_out_who_may_not_play() -> None:
    table = packaged_table(KOSCIAN, "ordinary")
    assert table is not None
    rows = {frozenset(row.hand): row for row in every_hands_wins(table, KOSCIAN, "cicha")}
    assert [wins is None for wins in rows[frozenset(HAND)].wins] == [False, False, False, True]
    assert rows[frozenset(kopsim.parse_cards("Q♣ Q♠ A♥ 10♣"))].wins == (None,) * 4
    assert [each.hands for each in seat_wins(table, KOSCIAN, "cicha")] == [90, 90, 90, 88]
    about = {frozenset(each.hand) for each in biddable_hands(KOSCIAN, "cicha")}
    assert frozenset(kopsim.parse_cards("Q♣ Q♠ A♥ 10♣")) not in about


def test_lists_ranges_and_certificates_name_no_hand_that_may_not_play(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    head = 'rules = "kop-koscian"\nname = {{ pl = "x", en = "x" }}\n'
    text = head + '[[lines]]\ncontract = "cicha"\ncards = "{}"\nseats = [4]\n'
    path.write_text(text.format("Q♣ Q♠ A♥ x"), encoding="utf-8")
    claimed = {hand for hand, _ in read_list(path, KOSCIAN).lines[0].claims(KOSCIAN)}
    assert len(claimed) == 13 - 3
    # A line of barred hands alone is about why they are barred, and is judged and marked.
    path.write_text(text.format("Q♣ Q♠ A♥ 10♥"), encoding="utf-8")
    found = audit(read_list(path, KOSCIAN), KOSCIAN)
    assert [(each.barred, each.hands[0].wins) for each in found.lines] == [(True, 34650)]
    assert "judged is whether they would win" in " ".join(map(str, throwdown_text.audit(found, "en")))
    assert HAND not in found.certain["cicha"] or 4 not in found.certain["cicha"][HAND]
    zolo = _barring("zolo", "A♥ 10♣", (1,))
    ranges = packaged_ranges(kopsim.load_rules())
    assert ranges is not None
    write_ranges(CallingRanges(zolo, ranges.callers), tmp_path / "ranges.toml")
    with pytest.raises(KopsimError, match="Seat 1 may not play zolo"):
        read_ranges(tmp_path / "ranges.toml", zolo)
    proof = kopsim.certify("A♥ 10♣ 10♠ J♦", seat=3, contract="zolo", rules=zolo)
    kopsim.check_certificate(proof, zolo)
    with pytest.raises(KopsimError, match="none that may play"):
        kopsim.check_certificate(msgspec.structs.replace(proof, seat=1), zolo)


@pytest.mark.parametrize(
    "args",
    [
        ["odds", "QcQsAhTh", "--seat", "4", "--contract", "cicha"],
        ["odds", "QcQsAhTh", "--seat", "4", "--contract", "cicha", "--model", "all"],
        ["odds", "QcQsAhTh", "--seat", "4", "--contract", "cicha", "--model", "best-defence"],
        ["odds", "QcQsAhTh", "--seat", "4", "--contract", "cicha", "--model", "play-out"],
        ["odds", "QcQsAhTh", "--seat", "4", "--contract", "cicha", "--model", "reply-bound"],
        ["play-out", "QcQsAhTh", "--seat", "4", "--contract", "cicha"],
        ["play-out", "QcQsAhTh", "--seat", "4", "--contract", "cicha", "--show"],
        ["table", "show", "QcQsAhTh", "--seat", "4", "--contract", "cicha"],
        ["throwdowns", "certify", "QcQsAhTh", "--seat", "4", "--contract", "cicha"],
        ["chart", "points", "QcQsAhTh", "--seat", "4", "--contract", "cicha", "--out", "never.svg"],
    ],
)
def test_commands_refuse_a_contract_asked_for_by_name(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from kopsim.faces.cli import main

    with pytest.raises(SystemExit) as left:
        main([*args, "--rules", "kop-koscian", "--lang", "en"])
    assert left.value.code == 2
    assert capsys.readouterr().err.strip().replace("\n", " ") == REASON


@pytest.mark.parametrize("model", ["double-dummy", "best-defence", "play-out", "all"])
def test_commands_mark_it_where_all_contracts_are_listed(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    from kopsim.faces.cli import main

    args = ["odds", "QcQsAhTh", "--seat", "4", "--model", model, "--rules", "kop-koscian"]
    with pytest.raises(SystemExit):
        main([*args, "--lang", "en"])
    shown = capsys.readouterr().out
    assert "may not" in shown
    assert REASON in " ".join(shown.split())
    with pytest.raises(SystemExit):
        main([*args, "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["barred"] == [{"seat": 4, "contract": "cicha"}]
    assert {each["contract"] for each in data["results"]} == {"zolo", "zolo-du"}


def test_table_commands_mark_it(capsys: pytest.CaptureFixture[str]) -> None:
    from kopsim.faces.cli import main

    def said(*args: str) -> str:
        with pytest.raises(SystemExit):
            main([*args, "--rules", "kop-koscian", "--lang", "en"])
        return capsys.readouterr().out

    top = said("table", "top", "--contract", "cicha", "--seat", "4", "-n", "3")
    assert "A♥ 10♥" not in top
    assert "Left out, since they may not play it there (seat 4): 3." in top
    rows = dict(line.split(",", 1) for line in said("table", "export", "--contract", "cicha", "--csv").splitlines())
    assert rows["A♥10♥Q♣Q♠"] == "23481,21389,27349,"
    exported = json.loads(said("table", "export", "--contract", "cicha", "--json"))
    assert any(each["wins"][3] is None for each in exported["hands"])
    assert "may not" in said("table", "export", "--contract", "cicha")
    assert REASON in " ".join(said("table", "show", "QcQsAhTh").split())
