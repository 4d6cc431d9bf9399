"""`kopsim table build` and `kopsim table merge`: making tables, by any method."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand, lang_of
from kopsim.faces.options import (
    Whole,
    argument,
    chosen_rules,
    common,
    number_of,
    option,
    played_contract,
    refuse_given,
    show,
)

if TYPE_CHECKING:
    from kopsim.bound_table import Bound
    from kopsim.errors import Lang
    from kopsim.rules import RuleSet

METHODS = ("search", "play-out", "best-defence", "reply-bound", "kontra")


@click.command(
    "build",
    cls=SpokenCommand,
    help="help-table-build",
    short="short-table-build",
    examples=[
        "kopsim table build --method search --hands hands.txt",
        "kopsim table build --method play-out --contract zolo",
    ],
)
@option("--method", metavar="|".join(METHODS), required=True, help="help-method")
@option("--hands", "hands_file", metavar="FILE", help="help-hands")
@option("--out", metavar="FILE", help="help-out-file")
@option("--contract", metavar="CONTRACT", help="help-build-contract")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--paid-error", metavar="0.05", help="help-paid")
@option("--range", "range_name", metavar="any|auto|FILE", help="help-build-range")
@option("--deals", type=Whole(), help="help-build-deals")
@option("--threads", type=Whole(), help="help-threads")
@option("--cluster", metavar="local:N|ADDRESS", help="help-cluster")
@common
@click.pass_context
def table_build(
    ctx: click.Context,
    method: str,
    hands_file: str | None,
    out: str | None,
    contract: str | None,
    seed: int,
    paid_error: str | None,
    range_name: str | None,
    deals: int | None,
    threads: int | None,
    cluster: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Computes numbers of every hand, one by one."""
    from kopsim.bound_table import BOUNDS

    if method not in METHODS:
        raise QueryError("method-bad", text=method, choices=METHODS)
    rules, lang = chosen_rules(rules_name), lang_of(ctx)
    unfit = {
        "search": ("seed", "paid_error", "range_name", "deals"),
        "play-out": ("cluster", "deals"),
        "reply-bound": ("cluster", "paid_error", "deals"),
        "kontra": ("cluster", "paid_error", "hands_file"),
    }
    refuse_given(
        ctx, unfit.get(method, ("cluster", "paid_error", "range_name", "deals")), "method-option", method=method
    )
    if method == "search":
        built = _search(rules, contract, hands_file, out, threads, cluster, lang)
        show(built if as_json else built["file"])
        return
    if contract is None:
        raise QueryError("method-which", method=method)
    key = played_contract(rules, contract)
    if method == "kontra":
        told = {"seed": seed, "threads": threads} | ({} if deals is None else {"deals": deals})
        built = _kontra(rules, key, out, range_name, told, lang)
        show(built if as_json else built["file"])
        return
    asked: dict[str, Any] = {"seed": seed, "hands": _numbers(rules, key, hands_file), "threads": threads}
    for bound in BOUNDS:
        if bound == method:
            built = _bounds(rules, key, bound, out, range_name, asked, lang)
            break
    else:
        built = _play_out(rules, key, out, paid_error, range_name, asked, lang)
    show(built if as_json else built["file"])


def _search(
    rules: RuleSet,
    contract: str | None,
    hands_file: str | None,
    out: str | None,
    threads: int | None,
    cluster: str | None,
    lang: Lang,
) -> dict[str, str]:
    from functools import partial

    from kopsim.deals import every_hand
    from kopsim.faces.hands_file import read_hands
    from kopsim.faces.progress import stages_bar
    from kopsim.odds_search import build_by_search, refuse_many_layouts
    from kopsim.odds_table import table_name

    order = rules.order_of(contract)
    if threads is not None and cluster is not None:
        raise QueryError("threads-or-cluster")
    refuse_many_layouts(rules)
    hands = every_hand(rules) if hands_file is None else read_hands(Path(hands_file), rules)
    path = Path(table_name(rules, order, "odds") if out is None else out)
    with stages_bar(lang) as progress:
        build_by_search(
            rules, order, hands, path, threads=threads, cluster=cluster, progress=partial(progress, "hands")
        )
    return {"rules": rules.id, "order": order, "file": path.as_posix()}


