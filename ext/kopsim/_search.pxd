"""Double-dummy search: what a coalition of seats takes when all hands are open."""
from libc.stdint cimport uint64_t
from kopsim._rules cimport KernelRules, rule_t
from kopsim._trick cimport trick_t

cdef struct query_t:            # what stays the same during a search
    const rule_t* rules
    int side                    # the coalition that maximises, a bit mask of seats
    uint64_t* table             # transposition table
    int table_bits              # it has 2**table_bits entries

cdef struct window_t:           # alpha-beta window and the limits of what is still to be won
    int alpha
    int beta
    int high                    # the side can still take at most this much
    int low                     # and at least this much

cdef class Solver:
    cdef readonly KernelRules rules
    cdef query_t query
    cdef query_t _query(self, int leader, int side) except *
    cdef int _value(self, const query_t* query, const uint64_t* masks, const trick_t* trick, int left) noexcept
    cdef int _read(self, hands, int leader, table, uint64_t* masks, trick_t* trick, int* left) except -1
