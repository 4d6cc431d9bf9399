"""What is kept from one question to the next: nothing that a user can change, and nothing without end."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import kopsim
from kopsim import load_rules, odds
from kopsim.calling_range import packaged_ranges, read_ranges, write_ranges
from kopsim.faces.range_option import chosen_ranges
from kopsim.hidden_table import Table, payments_of
from kopsim.odds_table import ranks_by_mask
from kopsim.resources import MOST_KEPT
from kopsim.rules.compile import compile_order
from kopsim.throwdowns.lists import read_list, rules_of_list

KOP = load_rules()
HAND = "A♥ 10♣ J♣ J♠"
# Asked for nothing, for a language, or for the id of rules that came with kopsim: of these there are a few.
FEW = {"_card_names", "_spelling", "_packaged", "_table"}


def club(path: Path, needs: int, base: str = "kop-gorzow-2014") -> Path:
    """A club's rules, in which a zolo needs so many points."""
    path.write_text(
        f'base = "{base}"\nid = "club"\n[contracts.zolo.goal]\nkind = "points"\nat_least = {needs}\n', encoding="utf-8"
    )
    return path


def needed(name: str) -> int:
    return load_rules(name).contracts["zolo"].goal.at_least


def test_a_rule_file_that_was_edited_is_read_anew(tmp_path: Path) -> None:
    path = str(club(tmp_path / "club.toml", 60))
    before = load_rules(path)
    assert needed(path) == 60
    won = odds(HAND, seat=3, contract="zolo", rules=before).wins
    club(tmp_path / "club.toml", 40)
    assert needed(path) == 40
    # What was worked out for the old rules is not told for the new ones, which have the same id.
    assert odds(HAND, seat=3, contract="zolo", rules=load_rules(path)).wins > won
    assert before.contracts["zolo"].goal.at_least == 60


def test_a_base_that_was_edited_is_read_anew(tmp_path: Path) -> None:
    club(tmp_path / "below.toml", 60)
    (tmp_path / "club.toml").write_text('base = "./below.toml"\n', encoding="utf-8")
    assert needed(str(tmp_path / "club.toml")) == 60
    club(tmp_path / "below.toml", 55)
    assert needed(str(tmp_path / "club.toml")) == 55


def test_a_relative_path_goes_by_the_folder_of_the_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, needs in (("one", 60), ("two", 50)):
        (tmp_path / folder).mkdir()
        club(tmp_path / folder / "club.toml", needs)
        monkeypatch.chdir(tmp_path / folder)
        assert needed("club.toml") == needs
        assert needed("./club.toml") == needs


def test_lists_and_ranges_that_were_edited_are_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    for line in ("A♥ 10♣ 10♠ 10♥", "A♥ 10♣ 10♠ Q♣"):
        path.write_text(
            'rules = "kop-gorzow-2014"\nname = { pl = "x", en = "x" }\n'
            f'[[lines]]\ncontract = "zolo"\ncards = "{line}"\nseats = [4]\n',
            encoding="utf-8",
        )
        assert rules_of_list(path) == KOP.id
        assert [str(each) for each in read_list(path, KOP).lines[0].cards] == line.split()
    ranges = packaged_ranges(KOP)
    assert ranges is not None
    for contract in ranges.contracts[:2]:
        few = {key: hands for key, hands in ranges.callers.items() if key[0] == contract}
        write_ranges(type(ranges)(KOP, few, {}, ranges.made), tmp_path / "range.toml")
        assert read_ranges(tmp_path / "range.toml", KOP).contracts == (contract,)
    for hand in (HAND, "A♥ 10♣ 10♠ 10♥"):
        (tmp_path / "hands.txt").write_text(hand, encoding="utf-8")
        chosen = chosen_ranges(str(tmp_path / "hands.txt"), KOP, ["zolo"])
        assert [[str(card) for card in sorted(each)] for each in chosen.callers["zolo", 1]] == [
            [str(card) for card in sorted(kopsim.parse_cards(hand))]
        ]


def test_every_cache_is_bounded() -> None:
    unbounded = set()
    for module in pkgutil.walk_packages(kopsim.__path__, "kopsim."):
        for name, each in vars(import_module(module.name)).items():
            if hasattr(each, "cache_parameters") and each.cache_parameters()["maxsize"] is None:
                unbounded.add(name)
    assert unbounded == FEW


def test_a_server_asked_about_ever_new_rules_does_not_grow() -> None:
    for needs in range(MOST_KEPT + 20):
        zolo = msgspec.structs.replace(KOP.contracts["zolo"], rank=100 + needs)
        compile_order(msgspec.structs.replace(KOP, contracts={**KOP.contracts, "zolo": zolo}), "ordinary")
    assert compile_order.cache_info().currsize == MOST_KEPT


def test_what_is_kept_cannot_be_written_into() -> None:
    for kept in (payments_of(Table(KOP, "zolo", 3)), ranks_by_mask(16, 4)):
        with pytest.raises(ValueError, match="read-only"):
            kept[0] = 1
