"""Rule sets told in words, compared and begun: nothing that a rule file says is left unsaid."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from positions import FIXTURES, RULES

from kopsim import load_rules, rule_ids
from kopsim.faces.rules_facts import facts
from kopsim.resources import data_path
from kopsim.rules import model, read_rules
from kopsim.rules.differences import differences

GORZOW, KOSCIAN, BASKA = "kop-gorzow-2014", "kop-koscian", "baska-z-asem"
LANGS = ("en", "pl")
HEAD = """base = "{base}"
id = "changed"
name = {{ pl = "Inne", en = "Changed" }}
source = {{ pl = "test", en = "test" }}
"""


# Changes of rule sets: what a file says, a key a line, and below the rows in which `rules diff` tells it,
# of topic, before and after.  "@" names another base, "#" a field that the keys do not show, "?" marks what
# `rules show` need not say, as the contract makes no use of it.  Names in one language are told in that one.
CHANGES = """
pack.ranks = ["10", "A", "Q", "J"]
  pack // A 10 Q J of ♣ ♠ ♥ ♦ // 10 A Q J of ♣ ♠ ♥ ♦
pack.suits = ["♥", "♠", "♣", "♦"]
  pack // A 10 Q J of ♣ ♠ ♥ ♦ // A 10 Q J of ♥ ♠ ♣ ♦
pack.ranks = ["A", "10", "Q"]
seats.hand_size = 3
orders.ordinary.trumps = "A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ A♦ 10♦"
orders.ordinary.trick_bonus = [0, 0, 0]
  pack // A 10 Q J of ♣ ♠ ♥ ♦ // A 10 Q of ♣ ♠ ♥ ♦
  cards in a hand // 4 // 3
  ordinary: trumps, strongest first // A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ J♣ J♠ J♥ J♦ A♦ 10♦ // A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ A♦ 10♦
seats.names = [{ pl = "a", en = "a" }, { pl = "b", en = "b" }, { pl = "c", en = "c" }, { pl = "d", en = "d" }]
  seats // 1 (on lead), 2 (second), 3 (third), 4 (dealer, last to play) // 1 (a), 2 (b), 3 (c), 4 (d)
seats.direction = "anticlockwise"
  direction of play // clockwise // anticlockwise
seats.speaking = [1, 2, 3, 4]
  order of speaking // 2, 3, 4, 1 // 1, 2, 3, 4
seats.partners = [3, 4, 1, 2]
  fixed partners // none // 1–3, 2–4
# Order.name
@ belote
orders.hearts.name.pl = "inne"
orders.hearts.name.en = "other"
  hearts: name // hearts // other
  capot: card order // hearts // other
orders.ordinary.trumps = "A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ J♣ J♠ J♥ J♦ 10♦ A♦"
  ordinary: trumps, strongest first // A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ J♣ J♠ J♥ J♦ A♦ 10♦ // A♥ 10♣ 10♠ 10♥ Q♣ Q♠ Q♥ Q♦ J♣ J♠ J♥ J♦ 10♦ A♦
orders.ordinary.side_suits = ["A♠", "A♣"]
  ordinary: side suits // A♣ | A♠ // A♠ | A♣
orders.ordinary.points.Q = 4
  ordinary: points // A 11, 10 10, Q 3, J 2 // A 11, 10 10, Q 4, J 2
orders.ordinary.trump_points.J = 9
orders.ordinary.trump_points.Q = 9
  ordinary: points of trumps // none // Q 9, J 9
orders.ordinary.card_points."A♣" = -13
  ordinary: points of single cards // none // A♣ -13
orders.ordinary.trick_bonus = [0, 0, 0, 5]
  ordinary: each trick in itself, first to last // none // 0, 0, 0, 5
orders.ordinary.obligations.trump_led = ["trump"]
  ordinary: after a trump // a card that beats the best, else any trump, else any card // any trump, else any card
