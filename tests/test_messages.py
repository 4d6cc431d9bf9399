from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from string import Formatter

import kopsim
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
