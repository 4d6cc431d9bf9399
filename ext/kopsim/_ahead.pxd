"""Weighing cards to one's own next turn instead of with open cards at once.

Open cards at once assume that at his next turn the player will know all hands; he will
know no more than the cards played by then.  So in each layout the others go on with
open cards until he is to play again, and there he takes one card for all layouts in
which he has seen the same.
"""
from libc.stdint cimport int64_t, uint64_t
from kopsim._hands cimport hand_of, narrow_t, toggle
from kopsim._hidden_play cimport HiddenPlay, branch_t
from kopsim._moment cimport advance, moment_t, taken_by, to_play
from kopsim._rules cimport lowest_bit
from kopsim._trick cimport choices, different, put, trick_t


cdef inline int value_of(HiddenPlay player, const moment_t* moment, const narrow_t* rest, int seat, int card,
                         int side) noexcept nogil:
    """Points that a side has in the end if a seat plays a card, with open cards from there."""
    cdef narrow_t after = rest[0]
    cdef trick_t trick = moment.trick
    toggle(&after, seat, card)
    put(&player.rules.c, &trick, seat, card)
    return taken_by(moment, side) + player._value(moment, &after, &trick, side)


cdef inline void play_on(HiddenPlay player, moment_t* moment, narrow_t* rest, int own, int side) noexcept nogil:
    """Lets the others play with open cards until a seat is to play again or the deal is over; of equals the weakest."""
    cdef int seat = to_play(moment), card, best, value, most
    cdef uint64_t cards
    while moment.left and seat != own:
        cards = different(&player.rules.c, choices(&player.rules.c, hand_of(rest, seat), &moment.trick, seat))
        best, most = lowest_bit(cards), 0
        if cards & (cards - 1):
            best = -1
            while cards:
                card = lowest_bit(cards)
                cards &= cards - 1
                value = value_of(player, moment, rest, seat, card, side)
                if not side >> seat & 1:
                    value = -value
                if best < 0 or value > most:
                    best, most = card, value
        toggle(rest, seat, best)
        advance(&player.rules.c, moment, seat, best)
        seat = to_play(moment)


cdef inline void branch_out(HiddenPlay player, const moment_t* moment, const narrow_t* layout, int seat, int card,
                            branch_t* branch) noexcept nogil:
    """One layout after one card: what is seen until the next turn, and what each card then leads to."""
    cdef moment_t then = moment[0]
    cdef narrow_t rest = layout[0], whole = layout[0]
    cdef int side, other, value, place = 0
    cdef uint64_t cards
    for other in range(4):
        cards = moment.gone[other]
        while cards:
            toggle(&whole, other, lowest_bit(cards))
            cards &= cards - 1
    side = player._declarers(&whole)
    toggle(&rest, seat, card)
    advance(&player.rules.c, &then, seat, card)
    play_on(player, &then, &rest, seat, side)
    branch.history = then.history
    branch.count = 0
    cards = choices(&player.rules.c, hand_of(&rest, seat), &then.trick, seat) if then.left else 0
    while cards or not place:
        value = taken_by(&then, side)
        if cards:
            other = lowest_bit(cards)
            cards &= cards - 1
            value = value_of(player, &then, &rest, seat, other, side)
        branch.paid[place] = player._payment(side, value, seat)
        branch.points[place] = value if side >> seat & 1 else player.total - value
        place += 1
    branch.count = place


cdef inline void weigh_ahead(HiddenPlay player, const moment_t* moment, int seat, uint64_t cards, int count,
                             int64_t* paid, int64_t* points) noexcept nogil:
    """Adds up payments and points for each of the cards over the layouts drawn, as described above."""
    cdef int card, i, j, place, best
    cdef int64_t[4] together
    cdef int64_t[4] left
    cdef branch_t* branch = player.branches
    cdef uint64_t rest = cards
    while rest:
        card = lowest_bit(rest)
        rest &= rest - 1
        paid[card] = points[card] = 0
        for i in range(count):
            branch_out(player, moment, &player.drawn[i], seat, card, &branch[i])
        for i in range(count):
            if not branch[i].count:
                continue
            for place in range(branch[i].count):
                together[place] = left[place] = 0
            for j in range(i, count):
                if branch[j].history == branch[i].history and branch[j].count:
                    for place in range(branch[j].count):
                        together[place] += branch[j].paid[place]
                        left[place] += branch[j].points[place]
                    if j > i:
                        branch[j].count = 0
            best = 0
            for place in range(1, branch[i].count):
                if together[place] > together[best] or (together[place] == together[best] and left[place] > left[best]):
                    best = place
            paid[card] += together[best]
            points[card] += left[best]
