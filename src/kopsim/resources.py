"""Where the packaged data lie: inside the package when installed, beside src in a checkout."""

from pathlib import Path

# How many answers a cache keeps of a kind.  What depends on rule sets, ranges or hands is never kept without end,
# for a server is asked about ever new ones.
MOST_KEPT = 64
_HERE = Path(__file__).parent


def data_path(*parts: str) -> Path:
    """Path of a packaged data file or folder."""
    installed = _HERE / "data"
    root = installed if installed.is_dir() else _HERE.parents[1] / "data"
    return root.joinpath(*parts)
