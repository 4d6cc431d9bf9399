"""Makes the certificate of a hand: its verdict with a plan or a refutation, by search."""

from __future__ import annotations

from collections.abc import Mapping

from kopsim import __version__
from kopsim.cards import Cards, parse_cards
from kopsim.deals import check_seat, sort_hand
from kopsim.hand_odds import odds
from kopsim.rules import RuleSet, load_rules, rules_hash
from kopsim.rules.assume import assuming
from kopsim.throwdowns.certificates import Certificate
from kopsim.throwdowns.plans import shortest_plan
from kopsim.throwdowns.prover import Prover
from kopsim.throwdowns.refutations import refute


def certify(
    hand: Cards,
    *,
    seat: int,
    contract: str,
    rules: RuleSet | None = None,
    assume: Mapping[str, bool] | None = None,
) -> Certificate:
    """Whether a hand wins a contract for certain at a seat, with the proof.

    assume: readings of the rules to hold instead of theirs, as `kopsim.rules.assume` names them.
    Raises CardError, DealError or QueryError saying what is wrong.
    """
    written, assume = rules or load_rules(), dict(assume or {})
    read = assuming(written, assume)
    prover = Prover(read, contract)
    cards, seat = parse_cards(hand), check_seat(seat)
    start = prover.start(cards, seat)
    won = prover.wins(start)
    open_cards = odds(cards, seat=seat, contract=contract, rules=read)
    return Certificate(
        kopsim=__version__,
        rules=written.id,
        rules_hash=rules_hash(written),
        assume=assume,
        contract=contract,
        goal="every-trick" if prover.goal.every_trick else prover.goal.points,
        seat=seat,
        hand=tuple(map(str, sort_hand(cards, written, contract))),
        verdict="guaranteed" if won else "refuted",
        double_dummy_wins=open_cards.wins,
        layouts=open_cards.layouts,
        plan=shortest_plan(prover, start) if won else (),
        refutation=None if won else refute(prover, start),
    )
