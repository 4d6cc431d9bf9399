"""The command line: parses what people type, hands it to the library, prints what it says.

Libraries that take time to load are imported inside the commands that need them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from kopsim import __version__
from kopsim.errors import LANGS, KopsimError, Lang, QueryError, message
from kopsim.faces.words import requested_lang

if TYPE_CHECKING:
    from kopsim.cards import Card
    from kopsim.rules import RuleSet

BAD_INPUT = 2
INTERRUPTED = 130
Command = TypeVar("Command", bound=Callable[..., Any])


class Seat(click.ParamType[int]):
    """A seat, 1 to 4."""

    name = "1-4"

    def convert(self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None) -> int:
        """The seat's number; raises QueryError otherwise."""
        if str(value).strip() in ("1", "2", "3", "4"):
            return int(value)
        raise QueryError("seat-bad", text=value)


class Seats(click.ParamType[tuple[int, ...]]):
    """Several seats, as in "4,2"."""

    name = "4[,2]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """The seats' numbers; raises QueryError for what is no seat."""
        if isinstance(value, tuple):
            return value
        return tuple(Seat().convert(part, param, ctx) for part in str(value).split(","))


class Whole(click.ParamType[int]):
    """A whole number."""

    name = "N"

    def convert(self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None) -> int:
        """The number; raises QueryError otherwise."""
        try:
            return int(value)
        except ValueError:
            raise QueryError("usage-number", text=value) from None


class Known(click.ParamType["tuple[int, tuple[Card, ...]]"]):
    """What a seat holds or lacks, as in "2:A♣,10♦"."""

    name = "2:A♣,10♦"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, tuple[Card, ...]]:
        """Seat and cards; raises QueryError or CardError for what is neither."""
        from kopsim.cards import parse_cards

        seat, colon, cards = str(value).partition(":")
        if not colon:
            raise QueryError("constraint-bad", text=value)
        return Seat().convert(seat, param, ctx), parse_cards(cards)


class SpokenOption(click.Option):
    """An option whose help is a key of data/messages."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help in the language asked for."""
        record = super().get_help_record(ctx)
        if record is None or self.help is None:
            return record
        return record[0], message(self.help, lang_of(ctx))


class SpokenCommand(click.Command):
    """A command whose help is a key of data/messages."""

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence of the help, in the language asked for."""
        del limit
        return message(self.help or "", lang_of(click.get_current_context())).split("\n")[0]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help in the language asked for."""
        formatter.write_paragraph()
        with formatter.indentation():
            for paragraph in message(self.help or "", lang_of(ctx)).split("\n"):
                formatter.write_text(paragraph)


class SpokenGroup(SpokenCommand, click.Group):
    """A group of commands whose help is a key of data/messages."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; raises QueryError naming the choices."""
        if args[0] not in self.commands:
            raise QueryError("usage-command", command=args[0], choices=sorted(self.commands))
        return super().resolve_command(ctx, args)


def lang_of(ctx: click.Context) -> Lang:
    """The language of this run."""
    lang: Lang = ctx.find_root().obj or "en"
    return lang


def option(*names: str, help: str, **settings: Any) -> Callable[[Command], Command]:  # noqa: A002 - click's word
    """A click option with its help as a message key."""
    return click.option(*names, cls=SpokenOption, help=help, **settings)


def common(command: Command) -> Command:
    """The options that every command takes."""
    for decorate in (
        option("--json", "as_json", is_flag=True, help="help-json"),
        option("--lang", type=click.Choice(LANGS), help="help-lang"),
        option("--rules", "rules_name", metavar="ID|FILE", help="help-rules"),
    ):
        command = decorate(command)
    return command


@click.group(cls=SpokenGroup, help="help-kopsim", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="kopsim", message="kopsim %(version)s")
def cli() -> None:
    """All commands."""


