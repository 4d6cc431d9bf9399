"""`kopsim completion`: the script with which a shell completes command lines."""

from __future__ import annotations

import click

from kopsim.errors import QueryError
from kopsim.faces.help_pages import SpokenCommand
from kopsim.faces.options import argument, language, show

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=SpokenCommand,
    help="help-completion",
    short="short-completion",
    examples=[
        "kopsim completion bash >> ~/.bashrc",
        "kopsim completion zsh >> ~/.zshrc",
        "kopsim completion fish \\\n    > ~/.config/fish/completions/kopsim.fish",
    ],
)
@argument("shell", metavar="|".join(SHELLS))
@language
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """The script of one shell."""
    from click.shell_completion import get_completion_class

    root = ctx.find_root()
    name = root.info_name or ""
    known = get_completion_class(shell) if shell in SHELLS else None
    if known is None:
        raise QueryError("shell-bad", text=shell, choices=SHELLS)
    show(known(root.command, {}, name, f"_{name}_COMPLETE".upper()).source())
