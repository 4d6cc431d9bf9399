"""Writes the whole site into a folder: the page's own files as they are, and data for each rule set.

Data are scripts that hand an object over, because a page opened from a folder may load
scripts but not read files.  Their names carry a hash of what they hold: rule sets with the
same figures share a file, and a browser that has a file never needs it again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from kopsim import __version__
from kopsim.cards import Card
from kopsim.deals import PartialDeal, every_hand, sort_hand
from kopsim.errors import LANGS, QueryError, TableError, pattern
from kopsim.faces.rules_text import sections
from kopsim.faces.site.hand_figures import REASONS, hand_figures
from kopsim.faces.site.kontra_figures import kontra_figures
from kopsim.faces.site.packed import OFFSET
from kopsim.faces.site.throwdown_pages import throwdown_pages
from kopsim.odds_table import packaged_table
from kopsim.play_out_table import any_hand_tables
from kopsim.resources import data_path
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.model import Honour, Name
from kopsim.table_file import writing

# Sentences of the library that the page says too; its own are in data/site.
BORROWED = (
    *("advise-break-even", "advise-defence", "advise-expected", "advise-promise", "advise-range", "advise-undoubled"),
    *("because-range", "certain-means", "kontra-belief", "kontra-few", "played-no-range-note", "rej-never", "rej-pays"),
    *(f"because-{reason}" for reason in REASONS),
    *("kontra-close", "kontra-no", "kontra-note", "kontra-silent", "kontra-yes", "pass", "plan", "seat", "seats-any"),
    *(
        "audit-fails",
        "audit-holds",
        "example-end",
        "example-hidden",
        "example-hidden-first",
        "example-note",
        "example-open",
        "hand-open-only",
        "hand-refuted",
        "takes",
    ),
    *("line-guaranteed", "line-open-only", "line-partly", "line-refuted", "missing-none", "not-drawn", "open-only"),
    *("method-meaning", "method-open", "method-proof", "method-search", "pattern-any", "pattern-more"),
    *("report-lines-note", "report-method", "report-missing", "report-right", "right-list", "right-list-empty"),
    *("summary-holds", "summary-lines", "summary-missing", "summary-refuted"),
)
Progress = Callable[[str, int, int], None]
_SIGN = '<meta name="generator" content="kopsim'  # by which a site of ours is known again


@dataclass(frozen=True)
class Site:
    """A site that was written: its folder, its files, and how many bytes they have together."""

    folder: Path
    files: tuple[str, ...]
    size: int


def build_site(folder: Path, rule_sets: Sequence[RuleSet], progress: Progress) -> Site:
    """Writes a site for some rule sets, whole or not at all; one that stood there before is replaced.

    progress: called with stage, steps done and of how many.  Raises QueryError for a folder with other
    things in it, or rules whose figures kopsim has no table of, TableError if it cannot be written.
    """
    _check_folder(folder)
    for rules in rule_sets:
        if any(packaged_table(rules, order) is None for order in rules.orders):
            raise QueryError("site-table", rules=rules)
    with writing(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            site = aside / "new"
            _write(site, rule_sets, progress)
            if folder.exists():
                folder.rename(aside / "old")
            site.rename(folder)
        finally:
            shutil.rmtree(aside)
    written = sorted(path for path in folder.rglob("*") if path.is_file())
    names = tuple(path.relative_to(folder).as_posix() for path in written)
    return Site(folder, names, sum(path.stat().st_size for path in written))


def _check_folder(folder: Path) -> None:
    """Raises TableError for what is no folder, QueryError for one that is neither empty nor a site of ours."""
    if folder.exists() and not folder.is_dir():
        raise TableError("table-write", file=folder.as_posix(), reason=TableError("file-not-plain"))
    with writing(folder):
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    known = {"data", *(each.name for each in _assets())}
    page = folder / "index.html"
    ours = page.is_file() and _SIGN in page.read_text(encoding="utf-8", errors="replace") and names <= known
    if names and not ours:
        raise QueryError("site-folder", folder=folder.as_posix())


def _assets() -> list[Path]:
    """The page's own files."""
    folder = Path(str(files("kopsim.faces.site").joinpath("assets")))
    return sorted(path for path in folder.iterdir() if path.is_file())


