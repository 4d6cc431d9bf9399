"""Every notebook runs from top to bottom, says what it said when it was saved, and takes other parameters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import papermill
import pytest
from nbclient import NotebookClient

from kopsim import format_cards, load_rules, odds, parse_cards
from kopsim.advice import advise
from kopsim.deals import sort_hand
from kopsim.errors import Lang, QueryError
from kopsim.faces.words import number, percent
from kopsim.hand_wins import seat_wins
from kopsim.kontra_table import packaged_kontra
from kopsim.odds_table import packaged_table
from kopsim.throwdowns.prover import certain_hands

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def outputs(notebook: nbformat.NotebookNode) -> list[dict[str, Any]]:
    return [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", ())]


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells say in words; pictures differ from one machine to another."""
    kinds = ("text/markdown", "text/html", "text/plain")
    words = [data for data in outputs(notebook) if "image/png" not in data]
    return [next(data[kind] for kind in kinds if kind in data) for data in words]


def captioned(notebook: nbformat.NotebookNode) -> int:
    """The number of the last figure that a caption names."""
    numbers = [
        int(last or first)
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for first, last in re.findall(r"\*Figures? (\d+)(?: to (\d+))?\.", cell.source)
    ]
    return max(numbers, default=0)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_it_said(path: Path) -> None:
    saved = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(run, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert texts(run) == texts(saved)
    assert len(texts(saved)) > 3
    for told in outputs(saved):
        # Plain text is for those who have nothing better, without colours; and nothing is shown twice.
        assert "\x1b" not in told["text/plain"]
        assert re.sub("<[^>]*>", "", told.get("text/html", "x")).strip()
    assert path.stat().st_size < 200_000
    pictures = [data for data in outputs(run) if "image/png" in data]
    assert len(pictures) == captioned(run)
    assert ["parameters"] in [cell.metadata.get("tags") for cell in run.cells]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


def ran(name: str, **parameters: object) -> tuple[str, int]:
    """All that a notebook says with other parameters, and the number of its pictures."""
    notebook = papermill.execute_notebook(
        FOLDER / f"{name}.ipynb", None, parameters, cwd=FOLDER, kernel_name="python3", progress_bar=False
    )
    pictures = [data for data in outputs(notebook) if "image/png" in data]
    return re.sub("</?[a-z][^>]*>", "", "\n".join(texts(notebook))), len(pictures)


def test_one_hand_of_other_rules() -> None:
    """Without play-outs it keeps to open cards and the best defence, and says so."""
    rules, hand = load_rules("baska-z-asem"), "A♣ A♥ 10♣ Q♣"
    told, pictures = ran("01_one_hand", rules_id=rules.id, hand_text=hand, seat=1, contract="gran", lang="pl")
    found = odds(hand, seat=1, contract="gran", rules=rules)
    assert percent(float(found.probability), "pl") in told
    assert percent(float(found.probability), "en") in told
    assert "miejsce" in told
    assert "D♣" in told
    assert "No play-outs are packaged" in told
    assert pictures == 2


def test_an_audit_where_no_list_was_printed() -> None:
    rules = load_rules("kop-wolsztyn")
    told, pictures = ran("02_throwdown_audit", rules_id=rules.id, lang="pl")
    choices = ["baska-z-asem", "kop-gorzow-2014", "kop-koscian"]
    assert QueryError("list-none", rules=rules, choices=choices).text("pl") in told
    assert f"{len(certain_hands(rules, 'zolo'))} for zolo" in told
    assert pictures == 0


def test_when_to_bid_another_contract() -> None:
    told, pictures = ran("03_when_to_bid_zolo", contract="zolo-du", lang="pl")
    assert "Hands for which zolo-du earns most" in told
    assert "karta" in told
    assert pictures > 0


@pytest.mark.parametrize(("rules_id", "lang"), [("kop-wolsztyn", "pl"), ("baska-z-asem", "en")])
def test_kontra_of_another_hand(rules_id: str, lang: Lang) -> None:
    rules = load_rules(rules_id)
    hand = sort_hand(parse_cards("10♣ 10♠ J♠ A♣"), rules, "zolo")
    told, pictures = ran("04_kontra", rules_id=rules_id, seat=2, soloist=1, hand_text="10♣ 10♠ W♠ A♣", lang=lang)
    table = packaged_kontra(rules, "zolo")
    assert format_cards(hand, lang=lang) in told
    if table is None:
        assert QueryError("kontra-none", rules=rules, contract="zolo").text(lang) in told
        assert pictures == 0
    else:
        kontra = table.kontra(hand, 2, 1)
        assert kontra is not None
        assert percent(kontra.probability, lang) in told
        assert "seat 1: **kontra**" in told
        assert pictures == 2


def test_seats_where_only_open_cards_are_known() -> None:
    rules = load_rules("baska-z-asem")
    told, pictures = ran("05_seat_value", rules_id=rules.id, hand_text="A♥ 10♣ W♣ W♠", lang="pl")
    table = packaged_table(rules, rules.contract("zolo").order)
    assert table is not None
    for each in seat_wins(table, rules, "zolo"):
        assert percent(each.chance, "pl") in told
    assert "No calling range is packaged" in told
    best = advise("A♥ 10♣ J♣ J♠", seat=1, rules=rules)
    assert best.recommended.call == "gran"
    assert number(best.earned(best.recommended).value, "pl", sign=True) in told
    assert pictures == 2