@cli.command(cls=SpokenCommand, help="help-odds")
@click.argument("hand", nargs=-1, required=True)
@option("--seat", type=Seat(), help="help-seat")
@option("--contract", help="help-contract")
@option("--holds", type=Known(), multiple=True, help="help-holds")
@option("--lacks", type=Known(), multiple=True, help="help-lacks")
@option("--samples", type=Whole(), help="help-samples")
@option("--seed", type=Whole(), default=0, help="help-seed")
@option("--threads", type=Whole(), help="help-threads")
@common
@click.pass_context
def odds(
    ctx: click.Context,
    hand: tuple[str, ...],
    seat: int | None,
    contract: str | None,
    holds: tuple[tuple[int, tuple[Card, ...]], ...],
    lacks: tuple[tuple[int, tuple[Card, ...]], ...],
    samples: int | None,
    seed: int,
    threads: int | None,
    rules_name: str | None,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """The odds of a hand, seat by seat and contract by contract."""
    del lang
    from kopsim.cards import parse_pattern
    from kopsim.faces import text
    from kopsim.faces.progress import layouts_bar
    from kopsim.hand_odds import lone_contracts, odds_of_contracts

    rules = _rules(rules_name)
    cards = parse_pattern(" ".join(hand))
    if (holds or lacks) and seat is None:
        raise QueryError("seats-where")
    contracts = [contract] if contract else lone_contracts(rules, cards)
    seats = [seat] if seat else [1, 2, 3, 4]
    with layouts_bar(lang_of(ctx)) as progress:
        results = [
            result
            for each in seats
            for result in odds_of_contracts(
                cards,
                seat=each,
                contracts=contracts,
                holds=_by_seat(holds),
                lacks=_by_seat(lacks),
                rules=rules,
                samples=samples,
                seed=seed,
                threads=threads,
                progress=progress,
            )
        ]
    _print(text.odds_data(rules, cards, results) if as_json else text.odds_table(rules, cards, results, lang_of(ctx)))


@cli.command(cls=SpokenCommand, help="help-solve")
@click.argument("deal", nargs=-1, required=True)
@option("--side", type=Seats(), required=True, help="help-side")
@option("--contract", help="help-order")
@option("--lead", type=Seat(), default=1, help="help-lead")
@option("--played", default="", help="help-played")
@common
@click.pass_context
def solve(
    ctx: click.Context,
    deal: tuple[str, ...],
    side: tuple[int, ...],
    contract: str | None,
    lead: int,
    played: str,
    rules_name: str | None,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """A deal or ending with all hands open."""
    del lang
    from kopsim.cards import parse_cards
    from kopsim.deals import Deal
    from kopsim.double_dummy import solve as solve_position
    from kopsim.faces import text
    from kopsim.play import Position

    rules = _rules(rules_name)
    position = Position.start(Deal.parse(" ".join(deal), rules), contract=contract, leader=lead)
    for card in parse_cards(played) if played.strip() else ():
        position = position.play(card)
    solution = solve_position(position, side=side)
    _print(text.solution_data(rules, solution) if as_json else text.solution_table(position, solution, lang_of(ctx)))


@cli.group(cls=SpokenGroup, help="help-rules-group")
def rules() -> None:
    """Rule sets."""


@rules.command("list", cls=SpokenCommand, help="help-rules-list")
@common
@click.pass_context
def rules_list(ctx: click.Context, rules_name: str | None, lang: Lang | None, as_json: bool) -> None:
    """The rule sets there are."""
    del lang
    from kopsim.faces import rules_text
    from kopsim.rules import load_rules, rule_ids

    names = [*rule_ids(), *([rules_name] if rules_name and rules_name not in rule_ids() else [])]
    known = [load_rules(name) for name in names]
    _print([rules_text.summary(each) for each in known] if as_json else rules_text.listing(known, lang_of(ctx)))


@rules.command("show", cls=SpokenCommand, help="help-rules-show")
@click.argument("name", metavar="[ID|FILE]", required=False)
@common
@click.pass_context
def rules_show(ctx: click.Context, name: str | None, rules_name: str | None, lang: Lang | None, as_json: bool) -> None:
    """One rule set in words."""
    del lang
    from kopsim.faces import rules_text

    known = _rules(name or rules_name)
    _print(rules_text.data(known) if as_json else rules_text.in_words(known, lang_of(ctx)))


@rules.command("check", cls=SpokenCommand, help="help-rules-check")
@click.argument("file", required=True)
@common
@click.pass_context
def rules_check(ctx: click.Context, file: str, rules_name: str | None, lang: Lang | None, as_json: bool) -> None:
    """Whether a file is a rule set that holds together."""
    del lang, rules_name
    from pathlib import Path

    from kopsim.faces import rules_text
    from kopsim.rules import read_rules
    from kopsim.rules.compile import compile_order

    known = read_rules(Path(file))
    for order in known.orders:
        compile_order(known, order)
    if as_json:
        _print({"file": file, "valid": True, **rules_text.summary(known)})
    else:
        _print(message("rules-fine", lang_of(ctx), file=file, name=known.name, id=known.id))


def _rules(name: str | None) -> RuleSet:
    from kopsim.rules import DEFAULT, load_rules

    return load_rules(name or DEFAULT)


def _by_seat(known: tuple[tuple[int, tuple[Card, ...]], ...]) -> dict[int, tuple[Card, ...]]:
    """Joins what several options say of one seat."""
    joined: dict[int, tuple[Card, ...]] = {}
    for seat, cards in known:
        joined[seat] = (*joined.get(seat, ()), *cards)
    return joined


def _print(what: object) -> None:
    """Text as it is, a table as a table, data as JSON."""
    if isinstance(what, str):
        click.echo(what)
    elif isinstance(what, (dict, list)):
        click.echo(json.dumps(what, ensure_ascii=False, indent=2))
    else:
        from rich.console import Console

        Console(highlight=False, soft_wrap=False).print(what)


def main(args: list[str] | None = None) -> NoReturn:
    """Runs a command line; wrong input ends in one sentence on standard error and exit code 2."""
    args = sys.argv[1:] if args is None else args
    lang = requested_lang(args)
    try:
        status = cli.main(args, prog_name="kopsim", standalone_mode=False, obj=lang)
        sys.exit(status if isinstance(status, int) else 0)
    except KopsimError as error:
        _refuse(error.text(lang))
    except click.UsageError as error:
        _refuse(_usage(error, lang))
    except (click.Abort, KeyboardInterrupt):
        click.echo(message("interrupted", lang), err=True)
        sys.exit(INTERRUPTED)


def _usage(error: click.UsageError, lang: Lang) -> str:
    """A wrong command line in one sentence."""
    if isinstance(error, click.NoSuchOption):
        return message("usage-option", lang, option=error.option_name)
    if isinstance(error, click.MissingParameter) and error.param is not None and error.ctx is not None:
        name = error.param.opts[0] if isinstance(error.param, click.Option) else (error.param.name or "").upper()
        return message("usage-missing", lang, parameter=name, command=error.ctx.command_path)
    return message("usage-other", lang, reason=" ".join(error.format_message().split()))


def _refuse(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(BAD_INPUT)
