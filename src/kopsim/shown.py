"""What makes objects show themselves in a notebook."""

from __future__ import annotations


class Shown:
    """Base of what a notebook shows as tables and drawn cards, in the language of the system.

    `kopsim.show` shows the same in a chosen language.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        # What things look like is for the faces, which import what they show.  Only here does an object
        # ask for its face, and so only when it is to be shown, which costs nobody else a thing.
        from kopsim.faces.notebook import show

        return show(self)._repr_html_()
