"""What a shell may complete: a placeholder says it, "any|auto|FILE" as much as "CARDS"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

from kopsim.cards import parse_pattern
from kopsim.errors import CardError, KopsimError
from kopsim.faces.help_pages import lang_of
from kopsim.faces.odds_commands import MODELS
from kopsim.faces.words import seat_name
from kopsim.resources import data_path
from kopsim.rules import DEFAULT, RuleSet, load_rules
from kopsim.rules.load import rule_ids
from kopsim.rules.model import SEATS

Items = list[CompletionItem[str]]

# Placeholders that tell two of a kind apart.
_ALIKE = dict.fromkeys("AB", "ID|FILE")

_WORD = re.compile(r"[a-z][a-z0-9-]*")


def complete(metavar: str, ctx: click.Context, incomplete: str) -> Items:
    """The values that a placeholder allows and that begin as typed."""
    if metavar == "FOLDER":
        return [CompletionItem(incomplete, type="dir")]
    if metavar.startswith("FILE"):
        return [CompletionItem(incomplete, type="file")]
    items: Items = []
    allowed = _ALIKE.get(metavar, metavar).strip("[].").split("|")
    for part in sorted(allowed, key=lambda part: part != "FILE"):
        if part == "FILE":
            # First, because click's script for bash forgets what came before it.
            items.append(CompletionItem(incomplete, type="file"))
        elif part in ("HAND", "CARDS"):
            items += _cards(ctx, incomplete, whole=part == "HAND")
        elif part in _KINDS:
            items += _KINDS[part](ctx)
        elif _WORD.fullmatch(part):
            items.append(CompletionItem(part))
    return [item for item in items if item.value.startswith(incomplete)]


def _rules(ctx: click.Context) -> RuleSet:
    """The rules that the line names so far, or the default."""
    named = ctx.params.get("rules_name")
    try:
        return load_rules(named if isinstance(named, str) else DEFAULT)
    except KopsimError:
        return load_rules(DEFAULT)


def _rule_ids(ctx: click.Context) -> Items:
    return [CompletionItem(each, help=load_rules(each).name.text(lang_of(ctx))) for each in rule_ids()]


def _lists(_ctx: click.Context) -> Items:
    return [CompletionItem(path.stem) for path in sorted(data_path("throwdowns").glob("*.toml"))]


def _contracts(ctx: click.Context) -> Items:
    return [CompletionItem(key, help=each.name.text(lang_of(ctx))) for key, each in _rules(ctx).contracts.items()]


def _seats(ctx: click.Context) -> Items:
    return [CompletionItem(str(seat), help=seat_name(_rules(ctx), seat, lang_of(ctx))) for seat in SEATS]


def _models(_ctx: click.Context) -> Items:
    return [CompletionItem(each) for each in MODELS]


def _charts(_ctx: click.Context) -> Items:
    from kopsim.faces.drawing_commands import KINDS

    return [CompletionItem(each) for each in KINDS]


def _players(_ctx: click.Context) -> Items:
    from kopsim.players import KINDS

    return [CompletionItem(each) for each in KINDS]


def _cards(ctx: click.Context, incomplete: str, *, whole: bool) -> Items:
    """Cards of the pack that are not on the line yet, in the letters of the language.

    They may stand apart or in quotes, where the last is completed; whole: a hand, which has so many and no more.
    """
    rules, lang = _rules(ctx), lang_of(ctx)
    inside, space, _ = incomplete.rpartition(" ")
    words = ctx.params.get("hand")
    there = set(_typed((*(words if isinstance(words, tuple) else ()), inside)))
    if whole and len(there) >= rules.seats.hand_size:
        return []
    return [
        CompletionItem(f"{inside}{space}{card.text(lang=lang)}", help=card.text("words", lang))
        for card in sorted(rules.pack.cards, reverse=True)
        if card not in there
    ]


def _typed(words: Iterable[str]) -> Iterable[int]:
    """The cards on the line so far; none where they cannot be read."""
    try:
        return [card for card in parse_pattern(" ".join(words)) if card is not None]
    except CardError:
        return []


_KINDS: dict[str, Callable[[click.Context], Items]] = {
    "ID": _rule_ids,
    "LIST": _lists,
    "CONTRACT": _contracts,
    "1-4": _seats,
    "4[,2": _seats,
    "SEAT": _seats,
    "MODEL": _models,
    "PLAYER": _players,
    "CHART": _charts,
}
