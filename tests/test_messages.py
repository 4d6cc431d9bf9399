from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from string import Formatter

import kopsim
from kopsim.errors import Lang, message
from kopsim.resources import data_path

SENTENCES = {
    lang: tomllib.loads(data_path("messages", f"{lang}.toml").read_text(encoding="utf-8")) for lang in ("pl", "en")
}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_say_the_same_things() -> None:
    assert SENTENCES["pl"].keys() == SENTENCES["en"].keys()
    for key, text in SENTENCES["en"].items():
        assert places(text) == places(SENTENCES["pl"][key]), key


def test_every_sentence_is_used_and_every_used_one_exists() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(kopsim.__file__).parent.rglob("*.py"))
    for notebook in (Path(__file__).parents[1] / "notebooks").glob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        source += "\n".join("".join(cell["source"]) for cell in cells)
    quoted = set(re.findall(r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"', source))
    computed = (
        "demand-",
        "sides-",
        "stage-",
        "kind-",
        "line-",
        "grade-",
        "graded-",
        "role-",
        "verdict-",
        "because-",
        "sure-",
        "word-",
    )  # keys put together from a rule's own word, or from a placeholder
    unused = {key for key in SENTENCES["en"] if key not in quoted and not key.startswith(computed)}
    assert not unused
    raised = set(re.findall(r'(?:Error|message)\(\s*"([a-z-]+)"', source))
    helps = set(re.findall(r'\bhelp="([a-z-]+)"', source))
    assert len(helps) > 50
    assert raised | helps <= SENTENCES["en"].keys()


def test_every_sentence_gets_just_what_it_says() -> None:
    """Where a key and its parameters stand in one call, they are those of the sentence."""
    for path in sorted(Path(kopsim.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            named = node.func.id if isinstance(node.func, ast.Name) else ""
            key, given = node.args[0].value, {word.arg for word in node.keywords}
            if (named == "message" or named.endswith("Error")) and key in SENTENCES["en"] and None not in given:
                assert given == places(SENTENCES["en"][key]), (path.name, key)


def test_words_go_with_their_numbers() -> None:
    def said(lang: Lang, **told: object) -> str:
        return message("example-end", lang, **told)

    assert said("en", points=1, tricks=1) == "Lost: the others have 1 point and 1 trick."
    assert said("en", points=52, tricks=2) == "Lost: the others have 52 points and 2 tricks."
    weighed = {count: message("played-note", "pl", weighed=count) for count in (1, 2, 5, 12, 22, 112, "34\u202f653")}
    forms = {count: re.findall(r"waż\w+ .*?(rozk\w+)", text)[0] for count, text in weighed.items()}
    assert forms == {
        1: "rozkład",
        2: "rozkłady",
        5: "rozkładów",
        12: "rozkładów",
        22: "rozkłady",
        112: "rozkładów",
        "34\u202f653": "rozkłady",
    }
    assert "over the only layout" in message("odds-exact", "en", layouts="1")
    assert "w jedynym rozkładzie" in message("odds-exact", "pl", layouts="1")
    assert "hold 1 card, but 2 are given" in message("hand-too-many", "en", seat=1, wanted=1, count=2, cards="A")


def test_a_choice_of_words_has_one_for_every_form() -> None:
    for lang, texts in SENTENCES.items():
        for key, text in texts.items():
            choices = [spec for _, _, spec, _ in Formatter().parse(text) if spec and "|" in spec]
            assert all(spec.count("|") == {"en": 1, "pl": 2}[lang] for spec in choices), (lang, key)


def test_a_number_in_english_never_stands_before_a_plural_alone() -> None:
    """`{count} cards` would be "1 cards"; numbers that are never 1 are named here."""
    never_one = {"advise-many", "chart-open-note", "chart-points-note", "chart-bracket-note", "chart-seat-value-note"}
    never_one |= {"chart-seat-open-note"}
    numbers = "count|points|tricks|deals|layouts|hands|samples|wanted|weighed|total|most|files|joined|size"
    plurals = "cards|points|tricks|deals|layouts|hands|files|seats"
    for key, text in SENTENCES["en"].items():
        if key not in never_one and not key.startswith("help-"):
            assert not re.search(rf"\{{({numbers})\}} ({plurals})\b", text), key
