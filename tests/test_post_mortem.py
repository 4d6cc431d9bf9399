"""Played deals: read, replayed, judged card by card, and paid."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import reference
from conftest import Answer
from positions import RULES, RULES_OF_16, random_deal

from kopsim import Position, QueryError
from kopsim.deal_analysis import post_mortem
from kopsim.played_deal import parse_played
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS
from kopsim.scoring import score

Run = Callable[..., Answer]
DEAL = "deal: J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥\n"
ZOLO = DEAL + "calls: 2: pas, 3: pas, 4: zolo,\n 1: kontra, pas, pas, pas  # nobody more\n"
PLAY = "play: J♠ J♣ 10♦ Q♥\n 10♠ 10♣ J♦ A♦\n Q♦ 10♥ A♠ A♥\n Q♠ Q♣ J♥ A♣\n"


def judged(text: str):
    return post_mortem(parse_played(text, "deal.txt"))


def random_record(rules: RuleSet, rng: random.Random, calls: str, contract: str = "game") -> tuple[str, list[Position]]:
    """A random deal played at random, as text, and its positions."""
    deal = random_deal(rules, 4, rng)
    position, lines, positions = Position.start(deal, contract=contract), [], []
    while not position.is_over:
        card = rng.choice(position.legal_cards())
        positions.append(position)
        lines.append(str(card))
        position = position.play(card)
    text = f"zasady: {rules.id}\nrozdanie: {deal}\nlicytacja: {calls}\nrozgrywka: {' '.join(lines)}\n"
    return text, [*positions, position]


def auctions(rules: RuleSet) -> list[tuple[str, str, list[str]]]:
    """Calls, what is then played, and the doublings: everybody passes, or one contract that any hand may announce."""
    kontra, again = rules.doubling.calls[:2]
    found = [("", "game", [])]
    for number, (key, contract) in enumerate(rules.contracts.items()):
        if contract.announced == "first-turn" and not contract.cards:
            doubled = number % 2
            told = f", {kontra}, pas, pas, {again}, pas, pas, pas" if doubled else ", pas, pas, pas"
            found.append((f"pas, {key}{told}", key, [kontra, again] if doubled else []))
    return found


@pytest.mark.parametrize("name", RULES_OF_16)
def test_every_card_against_the_reference(name: str) -> None:
    """Values before and after the last cards of random deals are plain minimax; costs add up to what was lost."""
    rng, rules = random.Random(4), RULES[name]
    for calls, contract, doubling in auctions(rules):
        for _ in range(3):
            text, positions = random_record(rules, rng, calls, contract)
            result = judged(text)
            assert result.contract in ({contract} if calls else {"game", "cicha"})
            for each, position in list(zip(result.cards, positions, strict=False))[6:]:
                assert each.before == reference.value(position, result.side)
                assert each.after == reference.value(position.play(each.card), result.side)
            own = sum(each.cost for each in result.cards if each.seat in result.side)
            theirs = sum(each.cost for each in result.cards if each.seat not in result.side)
            points = positions[-1].points(result.side)
            assert points == result.cards[0].before - own + theirs
            assert all(each.cost >= 0 and each.payment >= 0 for each in result.cards)
            assert all((each.card in each.best) == (each.cost == 0) for each in result.cards)
            tricks = sum(positions[-1].tricks[seat - 1] for seat in result.side)
            assert [call.name for call in result.played.auction.doubles] == doubling
            paid = score(result.contract, result.side, points=points, tricks=tricks, doubling=doubling, rules=rules)
            assert result.score == paid
            assert not sum(paid.payments)


def test_a_zolo_that_was_played_well() -> None:
    result = judged(ZOLO + PLAY)
    assert (result.contract, result.side, result.doubling, result.last_call) == ("zolo", (4,), ("kontra",), "young")
    assert [each.cost for each in result.cards] == [0] * 16
    assert result.score.payments == (10, 10, 10, -30)


@pytest.mark.parametrize("name", RULES_OF_16)
def test_what_the_contract_turns_out_to_be(name: str) -> None:
    """Everybody passes: a game of the holders of the old queens, or a cicha of who holds both."""
    rng, seen = random.Random(1), set()
    for _ in range(12):
        text, positions = random_record(RULES[name], rng, "")
        holders = tuple(seat for seat in SEATS if {"Q♣", "Q♠"} & set(map(str, positions[0].hands[seat - 1])))
        result = judged(text)
        assert (result.contract, result.side) == ("cicha" if len(holders) == 1 else "game", holders)
        seen.add(result.contract)
    assert seen == {"game", "cicha"}


@pytest.mark.parametrize("name", RULES_OF_16)
def test_a_doubled_tie(name: str) -> None:
    """In Kop it goes by the last call, in Baśka the old have lost it whoever doubled."""
    rng, seen, rules = random.Random(0), set(), RULES[name]
    for _ in range(3000):
        text, positions = random_record(rules, rng, "")
        result = positions[-1]
        old = [seat for seat, hand in zip(SEATS, positions[0].hands, strict=True) if {"Q♣", "Q♠"} & set(map(str, hand))]
        if len(old) == 2 and result.points(old) == 52:
            caller = rules.seats.speaking[0]
            text = text.replace("licytacja: ", f"licytacja: {caller}: kontra, pas, pas, pas")
            paid = judged(text).score
            assert paid.won == (caller not in old and name != "baska-z-asem")
            seen.add(caller in old)
            if len(seen) == 2:
                return
    raise AssertionError(f"ties seen: {seen}")


def test_a_misplay_ends_the_deal() -> None:
    """Seat 4 holds cards that beat the ten of hearts and plays another."""
    result = judged(DEAL + "play: J♠ 10♥ A♦ Q♥")
    assert result.misplay is not None
    assert (result.misplay.number, result.misplay.seat, str(result.misplay.card)) == (4, 4, "Q♥")
    assert set(map(str, result.misplay.legal)) == {"A♥", "10♠"}
    assert len(result.cards) == 3
    assert result.score.payments == (-1, 1, 1, -1)


def test_an_honour_is_paid_without_play() -> None:
    text = "deal: 10♣ 10♠ 10♥ 10♦ | A♥ J♣ J♥ J♦ | A♦ Q♥ A♣ A♠ | J♠ Q♦ Q♣ Q♠\n"
    text += "calls: pas, pas, pas, 1: honorowe zolo-du, pas, pas, pas"
    result = judged(text)
    assert (result.contract, result.cards, result.score.payments) == ("zolo-du-honour", (), (30, -10, -10, -10))
    with pytest.raises(QueryError, match=r"line 3, column \d+: zolo-du-honour is paid without play"):
        judged(text + "\nplay: 10♣")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "there is no deal"),
        ("bla\n" + DEAL, r"deal.txt, line 1, column \d+: text before the first key"),
        ("\n\ndael: A", r"line 3, column \d+: there is no key “dael”"),
        (DEAL + DEAL, r"line 2, column \d+: “deal” stands twice"),
        ("deal: J♠ 10♣ | A♥", r"line 1, column \d+: A deal is four hands"),
        ("deal: J♠ | A♥ | A♠ | A♣", r"line 1, column \d+: a whole deal has 4 cards a hand"),
        (
            "deal: J♠ J♠ 10♣ Q♣ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥",
            r"line 1, column 7: Seat 1: J♠ appears",
        ),
        ("rules: kop-kosmos\n" + DEAL, r"line 1, column \d+: .*kop-kosmos"),
        (DEAL + "calls: 2: pas\n 3: szlem", r"line 3, column \d+: Call 2: “szlem”"),
        (DEAL + "calls: 2: pas, 3: pas", r"line 2, column \d+: the auction is not over; seat 4"),
        (DEAL + "calls: 2: wesele", r"line 2, column \d+: Call 1: Seat 2 may not say wesele: it takes Q♣, Q♠"),
        (ZOLO + "play: J♠ J♣\n K♠", r"line 5, column \d+: Card 3, K♠: seat 3 does not hold it"),
        (ZOLO + "play: J♠ J♣\n bla", r"line 5, column \d+: .*bla"),
        (ZOLO + "play: J♠ J♠", r"line 4, column \d+: Card 2, J♠: seat 2 does not hold it"),
        (ZOLO + "play: J♠ J♣ 10♦", r"line 4, column \d+: of 16 cards only 3 were played"),
        (ZOLO, r"line 1, column \d+: of 16 cards only 0 were played"),
        (ZOLO + PLAY + " A♠", r"line 8, column \d+: Card 17, A♠: the deal is over"),
        (DEAL + "play: J♠ 10♥ A♦ Q♥\n A♥", r"line 3, column \d+: card 4 was a misplay"),
        ("deal: J♠ 10♣ Q♣ Q♦ |\n 10♥ J♣ J♥ J♦ |\n A♦ 10♦ A♣ ZZ | A♥ 10♠ Q♠ Q♥", r"line 3, column 2: Seat 3: “ZZ”"),
    ],
)
def test_bad_files_are_named_with_their_line(text: str, match: str) -> None:
    with pytest.raises(QueryError, match=match):
        judged(text)


def test_on_the_command_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deal.txt"
    path.write_text("\ufeff" + ZOLO + PLAY, encoding="utf-8")
    data = run("analyse", str(path), "--json").data
    assert data["result"] == {
        "contract": "zolo",
        "side": [4],
        "won": False,
        "grade": "all-or-nothing",
        "multiplier": 2,
        "payments": [10, 10, 10, -30],
    }
    assert len(data["cards"]) == 16
    assert data["cards"][3] | {"best": []} == {
        "number": 4,
        "trick": 1,
        "seat": 4,
        "card": "Q♥",
        "legal": True,
        "before": 52,
        "after": 52,
        "cost": 0,
        "payment_cost": 0,
        "best": [],
    }
    shown = run("analyse", str(path), "--lang", "pl")
    assert "Analiza rozdania: zolo, gra 4" in shown.out
    path.write_text(DEAL + "play: J♠ 10♥ A♦ Q♥", encoding="utf-8")
    data_of_misplay = run("analyse", str(path), "--json").data
    assert data_of_misplay["cards"][-1] == {
        "number": 4,
        "trick": 1,
        "seat": 4,
        "card": "Q♥",
        "legal": False,
        "legal_cards": ["A♥", "10♠"],
    }
    assert data_of_misplay["result"]["misplay"] is True
    assert "By a misplay" in run("analyse", str(path)).out
    assert "had to play one of A♥, 10♠" in run("analyse", str(path)).out
    for args in ((str(tmp_path),), (str(tmp_path / "none"),)):
        answer = run("analyse", *args)
        assert (answer.code, answer.out) == (2, "")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((ZOLO + PLAY).replace("\n", "\r\n").encode())))
    assert run("analyse", "-", "--json").data == data
    for content, match in ((b"bla", "-, line 1"), (b"\xff\xfe", "saved as UTF-16")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert match in run("analyse", "-").err


def test_score_and_bid_on_the_command_line(run: Run) -> None:
    line = "score --contract game --sides 1,3 --points 52 --doubling kontra,rej --last-call old"
    assert run(*line.split(), "--json").data == {
        "contract": "game",
        "side": [1, 3],
        "won": False,
        "grade": "with-26",
        "multiplier": 4,
        "payments": [-4, 4, -4, 4],
    }
    assert "Side 1, 3 loses game" in run(*line.split()).out
    assert run(*["score", "--contract", "zolo", "--sides", "4", "--misplay", "2", "--json"]).data["payments"] == [
        -5,
        -5,
        -5,
        15,
    ]
    answer = run(*["score", "--contract", "zolo", "--sides", "4", "--points", "60", "--doubling", "kontra,rej,bok"])
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    data = run("bid", "--hand", "AhTsQcQs", "--calls", "2: pas, 3: pas", "--json").data
    assert (data["to_speak"], data["legal"]) == (4, ["pass", "wesele", "zolo", "zolo-du"])
    data = run("bid", "--hand", "QcJcAhAd", "--calls", "2: pas, 3: pas, 4: kontra", "--json").data
    assert data["only_if_opponent"] == {"rej": 4}
    shown = run("bid", "--hand", "QcJcAhAd", "--calls", "2: pas, 3: pas, 4: kontra", "--lang", "pl").out
    assert "jeśli miejsce 4 jest po drugiej stronie" in shown
    assert "with Q♣, Q♠" in run("bid").out
    assert "The auction is over" in run("bid", "--calls", "pas, pas, pas, pas").out
    # The hand shows that its first call was against the rules.
    answer = run("bid", "--hand", "QcJcAhAd", "--calls", "2: wesele, pas, pas, pas, pas")
    assert answer.code == 2
    answer = run("bid", "--hand", "QcJcAhAd", "--calls", "2: wesele, pas, pas, kontra")
    assert (answer.code, "takes Q♣, Q♠" in answer.err) == (2, True)
