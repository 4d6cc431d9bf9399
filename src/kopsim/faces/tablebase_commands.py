"""`kopsim tablebase`: every deal solved once, then looked up."""

from __future__ import annotations

from pathlib import Path

import click

from kopsim.errors import QueryError, message
from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, lang_of
from kopsim.faces.options import Whole, argument, chosen_rules, common, common_but, language, option, show


@click.group(
    "tablebase",
    cls=SpokenGroup,
    help="help-tablebase",
    short="short-tablebase",
    examples=["kopsim tablebase build --out tables"],
)
@language
def tablebase() -> None:
    """Tables of every deal."""


@tablebase.command(
    "build",
    cls=SpokenCommand,
    help="help-tablebase-build",
    short="short-tablebase-build",
    examples=["kopsim tablebase build --out tables"],
)
@option("--out", "folder", default="tables", metavar="FOLDER", help="help-out-folder")
@option("--contract", metavar="CONTRACT", help="help-order")
@option("--threads", type=Whole(), help="help-threads")
@common
@click.pass_context
def tablebase_build(
    ctx: click.Context, folder: str, contract: str | None, threads: int | None, rules_name: str | None, as_json: bool
) -> None:
    """Solves every deal, and counts the odds of every hand."""
    from kopsim.faces.progress import stages_bar
    from kopsim.odds_table import table_name
    from kopsim.tablebase import build_deals, build_odds

    rules = chosen_rules(rules_name)
    order = rules.order_of(contract)
    odds_file = Path(folder) / table_name(rules, order, "odds")
    with stages_bar(lang_of(ctx)) as progress:
        deals_file = build_deals(rules, order, Path(folder), threads=threads, progress=progress)
        build_odds(deals_file, rules, order, odds_file, threads=threads, progress=progress)
    files = [deals_file.as_posix(), odds_file.as_posix()]
    show({"rules": rules.id, "order": order, "files": files} if as_json else "\n".join(files))


@tablebase.command(
    "info",
    cls=SpokenCommand,
    help="help-tablebase-info",
    short="short-tablebase-info",
    examples=["kopsim tablebase info kop.odds"],
)
@argument("file", required=True)
@common_but("help-rules", hidden=True)
@click.pass_context
def tablebase_info(ctx: click.Context, file: str, rules_name: str | None, as_json: bool) -> None:
    """What a table file says of itself; its checksum is checked."""
    del rules_name
    from kopsim.faces import table_text
    from kopsim.table_file import read_header, refuse_damage

    header = read_header(Path(file))
    refuse_damage(Path(file), header)
    show(table_text.info_data(file, header) if as_json else table_text.info(file, header, lang_of(ctx)))


@tablebase.command(
    "verify",
    cls=SpokenCommand,
    help="help-tablebase-verify",
    short="short-tablebase-verify",
    examples=["kopsim tablebase verify kop.odds --samples 1"],
)
@argument("file", required=True)
@option("--samples", type=Whole(), default=0, help="help-verify-samples")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--threads", type=Whole(), help="help-threads")
@common
@click.pass_context
def tablebase_verify(
    ctx: click.Context,
    file: str,
    samples: int,
    seed: int,
    threads: int | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Solves some of a table anew and compares."""
    from kopsim.faces.progress import stages_bar
    from kopsim.hidden_proof import verify_hidden
    from kopsim.table_file import read_header
    from kopsim.table_proof import verify_table

    if samples < 0:
        raise QueryError("verify-bad", count=samples)
    if seed < 0:
        raise QueryError("seed-bad", seed=seed)
    rules = chosen_rules(rules_name)
    with stages_bar(lang_of(ctx)) as progress:
        verify = verify_hidden if read_header(Path(file)).kind in ("play-out", "bounds", "kontra") else verify_table
        proof = verify(Path(file), rules, samples=samples, seed=seed, threads=threads, progress=progress)
    told = {"file": file, "kind": proof.kind, "compared": proof.compared, "different": len(proof.different)}
    if as_json:
        show(told | {"examples": proof.different[:10]})
    else:
        show(message("verified" if not proof.different else "not-verified", lang_of(ctx), **told))
    if proof.different:
        ctx.exit(1)
