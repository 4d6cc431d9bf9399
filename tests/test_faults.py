"""All faults of what somebody wrote are told at once, each with its place and in his words."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kopsim import KopsimError, QueryError, RuleError, load_rules
from kopsim.calling_range import CallingRanges, read_ranges, write_ranges
from kopsim.cards import parse_cards
from kopsim.errors import LANGS, message
from kopsim.faces.hands_file import read_hands
from kopsim.faces.rules_facts import facts
from kopsim.played_deal import parse_played
from kopsim.resources import data_path
from kopsim.rules import read_rules, rule_ids
from kopsim.rules.key_words import WORDS, meant_key
from kopsim.rules.model import Contract
from kopsim.throwdowns.lists import read_list
from kopsim.toml_positions import positions

KOP = load_rules()
GORZOW = data_path("rules", "kop-gorzow-2014.toml").read_text(encoding="utf-8")
# What Python, msgspec or tomllib would say of a fault, and no club member reads.
INSIDE = re.compile(
    r"Object |Expected|`(?:int|str|array|object|null)`|\$|msgspec|tomllib|Invalid|NoneType|dict|\[\.\.\.\]"
)


def faults_of(error: KopsimError, lang: str = "en") -> list[str]:
    """The faults one by one, none of them in the words of a library."""
    told = [fault.text(lang) for fault in error.faults]
    for each in (*told, *error.lines("pl"), *error.lines("en")):
        assert not INSIDE.search(each), each
    assert len(pickle.loads(pickle.dumps(error)).faults) == len(told)
    assert all(fault.spot is not None for fault in error.faults)
    return told


def refused(path: Path, text: str) -> RuleError:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        read_rules(path)
    return caught.value


CLUB = """base = "kop-gorzow-2014"
id = "My Club"
cena = 4
[contracts.zolo]
price = { made = 6 }
rnak = 3
doubling = ["kontra", "hej"]
value = { mad = 3 }
goal = { kind = "trzeba wszystkich bitek" }
[seats]
speaking = [1, 2, 2, 7]
[orders.ordinary]
trumps = "A♥ Zz"
[tournament]
rounds = 4.5
table_points = 5
"""


def test_all_faults_of_a_club_are_told_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path / "club.toml", CLUB)
    assert str(error).splitlines()[0].endswith("club.toml: 11 faults.")
    assert faults_of(error) == [
        "line 2, column 6: at id: an id is made of small letters, digits and dashes, unlike “My Club”.",
        "line 3, column 1: the key “cena” is not known here; did you mean “contracts.….value”?",
        "line 5, column 1: at contracts.zolo: the key “price” is not known here; did you mean “value”?",
        "line 6, column 1: at contracts.zolo: the key “rnak” is not known here; did you mean “rank”?",
        "line 7, column 23: at contracts.zolo.doubling[2]: the call “hej” is not defined; "
        "defined: kontra, rej, bok, sup.",
        "line 8, column 11: at contracts.zolo.value: the key “mad” is not known here; did you mean “made”?",
        "line 9, column 17: at contracts.zolo.goal.kind: “trzeba wszystkich bitek” is not known here; "
        "did you mean “every-trick”? Known: more-points, points, every-trick, honour.",
        "line 11, column 22: at seats.speaking[4]: a number from 1 to 4 is wanted, not 7.",
        "line 13, column 10: at orders.ordinary.trumps: “Zz” is not a card; it begins at character 4 of “A♥ Zz”.",
        "line 15, column 10: at tournament.rounds: a whole number is wanted here, not a number with a decimal point.",
        "line 16, column 16: at tournament.table_points: a list in square brackets is wanted here, not a whole number.",
    ]
    assert faults_of(error, "pl")[2] == (
        "wiersz 5, kolumna 1: w contracts.zolo: klucz „price” nie jest tu znany; czy chodziło o „value”?"
    )


def test_one_fault_is_one_sentence(run, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(GORZOW.replace("lost_value", "cena_przegranej"), encoding="utf-8")
    for args in (["rules", "check", str(club)], ["odds", "AhTsQcAd", "--rules", str(club)]):
        answer = run(*args)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert answer.err.endswith(
            "line 100, column 1: at contracts.zolo: the key “cena_przegranej” is not known here; "
            "did you mean “lost_value”?\n"
        )


def test_the_command_line_tells_a_fault_a_line(run, tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(CLUB, encoding="utf-8")
    for lang, first in (("en", "club.toml: 11 faults."), ("pl", "club.toml: błędów: 11.")):
        answer = run("rules", "check", str(club), "--lang", lang)
        assert (answer.code, answer.out) == (2, "")
        head, *lines = answer.err.splitlines()
        assert head.endswith(first)
        assert len(lines) == 11
        assert all(re.match(r"  (line|wiersz) \d+, (column|kolumna) \d+: ", line) for line in lines)
    club.write_text("".join(f"key{number} = 1\n" for number in range(99)), encoding="utf-8")
    assert run("rules", "check", str(club)).err.splitlines()[-1].startswith("  and ")


@pytest.mark.parametrize(
    ("change", "by", "told"),
    [
        ('id = "kop-gorzow-2014"', "id =", ["line 5, column 5: at id: a value is not finished"]),
        ("hand_size = 4", "hand_size 4", ["line 15, column 11: at seats.hand_size: “=” is missing after the key."]),
        ("[pack]", "[pack", ["line 9, column 6: at pack: the heading lacks its closing square bracket."]),
        ("rank = 3", "rank = trzy", ["rank: this is not a value; a text needs quotes."] * 2),
        ('tie = "old-lose"', "tie = 'old-lose", ["tie: a text lacks its closing quotes."] * 2),
        (
            "speaking = [2, 3, 4, 1]",
            "speaking = [2, 3, 4, 1",
            ["line 23, column 23: at seats.speaking: a list lacks a comma"],
        ),
        ("rounds = 4", "rounds = 4\nrounds = 5", ["at tournament.rounds: this stands a second time in the file."]),
        # A sound statement with another fault is told beside the broken one.
        ("hand_size = 4", "hand_size = \ndirection = 5", ["hand_size: a value is not", "direction: a text in quotes"]),
        ("[misplay]", "[misplay]\nloses = pies\n[mispley]", ["loses: this is not a value", "“mispley” is not known"]),
    ],
)
def test_faults_of_syntax_have_their_places(change: str, by: str, told: list[str], tmp_path: Path) -> None:
    text = GORZOW.replace('direction = "clockwise"\n', "") if "direction" in by else GORZOW
    text = text.replace('loses = "side"\n', "").replace("grade", "# grade") if "mispley" in by else text
    error = refused(tmp_path / "club.toml", text.replace(change, by))
    found = faults_of(error)
    assert len(found) == len(told), found
    for sentence, part in zip(found, told, strict=True):
        assert part in sentence
        assert re.match(r"line \d+, column \d+: ", sentence)


def test_checks_of_independent_tables_do_not_hide_each_other(tmp_path: Path) -> None:
    text = (
        GORZOW.replace("hand_size = 4", "hand_size = 5")
        .replace("multipliers = [2, 4, 8, 16]", "multipliers = [2, 4, 8]")
        .replace('side_suits = ["A♣", "A♠"]', 'side_suits = ["A♣"]')
        .replace(
            'order = "ordinary"\nsides = "holders"\ncards = "Q♣ Q♠"', 'order = "gran"\nsides = "holders"\ncards = ""'
        )
        .replace("value = { made = 4 }", "value = { made = 4, no-trick = 2 }")
    )
    places = [re.sub(r".*?: at (.*?): .*", r"\1", told) for told in faults_of(refused(tmp_path / "c.toml", text))]
    assert places == [
        "seats.hand_size",
        "orders.ordinary",
        "doubling.multipliers",
        "contracts.game.order",
        "contracts.game.cards",
        "contracts.cicha.value",
    ]


def test_what_a_base_brings_is_told_as_such(tmp_path: Path) -> None:
    """A call taken away in the file is missing in contracts that stand in the base alone."""
    text = 'base = "kop-gorzow-2014"\nid = "club"\n[doubling]\ncalls = ["kontra"]\nmultipliers = [2]\n'
    found = faults_of(refused(tmp_path / "club.toml", text))
    assert found[0] == (
        "line 1, column 1: at contracts.game.doubling[2], as in the base “kop-gorzow-2014”: "
        "the call “rej” is not defined; defined: kontra."
    )
    # The faults of the base itself are those of its file; those beside an unknown base are told with it.
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    own = refused(tmp_path / "own.toml", 'base = "bad.toml"\nid = "Own"\n')
    assert str(own).splitlines()[0].endswith("bad.toml: 11 faults.")
    beside = faults_of(refused(tmp_path / "own.toml", 'base = "kop-poznan"\nid = "Own"\n'))
    assert [told.partition(": ")[0] for told in beside] == ["line 1, column 8", "line 2, column 6"]


def test_words_of_rules_show_lead_to_their_keys() -> None:
    """Everything that `rules show` names can be looked for by that name, in both languages."""
    known = list(Contract.__struct_fields__)
    for word, key in (("cena", "value"), ("price", "value"), ("cel", "goal"), ("Zapowiedź", "announced")):
        assert meant_key(word, known) == key
    assert meant_key("licytacja", known) == "doubling"
    assert meant_key("atuty od najstarszego", ["trumps", "points"]) == "trumps"
    assert meant_key("kart w ręce", ["ranks"]) == "seats.hand_size"
    assert meant_key("kontrakty", ["ranks"]) == "[contracts]"
    assert meant_key("bases", ["id"]) == "base"
    assert meant_key("qwertyuiop", known) is None
    topics = {fact.topic for name in rule_ids() for fact in facts(load_rules(name), "en")}
    assert topics <= WORDS.keys()
    for lang in LANGS:
        for name, keys in WORDS.items():
            assert meant_key(message(name, lang), keys) in keys


LIST = """rules = "kop-gorzow-2014"
name = { pl = "x", en = "x" }

