"""Seven values in one word: what every coalition of four seats takes, a byte a coalition.

Seats are counted from the player who leads.  Bytes 0-3 are the lone players 0-3,
byte 4 the pair 0 1, byte 5 the pair 1 2, byte 6 the pair 0 2; the other side has
the rest of the points.  No byte reaches 128, so bytes never carry over.
"""
from libc.stdint cimport uint64_t

cdef enum:
    COALITIONS = 7
    MOST_POINTS = 127

cdef inline uint64_t holding(int seat) noexcept nogil:
    """Ones in the bytes of the coalitions that a seat belongs to."""
    if seat == 0:
        return 0x01000100000001
    if seat == 1:
        return 0x00010100000100
    if seat == 2:
        return 0x01010000010000
    return 0x00000001000000


cdef inline uint64_t better(uint64_t a, uint64_t b, int seat) noexcept nogil:
    """Byte by byte the larger where `seat` belongs to the coalition, the smaller elsewhere."""
    cdef uint64_t high = <uint64_t>0x80808080808080
    cdef uint64_t not_less = ((((a | high) - b) & high) >> 7) * 0xFF
    cdef uint64_t take = ~(not_less ^ (holding(seat) * 0xFF))
    return (a & take) | (b & ~take)


cdef inline uint64_t after_trick(uint64_t word, int winner, uint64_t worth, uint64_t rest) noexcept nogil:
    """The word of a position in which `winner` has just taken a trick.

    word: the word of what follows, seats counted from the winner; worth: of the
    trick; rest: points still to be taken after it.
    """
    cdef uint64_t lone = word & <uint64_t>0xFFFFFFFF
    cdef uint64_t pairs = word >> 32
    cdef uint64_t others
    lone = (lone << (8 * winner) | lone >> (32 - 8 * winner)) & <uint64_t>0xFFFFFFFF
    if winner & 1:
        pairs = (pairs & 0xFF) << 8 | (pairs >> 8 & 0xFF) | (pairs & 0xFF0000)
    # Turned round, some pairs become the other side of a pair that has a byte.
    if winner == 0:
        others = 0
    elif winner == 1:
        others = 0x010001
    elif winner == 2:
        others = 0x000101
    else:
        others = 0x010100
    pairs = (pairs & ~(others * 0xFF)) + others * rest - (pairs & (others * 0xFF))
    return (lone | pairs << 32) + holding(winner) * worth


cdef inline int points_of(uint64_t word, int side, int total) noexcept nogil:
    """The points of a side, a mask of seats counted from the leader, out of `total`."""
    # Of two sides one has a byte: 1, 2, 4, 8, 3, 6 or 5; which byte stands in the digit of its number.
    cdef bint other = side == 7 or side > 8
    cdef int byte = <uint64_t>0x305624100 >> 4 * (15 - side if other else side) & 0xF
    cdef int points = word >> 8 * byte & 0xFF
    return total - points if other else points
