"""Directives of the pages: commands that are run when the pages are built, with what they print or make.

`command-output` is sphinxcontrib-programoutput's; here each page has a folder of its own to run in.
`made` runs a command that writes the file named by --out and shows it: a picture, or a file to download.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import download_reference
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinxcontrib.programoutput import ProgramOutputDirective

PICTURES = (".png", ".svg")


def folder_of(docname: str) -> str:
    """Where a page's commands are run, as seen from the folder of the pages."""
    return f"generated/{docname}"


class PageCommand(ProgramOutputDirective):  # type: ignore[misc]  # its package has no types
    """`command-output`, run in the page's folder and coloured as a terminal's text."""

    def run(self) -> list[nodes.Node]:
        """The node that stands for the output."""
        env = self.state.document.settings.env
        folder = folder_of(env.docname)
        Path(env.srcdir, folder).mkdir(parents=True, exist_ok=True)
        self.options.setdefault("cwd", f"/{folder}")
        self.options.setdefault("language", "console")
        nodes_: list[nodes.Node] = super().run()
        return nodes_


class Made(SphinxDirective):
    """`made`: a command with --out FILE, and what it made; a picture must be described for who cannot see it."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The command as typed, then its picture or a link to its file."""
        typed = self.arguments[0]
        words = shlex.split(typed)
        folder = folder_of(self.env.docname)
        place = Path(self.env.srcdir, folder)
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(words, cwd=place, check=False, capture_output=True, text=True)
        if done.returncode:
            raise self.error(f"{typed}: {done.stderr.strip() or done.returncode}")
        name = words[words.index("--out") + 1]
        shown = f"$ {typed}"
        command = nodes.literal_block(shown, shown, language="console")
        if Path(name).suffix in PICTURES:
            if "alt" not in self.options:
                raise self.error(f"{typed}: a picture needs :alt:")
            return [command, nodes.image(uri=f"/{folder}/{name}", alt=self.options["alt"], classes=["made"])]
        link = download_reference(
            "", "", nodes.literal("", name), reftarget=f"/{folder}/{name}", refdoc=self.env.docname
        )
        return [command, nodes.paragraph("", "", link)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Makes the directives known."""
    app.setup_extension("sphinxcontrib.programoutput")
    app.add_directive("command-output", PageCommand, override=True)
    app.add_directive("made", Made)
    return {"parallel_read_safe": True}
