"""A moment of a deal as everybody at the table has seen it."""
from libc.stdint cimport uint64_t
from libc.string cimport memset
from kopsim._knowledge cimport lacking
from kopsim._rules cimport rule_t
from kopsim._trick cimport new_trick, put, trick_t

cdef struct moment_t:        # what everybody has seen
    trick_t trick
    int[4] taken             # points of each seat
    uint64_t[4] gone         # cards each seat has played
    uint64_t[4] lacks        # cards that it cannot hold, for obligations would have made it play otherwise
    int left                 # tricks not finished
    int total                # points not yet taken, those on the table among them
    int plies                # cards played
    uint64_t history         # the cards played, four bits each, the first lowest


cdef inline moment_t start_of_deal(const rule_t* rules) noexcept nogil:
    """Nobody has played; seat 0 leads."""
    cdef moment_t moment
    cdef int i
    memset(&moment, 0, sizeof(moment))
    moment.trick = new_trick(0)
    moment.left = rules.hand_size
    for i in range(rules.cards):
        moment.total += rules.points[i]
    for i in range(1, rules.hand_size + 1):
        moment.total += rules.trick_bonus[i]
    return moment


cdef inline void advance(const rule_t* rules, moment_t* moment, int seat, int card) noexcept nogil:
    """What everybody has seen after a card."""
    cdef int worth
    moment.lacks[seat] |= lacking(rules, &moment.trick, seat, card)
    moment.gone[seat] |= (<uint64_t>1) << card
    moment.history |= <uint64_t>card << (4 * moment.plies)
    moment.plies += 1
    put(rules, &moment.trick, seat, card)
    if moment.trick.count == 4:
        worth = moment.trick.worth + rules.trick_bonus[moment.left]
        moment.taken[moment.trick.winner] += worth
        moment.total -= worth
        moment.left -= 1
        moment.trick = new_trick(moment.trick.winner)


cdef inline int to_play(const moment_t* moment) noexcept nogil:
    return (moment.trick.leader + moment.trick.count) & 3


cdef inline int taken_by(const moment_t* moment, int side) noexcept nogil:
    """Points that a side has, a mask of seats."""
    cdef int seat, points = 0
    for seat in range(4):
        if side >> seat & 1:
            points += moment.taken[seat]
    return points
