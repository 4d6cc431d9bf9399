"""The web page as files: what the builder writes and refuses, and that its texts fit."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kopsim.errors import QueryError, TableError
from kopsim.faces.site import build
from kopsim.faces.site.packed import NONE, OFFSET, Columns, hundredths, per_mille
from kopsim.resources import data_path
from kopsim.rules import load_rules, rule_ids
from kopsim.throwdowns.lists import list_path, read_list

ASSETS = Path(build.__file__).parent / "assets"
OWN = {lang: tomllib.loads(data_path("site", f"{lang}.toml").read_text(encoding="utf-8")) for lang in ("pl", "en")}
MOST_BYTES = 1_500_000


def given(folder: Path, name: str) -> dict:
    """The data that a data script hands over."""
    text = (folder / "data" / f"{name}.js").read_text(encoding="utf-8")
    found = re.fullmatch(r'kopsim\.put\("[a-z0-9-]+", (.*)\);\n', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_both_languages_of_the_page_say_the_same_things() -> None:
    assert OWN["pl"].keys() == OWN["en"].keys()
    for key, text in OWN["en"].items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", OWN["pl"][key])), key


def test_every_text_of_the_page_is_used_and_every_used_one_exists() -> None:
    said = build.texts()
    assert not OWN["en"].keys() & set(build.BORROWED)
    source = "\n".join(path.read_text(encoding="utf-8") for path in ASSETS.glob("*.js"))
    quoted = set(re.findall(r'"([a-z][a-z-]*)"', source))
    stems = set(re.findall(r"`([a-z-]+-)\$\{", source))  # keys put together from a word of the data
    figures = {key for key in quoted if f"{key}-means" in said["en"]}
    used = quoted | {f"{key}-means" for key in figures}
    unused = {key for key in said["en"] if key not in used and not key.startswith(tuple(stems))}
    assert not unused
    assert set(re.findall(r'\btext\("([a-z-]+)"', source)) <= said["en"].keys()


def test_no_text_of_the_page_tells_a_number_of_one_rule_set() -> None:
    for lang, said in OWN.items():
        for key, text in said.items():
            # The year of a browser, the confidence of intervals and a name may stand there.
            numbers = re.findall(r"\d[\d\u202f ,]*", re.sub(r"\{\w+\}|95 ?%|2023", "", text))
            assert not numbers, (lang, key, numbers)


def test_assets_keep_the_policy() -> None:
    page = (ASSETS / "index.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|<script>|https?://", page.replace("http://www.w3.org", ""))
    for script in ASSETS.glob("*.js"):
        text = script.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"innerHTML|\beval\(|new Function|https?://", text), script.name


def test_figures_come_through_packing_as_they_are_printed() -> None:
    assert [hundredths(value) for value in (None, 0.0, -30.0, 2.005, -0.004)] == [
        NONE, OFFSET, OFFSET - 3000, OFFSET + round(100 * float("2.00")), OFFSET,
    ]  # fmt: skip
    assert [per_mille(share) for share in (None, 0.0, 1.0, 0.0004, 0.9996, 0.5244)] == [NONE, 0, 1000, 2000, 2001, 524]
    columns = Columns(3)
    columns.write(1, {"a": 300, "b": NONE})
    assert columns.packed()["columns"] == ["a"]
    columns.write(0, {"a": 70_000})
    with pytest.raises(ValueError, match="two bytes"):
        columns.packed()


def test_the_site_is_whole(site_folder: Path) -> None:
    index = given(site_folder, "index")
    (rules,) = index["rules"]
    assert rules["id"] == "kop-gorzow-2014"
    assert rules["weighed"] == [20]
    assert [card["id"] for card in rules["cards"]][:2] == ["Ah", "Tc"]
    for name in rules["files"].values():
        assert (site_folder / "data" / f"{name}.js").is_file()
    kept = re.fullmatch(r"self\.KEPT = (.*);\n", (site_folder / "data" / "kept.js").read_text(encoding="utf-8"))
    assert kept is not None
    there = {path.relative_to(site_folder).as_posix() for path in site_folder.rglob("*") if path.is_file()}
    assert set(json.loads(kept[1])["files"]) == there
    assert sum((site_folder / name).stat().st_size for name in there) < MOST_BYTES


def test_the_audit_shows_every_printed_line(site_folder: Path) -> None:
    (rules,) = given(site_folder, "index")["rules"]
    told = given(site_folder, rules["files"]["throwdowns"])
    checked = read_list(list_path("kop-gorzow-2014"), load_rules())
    lines = told["audit"]["lines"]
    assert [line["cards"] for line in lines] == [
        "".join(card.text("ascii") for card in line.cards) for line in checked.lines
    ]
    for line in lines:
        assert bool(line["refuted"]) == (line["verdict"] != "guaranteed")
        assert all(bad["examples"] for bad in line["refuted"])


def test_a_site_replaces_a_site_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(site: Path, *_: object) -> None:
        (site / "data").mkdir(parents=True)
        (site / "index.html").write_text('<meta name="generator" content="kopsim">', encoding="utf-8")

    monkeypatch.setattr(build, "_write", quick)
    folder = tmp_path / "deep" / "site"
    for _ in range(2):
        assert build.build_site(folder, [], lambda *_: None).files == ("index.html",)
    assert [path.name for path in folder.parent.iterdir()] == ["site"]
    (folder / "holiday.jpg").touch()
    with pytest.raises(QueryError, match="something else"):
        build.build_site(folder, [], lambda *_: None)
    assert (folder / "holiday.jpg").exists()
    with pytest.raises(TableError, match="index"):
        build.build_site(folder / "index.html", [], lambda *_: None)

    def broken(site: Path, *_: object) -> None:
        site.mkdir()
        raise OSError(28, "full")

    monkeypatch.setattr(build, "_write", broken)
    (folder / "holiday.jpg").unlink()
    with pytest.raises(TableError, match="full"):
        build.build_site(folder, [], lambda *_: None)
    assert (folder / "index.html").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["site"]


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "There is something else than a kopsim page in"), ("pl", "jest co innego niż strona")]
)
def test_the_command_refuses_in_one_sentence(run: Callable, tmp_path: Path, lang: str, words: str) -> None:
    (tmp_path / "letter.txt").touch()
    answer = run("site", "build", "--out", str(tmp_path), "--lang", lang)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_rules_without_tables_are_refused(run: Callable, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        Path("tests/rules/bridge.toml").read_text() if Path("tests/rules/bridge.toml").exists() else "", "utf-8"
    )
    answer = run("site", "build", "--out", str(tmp_path / "site"), "--rules", str(own))
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_all_rule_sets_fit(run: Callable, tmp_path: Path) -> None:
    built = run("site", "build", "--out", str(tmp_path / "site"), "--json").data
    assert built["bytes"] < MOST_BYTES
    index = given(tmp_path / "site", "index")
    assert [rules["id"] for rules in index["rules"]] == rule_ids()
    for rules in index["rules"]:
        hands = given(tmp_path / "site", rules["files"]["hands"])
        assert hands["rows"] == 7280
        assert "zolo" in hands["calls"]
    assert np.unique([rules["files"]["hands"] for rules in index["rules"]]).size >= 3
