"""Pages made up for a test, built with the settings of the documentation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import page_parts

DOCS = Path(page_parts.__file__).parent


def built(source: Path, out: Path, lang: str) -> subprocess.CompletedProcess[str]:
    """How the build of the pages in `source` ended; they lie in a folder of `out` that is called like the language."""
    options = ["-q", "-W", "-c", str(DOCS), "-D", f"language={lang}", "-d", str(out / "doctrees")]
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(source), str(out / lang)],
        capture_output=True,
        text=True,
        check=False,
    )