orders.ordinary.obligations.side_led = ["follow-beat", "follow"]
  ordinary: after another card // a card that beats the best, else any trump, else any card // a card of the suit led that beats the best, else a card of the suit led, else any card
orders.ordinary.obligations.partner_trump_led = []
  ordinary: after a trump, while your partner is winning // as otherwise // any card
orders.ordinary.obligations.partner_side_led = ["trump"]
  ordinary: after another card, while your partner is winning // as otherwise // any trump, else any card
@ belote
contracts.capot.name.en = "slam"
  capot: name // capot // slam
  contracts, lowest first // capot // slam
@ belote
contracts.capot.name.pl = "szlem"
  capot: nazwa // capot // szlem
  kontrakty od najniższego // capot // szlem
# Contract.name
@ belote
contracts.capot.name.pl = "szlem"
contracts.capot.name.en = "slam"
  capot: name // capot // slam
  contracts, lowest first // capot // slam
contracts.zolo.rank = 3
  contracts, lowest first // game < cicha = wesele < zolo < zolo-du = honour zolo-du // game < cicha = wesele < zolo = zolo-du = honour zolo-du
@ baska-z-asem
contracts.zolo.order = "gran"
  zolo: card order // ordinary // gran
contracts.cicha.sides = "holders"
  cicha: sides // holder of Q♣ Q♠ against three // holders of Q♣ Q♠ against the rest
  cicha: first to double // anybody but the soloist // anybody but the announcer
contracts.zolo.cards = "A♥"
  zolo: sides // one against three // holder of A♥ against three
contracts.zolo-du.goal.kind = "more-points"
  zolo-du: goal // needs every trick // needs more points than the others
contracts.zolo-du.goal.kind = "honour"
  zolo-du: goal // needs every trick // paid without play
# Contract.goal
contracts.zolo.goal.at_least = 60
contracts.zolo.goal.kind = "points"
  zolo: goal // needs 53 points // needs 60 points
@ baska-z-asem
contracts.zolo.value.made = 6
  zolo: price // 5 // 6
contracts.game.value.no-trick = 3
  game: price // 1 / 2 / 4 // 1 / 2 / 3
contracts.game.value.under-26 = 3
  game: price // 1 / 2 / 4 // 1 / 3 / 4
contracts.game.value.with-26 = 2
  game: price // 1 / 2 / 4 // 2 / 2 / 4
contracts.zolo.lost_value = 10
  zolo: price when lost // the same // 10
contracts.game.lost_times = 2
  game: price when lost // the same // 2 / 4 / 8
contracts.zolo.doubling = ["kontra"]
  zolo: doubling // kontra, rej // kontra
contracts.zolo.doubling = []
  zolo: doubling // kontra, rej // none
contracts.zolo.first_double_by_declarer = true
  zolo: first to double // anybody but the soloist // anybody
contracts.wesele.first_double_by_declarer = true
  wesele: first to double // anybody but the announcer // anybody
?
contracts.zolo-du-honour.first_double_by_declarer = false
  honour zolo-du: first to double // anybody // anybody but the soloist
?
contracts.zolo.partner = "highest-jack"
  zolo: partner // none // who has the highest jack that the announcer lacks
contracts.zolo.announced = "any-turn"
  zolo: announcement // announced only in one’s first turn // announced in any turn
contracts.zolo.announced = "silent"
  zolo: announcement // announced only in one’s first turn // not announced
contracts.zolo.barred = [{ cards = "A♥ 10♣", seats = [1] }]
  zolo: barred hands // none // A♥ 10♣ (seat 1)
contracts.zolo.barred = [{ cards = "", seats = [1, 2] }]
  zolo: barred hands // none // any (seats 1, 2)
# Barred.cards
@ kop-koscian
contracts.cicha.barred = [{ cards = "A♥ Q♥" }, { cards = "A♥ 10♠", seats = [4] }, { cards = "A♥ 10♥", seats = [4] }]
  cicha: barred hands // A♥ 10♣, A♥ 10♠ (seat 4), A♥ 10♥ (seat 4) // A♥ Q♥, A♥ 10♠ (seat 4), A♥ 10♥ (seat 4)
