"""The command line: its commands, and one sentence for whatever is wrong with a call, or for each fault of a file."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn, TextIO, cast

import click

from kopsim import __version__
from kopsim.errors import KopsimError, Lang, message, refusal
from kopsim.faces import (
    advise_commands,
    book_commands,
    chart_commands,
    compare_commands,
    completion_commands,
    demo_commands,
    drawing_commands,
    game_commands,
    kontra_commands,
    odds_commands,
    play_out_commands,
    range_commands,
    rules_commands,
    site_commands,
    table_commands,
    tablebase_commands,
    throwdown_commands,
)
from kopsim.faces.help_pages import SpokenGroup, SpokenOption
from kopsim.faces.letters import ClosedOutput, let_through
from kopsim.faces.options import ReaderGoneError, language
from kopsim.faces.words import check_lang, default_lang
from kopsim.faults import nearest

BAD_INPUT = 2
INTERRUPTED = 130
READER_GONE = 141
_MOST_LINES = 50

# Where a shell asks for completions; click derives the name from that of the program.
COMPLETING = "_KOPSIM_COMPLETE"


# The menu: who asks, or when, and the commands that answer.
MENU: dict[str, tuple[click.Command, ...]] = {
    "menu-player": (
        advise_commands.advise,
        odds_commands.odds,
        kontra_commands.kontra,
        play_out_commands.play_out,
        game_commands.bid,
    ),
    "menu-after": (game_commands.analyse, odds_commands.solve, game_commands.score),
    "menu-committee": (throwdown_commands.throwdowns, rules_commands.rules, compare_commands.compare),
    "menu-author": (
        drawing_commands.chart,
        chart_commands.chart_data,
        book_commands.book,
        site_commands.site,
        table_commands.table,
    ),
    "menu-workshop": (tablebase_commands.tablebase, range_commands.calling_range),
    "menu-first": (demo_commands.demo, completion_commands.completion),
}


@click.group(
    cls=SpokenGroup,
    help="help-kopsim",
    sections={heading: [command.name or "" for command in commands] for heading, commands in MENU.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@language
@click.version_option(__version__, cls=SpokenOption, help="help-version", message="kopsim %(version)s")
def cli() -> None:
    """All commands."""


for commands in MENU.values():
    for command in commands:
        cli.add_command(command)


def main(args: list[str] | None = None) -> NoReturn:
    """Runs a command line; wrong input, and output that cannot be written, end in exit code 2 and say why."""
    args = sys.argv[1:] if args is None else args
    # A closed stream is None.  Errors that nobody can see end in an exit code; a result that cannot be written is one.
    sys.stdout = let_through(sys.stdout or cast("TextIO", ClosedOutput()))
    sys.stderr = let_through(sys.stderr or Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    lang, completing = default_lang(), COMPLETING in os.environ
    try:
        lang = _completed_lang() if completing else requested_lang(args)
        status = cli.main(args, prog_name="kopsim", complete_var=COMPLETING, standalone_mode=False, obj=lang)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except KopsimError as error:
        if completing:
            sys.exit(0)  # a line that is not finished may be wrong
        _refuse(error.lines(lang), lang)
    except (KeyError, ValueError):
        if not completing:
            raise
        sys.exit(0)  # somebody asks who is no shell
    except click.UsageError as error:
        _refuse([_usage(error, args, lang)], lang)
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C has nothing to add
        # On a terminal the line holds "^C".
        click.echo(("\n" if sys.stderr.isatty() else "") + message("interrupted", lang), file=sys.stderr)
        sys.exit(INTERRUPTED)
    except (BrokenPipeError, ReaderGoneError):
        # Whoever read us has gone; leave without a word.
        _drop_output()
        sys.exit(READER_GONE)
    except OSError as error:
        _drop_output()
        _refuse([message("usage-output", lang, reason=refusal(error))], lang)


def _drop_output() -> None:
    """Lets what could not be written go nowhere, so that Python does not try again at the end and complain."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def requested_lang(args: list[str]) -> Lang:
    """The language a command line asks for, known before the line is parsed so that errors speak it too."""
    for place, arg in enumerate(args):
        if arg.startswith("--lang="):
            return check_lang(arg.partition("=")[2])
        if arg == "--lang" and place + 1 < len(args):
            return check_lang(args[place + 1])
    return default_lang()


def _completed_lang() -> Lang:
    """The language that a line asks for of which a shell wants the rest; its last word may be half a language."""
    from click.shell_completion import split_arg_string

    try:
        return requested_lang(split_arg_string(os.environ.get("COMP_WORDS", "")))
    except KopsimError:
        return default_lang()


def _usage(error: click.UsageError, args: list[str], lang: Lang) -> str:
    """A wrong command line in one sentence."""
    if isinstance(error, click.NoSuchOption):
        known = (
            []
            if error.ctx is None
            else [name for param in error.ctx.command.get_params(error.ctx) for name in param.opts]
        )
        if near := nearest(error.option_name, known):
            return message("usage-option-near", lang, option=error.option_name, near=near)
        return message("usage-option", lang, option=error.option_name)
    if isinstance(error, click.MissingParameter) and error.param is not None and error.ctx is not None:
        name = (
            error.param.opts[0]
            if isinstance(error.param, click.Option)
            else error.param.make_metavar(error.ctx).rstrip(".")
        )
        return message("usage-missing", lang, parameter=name, command=error.ctx.command_path)
    if isinstance(error, click.BadOptionUsage):
        # Wrong is a value that is missing, or one given to an option that takes none.
        given = any(arg.startswith(f"{error.option_name}=") for arg in args)
        return message("usage-flag" if given else "usage-value", lang, option=error.option_name)
    if error.ctx is not None and not isinstance(error, click.BadParameter):
        return message("usage-extra", lang, command=error.ctx.command_path)
    return message("usage-other", lang, reason=error.format_message())


def _refuse(sentences: list[str], lang: Lang) -> NoReturn:
    """Ends with one line for each sentence, whatever was quoted in it."""
    shown = [_one_line(sentence) for sentence in sentences[:_MOST_LINES]]
    if len(sentences) > len(shown):
        shown.append(message("faults-more", lang, count=len(sentences) - len(shown)))
    with contextlib.suppress(OSError):  # the exit code says it too
        click.echo("\n".join(shown), file=sys.stderr)
    sys.exit(BAD_INPUT)


def _one_line(sentence: str) -> str:
    indent = sentence[: len(sentence) - len(sentence.lstrip(" "))]
    line = indent + " ".join(sentence.split())
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return shown if len(shown) <= 1000 else shown[:1000] + "…"
