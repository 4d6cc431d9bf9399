"""What the web page reads of a link, and what it keeps of what people did: steps back, put-back cards, last hands."""

from __future__ import annotations

from pathlib import Path

import pytest
from site_browser import Browser, Page, served, watched

from kopsim.errors import Lang
from kopsim.faces.site.build import texts

HAND = "#hand/kop-gorzow-2014/AhTcJcJs/3"
OTHER = "#hand/kop-gorzow-2014/AhTsQcAd/4"


def answered(page: Page, hand: str) -> None:
    page.wait_for_selector(f'.answer[data-hand*=" {hand} "]')


def pressed(page: Page) -> str:
    return "".join(
        page.eval_on_selector_all(".grid [aria-pressed=true]", "all => all.map((each) => each.dataset.card)")
    )


def seat(page: Page) -> str | None:
    return page.evaluate("document.querySelector('.seat input:checked')?.value ?? null")


def pick(page: Page, cards: str) -> None:
    for place in range(0, len(cards), 2):
        page.click(f".grid [data-card={cards[place : place + 2]}]")


NAME = {"pl": "Kop, Gorzów 2014", "en": "Kop, Gorzów 2014"}


@pytest.mark.parametrize(
    ("link", "cards", "chosen", "said"),
    [
        ("hand/kop-gorzow-2014/AhTsQcAd/4", "AhTsQcAd", "4", []),
        ("hand/kop-gorzow-2014/AhTs/4", "AhTs", "4", []),
        ("hand/kop-gorzow-2014/AhTs", "AhTs", None, []),
        ("hand/no-such-rules/AhTsQcAd/4", "AhTsQcAd", "4", [("link-rules", {"quoted": "no-such-rules"})]),
        ("hand/kop-of-old/AhTsQcAd/4", "AhTsQcAd", "4", [("link-rules", {"quoted": "kop-of-old"})]),
        ("hand/%F0%9F%82%A1/AhTs/4", "AhTs", "4", [("link-rules", {"quoted": "🂡"})]),
        ("hand/kop-gorzow-2014/AhXxQc/2", "AhQc", "2", [("link-card", {"quoted": "Xx"})]),
        ("hand/kop-gorzow-2014/AhKhQc/2", "AhQc", "2", [("link-card", {"quoted": "Kh"})]),
        ("hand/kop-gorzow-2014/AhQcT/2", "AhQc", "2", [("link-card", {"quoted": "T"})]),
        ("hand/kop-gorzow-2014/AhAhTs/1", "AhTs", "1", [("link-twice", {"cards": "A♥"})]),
        ("hand/kop-gorzow-2014/AhTsQcAdTc/4", "AhTsQcAd", "4", [("link-more", {"cards": "10♣", "count": "4"})]),
        ("hand/kop-gorzow-2014/AhTsQcAd/9", "AhTsQcAd", None, [("link-seat", {"quoted": "9", "count": "4"})]),
        ("hand/kop-gorzow-2014/AhTsQcAd/0", "AhTsQcAd", None, [("link-seat", {"quoted": "0", "count": "4"})]),
        ("hand/kop-gorzow-2014/AhTsQcAd/1.5", "AhTsQcAd", None, [("link-seat", {"quoted": "1.5", "count": "4"})]),
        ("hand/kop-gorzow-2014/AhTsQcAd/4/more/of/it", "AhTsQcAd", "4", [("link-rest", {"quoted": "more/of/it"})]),
        ("hnad/kop-gorzow-2014/AhTsQcAd/4", "AhTsQcAd", "4", [("link-page", {"quoted": "hnad"})]),
        (
            "elsewhere/%3Cscript%3E",
            "",
            None,
            [("link-page", {"quoted": "elsewhere"}), ("link-rules", {"quoted": "<script>"})],
        ),
        ("%", "", None, [("link-page", {"quoted": "%"})]),
        (
            "hand/none/AhXxAhTcQcQdTd/9",
            "AhTcQcQd",
            None,
            [
                ("link-rules", {"quoted": "none"}),
                ("link-card", {"quoted": "Xx"}),
                ("link-twice", {"cards": "A♥"}),
                ("link-more", {"cards": "10♦", "count": "4"}),
                ("link-seat", {"quoted": "9", "count": "4"}),
            ],
        ),
    ],
)
@pytest.mark.parametrize("lang", ["pl", "en"])
def test_what_cannot_be_read_in_a_link_is_said_and_the_rest_holds(
    chromium: Browser,
    saved: str,
    lang: Lang,
    link: str,
    cards: str,
    chosen: str | None,
    said: list[tuple[str, dict[str, str]]],
) -> None:
    with watched(chromium, f"{saved}#{lang}/{link}") as page:
        page.wait_for_selector(".grid")
        assert pressed(page) == cards
        assert seat(page) == chosen
        wanted = [texts()[lang][key].format(rules=NAME[lang], **places) for key, places in said]
        assert page.locator(".link-wrong li").all_text_contents() == wanted
        if chosen and len(cards) == 8:
            page.wait_for_selector(".verdict")
        if wanted:
            page.click(".link-wrong button")
            assert page.locator(".link-wrong").count() == 0
            assert pressed(page) == cards