def _numbers(rules: RuleSet, contract: str, hands_file: str | None) -> list[int] | None:
    """The hands of a file by their numbers."""
    from kopsim.faces.hands_file import read_hands
    from kopsim.hidden_table import table_of
    from kopsim.odds_table import hand_rank

    if hands_file is None:
        return None
    mask = table_of(rules, contract).compiled.mask
    return [hand_rank(mask(hand)) for hand in read_hands(Path(hands_file), rules)]


def _play_out(
    rules: RuleSet,
    contract: str,
    out: str | None,
    paid_error: str | None,
    range_name: str | None,
    asked: dict[str, Any],
    lang: Lang,
) -> dict[str, str]:
    from kopsim.faces.progress import stages_bar
    from kopsim.faces.range_option import ANY, chosen_ranges
    from kopsim.odds_table import table_name
    from kopsim.play_out_build import PAID, build_play_outs

    path = Path(table_name(rules, contract, "play-out") if out is None else out)
    wanted = PAID if paid_error is None else number_of(paid_error, "paid-bad")
    ranges = chosen_ranges(range_name or ANY, rules, [contract])
    with stages_bar(lang) as progress:
        build_play_outs(rules, contract, path, paid=wanted, ranges=ranges, progress=progress, **asked)
    return {"rules": rules.id, "contract": contract, "file": path.as_posix()}


def _bounds(
    rules: RuleSet,
    contract: str,
    bound: Bound,
    out: str | None,
    range_name: str | None,
    asked: dict[str, Any],
    lang: Lang,
) -> dict[str, str]:
    from kopsim.bound_build import build_bounds
    from kopsim.faces.progress import stages_bar
    from kopsim.faces.range_option import ANY, chosen_ranges
    from kopsim.odds_table import table_name

    path = Path(table_name(rules, f"{contract}.{bound}", "bounds") if out is None else out)
    ranges = chosen_ranges(range_name or ANY, rules, [contract])
    with stages_bar(lang) as progress:
        build_bounds(rules, contract, bound, path, ranges=ranges, progress=progress, **asked)
    return {"rules": rules.id, "contract": contract, "file": path.as_posix()}


def _kontra(
    rules: RuleSet, contract: str, out: str | None, range_name: str | None, asked: dict[str, Any], lang: Lang
) -> dict[str, str]:
    from kopsim.faces.progress import stages_bar
    from kopsim.faces.range_option import AUTO, chosen_ranges
    from kopsim.kontra_build import build_kontra
    from kopsim.odds_table import table_name

    path = Path(table_name(rules, contract, "kontra") if out is None else out)
    # A silent soloist is in no range, but he holds no hand of the others either.
    silent = rules.contract(contract).announced == "silent"
    ranges = chosen_ranges(range_name or AUTO, rules, [] if silent else [contract])
    if ranges is None:
        raise QueryError("kontra-any")
    with stages_bar(lang) as progress:
        build_kontra(ranges, contract, path, progress=progress, **asked)
    return {"rules": rules.id, "contract": contract, "file": path.as_posix()}


@click.command(
    "merge",
    cls=SpokenCommand,
    help="help-table-merge",
    short="short-table-merge",
    examples=["kopsim table merge a.play-out b.play-out \\\n    --contract zolo --out sum.play-out"],
)
@argument("files", nargs=-1, required=True)
@option("--out", metavar="FILE", required=True, help="help-merge-out")
@option("--contract", metavar="CONTRACT", required=True, help="help-table-contract")
@common
@click.pass_context
def table_merge(
    ctx: click.Context, files: tuple[str, ...], out: str, contract: str, rules_name: str | None, as_json: bool
) -> None:
    """Adds up tables of play-outs."""
    del ctx
    from kopsim.play_out_table import merge_tables

    rules = chosen_rules(rules_name)
    key = played_contract(rules, contract)
    merge_tables(map(Path, files), rules, key, Path(out))
    show({"rules": rules.id, "contract": key, "file": out} if as_json else out)