def _write(site: Path, rule_sets: Sequence[RuleSet], progress: Progress) -> None:
    (site / "data").mkdir(parents=True)
    for asset in _assets():
        shutil.copyfile(asset, site / asset.name)
    data = _DataFolder(site / "data")
    known = [_rule_set(rules, data, progress) for rules in rule_sets]
    data.named("index", {"kopsim": __version__, "offset": OFFSET, "rules": known})
    data.named("texts", texts())
    # What the page keeps to work without a network; the service worker reads it too.
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + (site / name).read_bytes())
    kept = {"version": digest.hexdigest()[:16], "files": [*names, "data/kept.js"]}
    (site / "data" / "kept.js").write_text(f"self.KEPT = {_json(kept)};\n", encoding="utf-8")


def texts() -> dict[str, dict[str, str]]:
    """What the page says, by language: its own texts, and some of the library's, their places still open."""
    said: dict[str, dict[str, str]] = {}
    for lang in LANGS:
        own = tomllib.loads(data_path("site", f"{lang}.toml").read_text(encoding="utf-8"))
        said[lang] = own | {key: pattern(key, lang) for key in BORROWED}
    return said


class _DataFolder:
    """Where data scripts are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def named(self, name: str, what: object) -> str:
        """Writes data under a name of their own, and returns it."""
        (self._folder / f"{name}.js").write_text(f'kopsim.put("{name}", {_json(what)});\n', encoding="utf-8")
        return name

    def hashed(self, kind: str, what: object) -> str:
        """Writes data under a name that their content gives, and returns it; equal data are one file."""
        return self.named(f"{kind}-{hashlib.sha256(_json(what).encode()).hexdigest()[:12]}", what)


def _json(what: object) -> str:
    return json.dumps(what, ensure_ascii=False, separators=(",", ":"))


def _rule_set(rules: RuleSet, data: _DataFolder, progress: Progress) -> dict[str, Any]:
    """What the page needs to know of a rule set at once, and the names of the files with all the rest."""
    hands = hand_figures(rules, lambda done, of: progress("hands", done, of))
    kontra = kontra_figures(rules)
    throwdowns = throwdown_pages(rules, lambda done, of: progress("contracts", done, of))
    words = {lang: sections(rules, lang) for lang in LANGS}
    return {
        "id": rules.id,
        "name": _both(rules.name),
        "source": _both(rules.source),
        "hash": rules_hash(rules),
        "cards": [_card(card) for card in sort_hand(rules.pack.cards, rules)],
        "hand_size": rules.seats.hand_size,
        "layouts": PartialDeal.of({1: every_hand(rules)[0]}, rules=rules).layouts,
        # How many layouts the players weigh whose deals the figures of play come from.
        "weighed": sorted({table.header.made["weighed"] for table in any_hand_tables(rules, None).values()}),
        "seats": [_both(name) for name in rules.seats.names],
        "contracts": {
            key: {
                "name": _both(contract.name),
                "honour": isinstance(contract.goal, Honour),
            }
            for key, contract in rules.contracts.items()
        },
        "files": {
            "hands": data.hashed("hands", hands),
            "kontra": None if kontra is None else data.hashed("kontra", kontra),
            "throwdowns": data.hashed("throwdowns", throwdowns),
            "words": data.hashed("words", words),
        },
    }


def _card(card: Card) -> dict[str, Any]:
    return {
        "id": card.text("ascii"),
        "suit": card.text("ascii")[-1],
        "rank": {lang: card.text(lang=lang)[:-1] for lang in LANGS},
        "words": {lang: card.text("words", lang) for lang in LANGS},
    }


def _both(name: Name) -> dict[str, str]:
    return {lang: name.text(lang) for lang in LANGS}
