"""The web page from the smallest phone to a wide screen, on its side, and in letters of twice the size."""

from __future__ import annotations

from collections.abc import Iterator
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


def sizes(page: Page) -> Iterator[tuple[int, int, str]]:
    """Lays the page out in every size and both sizes of letters, and says which."""
    for (width, height), letters in product(SIZES, ("100%", "200%")):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("size => { document.documentElement.style.fontSize = size; scrollTo(0, 0); }", letters)
        yield width, height, letters


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("lang", ["pl", "en"])
def test_nothing_is_cut_off(chromium: Browser, saved: str, lang: Lang, name: str) -> None:
    with watched(chromium, saved + LINKS[name].format(lang=lang), reduced_motion="reduce") as page:
        open_all(page, name)
        for size in sizes(page):
            assert cut_off(page) == [], size
        if name == "charts":
            page.select_option("[name=chart]", "kontra")
            page.wait_for_function("document.querySelectorAll('.chart th').length === 6")
            for size in sizes(page):
                assert cut_off(page) == [], ("kontra", *size)


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
@pytest.mark.parametrize("lang", ["pl", "en"])
def test_no_answer_is_cut_off_and_the_verdict_is_in_the_first_view(
    chromium: Browser, saved: str, lang: Lang, hand: str
) -> None:
    with watched(chromium, f"{saved}#{lang}/hand/kop-gorzow-2014/{hand}", reduced_motion="reduce") as page:
        page.wait_for_selector(".verdict")
        for width, height, letters in sizes(page):
            # Twice the letters on the smallest phones and on phones on their side leave no room for all of it.
            if letters == "100%" or (min(width, height) >= 360 and height >= 640):
                assert verdict_in_first_view(page), (width, height, letters)
        open_all(page, "hand")
        for size in sizes(page):
            assert cut_off(page) == [], size


@pytest.mark.parametrize("lang", ["pl", "en"])
def test_what_is_said_of_a_bad_link_is_not_cut_off(chromium: Browser, saved: str, lang: Lang) -> None:
    link = f"#{lang}/hand/{'no-such-rules' * 3}/AhXxAhTcQcQdTd/9/{'z' * 90}"
    with watched(chromium, saved + link, reduced_motion="reduce") as page:
        page.wait_for_selector(".link-wrong")
        for size in sizes(page):
            assert cut_off(page) == [], size


def verdict_in_first_view(page: Page) -> bool:
    """Whether the verdict ends above the edge and above the links at its foot."""
    return page.evaluate(
        """() => {
          const {bottom} = document.querySelector(".verdict").getBoundingClientRect();
          const {top} = document.querySelector("nav").getBoundingClientRect();
          return bottom <= innerHeight && (top >= bottom || top < 100);
        }"""
    )
