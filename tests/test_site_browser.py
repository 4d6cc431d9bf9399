"""The web page in headless Chromium: every figure against the library, links, languages, play, access, offline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from site_browser import DESKTOP, Browser, Page, cut_off, open_all, served, violations, watched

from kopsim.advice import Advice, advise
from kopsim.bound_table import BOUNDS, packaged_bounds
from kopsim.call_values import CallValue
from kopsim.calling_range import played_out
from kopsim.cards import parse_cards
from kopsim.deals import Deal, every_hand, sort_hand
from kopsim.errors import Lang, message
from kopsim.faces.play_out_text import played_name
from kopsim.faces.site.build import build_site, texts
from kopsim.faces.words import number, payment, percent, whole
from kopsim.kontra_table import packaged_kontra
from kopsim.play import Position
from kopsim.play_out_table import any_hand_tables
from kopsim.rules import load_rules, rule_ids
from kopsim.throwdowns.proofs import certify

RULES = load_rules()
LAYOUTS = 34_650
PAGES = ("hand", "throwdowns", "charts", "rules")


def pick(page: Page, hand: str, seat: int) -> None:
    for card in parse_cards(hand):
        page.click(f".grid [data-card={card.text('ascii')}]")
    page.click(f".seat-{seat}")
    page.wait_for_selector(f'.answer[data-hand$=" {seat} pl"], .answer[data-hand$=" {seat} en"]')


def shown_figures(page: Page) -> dict[str, dict[str, str]]:
    """Every figure of every call, as it stands on the page."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".call")].map((call) => [call.dataset.call,
        Object.fromEntries([["row", call.querySelector(".call-sum").textContent],
          ["chance", call.querySelector(".call-chance").textContent],
          ...[...call.querySelectorAll("[data-figure]")].map((each) => [each.dataset.figure, each.textContent])])]))"""
    )


def counted(wins: int, lang: Lang) -> str:
    return f"{percent(wins / LAYOUTS, lang)} ({whole(wins)} / {whole(LAYOUTS)})"


def rej_told(seats: list[int], lang: Lang) -> str:
    """Against whom it pays, as a sentence."""
    if not seats:
        return message("rej-never", lang)
    joined = {1: "{}", 2: "{} {and_} {}", 3: "{}, {}{comma} {and_} {}"}[len(seats)]
    and_, comma = {"pl": ("i", ""), "en": ("and", ",")}[lang]
    return message("rej-pays", lang, seats=joined.format(*seats, and_=and_, comma=comma))


def wanted_figures(advice: Advice, value: CallValue, lang: Lang) -> dict[str, str]:
    """The same from the library."""
    figures = {"mean-open": number(float(value.mean), lang, sign=True), "win-open": counted(value.wins, lang)}
    if value.in_play is not None and value.win_play is not None:
        figures["mean-play"] = payment(value.in_play, lang)
        figures["win-play"] = percent(value.win_play, lang)
    for bound, name in zip(BOUNDS, ("best-defence", "best-reply"), strict=True):
        alone = not value.silent and value.call in advice.rules.contracts
        played = played_out(advice.rules, value.call) if alone and bound == "reply-bound" else None
        expected = None if played is None else played.expected
        table = packaged_bounds(advice.rules, value.call, bound, expected) if alone else None
        bracket = None if table is None else table.bracket(advice.hand, advice.seat)
        if bracket is not None:
            ends = dict.fromkeys((bracket.least, bracket.most))
            figures[name] = " – ".join(counted(wins, lang) for wins in ends)
    if value.doubled is not None:
        figures["doubled"] = payment(value.doubled.doubled, lang)
        figures["answered"] = payment(value.doubled.answered, lang)
        figures["kontra-share"] = percent(value.doubled.kontra, lang)
        figures["rej"] = rej_told(sorted(value.doubled.rej), lang)
    share = value.win_play if advice.played and value.win_play is not None else value.wins / LAYOUTS
    return {"row": number(advice.earned(value).value, lang, sign=True), "chance": percent(share, lang), **figures}


@pytest.mark.parametrize(
    ("hand", "seat", "lang"),
    [
        ("A♥ 10♣ J♣ J♠", 3, "pl"),
        ("A♥ 10♠ Q♣ Q♠", 4, "pl"),  # cicha and zolo for certain
        ("10♣ 10♠ 10♥ 10♦", 1, "en"),  # paid without play
        ("A♥ Q♣ Q♠ A♣", 2, "en"),  # cicha or wesele
        ("Q♥ J♦ A♦ A♠", 4, "pl"),  # only passing has anything for it
    ],
)
def test_every_figure_is_the_librarys(chromium: Browser, saved: str, hand: str, seat: int, lang: Lang) -> None:
    advice = advise(hand, seat=seat)
    with watched(chromium, saved) as page:
        page.click(f"#top button[lang={lang}]")
        pick(page, hand, seat)
        assert page.text_content(".verdict .sum").endswith({"pl": " na rozdanie", "en": " a deal"}[lang])
        figures = shown_figures(page)
        assert list(figures) == [value.call for value in advice.values]
        for value in advice.values:
            assert figures[value.call] == wanted_figures(advice, value, lang), value.call
        best = advice.recommended
        assert page.text_content(".verdict .word") == played_name(RULES, best.call, lang)
        assert page.text_content(".verdict .sum").startswith(number(advice.earned(best).value, lang, sign=True))
        kinds = {"close": "close"}.get(advice.reason, "quiet" if best.silent else "announce")
        assert kinds in page.get_attribute(".verdict", "class")
        thrown = page.eval_on_selector_all("[data-thrown]", "all => all.map((each) => each.dataset.thrown)")
        certain = [value.call for value in advice.values if value.guaranteed and value.call != "zolo-du-honour"]
        assert thrown == certain
        exact = page.locator(".call", has_text=texts()[lang]["laid-down-means"]).evaluate_all(
            "all => all.map((each) => each.dataset.call)"
        )
        assert exact == [value.call for value in advice.values if value.guaranteed]
        for contract in certain:
            page.click(f"[data-thrown={contract}] summary")
            words = page.text_content(f"[data-thrown={contract}] .plan p")
            (step,) = certify(hand, seat=seat, contract=contract).plan
            for card in parse_cards(" ".join(step.cards)):
                assert card.text(lang=lang) in words.replace("\ufe0e", "")


def test_kontra_is_the_librarys(chromium: Browser, saved: str) -> None:
    hand, seat = parse_cards("10♣ 10♥ J♣ A♣"), 4
    with watched(chromium, f"{saved}#hand/kop-gorzow-2014/TcThJcAc/4") as page:
        page.click(".kontra summary")
        page.wait_for_selector(".kontra table")
        rows = page.eval_on_selector_all(
            ".kontra tbody tr",
            """rows => rows.map((row) => [row.querySelector("[data-kontra]").dataset.kontra,
            ...[...row.cells].slice(1).map((cell) => cell.textContent)])""",
        )
    wanted = []
    for contract in ("cicha", "zolo", "zolo-du"):
        for caller in (1, 2, 3):
            told = packaged_kontra(RULES, contract).kontra(hand, seat, caller)
            if told is None:
                continue
            word = "–" if told.says is None else message("kontra-yes" if told.says else "kontra-no", "pl")
            if told.says is not None and told.close:
                word = message("kontra-close", "pl", word=word)
            low, high = told.interval
            wanted.append(
                [
                    f"{contract} {caller}",
                    word,
                    "–" if told.few or told.says is None else payment(told.mean_gain, "pl"),
                    f"{percent(told.probability, 'pl')} ({100 * low:.0f}–{100 * high:.0f}\u00a0%)",
                    percent(told.probability_open, "pl"),
                    whole(told.deals),
                ]
            )
    assert rows == wanted


def test_a_fifth_card_is_refused_and_cards_can_be_put_back(chromium: Browser, saved: str) -> None:
    with watched(chromium, saved) as page:
        pick(page, "A♥ 10♣ J♣ J♠", 1)
        page.click(".grid [data-card=Qd]")
        assert "już 4 karty" in page.text_content(".told .notice")
        assert page.get_attribute(".grid [data-card=Qd]", "aria-pressed") == "false"
        page.click(".grid [data-card=Js]")
        assert "jeszcze jedną" in page.text_content(".told .notice")
        assert page.locator(".verdict").count() == 0
        page.click(".grid [data-card=Qd]")
        page.wait_for_selector(".verdict")
        assert page.url.endswith("#pl/hand/kop-gorzow-2014/AhTcQdJc/1")
        page.click(".actions >> text=Odłóż karty")
        assert page.locator(".grid [aria-pressed=true]").count() == 0


def test_language_and_hand_are_remembered(chromium: Browser, site_folder: Path) -> None:
    with served(site_folder) as url, watched(chromium, url) as page:
        assert page.get_attribute("html", "lang") == "pl"
        assert page.text_content("nav a >> nth=0") == "Ręka"
        page.click("#top button[lang=en]")
        pick(page, "A♥ 10♣ J♣ J♠", 2)
        page.goto("about:blank")
        page.goto(url)
        page.wait_for_selector(".verdict")
        assert page.get_attribute("html", "lang") == "en"
        assert page.text_content("nav a >> nth=0") == "Hand"
        assert page.url.endswith("#en/hand/kop-gorzow-2014/AhTcJcJs/2")


def test_a_counterexample_is_played_through(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#throwdowns/kop-gorzow-2014") as page:
        page.wait_for_selector(".lines")
        verdicts = page.eval_on_selector_all(
            ".line-verdict", "told => told.map((each) => each.textContent.split(' ')[0])"
        )
        assert len(verdicts) == 12
        assert {"✓", "✗"} <= set(verdicts)
        page.click(".line.refuted summary >> nth=0")
        viewer = page.locator(".line.refuted .deal").first
        viewer.wait_for()
        hands = viewer.locator(".place").evaluate_all(
            """places => places.map((place) => [place.className.match(/place-(\\d)/)[1],
            [...place.querySelectorAll("[data-card]")].map((card) => card.dataset.card).join(" ")]).sort()"""
        )
        position = Position.start(Deal.parse(" | ".join(cards for _, cards in hands)), contract="zolo")
        steps = int(viewer.locator(".said").text_content().split("/")[1].split("·")[0])
        assert steps > 4
        musts = set()
        for done in range(1, steps + 1):
            marked = viewer.locator(".to-play .legal, .place .legal").evaluate_all(
                "cards => cards.map((card) => card.dataset.card)"
            )
            assert [card.text("ascii") for card in position.legal_cards()] == marked
            viewer.locator("[data-step=deal-next]").click()
            said = viewer.locator(".said").text_content()
            assert said.startswith(f"{done} / {steps} · {position.to_play}: ")
            card = viewer.locator(".on-table >> nth=-1").locator("[data-card]").get_attribute("data-card")
            (played,) = parse_cards(card)
            if len(position.hands[position.to_play - 1]) == 1:
                must = "ma tylko tę kartę"
            elif not position.trick:
                must = "wychodzi"
            elif position.demand == "beat":
                must = "musi przebić"
            elif position.demand == "trump":
                must = "nie przebije, musi dać atut"
            else:
                must = "nie ma atutu"
            assert must in said
            musts.add(must)
            choice = len(position.legal_cards()) > 1 or len(position.hands[position.to_play - 1]) == 1
            assert ("tylko tą może" in said) == (not choice)
            position = position.play(played)
            alone, others = position.points([4]), position.points([1, 2, 3])
            taken = position.tricks
            assert viewer.locator(".running [data-side]").all_text_contents() == [
                f"gra sam: punkty {alone}, bitki {taken[3]}",
                f"obrona: punkty {others}, bitki {sum(taken[:3])}",
            ]
            if not position.trick:
                assert f"bierze {position.leader}" in said
                assert viewer.locator(".took").count() == 1
        assert len(musts) >= 3
        assert "Przegrane" in said
        viewer.locator("[data-step=deal-start]").click()
        assert viewer.locator(".place [data-card]").count() == 16
        viewer.locator(".playing").click()
        assert viewer.locator(".said").text_content().startswith("1 /")
        viewer.locator(".playing").click()


def test_charts_filter_and_sort(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#charts/kop-gorzow-2014/1") as page:
        count = ".count"
        page.wait_for_selector(".chart table")
        assert page.text_content(count) == f"Rąk: {whole(1820)}."
        page.click(".contains [data-card=Ah]")
        page.click(".contains [data-card=Tc]")
        assert page.text_content(count) == "Rąk: 91."
        page.select_option("[name=seat]", "3")
        page.select_option("[name=call]", "zolo")
        callers = [
            hand for hand in every_hand(RULES, parse_cards("A♥ 10♣"))
            if advise(hand, seat=3).recommended.call == "zolo"
        ]  # fmt: skip
        assert page.text_content(count) == f"Rąk: {len(callers)}."
        page.select_option("[name=order]", "contract")
        assert cut_off(page) == []
        first = page.get_attribute(".chart a >> nth=0", "data-hand")
        assert advise(parse_cards(first), seat=3).recommended.guaranteed
        page.click(".contains [data-card=Ah]")
        page.click(".contains [data-card=Tc]")
        page.select_option("[name=chart]", "kontra")
        page.select_option("[name=caller]", "1")
        page.wait_for_selector(".chart table")
        hand = page.get_attribute(".chart a >> nth=0", "data-hand")
        assert packaged_kontra(RULES, "zolo").kontra(parse_cards(hand), 3, 1).says
        assert cut_off(page) == []
        page.click(".chart a >> nth=0")
        page.wait_for_selector(".verdict")
        assert f"/{hand}/3" in page.url


def test_rules_are_told_in_words(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#rules/kop-gorzow-2014") as page:
        page.wait_for_selector(".facts")
        text = page.text_content("main").replace("\ufe0e", "")
        assert "trzeba 53 punktów" in text
        assert "kontra ×2, rej ×4, bok ×8, sup ×16" in text
        page.click("#top button[lang=en]")
        page.wait_for_selector(".facts")
        assert "53 points" in page.text_content("main")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(chromium: Browser, saved: str, scheme: str) -> None:
    with watched(chromium, f"{saved}#hand/kop-gorzow-2014/AhTsQcQs/4", color_scheme=scheme) as page:
        for name in PAGES if scheme == "light" else ("hand", "throwdowns"):
            page.click(f"nav a[data-page={name}]")
            open_all(page, name)
            assert violations(page) == [], name
            wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1], name
            assert cut_off(page) == [], name
        page.click("#top button[lang=en]")
        assert violations(page) == []


def test_a_mark_has_one_meaning_and_the_legend_says_it(chromium: Browser, saved: str) -> None:
    legend = {"●": "zapowiedz", "○": "nie zapowiadaj", "≈": "na styku", "✓": "wygrywa na pewno", "✗": "obalone"}
    with watched(chromium, f"{saved}#rules/kop-gorzow-2014") as page:
        page.wait_for_selector(".facts")
        marks = dict(zip(*(page.locator(f".marks {each}").all_text_contents() for each in ("dt", "dd")), strict=True))
        assert all(marks[mark].startswith(words) for mark, words in legend.items())
    signs = {}
    for hand in ("AhTcJcJs/3", "AhTcTsTh/1", "AhTsQcQs/4", "AhThQcQd/1", "AhQcQsAc/2"):
        with watched(chromium, f"{saved}#hand/kop-gorzow-2014/{hand}") as page:
            page.wait_for_selector(".verdict")
            kind = page.get_attribute(".verdict", "class").split()[-1]
            signs[kind] = page.text_content(".sign")
            # What wins for certain has its own mark, and nothing else has it.
            assert ("✓" in page.text_content("main")) == (page.locator(".thrown").count() > 0)
    assert {"announce": "●", "quiet": "○", "close": "≈"}.items() >= signs.items()
    assert len(signs) >= 2


def test_the_legend_names_what_the_rule_set_has(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#rules/kop-gorzow-2014") as page:
        page.wait_for_selector(".glossary dt")
        told = page.text_content("main")
        assert f"na {whole(LAYOUTS)} sposobów" in told
        assert "20 na raz" in told
        assert page.locator(".glossary dt").count() == 10


def test_the_answer_is_on_the_first_screen_and_fingers_find_it(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#hand/kop-gorzow-2014/AhTcJcJs/3", has_touch=True) as page:
        page.wait_for_selector(".verdict")
        nav = page.locator("nav").bounding_box()["y"]
        for call in page.locator(".call > summary").all():
            box = call.bounding_box()
            assert box["height"] >= 44
            assert box["y"] + box["height"] <= nav
        for target in page.locator(".grid button, .seat, .call > summary, nav a, header button, header select").all():
            box = target.bounding_box()
            assert min(box["width"], box["height"]) >= 44, target.inner_text()


def test_keys_are_enough(chromium: Browser, saved: str) -> None:
    with watched(chromium, saved, viewport=DESKTOP) as page:
        page.focus(".grid button >> nth=0")
        for _ in range(4):
            page.keyboard.press("Space")
            page.keyboard.press("Tab")
        page.focus(".seat-1 input")
        page.keyboard.press("ArrowDown")
        page.wait_for_selector('.answer[data-hand$="AhTcTsTh 2 pl"]')
        assert page.evaluate("document.activeElement.value") == "2"


def test_a_hand_prints_on_a_quarter_of_a4(chromium: Browser, saved: str) -> None:
    with watched(chromium, f"{saved}#hand/kop-gorzow-2014/AhTcJcJs/3", viewport={"width": 794, "height": 1123}) as page:
        page.wait_for_selector(".verdict")
        page.emulate_media(media="print")
        box = page.locator("main").bounding_box()
        millimetre = 96 / 25.4
        assert box["width"] <= 105 * millimetre
        assert box["height"] <= 148 * millimetre
        assert page.locator(".hand-printed").is_visible()
        assert not page.locator("nav").is_visible()


def test_it_opens_without_a_network_after_the_first_time(chromium: Browser, site_folder: Path) -> None:
    context = chromium.new_context()
    page = context.new_page()
    with served(site_folder) as url:
        page.goto(url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        assert page.get_attribute("link[rel=manifest]", "href") == "manifest.webmanifest"
    # The server is gone.
    page.goto(f"{url}#hand/kop-gorzow-2014/AhTcJcJs/3")
    page.reload()
    page.wait_for_selector(".verdict")
    page.click("nav a[data-page=throwdowns]")
    page.wait_for_selector(".lines")
    context.close()
    manifest = json.loads((site_folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert all((site_folder / icon["src"]).is_file() for icon in manifest["icons"])


def test_no_card_is_lost_where_cards_of_a_hand_are_sorted(chromium: Browser, saved: str) -> None:
    hand = parse_cards("J♠ A♥ J♣ 10♣")
    with watched(chromium, f"{saved}#hand/kop-gorzow-2014/JsAhJcTc/3") as page:
        page.wait_for_selector(".verdict")
        wanted = "".join(card.text("ascii") for card in sort_hand(hand, RULES))
        assert page.url.endswith(f"/{wanted}/3")


@pytest.mark.slow
def test_every_rule_set_answers(chromium: Browser, tmp_path: Path) -> None:
    build_site(tmp_path / "site", [load_rules(name) for name in rule_ids()], lambda *_: None)
    url = (tmp_path / "site" / "index.html").as_uri()
    for name in rule_ids():
        rules = load_rules(name)
        for hand, seat in (("A♥ 10♥ J♣ J♠", 1), ("A♥ 10♠ Q♣ Q♠", 4), ("Q♣ Q♠ Q♥ Q♦", 2), ("10♣ Q♥ J♦ A♦", 3)):
            advice = advise(hand, seat=seat, rules=rules)
            ids = "".join(card.text("ascii") for card in sort_hand(advice.hand, rules))
            with watched(chromium, f"{url}#hand/{name}/{ids}/{seat}") as page:
                page.wait_for_selector(".verdict")
                figures = shown_figures(page)
                assert list(figures) == [value.call for value in advice.values]
                for value in advice.values:
                    assert figures[value.call] == wanted_figures(advice, value, "pl"), (name, hand, value.call)
                assert ("tylko w otwarte karty" in page.text_content(".verdict")) == (not advice.played)
        with watched(chromium, f"{url}#throwdowns/{name}") as page:
            page.wait_for_selector("main h2 >> nth=1")
            assert violations(page) == []
            refuted = page.locator(".line:not(.guaranteed)")
            for place in range(refuted.count()):
                refuted.nth(place).locator("summary").first.click()
                refuted.nth(place).locator(".deal").first.wait_for()
        for view in ("charts", "rules"):
            with watched(chromium, f"{url}#{view}/{name}" + "/2" * (view == "charts")) as page:
                page.wait_for_selector(".chart table, .glossary dt")
                assert violations(page) == []
                if view == "rules":
                    played = "rozegrane przez graczy" in page.text_content("main")
                    assert played == bool(any_hand_tables(rules, None))
