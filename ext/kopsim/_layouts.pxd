"""Layouts: the ways to deal unseen cards to four seats under constraints."""
from libc.stdint cimport int8_t, uint8_t, uint64_t
from kopsim._rules cimport MAX_CARDS

cdef struct space_t:
    int cards                      # cards to deal
    int8_t[MAX_CARDS] card         # their bits, lowest first
    uint8_t[MAX_CARDS] seats       # the seats (bit mask) that may hold each of them
    int[4] size                    # cards each seat gets
    int[3] stride                  # step in `ways` for one card more at seats 0, 1, 2
    int level                      # step in `ways` for one card less to deal
    uint64_t* ways                 # ways to deal the cards from i on, by the room left at seats 0, 1, 2

cdef class LayoutSpace:
    cdef space_t c

cdef void set_space(space_t* space, uint64_t pack, const int* sizes, const uint64_t* must, const uint64_t* may) noexcept nogil
cdef bint count_ways(space_t* space) noexcept nogil
cdef uint64_t count_layouts(const space_t* space) noexcept nogil
cdef void unrank(const space_t* space, uint64_t rank, uint64_t* hands) noexcept nogil
