"""A long question stopped by who asked it, with the answer so far."""

from __future__ import annotations

from typing import Any


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while an estimate was growing.

    so_far: what the question would have returned of the deals or layouts done until then,
    the same as if only so many had been asked for (with a cluster, of those that had arrived);
    its error says how far it can be trusted.  A question in which nothing was done yet, or
    whose half counts for nothing, is stopped by a plain KeyboardInterrupt.
    """

    def __init__(self, so_far: Any) -> None:
        super().__init__()
        self.so_far = so_far
