"""`kopsim tablebase` and `kopsim table`: solve everything once, then look it up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopsim.errors import QueryError, message
from kopsim.faces.options import (
    Seat,
    SpokenCommand,
    SpokenGroup,
    Whole,
    chosen_rules,
    common,
    lang_of,
    language,
    number_of,
    option,
    played_contract,
    show,
)

if TYPE_CHECKING:
    from kopsim.errors import Lang
    from kopsim.faces.play_out_table_text import Row
    from kopsim.odds_table import OddsTable
    from kopsim.play_out_table import PlayOutTable
    from kopsim.rules import RuleSet


@click.group("tablebase", cls=SpokenGroup, help="help-tablebase")
@language
def tablebase() -> None:
    """Tables of every deal."""


@tablebase.command("build", cls=SpokenCommand, help="help-tablebase-build")
@option("--out", "folder", default="tables", metavar="DIR", help="help-out-folder")
@option("--contract", help="help-order")
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


@tablebase.command("info", cls=SpokenCommand, help="help-tablebase-info")
@click.argument("file", required=True)
@common
@click.pass_context
def tablebase_info(ctx: click.Context, file: str, rules_name: str | None, as_json: bool) -> None:
    """What a table file says of itself; its checksum is checked."""
    del rules_name
    from kopsim.faces import table_text
    from kopsim.table_file import read_header, refuse_damage

    header = read_header(Path(file))
    refuse_damage(Path(file), header)
    show(table_text.info_data(file, header) if as_json else table_text.info(file, header, lang_of(ctx)))


@tablebase.command("verify", cls=SpokenCommand, help="help-tablebase-verify")
@click.argument("file", required=True)
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
    from kopsim.table_proof import verify_table

    if samples < 0:
        raise QueryError("verify-bad", count=samples)
    if seed < 0:
        raise QueryError("seed-bad", seed=seed)
    rules = chosen_rules(rules_name)
    with stages_bar(lang_of(ctx)) as progress:
        proof = verify_table(Path(file), rules, samples=samples, seed=seed, threads=threads, progress=progress)
    told = {"file": file, "kind": proof.kind, "compared": proof.compared, "different": len(proof.different)}
    if as_json:
        show(told | {"examples": proof.different[:10]})
    else:
        show(message("verified" if not proof.different else "not-verified", lang_of(ctx), **told))
    if proof.different:
        ctx.exit(1)


@click.group("table", cls=SpokenGroup, help="help-table")
@language
def table() -> None:
    """Odds of every hand."""


@table.command("build", cls=SpokenCommand, help="help-table-build")
@option("--method", metavar="search|play-out", required=True, help="help-method")
@option("--hands", "hands_file", metavar="FILE", help="help-hands")
@option("--out", metavar="FILE", help="help-out-file")
@option("--contract", help="help-build-contract")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--paid-error", metavar="0.05", help="help-paid")
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
    threads: int | None,
    cluster: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Solves hands one by one into an odds table, or plays them out."""
    if method == "play-out":
        if cluster is not None:
            raise QueryError("method-local")
        rules = chosen_rules(rules_name)
        built = _play_out(ctx, rules, contract, hands_file, out, seed, paid_error, threads)
        show(built if as_json else built["file"])
        return
    if method != "search":
        raise QueryError("method-bad", text=method)
    from functools import partial

    from kopsim.deals import every_hand
    from kopsim.faces.hands_file import read_hands
    from kopsim.faces.progress import stages_bar
    from kopsim.odds_search import build_by_search, refuse_many_layouts
    from kopsim.odds_table import table_name

    rules = chosen_rules(rules_name)
    order = rules.order_of(contract)
    if threads is not None and cluster is not None:
        raise QueryError("threads-or-cluster")
    refuse_many_layouts(rules)
    hands = every_hand(rules) if hands_file is None else read_hands(Path(hands_file), rules)
    path = Path(table_name(rules, order, "odds") if out is None else out)
    with stages_bar(lang_of(ctx)) as progress:
        build_by_search(
            rules, order, hands, path, threads=threads, cluster=cluster, progress=partial(progress, "hands")
        )
    show({"rules": rules.id, "order": order, "file": path.as_posix()} if as_json else path.as_posix())


