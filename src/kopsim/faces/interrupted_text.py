"""The end of an answer that was stopped before its end."""

from __future__ import annotations

from typing import Any

from kopsim.errors import Lang, message
from kopsim.faces.document import Paragraph, on_terminal
from kopsim.faces.options import show


def interrupted_data(stop: KeyboardInterrupt | None) -> dict[str, Any]:
    """What JSON data have more of such an answer."""
    return {} if stop is None else {"interrupted": True}


def end_of_answer(stop: KeyboardInterrupt | None, lang: Lang, as_json: bool) -> None:
    """Says of an answer that was shown that it is not whole, and goes on with the interrupt; nothing if it is whole."""
    if stop is None:
        return
    if not as_json:
        show("")
        show(on_terminal([Paragraph(message("interrupted-so-far", lang))]))
    raise stop
