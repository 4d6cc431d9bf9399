"""Lists of throw-downs: read, audited, and put right; on the library and on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Answer
from positions import RULES
from pypdf import PdfReader

from kopsim import RuleError, load_rules, odds_of_contracts
from kopsim.cards import parse_cards
from kopsim.faces.throwdown_text import line_text
from kopsim.faces.words import NO_BREAK
from kopsim.rules import rules_hash
from kopsim.rules.assume import assuming
from kopsim.rules.model import SEATS
from kopsim.throwdowns.audit import audit
from kopsim.throwdowns.check import check_certificate
from kopsim.throwdowns.find import find
from kopsim.throwdowns.lists import list_ids, list_path, read_list, rules_of_list
from kopsim.throwdowns.patterns import shortest_lines
from kopsim.throwdowns.proofs import certify
from kopsim.throwdowns.prover import Prover, certain_hands

Run = Callable[..., Answer]
KOP = load_rules()
RIGHT = """
rules = "kop-gorzow-2014"
name = { pl = "dobra", en = "right" }
lines = [
    { contract = "zolo-du", cards = "A♥ 10♣ 10♠ 10♥" },
    { contract = "zolo-du", seats = [4], cards = "as kier, 10 trefl, 10 pik, dama trefl" },
]
"""


def text(cards: str) -> list[str]:
    return cards.split()


def test_the_printed_list(run: Run) -> None:
    """The shape that programs rely on, whole."""
    answer = run("throwdowns", "verify", "--json")
    assert (answer.code, answer.err) == (1, "")
    data = json.loads(answer.out)
    assert list(data) == ["rules", "lines", "missing"]
    assert data["rules"] == "kop-gorzow-2014"
    verdicts = [(line["text"], line["contract"], line["seats"], line["verdict"]) for line in data["lines"]]
    assert verdicts == [
        ("A♥ 10♣ 10♠ + any", "zolo", [1, 2, 3, 4], "guaranteed"),
        ("A♥ 10♣ Q♣ Q♠", "zolo", [1, 2, 3, 4], "guaranteed"),
        ("10♣ 10♠ 10♥ Q♣", "zolo", [1, 2, 3, 4], "guaranteed"),
        ("A♥ 10♣ 10♥ + any", "zolo", [4], "guaranteed"),
        ("A♥ 10♣ Q♣ Q♥", "zolo", [4], "guaranteed"),
        ("A♥ 10♠ Q♣ Q♠", "zolo", [4], "guaranteed"),
        ("A♥ 10♥ Q♣ Q♠", "zolo", [4], "guaranteed"),
        ("A♥ 10♠ Q♣ Q♥", "zolo", [4], "guaranteed"),
        ("A♥ 10♠ Q♠ Q♥", "zolo", [4], "refuted"),
        ("10♣ 10♠ 10♥ Q♠", "zolo", [4], "guaranteed"),
        ("A♥ 10♣ 10♠ 10♥", "zolo-du", [1, 2, 3, 4], "guaranteed"),
        ("A♥ 10♣ 10♠ Q♣", "zolo-du", [4], "guaranteed"),
    ]
    assert data["lines"][8]["hands"] == [
        {
            "hand": text("A♥ 10♠ Q♠ Q♥"),
            "seat": 4,
            "guaranteed": False,
            "double_dummy_wins": 33114,
            "layouts": 34650,
        }
    ]
    assert len(data["lines"][0]["hands"]) == 13 * 4
    assert data["missing"] == [
        {"contract": "zolo", "hand": text(hand), "seats": seats}
        for hand, seats in (
            ("A♥ 10♣ 10♥ Q♣", [1, 2, 3]),
            ("A♥ 10♣ 10♥ Q♠", [1, 2, 3]),
            ("A♥ 10♣ 10♥ Q♥", [3]),
            ("A♥ 10♣ Q♠ Q♥", [4]),
            ("A♥ 10♠ 10♥ Q♣", [1, 2, 3, 4]),
            ("A♥ 10♠ 10♥ Q♠", [3, 4]),
            ("A♥ 10♠ 10♥ Q♥", [4]),
        )
    ]


def test_lists_that_are_right(run: Run, tmp_path: Path) -> None:
    assert run("throwdowns", "verify", "--list", "kop-koscian", "--json").data["missing"] == []
    (tmp_path / "right.toml").write_text(RIGHT, encoding="utf-8")
    answer = run("throwdowns", "verify", "--list", str(tmp_path / "right.toml"))
    assert answer.code == 0
    assert "The list is right" in answer.out
    # Both lines of it are needed.
    (tmp_path / "less.toml").write_text(RIGHT.replace("seats = [4]", "seats = [3, 4]"), encoding="utf-8")
    answer = run("throwdowns", "verify", "--list", str(tmp_path / "less.toml"))
    assert answer.code == 1
    assert "✓✗ in part" in answer.out
    assert "every way to play loses" in answer.out


def test_a_line_that_holds_in_part(run: Run, tmp_path: Path) -> None:
    written = RIGHT.replace("zolo-du", "zolo").replace('"A♥ 10♣ 10♠ 10♥"', '"A♥ 10♥ Q♣ x", seats = [4]')
    (tmp_path / "part.toml").write_text(written, encoding="utf-8")
    found = audit(read_list(tmp_path / "part.toml", KOP), KOP)
    first = found.lines[0]
    assert first.verdict == "partly"
    assert {each.hand[-1].text() for each in first.hands if each.open_only} == {"Q♥"}
    assert not found.holds
    answer = run("throwdowns", "verify", "--list", str(tmp_path / "part.toml"), "--lang", "pl")
    assert "tylko w otwarte karty" in answer.out


@pytest.mark.parametrize(
    ("change", "by", "match"),
    [
        ("zolo-du", "zola", r"line 5, column 18: at lines\[1\]\.contract: kop-gorzow-2014 has no contract “zola”"),
        ('"zolo-du"', '"game"', r"at lines\[1\]\.contract: game is not won alone"),
        ("10♠ 10♥", "10♠", r"at lines\[1\]\.cards: A hand has 4 cards"),
        ("10♠ 10♥", "10♠ A♥", r"at lines\[1\]\.cards: A♥ appears twice"),
        ("10♠ 10♥", "10♠ 9♥", "9♥ is not in the pack"),
        ("10♠ 10♥", "10♠ bla", "bla"),
        ("seats = [4]", "seats = [5]", "seats"),
        ("seats = [4]", "seats = []", "at least 1 entries are wanted"),
        ("seats = [4]", "seat = [4]", "“seat”"),
        ("lines = [", "lines = [}", "line 4, column 10: at lines: this is not a value"),
        ('"zolo-du", cards = "A♥ 10♣ 10♠ 10♥"', '"cicha", cards = "A♥ 10♣ 10♠ x"', "no hand of these cards"),
    ],
)
def test_lists_that_are_wrong(change: str, by: str, match: str, tmp_path: Path) -> None:
    assert change in RIGHT
    path = tmp_path / "wrong.toml"
    path.write_text(RIGHT.replace(change, by, 1), encoding="utf-8")
    with pytest.raises(RuleError, match=match) as caught:
        read_list(path, KOP)
    assert str(path.as_posix()) in str(caught.value)
    assert caught.value.text("pl") != str(caught.value)


def test_what_find_says(run: Run) -> None:
    data = run("throwdowns", "find", "--contract", "zolo", "--seat", "4", "--json").data
    assert list(data) == ["contract", "seat", "hands", "double_dummy_only", "patterns"]
    assert (data["contract"], data["seat"], len(data["hands"])) == ("zolo", 4, 36)
    assert data["double_dummy_only"] == [text("A♥ 10♣ Q♣ Q♦"), text("A♥ 10♥ Q♣ Q♥"), text("10♣ 10♠ 10♥ Q♥")]
    assert data["patterns"][:3] == ["A♥ 10♣ 10♠ + any", "A♥ 10♣ 10♥ + any", "A♥ 10♣ Q♣ Q♠"]
    every = run("throwdowns", "find", "--json").data
    assert [(each["contract"], each["seat"]) for each in every] == [
        (contract, seat) for contract in ("cicha", "zolo", "zolo-du") for seat in SEATS
    ]
    assert sum(len(each["hands"]) for each in every) == 6 + 92 + 5
    shown = run("throwdowns", "find", "--contract", "zolo").out
    assert "A♥ 10♠ 10♥ Q♠      3, 4" in shown.replace(NO_BREAK, " ")
    assert "10♣ 10♠ 10♥ Q♠   1, 2, 3" in shown.replace(NO_BREAK, " ")


@pytest.mark.parametrize("contract", ["zolo", "zolo-du", "cicha"])
def test_shortest_lines_say_just_what_is_certain(contract: str) -> None:
    certain = certain_hands(KOP, contract)
    lines = shortest_lines(certain, KOP, contract)
    claims = {(hand, seat) for line in lines for hand in line.hands(KOP) for seat in line.seats}
    assert claims == {(hand, seat) for hand, seats in certain.items() for seat in seats}
    # Without any one of them something would be lacking.
    for line in lines:
        others = {
            (hand, seat) for other in lines if other is not line for hand in other.hands(KOP) for seat in other.seats
        }
        assert others < claims
    assert shortest_lines({}, KOP, contract) == []


def test_another_reading(run: Run) -> None:
    """If nobody had to overtake, other hands would win for certain, and the answer says what was assumed."""
    answer = run("throwdowns", "verify", "--assume", "must_beat=false", "--list", "kop-koscian", "--json")
    data = json.loads(answer.out)
    assert list(data) == ["rules", "assume", "lines", "missing"]
    assert data["assume"] == {"must_beat": False}
    assert {line["as_written"] for line in data["lines"]} == {"guaranteed"}
    read = assuming(KOP, {"must_beat": False})
    assert read.orders["ordinary"].obligations.trump_led == ("trump",)
    assert {verdict["guaranteed"] for line in data["lines"] for verdict in line["hands"]} == {
        Prover(read, "cicha").guaranteed(parse_cards(" ".join(hand)), seat)
        for hand, seat in ((each["hand"], each["seat"]) for line in data["lines"] for each in line["hands"])
    }
    assert assuming(KOP, {"must_beat": True}) is KOP
    baska = RULES["baska-z-asem"].orders["ordinary"].obligations
    assert (baska.trump_led, baska.side_led) == (("beat", "trump"), ("follow", "beat", "trump"))
    freed = assuming(RULES["baska-z-asem"], {"must_beat": False, "must_trump": False}).orders["ordinary"].obligations
    assert (freed.trump_led, freed.side_led) == ((), ("follow",))
    bridge = assuming(RULES["bridge"], {"must_beat": False})
    assert bridge.orders == RULES["bridge"].orders
    told = run("throwdowns", "verify", "--assume", "must_beat=false", "--list", "kop-koscian")
    assert "as written" in told.out
    assert "must_beat = false" in told.out
    written = run(
        "throwdowns", "certify", "AhTcTsTh", "--seat", "1", "--contract", "zolo-du", "--assume", "must_beat=true"
    )
    assert "Read otherwise" not in written.out
    told = run(
        "throwdowns", "certify", "AhTsQcQh", "--seat", "4", "--contract", "zolo-du", "--assume", "must_trump=false"
    )
    assert "must_trump = false" in told.out
    for bad in ("must_beat=no", "must_win=false", "must_beat"):
        answer = run("throwdowns", "find", "--assume", bad)
        assert (answer.code, answer.out) == (2, "")
        assert "must_beat=false" in answer.err


def test_open_only_hands_without_a_table() -> None:
    """Rules that no table was made for are solved by search; where the table answers both agree."""
    read = assuming(KOP, {"must_trump": False})
    found = find(read, "zolo-du", [4])
    prover = Prover(read, "zolo-du")
    assert all(prover.guaranteed(hand, 4) for hand in found.at(4))
    assert not any(prover.guaranteed(hand, 4) for hand in found.open_only[4])


# --- reports


@pytest.mark.parametrize(("ending", "lang"), [("md", "pl"), ("html", "en"), ("pdf", "pl"), ("pdf", "en")])
def test_the_report(ending: str, lang: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / f"report.{ending}"
    answer = run("throwdowns", "report", "--out", str(path), "--lang", lang)
    assert (answer.code, answer.out) == (0, f"{path}\n")
    if ending == "pdf":
        shown = " ".join(" ".join(page.extract_text().split()) for page in PdfReader(path).pages)
    else:
        shown = path.read_text(encoding="utf-8").replace('<span class="red">', "").replace("</span>", "")
        shown = shown.replace("\N{NARROW NO-BREAK SPACE}", " ").replace(NO_BREAK, " ")
    queen = "D" if lang == "pl" else "Q"
    for told in (
        f"A♥ 10♠ {queen}♠ {queen}♥",
        f"10♣ {queen}♣",
        "33 114",
        {"pl": "Czego brakuje na liście", "en": "Missing from the list"}[lang],
        {"pl": "każde", "en": "any"}[lang],
        rules_hash(KOP),
    ):
        assert told in shown, told
    if ending == "html":
        assert f'<html lang="{lang}">' in shown
        assert "http" not in shown
        assert "<table>" in shown


def test_reports_that_cannot_be(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run("throwdowns", "report", "--out", str(tmp_path / "report.docx"))
    assert (answer.code, list(tmp_path.iterdir())) == (2, [])
    assert ".html, .md, .pdf" in answer.err
    monkeypatch.setattr("kopsim.faces.document_pdf.find_spec", lambda _name: None)
    answer = run("throwdowns", "report", "--out", str(tmp_path / "report.pdf"))
    assert answer.code == 2
    assert "kopsim[report]" in answer.err


# --- certificates on the command line


def test_certify_and_check(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    answer = run(
        "throwdowns", "certify", "A♥", "10♥", "Q♣", "Q♥", "--seat", "4", "--contract", "zolo", "--out", str(path)
    )
    assert answer.code == 0
    assert "34\N{NARROW NO-BREAK SPACE}650 of 34\N{NARROW NO-BREAK SPACE}650" in answer.out
    assert "would have to see" in answer.out
    assert "After 10♣ Q♦ J♣ A♥: if he plays 10♥" in answer.out
    data = run("throwdowns", "certify", "AhThQcQh", "--seat", "4", "--contract", "zolo", "--json").data
    assert data == json.loads(path.read_text(encoding="utf-8"))
    assert (data["verdict"], data["goal"], data["seat"]) == ("refuted", 53, 4)
    answer = run("throwdowns", "check", str(path))
    assert answer.code == 0
    assert "is a proof" in " ".join(answer.out.split())
    told = run("throwdowns", "check", str(path), "--json").data
    assert (told["proved"], told["seat"], "assume" in told) == (True, 4, False)
    data["seat"] = 3
    path.write_text(json.dumps(data), encoding="utf-8")
    answer = run("throwdowns", "check", str(path))
    assert (answer.code, answer.err) == (1, "")
    assert "proves nothing" in answer.out
    answer = run("throwdowns", "check", str(path), "--json")
    assert (answer.code, json.loads(answer.out)["proved"]) == (1, False)
    answer = run("throwdowns", "check", str(tmp_path / "none.json"))
    assert answer.code == 2
    assert "no such file" in answer.err


def test_what_was_assumed_is_told_with_the_proof(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "proof.json")
    args = ("A♦ 10♦ A♣ A♠", "--seat", "2", "--contract", "zolo", "--assume", "must_beat=false", "--out", path)
    assert run("throwdowns", "certify", *args).code == 0
    assert "Read otherwise than written: must_beat = false" in run("throwdowns", "check", path).out
    assert run("throwdowns", "check", path, "--json").data["assume"] == {"must_beat": False}


def test_where_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    hand = ("AhTsQcQh", "--seat", "4", "--contract", "zolo")
    for out in ("", ".", "/", str(tmp_path), str(tmp_path / "none" / "proof.json")):
        answer = run("throwdowns", "certify", *hand, "--out", out)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_files_for_rules_that_are_not_here(run: Run, tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(RIGHT.replace("kop-gorzow-2014", "my-club"), encoding="utf-8")
    answer = run("throwdowns", "verify", "--list", str(tmp_path / "club.toml"))
    assert (answer.code, "name their file with --rules" in answer.err) == (2, True)
    assert run("throwdowns", "verify", "--list", str(tmp_path / "club.toml"), "--rules", "kop-gorzow-2014").code == 0


def test_a_reader_that_goes_is_no_verdict() -> None:
    """Exit code 1 would say that the list is wrong."""
    code = "from kopsim.faces.cli import main; main(['throwdowns', 'verify', '--list', 'kop-koscian'])"
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.close()
    assert running.wait() == 141
    assert running.stderr is not None
    assert running.stderr.read() == b""


def test_plans_in_words(run: Run) -> None:
    hand = ("A♥ 10♠ Q♣ Q♥", "--seat", "4", "--contract", "zolo")
    assert "first of these cards that you may: Q♥, Q♣, 10♠, A♥" in " ".join(
        run("throwdowns", "certify", *hand).out.split()
    )
    shown = run("throwdowns", "certify", *hand, "--lang", "pl").out
    assert "D♥, D♣, 10♠, A♥" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("certify AhTsQc --seat 4 --contract zolo", "4 cards"),
        ("certify AhTsQcxx --seat 4 --contract zolo", "x"),
        ("certify AhTsQcQh --seat 5 --contract zolo", "5"),
        ("certify AhTsQcQh --seat 4 --contract wesele", "wesele"),
        ("certify AhTsQcQh --seat 4 --contract cicha", "Q♠"),
        ("certify AhTsQcQh --contract zolo", "--seat"),
        ("verify --list nowhere", "known: baska-z-asem, kop-gorzow-2014, kop-koscian"),
        ("verify --list nowhere.toml", "no such file"),
        ("verify --rules nowhere", "nowhere"),
        ("find --contract game", "not won alone"),
        ("certify AhTsTcTh --seat 4 --contract zolo-du-honour", "not won alone"),
        ("find --assume must_beat=true --assume must_beat=false", "both true and false"),
        ("report --out missing/report.md", "no such file"),
        ("report", "--out"),
    ],
)
def test_calls_that_are_wrong(line: str, match: str, run: Run) -> None:
    answer = run("throwdowns", *line.split())
    assert (answer.code, answer.out) == (2, "")
    assert match in answer.err
    assert answer.err.count("\n") == 1


def test_packaged_lists() -> None:
    assert list_ids() == ["baska-z-asem", "kop-gorzow-2014", "kop-koscian"]
    for name in list_ids():
        assert rules_of_list(list_path(name)) == name
        assert read_list(list_path(name), load_rules(name)).id == name


def test_hands_of_gran_are_written_in_the_order_of_gran() -> None:
    baska = load_rules("baska-z-asem")
    hands = [hand for line in read_list(list_path("baska-z-asem"), baska).lines for hand in line.hands(baska)]
    assert parse_cards("J♣ J♠ A♥ 10♥") in hands
    assert parse_cards("A♥ 10♥ Q♣ Q♠") in hands
    (found,) = odds_of_contracts("A♥ 10♥ J♠ J♣", seat=1, contracts=["gran"], rules=baska)
    assert found.hand == parse_cards("J♣ J♠ A♥ 10♥")
    proof = certify("A♥ 10♥ J♠ J♣", seat=1, contract="gran-du", rules=baska)
    assert (proof.hand, proof.verdict) == (("J♣", "J♠", "A♥", "10♥"), "guaranteed")
    check_certificate(proof, baska)


def test_the_shortened_games_of_baska() -> None:
    """Four lines fall with their counterexamples, and thirteen hands are missing."""
    baska = load_rules("baska-z-asem")
    found = audit(read_list(list_path("baska-z-asem"), baska), baska)
    refuted = [line_text(each.line, "en") for each in found.lines if each.verdict == "refuted"]
    assert refuted == ["J♣ J♠ 10♣ Q♣", "J♣ J♠ 10♠ Q♠", "J♣ J♠ 10♥ Q♥", "J♣ J♠ 10♦ Q♦"]
    assert {each.verdict for each in found.lines} == {"guaranteed", "refuted"}
    assert len(found.missing) == 13
    lone = {hand for hand in found.certain["gran-du"] if sum(card.rank == "J" for card in hand) == 3}
    assert {each.hand for each in found.missing if each.contract == "gran-du"} == lone
