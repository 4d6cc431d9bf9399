"""Keys, texts and places as TOML writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable


def toml_key(key: str) -> str:
    """A key as TOML writes it."""
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else toml_text(key)


def toml_text(text: str) -> str:
    """A text in quotes; TOML reads JSON's escapes, and wants one more character escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def place_text(place: Iterable[str | int]) -> str:
    """A place as its writer sees it: keys with dots between them, entries of lists counted from 1."""
    parts = [f"[{part + 1}]" if isinstance(part, int) else f".{toml_key(part)}" for part in place]
    return "".join(parts).removeprefix(".")
