"""What all commands share: values as people type them, options, printing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenArgument, SpokenOption
from kopsim.faces.letters import carried

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kopsim.cards import Card
    from kopsim.rules import RuleSet

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
        """The seats' numbers; raises QueryError for what is no side."""
        parts = value if isinstance(value, tuple) else str(value).split(",")
        try:
            return tuple(Seat().convert(part, param, ctx) for part in parts)
        except QueryError:
            raise QueryError("seats-bad", text=value) from None


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

        seat, _, cards = str(value).partition(":")
        if not cards.strip():
            raise QueryError("constraint-bad", text=value)
        return Seat().convert(seat, param, ctx), parse_cards(cards)


def option(*names: str, help: str, **settings: Any) -> Callable[[Command], Command]:  # noqa: A002 - click's word
    """A click option with its help as a message key."""
    return click.option(*names, cls=SpokenOption, help=help, **settings)


def argument(name: str, **settings: Any) -> Callable[[Command], Command]:
    """A click argument whose placeholder speaks the language of the run."""
    return click.argument(name, cls=SpokenArgument, **settings)


def language(command: Command) -> Command:
    """The option --lang; it was read before the line was parsed, so commands need not see it."""
    return option("--lang", metavar="pl|en", expose_value=False, help="help-lang")(command)


def common(command: Command) -> Command:
    """The options that every command takes."""
    return common_but("help-rules")(command)


def common_but(rules_help: str, *, hidden: bool = False) -> Callable[[Command], Command]:
    """The same where --rules means something else; hidden: where it is taken, as everywhere, in vain."""

    def decorated(command: Command) -> Command:
        for decorate in (
            option("--json", "as_json", is_flag=True, help="help-json"),
            language,
            option("--rules", "rules_name", metavar="ID|FILE", help=rules_help, hidden=hidden),
        ):
            command = decorate(command)
        return command

    return decorated


def csv_options(command: Command) -> Command:
    """The options of commands that write CSV: `as_csv`, and `style` for `kopsim.faces.csv_text.csv_style`."""
    command = option("--csv-style", "style", metavar="plain|pl", help="help-csv-style")(command)
    return option("--csv", "as_csv", is_flag=True, help="help-csv")(command)


def chosen_rules(name: str | None) -> RuleSet:
    """The rule set of --rules, or the default."""
    from kopsim.rules import DEFAULT, load_rules

    return load_rules(DEFAULT if name is None else name)


def refuse_given(ctx: click.Context, names: Iterable[str], refusal: str, **told: object) -> None:
    """Raises QueryError with this key for the first of some parameters that was given on the command line."""
    for param in ctx.command.params:
        source = None if param.name is None else ctx.get_parameter_source(param.name)
        if param.name in names and source is not None and source is not ParameterSource.DEFAULT:
            raise QueryError(refusal, option=param.opts[0], **told)


class ReaderGoneError(Exception):
    """Whoever read our output has closed it."""


def show(what: str | dict[str, Any] | list[Any] | RenderableType) -> None:
    """Text as it is, rich renderables laid out, data as JSON."""
    colour = None
    if isinstance(what, str):
        text = what
    elif isinstance(what, (dict, list)):
        text = json.dumps(what, ensure_ascii=False, indent=2)
        if carried(text) != text:
            text = json.dumps(what, indent=2)  # data keep their signs where the output lacks them
    else:
        from kopsim.faces.layout import coloured, laid_out

        text, colour = laid_out(what), coloured()
    try:
        # Named, because click puts a stream of UTF-8 in the place of one of ASCII.
        click.echo(text, file=sys.stdout, color=colour)
    except BrokenPipeError:
        # As it is, click would end us with the exit code of a finding.
        raise ReaderGoneError from None


def played_contract(rules: RuleSet, text: str) -> str:
    """The id of a contract, or "pass" where people say that everybody passes; QueryError naming the choices."""
    from kopsim.bidding import PASS, is_pass

    key = rules.contract_key(text)
    if key not in rules.contracts and is_pass(text):
        return PASS
    rules.contract(key)
    return key


def number_of(text: str, refusal: str) -> float:
    """A number such as 0.01 or, as Poles write it, 0,01; raises QueryError with this key for what is none."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise QueryError(refusal, text=text) from None
