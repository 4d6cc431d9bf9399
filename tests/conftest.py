"""Settings that all tests share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from kopsim.faces.cli import main
from kopsim.faces.site.build import build_site
from kopsim.rules import load_rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Deadlines would time the machine, not the code.
settings.register_profile("kopsim", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("kopsim")


class Answer:
    """What one command line printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *args: str) -> None:
        with pytest.raises(SystemExit) as caught:
            main(list(args))
        self.code = caught.value.code
        self.out, self.err = capsys.readouterr()

    @property
    def data(self) -> dict:
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Runs a command line on a terminal of 80 columns in an English locale."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *args: Answer(capsys, *args)


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The web page of the default rules, built once for all tests, whichever workers run them."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "site"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            build_site(folder, [load_rules()], lambda _stage, _done, _of: None)
    return folder


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser, where there is one."""
    from site_browser import browser  # skips the tests that need it

    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def saved(site_folder: Path) -> str:
    """The address of the web page in its folder."""
    return (site_folder / "index.html").as_uri()
