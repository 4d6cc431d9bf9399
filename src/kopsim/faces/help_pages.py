"""Help pages in two languages: a menu of commands, a page for each with examples."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from kopsim.cards import rank_text
from kopsim.errors import Lang, QueryError, has_message, message
from kopsim.faults import nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_HEADINGS = {"Options": "help-options", "Commands": "help-commands"}

# Click breaks lines at hyphens; this stands in for those inside words.
_HYPHEN = "\ue002"


def _joined(text: str) -> str:
    return re.sub(r"(?<=\w)-(?=\w)", _HYPHEN, text)


def lang_of(ctx: click.Context) -> Lang:
    """The language of this run, which `main` has put into the root context."""
    lang: Lang = ctx.find_root().obj or "en"
    return lang


def placeholder(text: str, lang: Lang) -> str:
    """A placeholder such as "[ID|FILE]" with its words in capitals in one language."""

    def word(match: re.Match[str]) -> str:
        key = f"word-{match[0].lower()}"
        return message(key, lang) if has_message(key, lang) else match[0]

    return re.sub(r"\b[A-Z]+\b", word, text)


def example(line: str, lang: Lang) -> str:
    """An example with the ranks of its cards as the language writes them."""
    return re.sub("[JQ](?=[♣♦♥♠])", lambda rank: rank_text(rank[0], lang), line)


class SpokenFormatter(click.HelpFormatter):
    """A help page with its headings in the language of the run; names such as play-out stay on one line."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The usage line."""
        usage = message("help-usage", lang_of(click.get_current_context()))
        super().write_usage(_joined(prog), _joined(args), prefix or f"{usage} ")

    def write_text(self, text: str) -> None:
        """A paragraph."""
        super().write_text(_joined(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """A list of names and what they mean."""
        super().write_dl([(name, _joined(told)) for name, told in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """The page."""
        return super().getvalue().replace(_HYPHEN, "-")

    def write_heading(self, heading: str) -> None:
        """A heading: one of click's, or a key of data/messages; bold where colours are shown."""
        text = message(_HEADINGS.get(heading, heading), lang_of(click.get_current_context()))
        # What is not shown on a terminal is stripped again when it is printed.
        self.write(f"{'':>{self.current_indent}}{click.style(f'{text}:', bold=True)}\n")


class SpokenContext(click.Context):
    """A context whose help pages speak the language of the run."""

    formatter_class = SpokenFormatter


class SpokenOption(click.Option):
    """An option whose help is a key of data/messages."""

    def make_metavar(self, ctx: click.Context) -> str:
        """The placeholder in the language asked for."""
        return placeholder(super().make_metavar(ctx), lang_of(ctx))

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help in the language asked for."""
        record = super().get_help_record(ctx)
        if record is None or self.help is None:
            return record
        told = message(self.help, lang_of(ctx))
        return record[0], message("help-required", lang_of(ctx), told=told) if self.required else told

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """What its placeholder allows."""
        from kopsim.faces.completion import complete

        return complete(super().make_metavar(ctx), ctx, incomplete)


class SpokenArgument(click.Argument):
    """An argument whose placeholder speaks the language of the run."""

    def make_metavar(self, ctx: click.Context) -> str:
        """The placeholder in the language asked for."""
        return placeholder(super().make_metavar(ctx), lang_of(ctx))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """What its placeholder allows."""
        from kopsim.faces.completion import complete

        return complete(super().make_metavar(ctx), ctx, incomplete)


class SpokenCommand(click.Command):
    """A command whose help is a key of data/messages.

    short: the key of its line in the menu.  examples: command lines as one would type them,
    with English cards.
    """

    context_class = SpokenContext

    def __init__(self, *args: Any, short: str = "", examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.short = short
        self.examples = examples

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option --help, speaking too."""
        names = self.get_help_option_names(ctx)

        def show(context: click.Context, _param: click.Parameter, value: bool) -> None:
            if value and not context.resilient_parsing:
                show_help(context)
                context.exit()

        return SpokenOption(names, is_flag=True, is_eager=True, expose_value=False, callback=show, help="help-help")

    def get_short_help_str(self, limit: int = 45) -> str:
        """The line in the menu, in the language asked for."""
        del limit
        return message(self.short, lang_of(click.get_current_context()))

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The placeholders of the usage line in the language asked for."""
        return [placeholder(piece, lang_of(ctx)) for piece in super().collect_usage_pieces(ctx)]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help in the language asked for."""
        formatter.write_paragraph()
        with formatter.indentation():
            for paragraph in message(self.help or "", lang_of(ctx)).split("\n"):
                formatter.write_text(paragraph)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        if self.examples:
            with formatter.section("help-examples"):
                for line in "\n".join(self.examples).split("\n"):
                    formatter.write(f"{'':>{formatter.current_indent}}{example(line, lang_of(ctx))}\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Options, and in groups commands, with their help in the language asked for."""
        with ctx.scope(cleanup=False):
            items = super().shell_complete(ctx, incomplete)
        for item in items:
            for param in self.get_params(ctx):
                if isinstance(param, SpokenOption) and param.help is not None and item.value in param.opts:
                    item.help = message(param.help, lang_of(ctx)).split("\n")[0]
        return items


class SpokenGroup(SpokenCommand, click.Group):
    """A group of commands; called bare it shows its help.

    sections: headings (keys of data/messages) with the names of the commands under each; what stands
    in none goes under the heading of all commands, in the order in which it was added.
    """

    def __init__(self, *args: Any, sections: Mapping[str, Sequence[str]] | None = None, **settings: Any) -> None:
        super().__init__(*args, **{"invoke_without_command": True, **settings})
        self.sections = sections or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the menu."""
        del ctx
        return list(dict.fromkeys([*(name for names in self.sections.values() for name in names), *self.commands]))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The menu, and the options after it: who asks for help looks for a command."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The menu, section by section."""
        del ctx
        named = [name for names in self.sections.values() for name in names]
        rest = [name for name in self.commands if name not in named]
        wide = max(map(len, self.commands))
        for heading, names in {**self.sections, "help-commands": rest}.items():
            if names:
                with formatter.section(heading):
                    formatter.write_dl([(name.ljust(wide), self.commands[name].get_short_help_str()) for name in names])

    def invoke(self, ctx: click.Context) -> Any:
        """Shows the help if no command is named."""
        if not (ctx._protected_args or ctx.args):
            show_help(ctx)
            return None
        return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; raises QueryError naming the nearest, or the choices where none is near."""
        if args[0] not in self.commands:
            if near := nearest(args[0], self.commands):
                raise QueryError("usage-command-near", command=args[0], near=near)
            raise QueryError("usage-command", command=args[0], choices=sorted(self.commands))
        return super().resolve_command(ctx, args)


def show_help(ctx: click.Context) -> None:
    """Prints the help page of a command."""
    from kopsim.faces.layout import coloured

    # Named, because click puts a stream of UTF-8 in the place of one of ASCII.
    click.echo(ctx.get_help(), file=sys.stdout, color=coloured())
