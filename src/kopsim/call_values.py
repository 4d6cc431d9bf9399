"""What each call earns a hand at a seat, every other player passing.

Two figures stand side by side.  The mean, exact, double dummy: the hand's own payment per
deal, undoubled, over all layouts equally likely, sides as each layout makes them.  And the
mean in play: from the packaged play-outs, where everybody sees only his own cards, with its
error; of lone calls against players who expect the calling range, where there is one.  Of such
calls it is also known what they earn when defenders double and the caller answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kopsim.bidding import PASS
from kopsim.calling_range import packaged_ranges, played_out
from kopsim.deals import Hand, PartialDeal
from kopsim.hand_odds import odds
from kopsim.kontra_table import DoubledPayment, packaged_kontra
from kopsim.pair_game_odds import pair_odds
from kopsim.play_out import Estimate
from kopsim.play_out_table import packaged_play_outs
from kopsim.rules import RuleSet
from kopsim.rules.model import Honour
from kopsim.scoring import payments_by_points, score
from kopsim.statistics import Mean
from kopsim.throwdowns.prover import Prover, throwable_contracts
from kopsim.values import Value


@dataclass(frozen=True, eq=False)
class CallValue(Value):
    """One call of a hand at a seat.

    call: "pass" or a contract; silent: whether it is what comes of saying nothing;
    payments: layouts by what the hand is paid, double dummy, undoubled; played: play-outs,
    None where no packaged table tells; guaranteed: one plan wins every layout against any
    defence, so the hand may be laid down, or it is paid without play; expected: whether
    the others expect the calling range in the play-outs; doubled: what it is paid where
    defenders double when their own cards make it pay, None where no packaged table tells
    or the hand is laid down; in_range: whether the packaged range of this call has the hand
    at this seat, None where there is no range of it; contested: whether the range could not
    tell if the hand should call.
    """

    call: str
    silent: bool
    payments: Mapping[int, int]
    played: Estimate | None
    guaranteed: bool
    expected: bool = False
    doubled: DoubledPayment | None = None
    in_range: bool | None = None
    contested: bool = False

    @property
    def layouts(self) -> int:
        """All layouts of the other cards."""
        return sum(self.payments.values())

    @property
    def wins(self) -> int:
        """Layouts in which the hand is paid, double dummy."""
        return sum(count for payment, count in self.payments.items() if payment > 0)

    @property
    def mean(self) -> Fraction:
        """Mean payment, double dummy, exact."""
        return Fraction(sum(payment * count for payment, count in self.payments.items()), self.layouts)

    @property
    def deviation(self) -> float:
        """Standard deviation of the payment, double dummy."""
        squares = sum(payment**2 * count for payment, count in self.payments.items())
        return math.sqrt(max(0.0, squares / self.layouts - float(self.mean) ** 2))

    @property
    def in_play(self) -> Mean | None:
        """Payment in play, undoubled, for a call that is laid down what it pays; None where no packaged table tells."""
        if self.guaranteed:
            return Mean.exact(float(self.mean))
        return None if self.played is None else self.played.payment

    @property
    def with_kontra(self) -> Mean | None:
        """Payment in play where defenders double when it pays them and the caller answers; undoubled if not known."""
        return self.in_play if self.doubled is None else self.doubled.answered

    @property
    def win_play(self) -> float | None:
        """The chance to win in play; None where no table tells."""
        if self.guaranteed:
            return 1.0
        return None if self.played is None else self.played.probability

    def break_even(self, instead: float) -> float | None:
        """With what chance to win this earns as much as `instead`; None for a call that pays in more than two ways.

        Outside 0 to 1 where no chance does.
        """
        paid = sorted(self.payments)
        if len(paid) == 1:
            paid = sorted({*paid, -paid[0]})
        return (instead - paid[0]) / (paid[1] - paid[0]) if len(paid) == 2 else None


Certain = Mapping[str, Mapping[Hand, Sequence[int]]]  # by contract the hands that win for certain, with their seats


def call_values(rules: RuleSet, hand: Hand, seat: int, certain: Certain | None = None) -> list[CallValue]:
    """Every call that a hand may make before the first card, passing first, then by rank of the contract.

    For a hand with all the old cards passing is what silence makes of it, such as cicha,
    and stands under that name.  certain: what wins for certain, by every contract that can be laid
    down, if it is at hand; for one hand it is found by search.
    Raises QueryError for rules that double dummy does not fit.
    """
    return list(_values(rules, hand, seat, certain))


def _values(rules: RuleSet, hand: Hand, seat: int, certain: Certain | None) -> Iterator[CallValue]:
    silent, pairs = rules.silent("soloist"), rules.silent("holders")
    whole = pairs is not None and hand.issuperset(rules.contract(pairs).cards)
    if silent is not None and rules.contract(silent).allows(hand, seat):
        guaranteed = _guaranteed(rules, silent, hand, seat, certain)
        yield CallValue(silent, True, _alone(rules, silent, hand, seat), _passed(rules, hand, seat), guaranteed)
    elif pairs is not None and not whole:
        yield CallValue(PASS, True, _in_pairs(rules, pairs, hand, seat), _passed(rules, hand, seat), False)
    for key, record in sorted(rules.contracts.items(), key=lambda each: each[1].rank):
        if record.announced == "silent" or not record.allows(hand, seat):
            continue
        table = played_out(rules, key)
        played = None if table is None else table.estimate(hand, seat)
        if record.sides == "partner":
            yield CallValue(key, False, _in_pairs(rules, key, hand, seat), played, False)
        elif record.sides == "soloist":
            guaranteed = _guaranteed(rules, key, hand, seat, certain)
            kontra, ranges = packaged_kontra(rules, key), packaged_ranges(rules)
            yield CallValue(
                key,
                False,
                _alone(rules, key, hand, seat),
                played,
                guaranteed,
                expected=table is not None and table.expected is not None,
                doubled=None if kontra is None or guaranteed else kontra.payment(hand, seat),
                in_range=None if ranges is None else ranges.calls(key, seat, hand),
                contested=ranges is not None and hand in ranges.close.get((key, seat), ()),
            )


def _alone(rules: RuleSet, contract: str, hand: Hand, seat: int) -> dict[int, int]:
    """Layouts by payment of a contract that one plays alone."""
    if isinstance(rules.contract(contract).goal, Honour):
        layouts = PartialDeal.of({seat: hand}, rules=rules).layouts
        return {score(contract, seat, rules=rules).payments[seat - 1]: layouts}
    points = odds(sorted(hand), seat=seat, contract=contract, rules=rules).points
    paid = payments_by_points(contract, seat, rules=rules)[points.lowest :, seat - 1]
    return _counted({int(each): int(points.counts[paid[: len(points.counts)] == each].sum()) for each in set(paid)})


def _in_pairs(rules: RuleSet, contract: str, hand: Hand, seat: int) -> dict[int, int]:
    """Layouts by payment of a contract that pairs play."""
    found: Counter[int] = Counter()
    for role in pair_odds(sorted(hand), seat=seat, contract=contract, rules=rules).roles:
        found.update(role.payments)
    return _counted(found)


def _counted(payments: Mapping[int, int]) -> dict[int, int]:
    return {payment: count for payment, count in sorted(payments.items()) if count}


def _guaranteed(rules: RuleSet, contract: str, hand: Hand, seat: int, certain: Certain | None) -> bool:
    if isinstance(rules.contract(contract).goal, Honour):
        return True
    if certain is not None:
        return seat in certain.get(contract, {}).get(hand, ())
    return contract in throwable_contracts(rules) and Prover(rules, contract).guaranteed(hand, seat)


def _passed(rules: RuleSet, hand: Hand, seat: int) -> Estimate | None:
    """Play-outs of a hand when everybody passes."""
    table = packaged_play_outs(rules, PASS)
    return None if table is None else table.estimate(hand, seat)
