"""The documentation in a browser: whatever is wide scrolls inside itself, and nothing is fetched from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_build import built
from site_browser import DESKTOP, PHONE, browser, served, watched

PAGE = """# Tried

```{command-output} kopsim odds "A♥ 10♠ Q♣ A♦" --model all
```

```{made} kopsim chart points "A♥ 10♠ Q♣ A♦" --seat 4 --out drawn.svg
:alt: A histogram of points
```

| a | b | c |
|---|---|---|
| Konstantynopolitańczykowianeczka | Konstantynopolitańczykowianeczka | Konstantynopolitańczykowianeczka |
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    source = folder / "source"
    source.mkdir()
    (source / "index.md").write_text(PAGE, encoding="utf-8")
    done = built(source, folder, "en")
    assert done.returncode == 0, done.stderr
    return folder / "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_is_cut_off(site: Path, viewport: dict[str, int], scheme: str) -> None:
    with (
        browser() as opened,
        served(site) as address,
        watched(opened, f"{address}index.html", viewport=viewport, color_scheme=scheme) as page,
    ):
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        for box in page.query_selector_all("pre, .table-wrapper"):
            inside, shown = box.evaluate("box => [box.scrollWidth, box.clientWidth]")
            assert inside <= shown or box.evaluate("box => getComputedStyle(box).overflowX") == "auto"
            assert box.evaluate("box => box.tabIndex") == (0 if inside > shown else -1)
        picture = page.query_selector("img.made")
        assert picture is not None
        assert picture.evaluate("img => img.complete && img.naturalWidth > 0")
        assert picture.bounding_box()["x"] + picture.bounding_box()["width"] <= viewport["width"]
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
