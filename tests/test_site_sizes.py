"""The web page from the smallest phone to a wide screen, on its side, and in letters of twice the size."""

from __future__ import annotations

from itertools import product

import pytest
from site_browser import Browser, Page, cut_off, open_all, watched

from kopsim.errors import Lang

SIZES = [(320, 568), (360, 640), (414, 896), (568, 320), (640, 360), (768, 1024), (1024, 768), (1280, 800), (1600, 900)]
HANDS = {
    "long names": "TcTsThTd/1",
    "kontra": "TcThJcAc/4",
    "thrown": "AhTsQcQs/4",
}
LINKS = {
    "hand": "#{lang}/hand/kop-gorzow-2014/TcThJcAc/4",
    "throwdowns": "#{lang}/throwdowns/kop-gorzow-2014",
    "charts": "#{lang}/charts/kop-gorzow-2014/3",
    "rules": "#{lang}/rules/kop-gorzow-2014",
}


def enlarge(page: Page) -> None:
    page.evaluate("document.documentElement.style.fontSize = '200%'")


@pytest.mark.parametrize(("width", "height"), SIZES, ids=lambda size: str(size))
@pytest.mark.parametrize("letters", ["ordinary", "double"])
def test_nothing_is_cut_off(chromium: Browser, saved: str, width: int, height: int, letters: str) -> None:
    for lang, name in product(("pl", "en"), LINKS):
        url = saved + LINKS[name].format(lang=lang)
        with watched(chromium, url, viewport={"width": width, "height": height}) as page:
            if letters == "double":
                enlarge(page)
            open_all(page, name)
            assert cut_off(page) == [], (lang, name)
            if name == "charts":
                page.select_option("[name=chart]", "kontra")
                page.wait_for_selector(".chart table")
                assert cut_off(page) == [], (lang, "kontra")


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
@pytest.mark.parametrize("lang", ["pl", "en"])
def test_no_answer_is_cut_off(chromium: Browser, saved: str, lang: Lang, hand: str) -> None:
    for width in (320, 360, 1024, 1280):
        url = f"{saved}#{lang}/hand/kop-gorzow-2014/{hand}"
        with watched(chromium, url, viewport={"width": width, "height": 640}) as page:
            open_all(page, "hand")
            assert cut_off(page) == [], width
            enlarge(page)
            assert cut_off(page) == [], (width, "double")


def hidden_by_the_edge(page: Page) -> bool:
    """Whether some of the verdict lies below the first view or under the links at its foot."""
    return page.evaluate(
        """() => {
          const {bottom} = document.querySelector(".verdict").getBoundingClientRect();
          const links = document.querySelector("nav").getBoundingClientRect();
          return bottom > Math.min(innerHeight, links.top > bottom / 2 ? links.top : innerHeight);
        }"""
    )


@pytest.mark.parametrize("lang", ["pl", "en"])
@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_the_verdict_is_in_the_first_view(chromium: Browser, saved: str, hand: str, lang: Lang) -> None:
    for width, height in SIZES:
        url = f"{saved}#{lang}/hand/kop-gorzow-2014/{hand}"
        with watched(chromium, url, viewport={"width": width, "height": height}) as page:
            page.wait_for_selector(".verdict")
            assert not hidden_by_the_edge(page), (width, height)
            if (width, height) in [(360, 640), (414, 896), (1280, 800)]:
                enlarge(page)
                assert not hidden_by_the_edge(page), (width, height, "double")
