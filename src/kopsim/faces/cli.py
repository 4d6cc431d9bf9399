"""The command line: its commands, and one sentence for whatever is wrong with a call."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn, TextIO

import click

from kopsim import __version__
from kopsim.errors import KopsimError, Lang, message, refusal
from kopsim.faces import (
    advise_commands,
    book_commands,
    chart_commands,
    compare_commands,
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
from kopsim.faces.options import ReaderGoneError, SpokenGroup, SpokenOption, check_lang, language
from kopsim.faces.words import default_lang

BAD_INPUT = 2
INTERRUPTED = 130
READER_GONE = 141


@click.group(cls=SpokenGroup, help="help-kopsim", context_settings={"help_option_names": ["-h", "--help"]})
@language
@click.version_option(__version__, cls=SpokenOption, help="help-version", message="kopsim %(version)s")
def cli() -> None:
    """All commands."""


for commands in (
    advise_commands,
    kontra_commands,
    chart_commands,
    drawing_commands,
    book_commands,
    odds_commands,
    play_out_commands,
    range_commands,
    throwdown_commands,
    game_commands,
    compare_commands,
    rules_commands,
    site_commands,
    table_commands,
    tablebase_commands,
):
    for command in commands.COMMANDS:
        cli.add_command(command)


def main(args: list[str] | None = None) -> NoReturn:
    """Runs a command line; wrong input ends in one sentence on standard error and exit code 2."""
    args = sys.argv[1:] if args is None else args
    # A closed stream is None; what would go there is lost, as whoever closed it wished.
    sys.stdout = _let_through(sys.stdout or Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    sys.stderr = _let_through(sys.stderr or Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    lang = default_lang()
    try:
        lang = requested_lang(args)
        status = cli.main(args, prog_name="kopsim", standalone_mode=False, obj=lang)
        sys.stdout.flush()
        sys.exit(status if isinstance(status, int) else 0)
    except KopsimError as error:
        _refuse(error.text(lang))
    except click.UsageError as error:
        _refuse(_usage(error, lang))
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C has nothing to add
        click.echo(message("interrupted", lang), err=True)
        sys.exit(INTERRUPTED)
    except (BrokenPipeError, ReaderGoneError):
        # Whoever read us has gone; leave without a word.
        _drop_output()
        sys.exit(READER_GONE)
    except OSError as error:
        _drop_output()
        _refuse(message("usage-output", lang, reason=refusal(error)))


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


def _let_through(stream: TextIO) -> TextIO:
    """Makes a terminal that lacks suit symbols show "?" instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    return stream


def _usage(error: click.UsageError, lang: Lang) -> str:
    """A wrong command line in one sentence."""
    if isinstance(error, click.NoSuchOption):
        return message("usage-option", lang, option=error.option_name)
    if isinstance(error, click.MissingParameter) and error.param is not None and error.ctx is not None:
        name = error.param.opts[0] if isinstance(error.param, click.Option) else (error.param.name or "").upper()
        return message("usage-missing", lang, parameter=name, command=error.ctx.command_path)
    if isinstance(error, click.BadOptionUsage):
        return message("usage-value", lang, option=error.option_name)
    if error.ctx is not None and not isinstance(error, click.BadParameter):
        return message("usage-extra", lang, command=error.ctx.command_path)
    return message("usage-other", lang, reason=error.format_message())


def _refuse(sentence: str) -> NoReturn:
    """Ends with one line, whatever was quoted in it."""
    line = " ".join(sentence.split())
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    click.echo(shown if len(shown) <= 1000 else shown[:1000] + "…", err=True)
    sys.exit(BAD_INPUT)