# Barred.seats
@ kop-koscian
contracts.cicha.barred = [{ cards = "A♥ 10♣" }, { cards = "A♥ 10♠", seats = [4] }, { cards = "A♥ 10♥", seats = [3] }]
  cicha: barred hands // A♥ 10♣, A♥ 10♠ (seat 4), A♥ 10♥ (seat 4) // A♥ 10♣, A♥ 10♠ (seat 4), A♥ 10♥ (seat 3)
contracts.game.tie = "declarer-loses"
  game: tie // the old lose // the side that plays loses
?
contracts.zolo.tie = "old-lose"
  zolo: tie // the side that plays loses // the old lose
contracts.game.tie_doubled = "old-lose"
  game: doubled tie // the side that doubled last loses // the old lose
doubling.calls = ["kontra", "rej", "bok", "sup", "hop"]
doubling.multipliers = [2, 4, 8, 16, 32]
  doubling: calls // kontra ×2, rej ×4, bok ×8, sup ×16 // kontra ×2, rej ×4, bok ×8, sup ×16, hop ×32
doubling.multipliers = [2, 4, 8, 12]
  doubling: calls // kontra ×2, rej ×4, bok ×8, sup ×16 // kontra ×2, rej ×4, bok ×8, sup ×12
doubling.cancelled_by_higher = false
  doubling: when a higher contract is called // the doublings so far are cancelled // the doublings so far stay
doubling.same_side = "counts-once"
  doubling: a call right after one of the same side // refused // allowed, and the two count as one
doubling.bok_round = 2
  doubling: every deal of a bok round // none // ×2
doubling.cap = 32
  doubling: all together at most // none // ×32
@ baska-z-asem
doubling.cap = 32
  doubling: all together at most // ×64 // ×32
misplay.loses = "player"
  misplay: lost by // the offender’s side // the offender, who pays for the whole side
misplay.grade = "no-trick"
  misplay: paid as // losers with 26 // losers without a trick
tournament.rounds = 5
  tournament: rounds // 4 // 5
tournament.deals = 32
  tournament: deals in a round // 40 // 32
tournament.table_points = []
  tournament: table points by place // 5, 3, 2, 1 // none
