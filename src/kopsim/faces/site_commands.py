"""`kopsim site`: the answers as a web page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, lang_of
from kopsim.faces.options import language, option, show

if TYPE_CHECKING:
    from kopsim.rules import RuleSet


@click.group(
    "site",
    cls=SpokenGroup,
    help="help-site",
    short="short-site",
    examples=["kopsim site build --out page"],
)
@language
def site() -> None:
    """The web page."""


@site.command(
    "build",
    cls=SpokenCommand,
    help="help-site-build",
    short="short-site-build",
    examples=["kopsim site build --out page", "kopsim site build --rules kop-koscian --out page"],
)
@option("--out", required=True, metavar="FOLDER", help="help-site-out")
@option("--rules", "names", multiple=True, metavar="ID|FILE", help="help-site-rules")
@option("--json", "as_json", is_flag=True, help="help-json")
@language
@click.pass_context
def site_build(ctx: click.Context, out: str, names: tuple[str, ...], as_json: bool) -> None:
    """Writes the page into a folder."""
    from pathlib import Path

    from kopsim.errors import message
    from kopsim.faces.progress import stages_bar
    from kopsim.faces.site.build import build_site
    from kopsim.faces.words import whole
    from kopsim.rules import load_rules, rule_ids

    rule_sets: list[RuleSet] = [load_rules(name) for name in dict.fromkeys(names or rule_ids())]
    lang = lang_of(ctx)
    with stages_bar(lang) as progress:
        built = build_site(Path(out), rule_sets, progress)
    if as_json:
        show({"folder": out, "files": list(built.files), "bytes": built.size})
    else:
        told = {"folder": out, "files": len(built.files), "size": whole(round(built.size / 1000))}
        show(message("site-built", lang, **told))