[[lines]]
contract = "zolo"
cards = "A♥ 10♣ Zz x"

[[lines]]
contract = "solo"
cards = "A♥ 10♣ 10♠ x"
seats = [0]

[[lines]]
contract = "zolo"
cards = "A♥ 10♣ 10♠"

[[lines]]
kontrakt = "zolo"
cards = "A♥ 10♣ 10♠ x"
"""


def test_all_faults_of_a_list_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(LIST, encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        read_list(path, KOP)
    assert faults_of(caught.value) == [
        "line 6, column 9: at lines[1].cards: “Zz” is not a card; it begins at character 8 of “A♥ 10♣ Zz x”.",
        "line 11, column 10: at lines[2].seats[1]: a number from 1 to 4 is wanted, not 0.",
        "line 15, column 9: at lines[3].cards: A hand has 4 cards, but this one has 3: A♥, 10♣, 10♠.",
        "line 18, column 1: at lines[4]: the key “kontrakt” is not known here; did you mean “contract”?",
    ]


def test_all_faults_of_ranges_are_told_at_once(tmp_path: Path) -> None:
    path, hands = tmp_path / "ranges.toml", frozenset({frozenset(parse_cards("A♥ 10♣ Q♥ J♦"))})
    write_ranges(CallingRanges(KOP, {("zolo", seat): hands for seat in (1, 2, 3, 4)}), path)
    text = path.read_text(encoding="utf-8").replace("A♥ 10♣", "A♥ A♥", 2).replace("seat = 4", 'seat = "4"')
    path.write_text(text.replace("seat = 2", "seet = 2"), encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        read_ranges(path, KOP)
    found = [re.sub(r"line \d+, column (\d+): ", r"\1 ", told) for told in faults_of(caught.value)]
    assert found == [
        "3 at callers[1].hands[1]: A♥ appears twice.",
        "1 at callers[2]: the key “seet” is not known here; did you mean “seat”?",
        "3 at callers[2].hands[1]: A♥ appears twice.",
        "8 at callers[4].seat: a whole number is wanted here, not a text in quotes.",
    ]


def test_all_faults_of_hands_and_of_a_deal_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text("AhTsQcAd\n  AhTs # short\n\nZz\n", encoding="utf-8")
    with pytest.raises(QueryError) as caught:
        read_hands(path, KOP)
    assert [(fault.spot.line, fault.spot.column) for fault in caught.value.faults if fault.spot] == [(2, 3), (4, 1)]
    faults_of(caught.value)
    deal = "dael: x\ndeal: J♠ 10♣ Q♣ Zz | 10♥ J♣ J♥ J♦ |\n  A♦ 10♦ A♣ A♣ | A♥ 10♠ Q♠ Q♥\nplay: J♠ J♣\n bla\n"
    with pytest.raises(QueryError) as caught:
        parse_played(deal, "deal.txt")
    assert [told.partition(": ")[0] for told in faults_of(caught.value)] == [
        "line 1, column 1",
        "line 2, column 7",
        "line 3, column 3",
        "line 5, column 2",
    ]


def test_positions_of_every_kind_of_key() -> None:
    text = 'a = {b = 1, c.d = "ż♥"} # c\n["t".\'q r\']\nk = [1, # one\n  {z = 2}]\n[[u]]\nf = 1\n[[u]]\nf = 2\n'
    text += "[u.v]\ng = 3\n"
    places = positions(text)
    spots = {place: (where.value.line, where.value.column) for place, where in places.items()}
    assert spots["a", "b"] == (1, 10)
    assert spots["a", "c", "d"] == (1, 19)
    assert spots["t", "q r", "k", 1, "z"] == (4, 8)
    assert (spots["u", 0, "f"], spots["u", 1, "f"], spots["u", 1, "v", "g"]) == ((6, 5), (8, 5), (10, 5))


def test_what_finds_places_is_not_loaded_where_nothing_is_wrong() -> None:
    code = "import sys, kopsim; kopsim.load_rules(); print([name for name in sys.modules if 'tree_sitter' in name])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
