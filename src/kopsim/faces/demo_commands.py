"""`kopsim demo`: a walk through what kopsim answers, step by step, with the real commands."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from typing import NamedTuple

import click

from kopsim.errors import Lang, message
from kopsim.faces.help_pages import SpokenCommand, example, lang_of
from kopsim.faces.options import language, option, show


class Step(NamedTuple):
    """One command with what it is about; where only its first lines are of interest, how many."""

    told: str
    line: str
    head: int | None = None


QUESTIONS = {
    "demo-player": (
        Step("demo-advise", 'kopsim advise "A♥ 10♣ J♣ J♠" --seat 3'),
        Step("demo-odds", 'kopsim odds "A♥ 10♣ J♣ J♠" --contract zolo'),
        Step("demo-kontra", 'kopsim kontra "10♣ 10♥ J♣ A♣" --seat 4 --soloist 3'),
    ),
    "demo-committee": (
        Step("demo-verify", "kopsim throwdowns verify"),
        Step("demo-certify", 'kopsim throwdowns certify "A♥ 10♠ Q♣ Q♥" --seat 4 --contract zolo'),
    ),
    "demo-author": (
        Step("demo-top", "kopsim table top --contract zolo --seat 2 -n 5"),
        Step("demo-chart", "kopsim chart-data zolo --seat 3 --csv", head=6),
    ),
}


@click.command(
    cls=SpokenCommand, help="help-demo", short="short-demo", examples=["kopsim demo", "kopsim demo --lang pl"]
)
@option("--no-pause", is_flag=True, help="help-no-pause")
@language
@click.pass_context
def demo(ctx: click.Context, no_pause: bool) -> None:
    """Questions with the commands that answer them."""
    from kopsim.faces.document import Heading, Paragraph, on_terminal
    from kopsim.faces.layout import unbroken

    lang, root = lang_of(ctx), ctx.find_root()
    waits = not no_pause and sys.stdin.isatty() and sys.stdout.isatty()
    for number, (question, steps) in enumerate(QUESTIONS.items(), start=1):
        show(on_terminal([Heading(f"{number}. {message(question, lang)}", 1)]))
        for told, line, head in steps:
            typed = example(line, lang)
            shown = f"$ {typed}" if head is None else f"$ {typed} | head -n {head}"
            show("")
            show(on_terminal([Paragraph(message(told, lang))]))
            show("")
            show(unbroken(shown, style="bold"))
            _run(root.command, shlex.split(typed)[1:], head, lang)
            show("")
            if waits:
                # Ctrl-C and the end of the input leave, as everywhere.
                click.prompt(message("demo-next", lang), default="", show_default=False, prompt_suffix="")
    show(on_terminal([Paragraph(message("demo-end", lang))]))


def _run(command: click.Command, args: list[str], head: int | None, lang: Lang) -> None:
    """Runs a command in the language of the walk; head: prints so many of its lines."""
    if head is None:
        command.main(args, prog_name="kopsim", standalone_mode=False, obj=lang)
        return
    with contextlib.redirect_stdout(io.StringIO()) as out:
        command.main(args, prog_name="kopsim", standalone_mode=False, obj=lang)
    show("\n".join(out.getvalue().splitlines()[:head]))
