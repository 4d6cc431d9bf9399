"""Every notebook runs from top to bottom and says what it said when it was saved."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells say in words; pictures differ from one machine to another."""
    said = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" not in data:
                said.append(data.get("text/markdown", data.get("text/plain", output.get("text", ""))))
    return said


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_it_said(path: Path) -> None:
    saved = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(run, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert texts(run) == texts(saved)
    assert len(texts(saved)) > 3
    assert path.stat().st_size < 200_000
    pictures = [output for cell in run.cells for output in cell.get("outputs", ()) if "image/png" in output["data"]]
    captions = [cell for cell in run.cells if cell.cell_type == "markdown" and "*Figure" in cell.source]
    assert len(pictures) == len(captions)


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
