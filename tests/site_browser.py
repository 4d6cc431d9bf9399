"""A page in a real browser that is told on: every console message, error and request is noted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if os.environ.get("KOPSIM_REQUIRE_CHROMIUM"):
    assert CHROMIUM, "no Chromium, where the tests of the web page must not be skipped"
if CHROMIUM is None:
    pytest.skip("THE WEB PAGE WAS NOT TESTED: there is no Chromium", allow_module_level=True)

from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from playwright.sync_api import Browser, Page, Request, sync_playwright  # noqa: E402

PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}
# Style sheets are not fetched once more, which the page's policy would refuse.
AXE = {"preload": False, "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


class Watched:
    """A page, and what it did besides being looked at."""

    def __init__(self, page: Page, allowed: str) -> None:
        self.page, self.troubles = page, []
        page.on("console", lambda said: self.troubles.append(said.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on(
            "request",
            lambda asked: asked.url.startswith((allowed, "about:")) or self.troubles.append(f"asked for {asked.url}"),
        )
        page.on("requestfailed", self._failed)

    def _failed(self, asked: Request) -> None:
        # What was still on its way when the page was left, such as the icon, is no fault of the page.
        if asked.failure != "net::ERR_ABORTED":
            self.troubles.append(f"failed: {asked.url} {asked.failure}")


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@contextmanager
def watched(opened: Browser, url: str, **settings: Any) -> Iterator[Page]:
    """A page of an address, in Polish if not asked otherwise; it must not complain, nor ask elsewhere for anything."""
    context = opened.new_context(**{"viewport": PHONE, "locale": "pl-PL", **settings})
    # Whoever waits longer than this waits for what does not come.
    context.set_default_timeout(15_000)
    watch = Watched(context.new_page(), url.split("#")[0].removesuffix("index.html"))
    watch.page.goto(url)
    yield watch.page
    context.close()
    assert watch.troubles == [], watch.troubles


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on a web server of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def violations(page: Page) -> list[str]:
    """What an accessibility engine objects to on the whole page, nothing of which is scrolled half out of sight."""
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size(size | {"height": page.evaluate("document.documentElement.scrollHeight")})
    found = Axe().run(page, options=AXE).response["violations"]
    page.set_viewport_size(size)
    return [f"{each['id']}: {node['html'][:120]} {node['failureSummary']}" for each in found for node in each["nodes"]]


def open_all(page: Page, name: str) -> None:
    """Waits until a page of the site is whole, and opens what opens on it, a deal that is stepped into included."""
    page.wait_for_selector({"hand": ".verdict", "throwdowns": ".lines", "charts": ".chart table"}.get(name, ".facts"))
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    if name == "throwdowns":
        page.wait_for_selector(".deal")
        page.evaluate("document.querySelectorAll('.course').forEach((each) => { each.open = true; })")
    if name == "hand":
        page.wait_for_selector(".kontra table, .kontra p")
    if page.locator("[data-step=deal-next]").count():
        for _ in range(4):
            page.locator("[data-step=deal-next]").first.click()


def cut_off(page: Page) -> list[str]:
    """Elements that hold more than they show, or that lie beyond the edges of the page."""
    return page.evaluate(
        """() => [...document.querySelectorAll("body *")].flatMap((each) => {
          const unseen = each.closest(".unseen, header label > span, .sprite, thead, option, svg");
          if (unseen || !each.checkVisibility()) return [];
          const {left, right} = each.getBoundingClientRect();
          const told = `${each.tagName}.${each.className}: ${each.textContent.slice(0, 40)}`;
          const inline = getComputedStyle(each).display === "inline";
          const holdsMore = !inline && each.clientWidth && each.scrollWidth > each.clientWidth + 1;
          return holdsMore || left < -1 || right > innerWidth + 1 ? [told] : [];
        })"""
    )
