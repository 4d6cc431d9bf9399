"""Checks certificates by playing them out, sharing nothing with the search that made them.

What may be played and who takes a trick is asked of the referee (`kopsim.play`) alone.
"""

from __future__ import annotations

from collections.abc import Callable

from kopsim.cards import Card, parse_card
from kopsim.deals import Deal, sort_hand
from kopsim.errors import CertificateError, KopsimError, QueryError
from kopsim.play import Position
from kopsim.rules import RuleSet, rules_hash
from kopsim.rules.assume import assuming
from kopsim.rules.model import SEATS
from kopsim.throwdowns.certificates import Certificate, Choices, Layout, Lost, Plays, Tree
from kopsim.throwdowns.claim import Claim
from kopsim.throwdowns.plan_check import follow_plan


def check_certificate(
    certificate: Certificate, rules: RuleSet, *, progress: Callable[[int, int], None] = lambda _done, _of: None
) -> None:
    """Returns if the certificate proves its verdict; a plan takes some seconds, a refutation none.

    rules: the rule set it was made for; what it assumes is assumed here; progress: called
    with how many beginnings of the play a plan was followed through, and of how many.
    Raises CertificateError saying where it fails, QueryError if it is for other rules.
    """
    if certificate.rules != rules.id or certificate.rules_hash != rules_hash(rules):
        raise QueryError("certificate-rules", made=certificate.rules, rules=rules)
    try:
        claim = Claim.of(certificate, assuming(rules, certificate.assume))
        if certificate.verdict == "guaranteed":
            follow_plan(certificate.plan, claim, progress)
        elif certificate.refutation is None:
            raise CertificateError("certificate-empty")
        else:
            _follow_closed(certificate.refutation, claim, ())
    except CertificateError:
        raise
    except KopsimError as error:
        raise CertificateError("certificate-fails", reason=error) from None


def _follow_closed(tree: Tree, claim: Claim, played: tuple[Card, ...]) -> None:
    """Follows a refutation while nobody's hand is open; raises CertificateError where it does not hold.

    Layouts further down tell whose turn it is and what the soloist may play, since in
    all of them the same was played and he holds the same.
    """
    layout = _first_layout(tree)
    hands = tuple(frozenset(map(parse_card, hand)) for hand in layout.hands)
    deal = Deal(hands, claim.rules)
    if deal.hands[claim.seat - 1] != claim.hand:
        raise CertificateError("certificate-layout", deal=deal, cards=sort_hand(claim.hand, claim.rules))
    position = claim.position(hands)
    for card in played:
        position = position.play(card)
    if isinstance(tree, Layout):
        _follow_open(tree.then, claim, position)
        return
    for card, then in _branches(tree, claim, position).items():
        _follow_closed(then, claim, (*played, card))


def _follow_open(tree: Tree, claim: Claim, position: Position) -> None:
    """Follows a defence with open cards to where the soloist has lost."""
    if isinstance(tree, Lost):
        others = [seat for seat in SEATS if seat != claim.seat]
        if not claim.lost(position.points(others), sum(position.tricks[seat - 1] for seat in others)):
            raise CertificateError("certificate-not-lost", deal=_cards_left(position))
        return
    for card, then in _branches(tree, claim, position).items():
        _follow_open(then, claim, position.play(card))


def _branches(tree: Tree, claim: Claim, position: Position) -> dict[Card, Tree]:
    """What a refutation has for the player to move: a defender's card, or every card the soloist may play."""
    if isinstance(tree, Plays) and tree.seat == position.to_play != claim.seat:
        return {parse_card(tree.card): tree.then}
    if isinstance(tree, Choices) and position.to_play == claim.seat:
        branches = {parse_card(name): then for name, then in tree.cards.items()}
        if branches.keys() >= set(position.legal_cards()):
            return {card: branches[card] for card in position.legal_cards()}
    raise CertificateError("certificate-branches", seat=position.to_play, deal=_cards_left(position))


def _first_layout(tree: Tree) -> Layout:
    while not isinstance(tree, Layout):
        if isinstance(tree, Plays):
            tree = tree.then
        elif isinstance(tree, Choices) and tree.cards:
            tree = next(iter(tree.cards.values()))
        else:
            raise CertificateError("certificate-closed")
    return tree


def _cards_left(position: Position) -> str:
    return " | ".join(" ".join(map(str, sorted(hand, reverse=True))) or "–" for hand in position.hands)