@pytest.mark.parametrize(
    "written", ["A♥10♠D♣A♦", "A♥ 10♠ Q♣ A♦", "ah10sqcad", "AhTsDcAd", "Ah,Ts,Qc,Ad", "A%E2%99%A510%E2%99%A0QcAd"]
)
def test_cards_of_a_link_may_be_written_as_the_page_writes_them(chromium: Browser, saved: str, written: str) -> None:
    with watched(chromium, f"{saved}#hand/kop-gorzow-2014/{written}/4") as page:
        answered(page, "AhTsQcAd")
        assert page.locator(".link-wrong").count() == 0


def test_a_long_bad_link_is_quoted_shortly(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#hand/{'x' * 3000}") as page:
        assert len(page.text_content(".link-wrong li")) < 120


def test_a_link_followed_later_says_what_was_wrong_too(chromium: Browser, saved: str) -> None:
    with watched(chromium, saved + HAND) as page:
        answered(page, "AhTcJcJs")
        page.evaluate("location.hash = '#hand/kop-gorzow-2014/AhTsQcAd/7'")
        page.wait_for_selector(".link-wrong")
        assert pressed(page) == "AhTsQcAd"
        page.go_back()
        answered(page, "AhTcJcJs")
        assert page.locator(".link-wrong").count() == 0


def test_no_seat_is_chosen_for_anybody(chromium: Browser, saved: str) -> None:
    with watched(chromium, saved) as page:
        assert seat(page) is None
        pick(page, "AhTcJcJs")
        assert "miejsca" in page.text_content(".told .notice")
        assert page.locator(".verdict").count() == 0
        page.click("nav a[data-page=charts]")
        page.wait_for_selector(".chart .notice")
        assert page.locator(".chart table").count() == 0
        page.select_option("[name=seat]", "2")
        page.wait_for_selector(".chart table")
        assert page.locator("[name=seat] option").count() == 4
        page.click("nav a[data-page=hand]")
        answered(page, "AhTcJcJs")
        assert seat(page) == "2"


@pytest.mark.parametrize("cards", ["Ah", "AhTc", "AhTcJcJs"])
@pytest.mark.parametrize("sat", [True, False])
def test_cards_put_back_can_be_taken_up_again(chromium: Browser, saved: str, cards: str, *, sat: bool) -> None:
    with watched(chromium, saved) as page:
        pick(page, cards)
        if sat:
            page.click(".seat-2")
        page.click("[data-action=clear]")
        assert (pressed(page), seat(page)) == ("", None)
        pick(page, "Qd")
        page.click("[data-action=take-up]")
        page.wait_for_function(f"document.querySelectorAll('.grid [aria-pressed=true]').length === {len(cards) // 2}")
        assert (pressed(page), seat(page)) == (cards, "2" if sat else None)
        assert page.locator("[data-action=take-up]").count() == 0


def test_back_goes_through_hands_and_pages(chromium: Browser, saved: str) -> None:
    with watched(chromium, saved) as page:
        pick(page, "AhTcJcJs")
        page.click(".seat-3")
        answered(page, "AhTcJcJs")
        page.click(".seat-4")
        answered(page, "AhTcJcJs 4")
        page.click("[data-action=clear]")
        pick(page, "AhTsQcAd")
        page.click(".seat-1")
        answered(page, "AhTsQcAd")
        page.click("nav a[data-page=rules]")
        page.wait_for_selector(".facts")
        page.go_back()
        answered(page, "AhTsQcAd 1")
        page.go_back()
        answered(page, "AhTcJcJs 4")
        page.go_back()
        answered(page, "AhTcJcJs 3")
        page.go_forward()
        answered(page, "AhTcJcJs 4")


def test_the_link_to_the_page_one_is_on_loses_nothing(chromium: Browser, saved: str) -> None:
    with watched(chromium, saved) as page:
        pick(page, "AhTcJcJs")
        page.click(".seat-3")
        answered(page, "AhTcJcJs")
        page.click("nav a[data-page=hand]")
        assert (pressed(page), seat(page)) == ("AhTcJcJs", "3")


def test_the_hand_is_there_again_whichever_page_was_left(chromium: Browser, site_folder: Path) -> None:
    with served(site_folder) as url, watched(chromium, url + HAND) as page:
        answered(page, "AhTcJcJs")
        page.click("nav a[data-page=throwdowns]")
        page.wait_for_selector(".lines")
        page.goto("about:blank")
        page.goto(url)
        page.wait_for_selector(".lines")
        page.click("nav a[data-page=hand]")
        answered(page, "AhTcJcJs 3")


ELEVEN = ["AhTcTsTh", "AhTcTsQc", "AhTcTsQs", "AhTcTsQh", "AhTcTsQd", "AhTcTsJc", "AhTcTsJs", "AhTcTsJh", "AhTcTsJd",
          "AhTcTsAd", "AhTcTsTd"]  # fmt: skip


@pytest.mark.parametrize("way", ["folder", "server"])
def test_the_last_ten_hands_are_at_hand(chromium: Browser, site_folder: Path, saved: str, way: str) -> None:
    with served(site_folder) as url:
        address = saved if way == "folder" else url
        with watched(chromium, address) as page:
            assert page.locator(".recent").count() == 0
            for place, cards in enumerate(ELEVEN):
                page.evaluate(f"location.hash = '#hand/kop-gorzow-2014/{cards}/{place % 4 + 1}'")
                answered(page, cards)
            page.goto("about:blank")
            page.goto(address)
            page.click(".recent summary")
            links = page.eval_on_selector_all(".recent a", "all => all.map((each) => each.hash)")
            assert [link.split("/")[3] for link in links] == ELEVEN[:0:-1]
            page.click(".recent li:nth-child(5) a")
            answered(page, ELEVEN[6])
            first = page.eval_on_selector(".recent a", "each => each.hash")
            assert ELEVEN[6] in first
            page.click(".recent button")
            assert page.locator(".recent").count() == 0
            page.reload()
            page.wait_for_selector(".verdict")
            # The hand that is on the page is the first of a new list.
            assert page.locator(".recent li").count() == 1


@pytest.mark.parametrize("kept", ["nonsense", "{}", "[1, null]", '[{"rules": "gone", "cards": [], "seat": 1}]',
                                  '[{"rules": "kop-gorzow-2014", "cards": ["Xx", 2, 3, 4], "seat": 1}]'])  # fmt: skip
def test_a_damaged_list_of_hands_does_no_harm(chromium: Browser, saved: str, kept: str) -> None:
    with watched(chromium, saved) as page:
        page.evaluate("kept => localStorage.setItem('kopsim-recent', kept)", kept)
        page.evaluate("localStorage.removeItem('kopsim-at')")
        page.reload()
        assert page.locator(".recent").count() == 0
        pick(page, "AhTcJcJs")
        page.click(".seat-3")
        answered(page, "AhTcJcJs")
        assert page.locator(".recent li").count() == 1


@pytest.mark.parametrize(
    ("locale", "lang"),
    [("pl-PL", "pl"), ("pl", "pl"), ("en-GB", "en"), ("en-US", "en"), ("csb-PL", "pl"), ("de-DE", "pl")],
)
def test_the_first_visit_is_in_the_language_of_the_browser(
    chromium: Browser, saved: str, locale: str, lang: str
) -> None:
    with watched(chromium, saved, locale=locale) as page:
        assert page.get_attribute("html", "lang") == lang
        assert page.evaluate("location.hash").startswith(f"#{lang}/")


def test_the_language_of_a_link_holds_and_a_chosen_one_stays(chromium: Browser, site_folder: Path) -> None:
    with served(site_folder) as url, watched(chromium, f"{url}#en/hand/kop-gorzow-2014/AhTcJcJs/3") as page:
        answered(page, "AhTcJcJs")
        assert page.get_attribute("html", "lang") == "en"
        page.reload()
        answered(page, "AhTcJcJs")
        assert page.get_attribute("html", "lang") == "en"
        page.click(".seat-4")
        answered(page, "AhTcJcJs 4")
        page.click("#top button[lang=pl]")
        assert page.evaluate("location.hash").startswith("#pl/")
        page.go_back()
        answered(page, "AhTcJcJs 3")
        assert page.get_attribute("html", "lang") == "pl"
        page.goto("about:blank")
        page.goto(url)
        answered(page, "AhTcJcJs 3")
        assert page.get_attribute("html", "lang") == "pl"
        page.goto("about:blank")
        page.goto(f"{url}#xx/hand/kop-gorzow-2014/AhTcJcJs/3")
        answered(page, "AhTcJcJs 3")
        assert "„xx”" in page.text_content(".link-wrong")
