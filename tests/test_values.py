"""Results are values: made twice they are equal, hash alike and are pickled whole; nobody can change them."""

from __future__ import annotations

import pickle
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module

import msgspec
import numpy as np
import pytest

import kopsim
from kopsim import Auction, Deal, PartialDeal, Position, certify, odds, parse_cards, parse_played, post_mortem
from kopsim.advice import advise
from kopsim.best_defence import best_defence
from kopsim.call_grid import call_grid
from kopsim.calling_range import read_ranges
from kopsim.double_dummy import solve
from kopsim.frozen_map import FrozenMap
from kopsim.hand_wins import seat_wins
from kopsim.heard_values import advise_heard
from kopsim.hidden_table import Table
from kopsim.kontra_pairs import kontra_grid
from kopsim.kontra_table import packaged_kontra
from kopsim.measures import biddable_hands, every_measure
from kopsim.odds_table import packaged_table
from kopsim.pair_game_odds import pair_odds
from kopsim.play_out import make_setting, play_deal, play_out
from kopsim.reply_bound import reply_bound
from kopsim.resources import data_path
from kopsim.rules import RuleSet, read_rules
from kopsim.rules.compile import compile_order
from kopsim.scoring import score
from kopsim.table_file import read_header
from kopsim.throwdowns.audit import audit
from kopsim.throwdowns.comparison import compare_throwdowns
from kopsim.throwdowns.counterexamples import counterexamples
from kopsim.throwdowns.find import find
from kopsim.throwdowns.lists import list_path, read_list
from kopsim.values import Value

HAND = "A♥ 10♣ J♣ J♠"
DEAL = "J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥"
PLAYED = f"""deal: {DEAL}
calls: 2: pas, 3: pas, 4: zolo,
 1: kontra, pas, pas, pas
play: J♠ J♣ 10♦ Q♥
 10♠ 10♣ J♦ A♦
 Q♦ 10♥ A♠ A♥
 Q♠ Q♣ J♥ A♣
"""


def kop() -> RuleSet:
    """The default rules, read anew, so that nothing is equal by being the same."""
    return read_rules(data_path("rules", "kop-gorzow-2014.toml"))


def ranges():
    path = next(each for each in data_path("ranges").glob("*.toml") if "gorzow" in each.name)
    return read_ranges(path, kop())


def kontra():
    table = packaged_kontra(kop(), "zolo")
    assert table is not None
    return kontra_grid(kop(), "zolo", 1, 4)


