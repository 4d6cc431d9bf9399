"""Settings of the documentation, one for both languages: `sphinx-build -c docs -D language=pl docs/pl …`."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from docutils import nodes  # noqa: E402
from page_parts import write_parts  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.config import Config  # noqa: E402

from kopsim import __version__  # noqa: E402
from kopsim.faces.words import NO_BREAK, no_orphans  # noqa: E402

# What a reader's terminal shows: the command of this environment, 80 columns, English unless --lang says otherwise.
os.environ |= {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "COLUMNS": "80",
    "LC_ALL": "C.UTF-8",
}

project = "kopsim"
release = __version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.programoutput",
    "page_commands",
]
exclude_patterns = ["generated"]
show_warning_types = True
# Names of options stand in the pages: "--" must stay what it is; quotation marks are typed as they belong.
smartquotes = False
highlight_language = "text"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# Notebooks are shown as they were saved; `make notebooks` runs them.
nb_execution_mode = "off"
# No page asks another machine for anything.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
default_role = "code"

copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp"

html_theme = "furo"
html_title = "kopsim"
html_favicon = "../src/kopsim/faces/site/assets/icon.svg"
html_static_path = ["static"]
html_css_files = ["docs.css"]
html_js_files = ["docs.js"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "other_language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def _begin(app: Sphinx, config: Config) -> None:
    """Writes what pages take from the program, and says where the other language lies."""
    write_parts(Path(app.srcdir), config.language)
    if config.language == "pl":
        # The library, the notebooks and the changes are told in English only; English is built first.
        inventory = Path(app.outdir).parent / "en" / "objects.inv"
        config.intersphinx_mapping = {"en": ("../en", str(inventory))}


def _sidebar(app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Tells the sidebar where the same page stands in the other language, or else its first page."""
    other = {"pl": "en", "en": "pl"}[app.config.language]
    page = pagename if (HERE / other / f"{pagename}.md").exists() else "index"
    context["other"] = f"{'../' * (pagename.count('/') + 1)}{other}/{page}.html"
    # The theme's headings there do not say how deep they are, which a reader aloud needs.
    tree = context["furo_navigation_tree"]
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def _typeset(app: Sphinx, doctree: nodes.document) -> None:
    """Keeps together what print keeps together: groups of digits, a number and its %, Polish words of one letter."""
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, (nodes.literal, nodes.literal_block)):
            one_line = re.sub(r"\s*\n\s*", " ", str(text))
            kept = re.sub(r"(?<=\d) (?=\d{3}\b|%)", NO_BREAK, no_orphans(one_line, app.config.language))
            text.parent.replace(text, nodes.Text(kept))


def _parameters_apart(_app: Sphinx, _what: str, _name: str, _thing: object, _options: object, lines: list[str]) -> None:
    """Docstrings tell of parameters in lines that begin `name:`; each becomes a paragraph of its own."""
    told = [re.sub(r"^([a-z_]+(?:, [a-z_]+)*): ", r"``\1``: ", line) for line in lines]
    lines[:] = [part for line in told for part in (("", line) if line.startswith("``") else (line,))]


def setup(app: Sphinx) -> None:
    """Ties these in."""
    app.connect("config-inited", _begin, priority=400)
    app.connect("autodoc-process-docstring", _parameters_apart)
    app.connect("doctree-read", _typeset)
    app.connect("html-page-context", _sidebar, priority=900)  # after the theme
