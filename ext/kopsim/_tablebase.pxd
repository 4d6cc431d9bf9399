"""Retrograde solution of a 16-card pack, all coalitions at once."""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from kopsim._hands cimport narrow_t
from kopsim._rules cimport KernelRules, rule_t
from kopsim._trick cimport trick_t

cdef struct level_t:             # the solved positions with so many cards a hand
    int cards                    # cards a hand
    int seconds                  # hands of the second player for one of the first
    int thirds                   # hands of the third player for one of the first and second each
    int patterns                 # sets of cards that can be left, gaps closed
    uint16_t* left               # those sets, as masks
    int32_t* place               # by mask of what is left: the number of the set it is like
    uint64_t* words              # solved words: sets x first x second x third hand

cdef struct tables_t:
    const rule_t* rules
    int fast                     # whether the processor gathers bits by itself
    uint16_t* rank               # by mask: its rank among masks with as many bits
    level_t two
    level_t three

cdef class EndgameTables:
    cdef readonly KernelRules rules
    cdef tables_t tables
    cdef int total
    cdef int _prepare(self, level_t* level, int cards, int seconds, int thirds) except -1
    cdef int _closed(self, int left) noexcept

cdef uint64_t explore(const tables_t* t, const narrow_t* hands, const trick_t* trick, int left, int total) noexcept nogil
