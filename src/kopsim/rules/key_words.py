"""The words in which a rule set is told, and the keys and values of a rule file that they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from kopsim.errors import LANGS, message
from kopsim.faults import nearest
from kopsim.rules.model import (
    Contract,
    Doubling,
    Misplay,
    Obligations,
    Order,
    Pack,
    Record,
    RuleSet,
    Seats,
    Tournament,
    without_accents,
)

# The tables of a rule file, for keys that stand in a wrong one.
_TABLES: dict[str, type[Record]] = {
    "pack": Pack,
    "seats": Seats,
    "orders.…": Order,
    "orders.….obligations": Obligations,
    "contracts.…": Contract,
    "doubling": Doubling,
    "misplay": Misplay,
    "tournament": Tournament,
}

# Words are many: only one that is nearly the same is taken for another.
_ALIKE = 0.8

# What `kopsim rules show` calls a thing, by the name of the message; a word may stand for several keys.
WORDS: dict[str, tuple[str, ...]] = {
    "rules-name": ("name",),
    "rules-pack": ("pack",),
    "rules-hand-size": ("hand_size",),
    "rules-seat-names": ("names", "seats"),
    "rules-direction": ("direction",),
    "rules-speaking": ("speaking",),
    "rules-pairs": ("partners",),
    "rules-table": ("seats",),
    "rules-trumps": ("trumps",),
    "rules-sides": ("side_suits",),
    "rules-worth": ("points",),
    "rules-worth-trumps": ("trump_points",),
    "rules-worth-cards": ("card_points",),
    "rules-follow-trump": ("trump_led",),
    "rules-follow-side": ("side_led",),
    "rules-partner-trump": ("partner_trump_led",),
    "rules-partner-side": ("partner_side_led",),
    "rules-bonuses": ("trick_bonus",),
    "rules-who": ("sides",),
    "rules-with": ("partner",),
    "rules-goal": ("goal",),
    "rules-price": ("value",),
    "rules-lost": ("lost_value",),
    "rules-doublable": ("doubling",),
    "rules-first-double": ("first_double_by_declarer",),
    "info-order": ("order", "orders"),
    "rules-announcement": ("announced",),
    "rules-barred": ("barred",),
    "rules-tie": ("tie",),
    "rules-tie-doubled": ("tie_doubled",),
    "rules-ranks": ("rank", "contracts"),
    "rules-contracts": ("contracts",),
    "rules-doublings": ("doubling",),
    "rules-calls": ("calls",),
    "rules-higher": ("cancelled_by_higher",),
    "rules-same-side": ("same_side",),
    "rules-bok-round": ("bok_round",),
    "rules-cap": ("cap",),
    "rules-misplay": ("misplay",),
    "rules-loser": ("loses",),
    "rules-paid-as": ("grade",),
    "rules-tournament": ("tournament",),
    "rules-rounds": ("rounds",),
    "rules-deals": ("deals",),
    "rules-places": ("table_points",),
    "rules-clockwise": ("clockwise",),
    "rules-anticlockwise": ("anticlockwise",),
    "rules-silent": ("silent",),
    "rules-first-turn": ("first-turn",),
    "rules-any-turn": ("any-turn",),
    "rules-declarer-loses": ("declarer-loses",),
    "rules-old-lose": ("old-lose",),
    "rules-last-caller-loses": ("last-caller-loses",),
    "rules-refused": ("refused",),
    "rules-counts-once": ("counts-once",),
    "rules-loser-side": ("side",),
    "rules-loser-player": ("player",),
    "rules-highest-jack": ("highest-jack",),
    "goal-every-trick": ("every-trick",),
    "goal-honour": ("honour",),
    "goal-more-points": ("more-points",),
    "graded-with-26": ("with-26",),
    "graded-under-26": ("under-26",),
    "graded-no-trick": ("no-trick",),
    "demand-beat": ("beat",),
    "demand-follow": ("follow",),
    "demand-follow-beat": ("follow-beat",),
    "demand-trump": ("trump",),
}


def meant_key(word: str, known: Sequence[str]) -> str | None:
    """The key or value that somebody meant by a word: one of those known here, or a key with the table it belongs to.

    He may have mistyped it, or used a word in which `kopsim rules show` tells it, in either language.
    """
    plain = without_accents(word.replace("_", " "))
    spelt: dict[str, tuple[str, ...]] = {without_accents(key.replace("_", " ")): (key,) for key in _everywhere()}
    for lang in LANGS:
        for name, keys in WORDS.items():
            told = without_accents(message(name, lang))
            spelt[told] = (*spelt.get(told, ()), *keys)
    # The word itself, then what is spelt nearly like it here, then words nearly the same.
    alike = [spelt[near] for near in nearest(plain, spelt, _ALIKE)]
    for keys in (spelt.get(plain, ()), tuple(nearest(word, known)), *alike):
        if here := next((key for key in keys if key in known), None):
            return here
    for keys in (spelt.get(plain, ()), *alike):
        for key in keys:
            if key in ("base", "id", "name", "source"):
                return key
            if key in RuleSet.__struct_fields__:
                return f"[{key}]"
            if table := next((table for table, kind in _TABLES.items() if key in kind.__struct_fields__), None):
                return f"{table}.{key}"
    return None


def _everywhere() -> list[str]:
    return ["base", *RuleSet.__struct_fields__, *(key for kind in _TABLES.values() for key in kind.__struct_fields__)]
