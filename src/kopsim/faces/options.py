"""What all commands share: values as people type them, help in two languages, printing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from kopsim.errors import LANGS, Lang, QueryError, message

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


def lang_of(ctx: click.Context) -> Lang:
    """The language of this run, which `main` has put into the root context."""
    lang: Lang = ctx.find_root().obj or "en"
    return lang


class SpokenFormatter(click.HelpFormatter):
    """A help page with its headings in the language of the run."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The usage line."""
        super().write_usage(prog, args, prefix or message("help-usage", lang_of(click.get_current_context())) + " ")

    def write_heading(self, heading: str) -> None:
        """A heading, one of click's two."""
        key = {"Options": "help-options", "Commands": "help-commands"}[heading]
        super().write_heading(message(key, lang_of(click.get_current_context())))


class SpokenContext(click.Context):
    """A context whose help pages speak the language of the run."""

    formatter_class = SpokenFormatter


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

    context_class = SpokenContext

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option --help, speaking too."""
        names = self.get_help_option_names(ctx)

        def show(context: click.Context, _param: click.Parameter, value: bool) -> None:
            if value and not context.resilient_parsing:
                click.echo(context.get_help())
                context.exit()

        return SpokenOption(names, is_flag=True, is_eager=True, expose_value=False, callback=show, help="help-help")

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
    """A group of commands; called bare it shows its help."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"invoke_without_command": True, **settings})

    def invoke(self, ctx: click.Context) -> Any:
        """Shows the help if no command is named."""
        if not (ctx._protected_args or ctx.args):
            click.echo(ctx.get_help())
            return None
        return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; raises QueryError naming the choices."""
        if args[0] not in self.commands:
            raise QueryError("usage-command", command=args[0], choices=sorted(self.commands))
        return super().resolve_command(ctx, args)


def option(*names: str, help: str, **settings: Any) -> Callable[[Command], Command]:  # noqa: A002 - click's word
    """A click option with its help as a message key."""
    return click.option(*names, cls=SpokenOption, help=help, **settings)


def language(command: Command) -> Command:
    """The option --lang; it was read before the line was parsed, so commands need not see it."""
    return option("--lang", metavar="pl|en", expose_value=False, help="help-lang")(command)


def common(command: Command) -> Command:
    """The options that every command takes."""
    for decorate in (
        option("--json", "as_json", is_flag=True, help="help-json"),
        language,
        option("--rules", "rules_name", metavar="ID|FILE", help="help-rules"),
    ):
        command = decorate(command)
    return command


def chosen_rules(name: str | None) -> RuleSet:
    """The rule set of --rules, or the default."""
    from kopsim.rules import DEFAULT, load_rules

    return load_rules(DEFAULT if name is None else name)


def check_lang(value: str) -> Lang:
    """The language of --lang; raises QueryError for another."""
    for lang in LANGS:
        if value == lang:
            return lang
    raise QueryError("lang-bad", text=value, choices=LANGS)


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
    if isinstance(what, str):
        text = what
    elif isinstance(what, (dict, list)):
        text = json.dumps(what, ensure_ascii=False, indent=2)
    else:
        from kopsim.faces.layout import laid_out

        text = laid_out(what)
    try:
        click.echo(text)
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