def _play_out(
    ctx: click.Context,
    rules: RuleSet,
    contract: str | None,
    hands_file: str | None,
    out: str | None,
    seed: int,
    paid_error: str | None,
    threads: int | None,
) -> dict[str, str]:
    from kopsim.faces.hands_file import read_hands
    from kopsim.faces.progress import stages_bar
    from kopsim.hidden_table import table_of
    from kopsim.odds_table import hand_rank, table_name
    from kopsim.play_out_build import PAID, build_play_outs

    if contract is None:
        raise QueryError("table-which", model="play-out")
    key = played_contract(rules, contract)
    numbers = None
    if hands_file is not None:
        mask = table_of(rules, key).compiled.mask
        numbers = [hand_rank(mask(hand)) for hand in read_hands(Path(hands_file), rules)]
    path = Path(table_name(rules, key, "play-out") if out is None else out)
    wanted = PAID if paid_error is None else number_of(paid_error, "paid-bad")
    with stages_bar(lang_of(ctx)) as progress:
        build_play_outs(rules, key, path, seed=seed, paid=wanted, hands=numbers, threads=threads, progress=progress)
    return {"rules": rules.id, "contract": key, "file": path.as_posix()}


@table.command("merge", cls=SpokenCommand, help="help-table-merge")
@click.argument("files", nargs=-1, required=True)
@option("--out", metavar="FILE", required=True, help="help-merge-out")
@option("--contract", required=True, help="help-table-contract")
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


