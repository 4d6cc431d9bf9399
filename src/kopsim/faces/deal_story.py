"""A deal played out by players who see only their own cards, told card by card with what open cards would say."""

from __future__ import annotations

from collections.abc import Sequence

from kopsim.bidding import PASS, Auction
from kopsim.cards import Card
from kopsim.deal_analysis import PostMortem, post_mortem
from kopsim.errors import Lang
from kopsim.faces import game_text
from kopsim.faces.document import Block
from kopsim.play_out import make_setting, play_deal
from kopsim.played_deal import PlayedDeal
from kopsim.rules import RuleSet
from kopsim.rules.model import SEATS


def deal_story(
    rules: RuleSet, contract: str, hand: Sequence[Card], seat: int, rank: int, *, lang: Lang = "en"
) -> list[Block]:
    """The deal of `pimc_deal` in words."""
    return game_text.story(pimc_deal(rules, contract, hand, seat, rank), lang)


def pimc_deal(rules: RuleSet, contract: str, hand: Sequence[Card], seat: int, rank: int) -> PostMortem:
    """The layout of that number (as `PartialDeal.layout` has it), a lone contract played by pimc players (seed 0).

    Raises CardError, DealError or QueryError saying what is wrong.
    """
    setting = make_setting(hand, seat, contract, "pimc", None, None, layouts=20, seed=0, rules=rules)
    played = play_deal(setting, rank)
    auction = Auction(rules, dict(zip(SEATS, played.deal.hands, strict=True)))
    while (speaking := auction.to_speak) is not None:
        auction = auction.call(contract if speaking == seat and auction.announcement is None else PASS)
    return post_mortem(PlayedDeal(played.deal, auction, tuple(card for _, card in played.cards), illegal=False))