MADE: dict[str, Callable[[], object]] = {
    "RuleSet": kop,
    "CompiledOrder": lambda: compile_order(kop(), "ordinary", "tricks"),
    "CardRow": lambda: parse_cards(HAND),
    "Deal": lambda: Deal.parse(DEAL, kop()),
    "PartialDeal": lambda: PartialDeal.of({1: parse_cards(HAND)}, rules=kop()),
    "Position": lambda: Position.start(Deal.parse(DEAL, kop()), contract="zolo").play("J♠"),
    "Auction": lambda: Auction(kop(), {1: frozenset(parse_cards(HAND))}).call("pass"),
    "Odds": lambda: odds(HAND, seat=3, contract="zolo", rules=kop()),
    "Odds, sampled": lambda: odds(HAND, seat=3, contract="zolo", rules=kop(), samples=100, seed=1),
    "PairOdds": lambda: pair_odds(HAND, seat=3, contract="game", rules=kop(), samples=100),
    "Solution": lambda: solve(Deal.parse(DEAL, kop()), contract="zolo", side=(4,)),
    "Score": lambda: score("zolo", 4, points=60, rules=kop()),
    "Advice": lambda: advise(HAND, seat=3, rules=kop()),
    "HeardAdvice": lambda: advise_heard(HAND, "2: pas", seat=3, rules=kop()),
    "PlayedDeal": lambda: parse_played(PLAYED, "deal.txt", kop()),
    "PostMortem": lambda: post_mortem(parse_played(PLAYED, "deal.txt", kop())),
    "Certificate, guaranteed": lambda: certify("A♥ 10♣ 10♠ 10♥", seat=4, contract="zolo", rules=kop()),
    "Certificate, refuted": lambda: certify("A♥ 10♥ Q♣ Q♥", seat=4, contract="zolo", rules=kop()),
    "Counterexample": lambda: tuple(
        counterexamples(certify("A♥ 10♥ Q♣ Q♥", seat=4, contract="zolo", rules=kop()), kop())
    ),
    "Audit": lambda: audit(read_list(list_path("kop-gorzow-2014"), kop()), kop()),
    "Found": lambda: find(kop(), "zolo", (4,)),
    "ComparedThrowdowns": lambda: tuple(compare_throwdowns(kop(), kop(), "zolo")),
    "PlayOut": lambda: play_out(HAND, seat=3, contract="zolo", deals=20, layouts=4, rules=kop()),
    "Played": lambda: play_deal(make_setting(HAND, 3, "zolo", "pimc", None, None, 4, 0, kop()), 5),
    "Table": lambda: Table(kop(), "zolo", 3, frozenset([frozenset(parse_cards(HAND))])),
    "Measures": lambda: tuple(every_measure(kop(), parse_cards(HAND), (3,), "zolo")),
    "BestDefenceOdds": lambda: best_defence(HAND, seat=3, contract="zolo", rules=kop(), with_plan=True),
    "ReplyBound": lambda: reply_bound("A♥ 10♣ 10♠ J♠", seat=3, contract="zolo", layouts=2, rules=kop()),
    "CallingRanges": ranges,
    "CallGrid": lambda: call_grid(kop(), "zolo", 4, parse_cards("A♥ 10♣")),
    "KontraGrid": kontra,
    "SeatWins": lambda: tuple(seat_wins(packaged_table(kop(), "ordinary"), kop(), "zolo")),
    "Biddable": lambda: tuple(biddable_hands(kop(), "zolo", find(kop(), "zolo").certain)),
    "Header": lambda: read_header(sorted(data_path("odds").glob("*.odds"))[0]),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_results_are_values(make: Callable[[], object]) -> None:
    first, second = make(), make()
    assert first == second
    assert hash(first) == hash(second)
    again = pickle.loads(pickle.dumps(first))
    assert again == first
    assert hash(again) == hash(first)
    for part in (*held(first), *held(again)):
        if isinstance(part, np.ndarray):
            assert not part.flags.writeable
        elif isinstance(part, Mapping):
            with pytest.raises(TypeError):
                part["new"] = 1  # type: ignore[index]
        else:
            assert not isinstance(part, list)


def held(value: object) -> Iterator[object]:
    """A value and all that it holds."""
    yield value
    if isinstance(value, Mapping):
        parts: Iterator[object] = iter([*value, *value.values()])
    elif isinstance(value, (tuple, list, frozenset)):
        parts = iter(value)
    elif is_dataclass(value):
        parts = (getattr(value, each.name) for each in fields(value))
    elif isinstance(value, msgspec.Struct):
        parts = (getattr(value, name) for name in value.__struct_fields__)
    else:
        return
    for part in parts:
        yield from held(part)


def test_other_values_are_others() -> None:
    seats = [odds(HAND, seat=seat, contract="zolo") for seat in (1, 2, 3, 4)]
    assert len(set(seats)) == 4
    assert Auction(kop()) != Auction(kop()).call("pass")
    cheaper = msgspec.structs.replace(kop(), contracts={})
    assert cheaper != kop()
    assert hash(cheaper) != hash(kop())


def test_a_histogram_cannot_be_written_into() -> None:
    found = odds(HAND, seat=3, contract="zolo")
    with pytest.raises(ValueError, match="read-only"):
        found.histogram[0] = 7
    counts = np.array([1, 2, 3])
    kept = type(found.points)(counts, 0, 6)
    counts[0] = 9  # what was handed over stays its owner's
    assert kept.counts.tolist() == [1, 2, 3]


def test_no_record_is_equal_by_being_the_same_alone() -> None:
    """Every frozen dataclass compares what it holds: by the decorator, or as `Value` does."""
    working = {"kopsim.odds_question.Question"}  # a question that is being worked at, with whom to tell of it
    for module in pkgutil.walk_packages(kopsim.__path__, "kopsim."):
        if ".faces" in module.name:
            continue
        for name, kind in vars(import_module(module.name)).items():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.name:
                settings = kind.__dataclass_params__
                if settings.frozen and f"{module.name}.{name}" not in working:
                    assert settings.eq or issubclass(kind, Value), (module.name, name)


def test_a_frozen_map_is_a_dict_to_read() -> None:
    frozen = FrozenMap({"a": 1})
    assert frozen == {"a": 1}
    assert msgspec.json.encode(frozen) == b'{"a":1}'
    assert frozen | {"b": 2} == {"a": 1, "b": 2}
    for change in (
        lambda: frozen.update(b=2),
        lambda: frozen.pop("a"),
        lambda: frozen.setdefault("b", 2),
        lambda: frozen.clear(),
        lambda: frozen.__delitem__("a"),
        lambda: frozen.__ior__({"b": 2}),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