@table.command("export", cls=SpokenCommand, help="help-table-export")
@option("--contract", required=True, help="help-table-contract")
@option("--model", metavar="double-dummy|play-out", default="double-dummy", help="help-table-model")
@option("--csv", "as_csv", is_flag=True, help="help-csv")
@option("--table", "table_file", metavar="FILE", help="help-table-file")
@common
@click.pass_context
def table_export(
    ctx: click.Context,
    contract: str,
    model: str,
    as_csv: bool,
    table_file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Wins of every hand at every seat."""
    from kopsim.faces import table_text
    from kopsim.hand_wins import every_hands_wins

    rules = chosen_rules(rules_name)
    if _is_play_out(model):
        from kopsim.faces import play_out_table_text

        played = _open_played(rules, contract, table_file)
        rows = play_out_table_text.rows_of(played, played.hands)
        _show_played(played, rows, lang_of(ctx), as_json=as_json, as_csv=as_csv)
        return
    wins = every_hands_wins(_open(rules, contract, table_file), rules, contract)
    if as_json:
        show(table_text.wins_data(rules, contract, wins))
    else:
        show(table_text.wins_csv(wins) if as_csv else table_text.wins_table(wins, lang_of(ctx)))


@table.command("top", cls=SpokenCommand, help="help-table-top")
@option("--contract", required=True, help="help-table-contract")
@option("--model", metavar="double-dummy|play-out", default="double-dummy", help="help-table-model")
@option("--seat", type=Seat(), required=True, help="help-one-seat")
@option("-n", "count", type=Whole(), default=20, help="help-count")
@option("--table", "table_file", metavar="FILE", help="help-table-file")
@common
@click.pass_context
def table_top(
    ctx: click.Context,
    contract: str,
    model: str,
    seat: int,
    count: int,
    table_file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """The hands that win most often."""
    from kopsim.faces import table_text
    from kopsim.hand_wins import every_hands_wins

    if count < 1:
        raise QueryError("count-bad", count=count)
    rules = chosen_rules(rules_name)
    if _is_play_out(model):
        from kopsim.faces import play_out_table_text

        played = _open_played(rules, contract, table_file)
        ranked = play_out_table_text.rows_of(played, played.hands, [seat])
        chance = play_out_table_text.by_chance(played)
        ranked.sort(key=lambda row: row[2].probability if chance else row[2].mean_payment, reverse=True)
        _show_played(played, ranked[:count], lang_of(ctx), as_json=as_json)
        return
    wins = every_hands_wins(_open(rules, contract, table_file), rules, contract)
    best = sorted(wins, key=lambda row: -row.wins[seat - 1])[:count]
    show(table_text.wins_data(rules, contract, best) if as_json else table_text.top(best, seat, lang_of(ctx)))


@table.command("show", cls=SpokenCommand, help="help-table-show")
@click.argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), help="help-seat")
@option("--contract", help="help-order")
@option("--model", metavar="double-dummy|play-out", default="double-dummy", help="help-table-model")
@option("--table", "table_file", metavar="FILE", help="help-table-file")
@common
@click.pass_context
def table_show(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int | None,
    contract: str | None,
    model: str,
    table_file: str | None,
    rules_name: str | None,
    as_json: bool,
) -> None:
    """All that the table says of one hand."""
    from kopsim.cards import parse_cards
    from kopsim.deals import check_hand
    from kopsim.faces import table_text
    from kopsim.rules.model import SEATS

    rules = chosen_rules(rules_name)
    cards = check_hand(parse_cards(" ".join(hand)), rules)
    seats = SEATS if seat is None else (seat,)
    if _is_play_out(model):
        from kopsim.deals import sort_hand
        from kopsim.faces import play_out_table_text

        if contract is None:
            raise QueryError("table-which", model=model)
        played = _open_played(rules, contract, table_file)
        rows = play_out_table_text.rows_of(played, [sort_hand(cards, rules)], seats)
        if not rows:
            raise QueryError("table-hand", cards=sorted(cards))
        _show_played(played, rows, lang_of(ctx), as_json=as_json)
        return
    known = _open(rules, contract, table_file)
    if cards not in known:
        raise QueryError("table-hand", cards=sorted(cards))
    show(
        table_text.hand_data(known, rules, cards, seats)
        if as_json
        else table_text.hand(known, rules, cards, seats, lang_of(ctx))
    )


def _is_play_out(model: str) -> bool:
    """Which of the two models; QueryError for another."""
    if model not in ("double-dummy", "play-out"):
        raise QueryError("model-bad", text=model, choices=("double-dummy", "play-out"))
    return model == "play-out"


def _open_played(rules: RuleSet, contract: str, file: str | None) -> PlayOutTable:
    """The table of play-outs to look into: a file, or the packaged one of these rules."""
    from kopsim.play_out_table import PlayOutTable, packaged_play_outs

    key = played_contract(rules, contract)
    if file is not None:
        return PlayOutTable(Path(file), rules, key)
    known = packaged_play_outs(rules, key)
    if known is None:
        raise QueryError("table-play-none", rules=rules, contract=key)
    return known


def _show_played(played: PlayOutTable, rows: list[Row], lang: Lang, *, as_json: bool, as_csv: bool = False) -> None:
    from kopsim.faces import play_out_table_text
    from kopsim.faces.document import on_terminal

    if as_json:
        show(play_out_table_text.as_data(played, rows))
    elif as_csv:
        show(play_out_table_text.as_csv(rows))
    else:
        show(on_terminal(play_out_table_text.as_table(played, rows, lang)))


def _open(rules: RuleSet, contract: str | None, file: str | None) -> OddsTable:
    """The odds table to look into: a file, or the packaged one of these rules."""
    from kopsim.odds_table import OddsTable, packaged_table

    order = rules.order_of(contract)
    if file is not None:
        return OddsTable(Path(file), rules, order)
    known = packaged_table(rules, order)
    if known is None:
        raise QueryError("table-none", rules=rules)
    return known


COMMANDS = (tablebase, table)
