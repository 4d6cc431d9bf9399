"""Four hands in two widths with the same few operations.

Packs of at most 16 cards fit into one 64-bit word, which makes the search about
twice as fast; larger packs take a word a hand.  Every search is written once
over the fused type.
"""
from libc.stdint cimport uint64_t
from kopsim._rules cimport count_bits, highest_bit, rule_t

cdef enum:
    NARROW_CARDS = 16

ctypedef struct narrow_t:
    uint64_t lanes      # hand of seat s in bits 16 s to 16 s + 15

ctypedef struct wide_t:
    uint64_t lane[4]    # hand of seat s

ctypedef fused hands_t:
    narrow_t
    wide_t


cdef inline uint64_t hand_of(const hands_t* hands, int seat) noexcept nogil:
    if hands_t is narrow_t:
        return (hands.lanes >> (16 * seat)) & 0xFFFF
    else:
        return hands.lane[seat]


cdef inline void toggle(hands_t* hands, int seat, int card) noexcept nogil:
    """Takes a held card out of a hand, or puts it back."""
    if hands_t is narrow_t:
        hands.lanes ^= (<uint64_t>1) << (16 * seat + card)
    else:
        hands.lane[seat] ^= (<uint64_t>1) << card


cdef inline void set_hands(hands_t* hands, const uint64_t* masks) noexcept nogil:
    if hands_t is narrow_t:
        hands.lanes = masks[0] | masks[1] << 16 | masks[2] << 32 | masks[3] << 48
    else:
        for seat in range(4):
            hands.lane[seat] = masks[seat]


cdef inline void close_gaps(hands_t* hands, const rule_t* rules, uint64_t gone) noexcept nogil:
    """Moves cards down inside their runs to fill the places of the cards `gone`.

    Cards of a run differ only in who holds the stronger one, so this changes no
    value, makes equal positions look equal, and makes neighbours in value
    neighbours in the word.  The highest gap is closed first, because closing it
    moves only cards above it.
    """
    cdef uint64_t above
    cdef int card, seat
    while gone:
        card = highest_bit(gone)
        gone ^= (<uint64_t>1) << card
        above = rules.run_above[card]
        if hands_t is narrow_t:
            above *= <uint64_t>0x0001000100010001
            hands.lanes = (hands.lanes & ~above) | ((hands.lanes & above) >> 1)
        elif above:
            for seat in range(4):
                hands.lane[seat] = (hands.lane[seat] & ~above) | ((hands.lane[seat] & above) >> 1)


cdef inline uint64_t from_leader(uint64_t lanes, int leader) noexcept nogil:
    """Four narrow hands with the leader's first."""
    return lanes >> (16 * leader) | lanes << (64 - 16 * leader) if leader else lanes


cdef inline bint is_deal(const rule_t* rules, const uint64_t* masks) noexcept nogil:
    """Whether four hands are a whole deal: none overlap, differ in size or hold unknown cards."""
    cdef uint64_t seen = 0
    cdef int seat
    for seat in range(4):
        if masks[seat] & (seen | ~rules.pack) or count_bits(masks[seat]) != rules.hand_size:
            return False
        seen |= masks[seat]
    return True
