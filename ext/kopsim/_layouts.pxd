"""Layouts: the ways to deal unseen cards to four seats under constraints."""
from libc.stdint cimport int8_t, uint8_t, uint64_t
from kopsim._rules cimport MAX_CARDS

cdef class LayoutSpace:
    cdef int cards                      # cards to deal
    cdef int8_t card[MAX_CARDS]         # their bits, lowest first
    cdef uint8_t seats[MAX_CARDS]       # the seats (bit mask) that may hold each of them
    cdef int size[4]                    # cards each seat gets
    cdef int stride[3]                  # step in `ways` for one card more at seats 0, 1, 2
    cdef int level                      # step in `ways` for one card less to deal
    cdef uint64_t* ways                 # ways to deal the cards from i on, by the room left at seats 0, 1, 2
    cdef bint _count(self) noexcept nogil
    cdef int _step(self, int seat) noexcept nogil
    cdef int _start(self) noexcept nogil
    cdef void unrank_into(self, uint64_t rank, uint64_t* hands) noexcept nogil
