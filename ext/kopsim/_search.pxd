"""Double-dummy search: what a coalition of seats takes when all hands are open."""
from libc.stdint cimport uint64_t
from kopsim._rules cimport KernelRules, rule_t
from kopsim._trick cimport trick_t

cdef struct watch_t:            # looks out for an interrupt during long searches
    uint64_t visits             # positions with more than QUICK_TRICKS to go
    bint stopped                # an interrupt came; values are worth nothing from then on

cdef struct query_t:            # what stays the same during a search
    const rule_t* rules
    int side                    # the coalition that maximises, a bit mask of seats
    uint64_t* table             # transposition table
    int table_bits              # it has 2**table_bits entries
    watch_t* watch

cdef struct window_t:           # alpha-beta window and the limits of what is still to be won
    int alpha
    int beta
    int high                    # the side can still take at most this much
    int low                     # and at least this much

cdef class Solver:
    cdef readonly KernelRules rules
    cdef query_t query
    cdef watch_t watch
    cdef query_t _query(self, int leader, int side) except *
    cdef int _value(self, const query_t* query, const uint64_t* masks, const trick_t* trick, int left) noexcept nogil
    cdef int _stop_if_asked(self) except -1
    cdef int _read(self, hands, int leader, table, uint64_t* masks, trick_t* trick, int* left) except -1
