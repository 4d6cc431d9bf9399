"""CSV has one writer: plain for programs, and as Polish spreadsheets read it."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from kopsim import QueryError
from kopsim.faces.cli import main
from kopsim.faces.csv_text import csv_style, csv_text


def test_styles() -> None:
    rows: list[list[Any]] = [["A♥, x", 1, 0.5, None], ["b", 2, -1.25, 3]]
    assert csv_text(["hand", "n", "mean", "e"], rows) == 'hand,n,mean,e\n"A♥, x",1,0.5,\nb,2,-1.25,3'
    assert csv_text(["hand", "n", "mean", "e"], rows, "pl") == "\ufeffhand;n;mean;e\nA♥, x;1;0,5;\nb;2;-1,25;3"
    assert csv_text(["m"], [[0.5]], "pl", places=4) == "\ufeffm\n0,5000"


def test_the_style_alone_asks_for_csv() -> None:
    assert csv_style(False, None) is None
    assert csv_style(True, None) == "plain"
    assert csv_style(False, "pl") == "pl"
    with pytest.raises(QueryError, match="no CSV style “de”; known: plain, pl"):
        csv_style(True, "de")


@pytest.mark.parametrize(
    ("args", "decimals"),
    [
        (["table", "export", "--contract", "zolo"], False),
        (["table", "export", "--contract", "zolo", "--model", "play-out"], True),
        (["table", "export", "--contract", "zolo", "--model", "best-defence"], False),
        (["chart-data", "zolo", "--seat", "3"], True),
        (["chart-data", "kontra", "--seat", "4"], True),
    ],
)
def test_every_command_that_writes_csv(args: list[str], decimals: bool, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for more in (["--csv"], ["--csv-style", "pl"]):
        with pytest.raises(SystemExit) as left:
            main([*args, *more])
        assert left.value.code == 0
        told.append(capsys.readouterr().out)
    plain, polish = told
    assert polish.startswith("\ufeff")
    assert not plain.startswith("\ufeff")
    rows = [list(csv.reader(io.StringIO(plain))), list(csv.reader(io.StringIO(polish[1:]), delimiter=";"))]
    assert [[cell.replace(".", ",") for cell in row] for row in rows[0]] == rows[1]
    assert any("," in cell for cell in rows[1][1]) == decimals


def test_an_output_that_cannot_carry_the_mark_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kopsim.faces.csv_text.carried", lambda text: text.replace("\ufeff", "?"))
    assert csv_text(["a"], [["b"]], "pl") == "a\nb"
