"""`kopsim throwdowns`: prove, refute, audit and find hands that win without play."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kopsim.errors import CertificateError, QueryError, message
from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, lang_of
from kopsim.faces.options import Seat, argument, chosen_rules, common, common_but, language, option, show

if TYPE_CHECKING:
    from kopsim.rules import RuleSet
    from kopsim.throwdowns.lists import ThrowdownList


@click.group(
    "throwdowns",
    cls=SpokenGroup,
    help="help-throwdowns",
    short="short-throwdowns",
    examples=["kopsim throwdowns verify", "kopsim throwdowns find --contract zolo --seat 4"],
)
@language
def throwdowns() -> None:
    """Hands that win for certain."""


@throwdowns.command(
    "certify",
    cls=SpokenCommand,
    help="help-certify",
    short="short-throwdowns-certify",
    examples=[
        "kopsim throwdowns certify AhTsQcQh --seat 4 \\\n    --contract zolo",
        "kopsim throwdowns certify AhTsQsQh --seat 4 \\\n    --contract zolo --out proof.json",
    ],
)
@argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), required=True, help="help-one-seat")
@option("--contract", metavar="CONTRACT", required=True, help="help-lone-contract")
@option("--out", metavar="FILE", help="help-out-certificate")
@option("--assume", multiple=True, metavar="NAME=false", help="help-assume")
@common
@click.pass_context
def throwdowns_certify(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int,
    contract: str,
    out: str | None,
    assume: tuple[str, ...],
    rules_name: str | None,
    as_json: bool,
) -> None:
    """Proves that a hand wins for certain, or refutes it."""
    from kopsim.faces import throwdown_text
    from kopsim.faces.document import on_terminal
    from kopsim.rules.assume import assuming, parse_readings
    from kopsim.throwdowns.certificates import encode, write_certificate
    from kopsim.throwdowns.proofs import certify

    rules, readings, lang = chosen_rules(rules_name), parse_readings(assume), lang_of(ctx)
    proof = certify(" ".join(hand), seat=seat, contract=rules.contract_key(contract), rules=rules, assume=readings)
    if out is not None:
        write_certificate(proof, Path(out))
    if as_json:
        show(encode(proof).decode().rstrip())
        return
    show(on_terminal(throwdown_text.certificate(proof, assuming(rules, readings), lang)))
    if out is not None:
        show("\n" + message("certificate-written", lang, file=out))


@throwdowns.command(
    "check",
    cls=SpokenCommand,
    help="help-check",
    short="short-throwdowns-check",
    examples=["kopsim throwdowns check proof.json"],
)
@argument("file", required=True)
@common_but("help-rules-certificate")
@click.pass_context
def throwdowns_check(ctx: click.Context, file: str, rules_name: str | None, as_json: bool) -> None:
    """Checks a certificate by playing it out."""
    from kopsim.faces import throwdown_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import stages_bar
    from kopsim.throwdowns.certificates import read_certificate
    from kopsim.throwdowns.check import check_certificate

    proof, lang = read_certificate(Path(file)), lang_of(ctx)
    rules = _named_rules(proof.rules, rules_name, file)
    try:
        with stages_bar(lang) as progress:
            check_certificate(proof, rules, progress=partial(progress, "openings"))
        reason = None
    except CertificateError as error:
        reason = error
    told = {
        "file": file,
        "rules": proof.rules,
        **({"assume": proof.assume} if proof.assume else {}),
        "contract": proof.contract,
        "seat": proof.seat,
        "hand": list(proof.hand),
        "verdict": proof.verdict,
        "proved": reason is None,
    }
    if as_json:
        show(told if reason is None else told | {"reason": str(reason)})
    elif reason is None:
        show(on_terminal(throwdown_text.proved(proof, rules, file, lang)))
    else:
        show(message("proved-not", lang, file=file, reason=reason))
    if reason is not None:
        ctx.exit(1)


@throwdowns.command(
    "verify",
    cls=SpokenCommand,
    help="help-verify",
    short="short-throwdowns-verify",
    examples=["kopsim throwdowns verify", "kopsim throwdowns verify --list kop-koscian"],
)
@option("--list", "list_name", metavar="LIST|FILE", help="help-list")
@option("--assume", multiple=True, metavar="NAME=false", help="help-assume")
@common_but("help-rules-listed")
@click.pass_context
def throwdowns_verify(
    ctx: click.Context, list_name: str | None, assume: tuple[str, ...], rules_name: str | None, as_json: bool
) -> None:
    """Proves or refutes every line of a list, and finds what it lacks."""
    from kopsim.faces import throwdown_data, throwdown_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import stages_bar
    from kopsim.rules.assume import parse_readings
    from kopsim.throwdowns.audit import audit

    checked, rules = _chosen_list(list_name, rules_name)
    with stages_bar(lang_of(ctx)) as progress:
        found = audit(checked, rules, parse_readings(assume), progress=progress)
    show(throwdown_data.audit(found) if as_json else on_terminal(throwdown_text.audit(found, lang_of(ctx))))
    if not found.holds:
        ctx.exit(1)


@throwdowns.command(
    "find",
    cls=SpokenCommand,
    help="help-find",
    short="short-throwdowns-find",
    examples=["kopsim throwdowns find --contract zolo --seat 4"],
)
@option("--contract", metavar="CONTRACT", help="help-find-contract")
@option("--seat", type=Seat(), help="help-seat")
@option("--assume", multiple=True, metavar="NAME=false", help="help-assume")
@common
@click.pass_context
def throwdowns_find(
    ctx: click.Context,
    contract: str | None,
    seat: int | None,
    assume: tuple[str, ...],
    rules_name: str | None,
    as_json: bool,
) -> None:
    """The right list: every hand that wins for certain."""
    from kopsim.faces import throwdown_data, throwdown_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import stages_bar
    from kopsim.rules.assume import assuming, parse_readings
    from kopsim.rules.model import SEATS
    from kopsim.throwdowns.find import find
    from kopsim.throwdowns.prover import throwable_contracts

    readings = parse_readings(assume)
    rules = assuming(chosen_rules(rules_name), readings)
    contracts = throwable_contracts(rules) if contract is None else [rules.contract_key(contract)]
    if not contracts:
        raise QueryError("contract-none-thrown", rules=rules)
    seats = SEATS if seat is None else (seat,)
    with stages_bar(lang_of(ctx)) as progress:
        found = [find(rules, each, seats, progress=progress) for each in contracts]
    if not as_json:
        show(on_terminal(throwdown_text.found(found, rules, readings, lang_of(ctx))))
        return
    data = [throwdown_data.found(each, at, readings) for each in found for at in seats]
    show(data[0] if contract is not None and seat is not None else data)


@throwdowns.command(
    "compare",
    cls=SpokenCommand,
    help="help-throwdowns-compare",
    short="short-throwdowns-compare",
    examples=["kopsim throwdowns compare kop-gorzow-2014 kop-koscian"],
)
@argument("first", metavar="ID|FILE", required=True)
@argument("second", metavar="ID|FILE", required=True)
@option("--contract", metavar="CONTRACT", help="help-find-contract")
@option("--json", "as_json", is_flag=True, help="help-json")
@language
@click.pass_context
def throwdowns_compare(ctx: click.Context, first: str, second: str, contract: str | None, as_json: bool) -> None:
    """What other rules do to the hands that win for certain."""
    from kopsim.faces import comparison_text
    from kopsim.faces.document import on_terminal
    from kopsim.faces.progress import stages_bar
    from kopsim.throwdowns.comparison import compare_throwdowns

    lang, both = lang_of(ctx), (chosen_rules(first), chosen_rules(second))
    key = None if contract is None else both[0].contract_key(both[1].contract_key(contract))
    with stages_bar(lang) as progress:
        compared = compare_throwdowns(*both, key, progress=progress)
    if as_json:
        show(comparison_text.throwdowns_data(*both, compared))
    else:
        show(on_terminal(comparison_text.throwdowns_table(*both, compared, lang)))


@throwdowns.command(
    "report",
    cls=SpokenCommand,
    help="help-report",
    short="short-throwdowns-report",
    examples=["kopsim throwdowns report --out audit.html"],
)
@option("--out", required=True, metavar="FILE.html|md|pdf", help="help-out-report")
@option("--list", "list_name", metavar="LIST|FILE", help="help-list")
@option("--assume", multiple=True, metavar="NAME=false", help="help-assume")
@common_but("help-rules-listed")
@click.pass_context
def throwdowns_report(
    ctx: click.Context,
    out: str,
    list_name: str | None,
    assume: tuple[str, ...],
    rules_name: str | None,
    as_json: bool,
) -> None:
    """The audit as a document for a committee's minutes."""
    from kopsim.faces.audit_report import report
    from kopsim.faces.document_file import check_ending, write_document
    from kopsim.faces.progress import stages_bar
    from kopsim.rules.assume import parse_readings
    from kopsim.throwdowns.audit import audit

    lang = lang_of(ctx)
    check_ending(Path(out))
    checked, rules = _chosen_list(list_name, rules_name)
    with stages_bar(lang) as progress:
        found = audit(checked, rules, parse_readings(assume), progress=progress)
        blocks = report(found, lang, progress)
    write_document(blocks, Path(out), lang)
    show({"rules": rules.id, "list": checked.id, "file": out} if as_json else out)


def _chosen_list(list_name: str | None, rules_name: str | None) -> tuple[ThrowdownList, RuleSet]:
    """The list of --list, or that of the rules; and the rules of --rules, or those of the list."""
    from kopsim.throwdowns.lists import list_ids, list_path, read_list, rules_of_list

    if list_name is None:
        rules = chosen_rules(rules_name)
        if rules.id not in list_ids():
            raise QueryError("list-none", rules=rules, choices=list_ids())
        return read_list(list_path(rules.id), rules), rules
    path = list_path(list_name)
    rules = _named_rules(rules_of_list(path), rules_name, list_name)
    return read_list(path, rules), rules


def _named_rules(named: str, rules_name: str | None, file: str) -> RuleSet:
    """The rules of --rules, or those that a file names, which must have come with kopsim."""
    from kopsim.rules import rule_ids

    if rules_name is None and named not in rule_ids():
        raise QueryError("rules-of-file", file=file, rules=named)
    return chosen_rules(named if rules_name is None else rules_name)