"""  # noqa: E501


class Change(NamedTuple):
    """A change of a rule set as `CHANGES` describes it."""

    base: str
    shown: bool
    fields: set[str]
    text: str
    keys: list[str]
    rows: list[tuple[str, ...]]


def changes() -> list[Change]:
    """The changes written above."""
    found = []
    for match in re.finditer(r"((?:^\S.*\n)+)((?:^ .*\n)+)", CHANGES, re.MULTILINE):
        head, rows = match[1].splitlines(), match[2].splitlines()
        said = [line for line in head if " = " in line]
        keys = [line.partition(" = ")[0].replace('"', "") for line in said]
        marked = {line[0]: line[2:] for line in head if line not in said}
        base = marked.get("@", GORZOW)
        base = base if base in rule_ids() else str(FIXTURES / f"{base}.toml")
        fields = {*map(field_of, keys), *([marked["#"]] if "#" in marked else [])}
        told = [tuple(row.strip().split(" // ")) for row in rows]
        found.append(Change(base, "?" not in marked, fields, "\n".join(said) + "\n", keys, told))
    return found


def field_of(key: str) -> str:
    """The field of a record that a key names, as "Contract.rank"."""
    table, *path = key.split(".")
    if path[1:2] == ["obligations"]:
        return f"Obligations.{path[2]}"
    if path[1:2] == ["name"]:
        return f"Name.{path[2]}"
    if path[1:] == ["goal", "at_least"]:
        return "AtLeast.at_least"
    return (
        f"{table.removesuffix('s').capitalize()}.{path[1]}"
        if table in ("orders", "contracts")
        else f"{table.capitalize()}.{path[0]}"
    )


def test_every_field_of_a_rule_set_is_among_the_changes() -> None:
    records = {each for each in vars(model).values() if isinstance(each, type) and issubclass(each, model.Record)}
    wanted = {f"{kind.__name__}.{field.name}" for kind in records for field in msgspec.structs.fields(kind)}
    # Tables are told by what is in them, and are added and taken out below; what a rule set is called is not compared.
    wanted -= {"Order.obligations", *(f"RuleSet.{field.name}" for field in msgspec.structs.fields(model.RuleSet))}
    assert wanted == set().union(*(change.fields for change in changes()))


def club_file(folder: Path, text: str, base: str = GORZOW) -> str:
    """A rule file that changes a packaged rule set."""
    path = folder / "changed.toml"
    path.write_text(HEAD.format(base=base) + text, encoding="utf-8")
    return str(path)


def plain(text: str) -> str:
    """Text without line ends and special spaces."""
    return " ".join(text.split())


def rows(out: str) -> list[tuple[str, ...]]:
    """The rows of a comparison on a terminal so wide that nothing wraps."""
    return [tuple(re.split(r"   +", line.replace("\N{NO-BREAK SPACE}", " "))) for line in out.splitlines()[1:]]


@pytest.mark.parametrize("change", changes(), ids=lambda change: change.text.replace("\n", " ")[:60])
def test_no_change_goes_untold(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    changed = club_file(tmp_path, change.text, change.base)
    found = run("rules", "diff", change.base, changed, "--json").data
    kept = {"contracts.zolo.goal.kind"}  # named beside the points, as a goal is replaced whole otherwise
    assert {each["key"] for each in found["differences"]} == {*change.keys} - kept
    assert all(each["a"] != each["b"] for each in found["differences"])
    suffixes = {key.rpartition(".")[2] for key in change.keys}
    for lang in LANGS:
        out = run("rules", "diff", change.base, changed, "--lang", lang).out
        if suffixes == {"pl", "en"} - {lang}:
            # A name in the other language alone.
            assert out.count("\n") == 1
            assert all(key in out for key in change.keys)
            continue
        told = rows(out)
        assert len(told) == len(change.rows)
        assert all(len(row) == 3 and row[1] != row[2] for row in told)
        if lang == "en" or suffixes == {"pl"}:
            assert told == change.rows
        if change.shown:
            before, after = (
                run("rules", "show", name, "--lang", lang).out.split("\n\n", 1)[1] for name in (change.base, changed)
            )
            assert before != after


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", sorted(RULES))
def test_what_is_to_be_said_is_shown(run, name: str, lang: str) -> None:
    where = name if name in rule_ids() else str(FIXTURES / f"{name}.toml")
    out = plain(run("rules", "show", where, "--lang", lang).out)
    told = facts(RULES[name], lang)
    assert {fact.section[0] for fact in told} >= {"seats", "orders", "doubling", "misplay"}
    for fact in told:
        if fact.shown:
            assert plain(fact.words) in out, fact
    assert len({(fact.section, fact.topic) for fact in told}) == len(told)


@pytest.mark.parametrize(
    ("name", "lang", "sayings"),
    [
        (
            GORZOW,
            "en",
            [
                "Pack: A 10 Q J of ♣ ♠ ♥ ♦ Cards in a hand: 4",
                "Seats: 1 (on lead), 2 (second), 3 (third), 4 (dealer, last to play)",
                "Direction of play: clockwise Order of speaking: 2, 3, 4, 1",
                "After a trump: a card that beats the best, else any trump, else any card After another card: a card",
                "game holders of Q♣ Q♠ against the rest; needs more points than the others; price 1 / 2 / 4; "
                "doubling: kontra, rej, bok, sup; not announced; tie: the old lose; doubled tie: the side that "
                "doubled last loses wesele",
                "wesele holder of Q♣ Q♠ and a partner against two; partner: who has the highest jack that the "
                "announcer lacks; needs more points than the others; price 1 / 2 / 4; doubling: kontra, rej, bok, sup; "
                "first to double: anybody but the announcer; announced only in one’s first turn; tie:",
                "zolo one against three; needs 53 points; price 5; doubling: kontra, rej; first to double: anybody but "
                "the soloist; announced only in one’s first turn zolo-du",
                "honour zolo-du (zolo-du-honour) holder of 10♣ 10♠ 10♥ 10♦ against three; paid without play; price 10; "
                "doubling: none; announced only in one’s first turn Contracts, lowest first:",
                "Contracts, lowest first: game < cicha = wesele < zolo < zolo-du = honour zolo-du Three prices: losers "
                "with 26 / losers under 26 / losers without a trick Doubling",
                "Doubling kontra ×2, rej ×4, bok ×8, sup ×16 When a higher contract is called: the doublings so far "
                "are cancelled A call right after one of the same side: refused Misplay",
                "Misplay Lost by: the offender’s side Paid as: losers with 26",
                "Tournament Rounds: 4 Deals in a round: 40 Table points by place: 5, 3, 2, 1",
            ],
        ),
        (
            KOSCIAN,
            "pl",
            [
                "Przy stole Talia: A 10 D W w kolorach ♣ ♠ ♥ ♦ Kart w ręce: 4",
                "Kolejność odzywek: 1, 2, 3, 4",
                "pierwszy podwaja: każdy prócz grającego samemu; nie zapowiada się; zabronione ręce: A♥ 10♣, "
                "A♥ 10♠ (miejsce 4), A♥ 10♥ (miejsce 4) zolo",
                "partner: kto ma najstarszego waleta, którego nie ma zapowiadający;",
                "Odzywka zaraz po odzywce tej samej strony: dozwolona, a obie liczą się jako jedna",
                "Turniej Rundy: 5 Rozdań w rundzie: 32 Punkty stołowe za miejsca: 5, 3, 1, 0",
            ],
        ),
        (
            BASKA,
            "en",
            ["price 1 / 2 / 4; price when lost 2 / 4 / 8;", "card order: gran;", "All together at most: ×64"],
        ),
    ],
)
def test_rule_sets_in_words(run, name: str, lang: str, sayings: list[str]) -> None:
    out = plain(run("rules", "show", name, "--lang", lang).out)
    for saying in sayings:
        assert saying in out


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", rule_ids())
def test_a_rule_set_does_not_differ_from_itself(run, tmp_path: Path, name: str, lang: str) -> None:
    none = {"en": "say the same.\n", "pl": "mówią to samo.\n"}[lang]
    assert (
        run("rules", "diff", name, name, "--lang", lang).out == f"{name} {'and' if lang == 'en' else 'i'} {name} {none}"
    )
    source = data_path("rules", f"{name}.toml").read_text(encoding="utf-8")
    remarked = tmp_path / "remarked.toml"
    remarked.write_text("# a remark\n" + re.sub("# .*", "#", source), encoding="utf-8")
    answer = run("rules", "diff", str(remarked), name, "--lang", lang)
    assert answer.code == 0
    assert answer.out.endswith(none)
    assert run("rules", "diff", name, str(remarked), "--json").data == {"a": name, "b": name, "differences": []}


def test_what_makes_no_difference_is_called_that(run, tmp_path: Path) -> None:
    changed = club_file(tmp_path, "[orders.ordinary]\ntrick_bonus = []\n")
    out = run("rules", "diff", GORZOW, changed).out
    assert out.startswith("kop-gorzow-2014 and changed say the same; only these keys differ")
    assert "orders.ordinary.trick_bonus" in out
    assert [each["key"] for each in run("rules", "diff", GORZOW, changed, "--json").data["differences"]] == [
        "orders.ordinary.trick_bonus"
    ]


def test_order_in_a_file_makes_no_difference(run, tmp_path: Path) -> None:
    text = data_path("rules", f"{GORZOW}.toml").read_text(encoding="utf-8")
    turned = tmp_path / "turned.toml"
    turned.write_text(
        text.replace("{ A = 11, 10 = 10, Q = 3, J = 2 }", "{ J = 2, 10 = 10, Q = 3, A = 11 }").replace(
            "{ with-26 = 1, under-26 = 2, no-trick = 4 }", "{ no-trick = 4, with-26 = 1, under-26 = 2 }"
        ),
        encoding="utf-8",
    )
    assert run("rules", "diff", GORZOW, str(turned)).out.endswith("say the same.\n")
    assert run("rules", "show", str(turned)).out == run("rules", "show", GORZOW).out


def test_what_only_one_has_is_said_in_a_line(run, tmp_path: Path) -> None:
    out = run("rules", "diff", GORZOW, BASKA).out
    table, _, lines = out.partition("\n\n")
    assert lines.splitlines() == [
        "Contract only in kop-gorzow-2014: honour zolo-du (zolo-du-honour)",
        "Card order only in baska-z-asem: gran",
        "Contract only in baska-z-asem: gran",
        "Contract only in baska-z-asem: gran-du",
        "Contract only in baska-z-asem: baśka (korona) (baska)",
    ]
    assert "gran:" not in table
    back = run("rules", "diff", BASKA, GORZOW, "--json").data["differences"]
    assert next(each for each in back if each["key"] == "contracts.zolo-du-honour")["a"] is None
    assert next(each for each in back if each["key"] == "orders.gran")["b"] is None
    assert not any(each["key"].startswith("contracts.gran.") for each in back)
    # A tournament is a table of few keys, each with nothing against it.
    alone = tmp_path / "alone.toml"
    alone.write_text(HEAD.format(base=GORZOW) + "tournament = false\n[contracts]\nzolo = false\n", encoding="utf-8")
    words = run("rules", "diff", GORZOW, str(alone)).out
    assert re.search(r"tournament: rounds +4 +–\n", words)
    assert "Contract only in kop-gorzow-2014: zolo\n" in words
    assert [each.key for each in differences(load_rules(GORZOW), read_rules(alone))] == ["contracts.zolo", "tournament"]


def test_rule_sets_of_one_id_are_told_apart(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    copy = tmp_path / "copy.toml"
    text = data_path("rules", f"{GORZOW}.toml").read_text(encoding="utf-8")
    copy.write_text(text.replace("rounds = 4", "rounds = 9"), encoding="utf-8")
    heading, row = run("rules", "diff", GORZOW, str(copy)).out.splitlines()
    assert heading.split() == [GORZOW, str(copy)]
    assert row.split("   ")[0] == "tournament: rounds"
    assert run("rules", "diff", GORZOW, str(copy), "--json").data["differences"] == [
        {"key": "tournament.rounds", "a": 4, "b": 9}
    ]


def test_json_differences_as_documented(run) -> None:
    found = run("rules", "diff", GORZOW, KOSCIAN, "--json").data
    assert {"key": "contracts.game.value.no-trick", "a": 4, "b": 3} in found["differences"]
    assert not {each["key"].partition(".")[0] for each in found["differences"]} & {"id", "name", "source", "hash"}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("columns", ["40", "60", "80"])
def test_nothing_is_cut_off(run, monkeypatch: pytest.MonkeyPatch, lang: str, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for args in (["show", KOSCIAN], ["show", BASKA], ["diff", GORZOW, KOSCIAN], ["diff", KOSCIAN, BASKA]):
        out = run("rules", *args, "--lang", lang).out
        assert "…" not in out
        assert max(map(len, out.splitlines())) <= int(columns)


def test_show_as_data_is_unchanged(run) -> None:
    shown = json.loads(run("rules", "show", KOSCIAN, "--json").out)
    assert shown["contracts"]["cicha"]["barred"][0] == {"cards": ["A♥", "10♣"], "seats": [1, 2, 3, 4]}
