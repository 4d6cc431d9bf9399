"""Exact odds for the Polish card games Kop and Baśka.

The names below are the library; they are loaded when first used, so that
importing kopsim costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kopsim.advice import Advice, advise
    from kopsim.bidding import Auction
    from kopsim.cards import Card, CardRow, format_cards, parse_card, parse_cards, parse_pattern
    from kopsim.deal_analysis import PostMortem, post_mortem
    from kopsim.deals import Deal, PartialDeal
    from kopsim.double_dummy import Solution, solve, solve_many
    from kopsim.errors import (
        CallError,
        CardError,
        CertificateError,
        DealError,
        KopsimError,
        PlayError,
        QueryError,
        RuleError,
        TableError,
    )
    from kopsim.faces.notebook import show
    from kopsim.hand_odds import Odds, odds, odds_of_contracts
    from kopsim.interrupted import Interrupted
    from kopsim.pair_game_odds import PairOdds, pair_odds
    from kopsim.play import Position
    from kopsim.played_deal import PlayedDeal, parse_played
    from kopsim.rules import RuleSet, load_rules, rule_ids
    from kopsim.scoring import Score, payments_by_points, score
    from kopsim.throwdowns.check import check_certificate
    from kopsim.throwdowns.proofs import certify
    from kopsim.throwdowns.prover import guaranteed

_HOME = {
    "kopsim.advice": ("Advice", "advise"),
    "kopsim.bidding": ("Auction",),
    "kopsim.cards": ("Card", "CardRow", "format_cards", "parse_card", "parse_cards", "parse_pattern"),
    "kopsim.deals": ("Deal", "PartialDeal"),
    "kopsim.errors": (
        "CallError",
        "CardError",
        "CertificateError",
        "DealError",
        "KopsimError",
        "PlayError",
        "QueryError",
        "RuleError",
        "TableError",
    ),
    "kopsim.faces.notebook": ("show",),
    "kopsim.interrupted": ("Interrupted",),
    "kopsim.hand_odds": ("Odds", "odds", "odds_of_contracts"),
    "kopsim.pair_game_odds": ("PairOdds", "pair_odds"),
    "kopsim.play": ("Position",),
    "kopsim.played_deal": ("PlayedDeal", "parse_played"),
    "kopsim.deal_analysis": ("PostMortem", "post_mortem"),
    "kopsim.scoring": ("Score", "payments_by_points", "score"),
    "kopsim.rules": ("RuleSet", "load_rules", "rule_ids"),
    "kopsim.throwdowns.check": ("check_certificate",),
    "kopsim.throwdowns.proofs": ("certify",),
    "kopsim.throwdowns.prover": ("guaranteed",),
    "kopsim.double_dummy": ("Solution", "solve", "solve_many"),
}

__version__ = "0.1.0"
__all__ = [
    "Advice",
    "Auction",
    "CallError",
    "Card",
    "CardError",
    "CardRow",
    "CertificateError",
    "Deal",
    "DealError",
    "Interrupted",
    "KopsimError",
    "Odds",
    "PairOdds",
    "PartialDeal",
    "PlayError",
    "PlayedDeal",
    "Position",
    "PostMortem",
    "QueryError",
    "RuleError",
    "RuleSet",
    "Score",
    "Solution",
    "TableError",
    "advise",
    "certify",
    "check_certificate",
    "format_cards",
    "guaranteed",
    "load_rules",
    "odds",
    "odds_of_contracts",
    "pair_odds",
    "parse_card",
    "parse_cards",
    "parse_pattern",
    "parse_played",
    "payments_by_points",
    "post_mortem",
    "rule_ids",
    "score",
    "show",
    "solve",
    "solve_many",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'kopsim' has no attribute {name!r}")
