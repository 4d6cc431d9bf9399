"""What the README shows is what the commands print; `make readme` writes it anew."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from pathlib import Path
from unittest import mock

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def printed(command: str) -> str:
    """What one command line prints on a terminal of 80 columns."""
    from kopsim.faces.cli import main

    out = io.StringIO()
    setting = {"COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    with mock.patch.dict(os.environ, setting), contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(shlex.split(command)[1:])
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip().splitlines())


def renewed(text: str) -> str:
    """The README with the output of every `$ kopsim …` line in it made anew."""

    def block(match: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", match[1], re.MULTILINE)
        shown = [
            f"$ {command}\n{printed(command)}\n" if "kopsim" in command else f"$ {command}\n" for command in commands
        ]
        return "```console\n" + "\n".join(shown) + "```"

    return BLOCK.sub(block, text)


def test_the_readme_shows_what_is_printed() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(BLOCK.findall(text)) == 3
    assert renewed(text) == text
    assert len(text.splitlines()) <= 120


def test_the_readmes_python_runs() -> None:
    examples = PYTHON.findall(README.read_text(encoding="utf-8"))
    assert examples
    for example in examples:
        for line in re.findall(r"^(?:print\()?.*# → .*$", example, re.MULTILINE):
            code, _, shown = line.partition("  # → ")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(example.split(line)[0] + code, {})
            assert out.getvalue().splitlines()[-1] == shown.strip(), line


if __name__ == "__main__" and "--write" in sys.argv:
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
