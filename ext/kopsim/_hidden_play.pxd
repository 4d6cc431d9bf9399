"""Players who see only what they would see at a table."""
from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t
from kopsim._chance cimport chance_t
from kopsim._hands cimport narrow_t
from kopsim._layouts cimport space_t
from kopsim._moment cimport moment_t
from kopsim._rules cimport KernelRules
from kopsim._search cimport Solver, query_t
from kopsim._tablebase cimport EndgameTables, tables_t
from kopsim._trick cimport trick_t

cdef enum:
    MOST_ROOM = 17 * 125     # for ways to deal 16 cards to hands of four

cdef struct branch_t:        # a layout after one of the own cards, at the own next turn
    uint64_t history         # the cards played until then
    int count                # legal cards then, 1 where the deal is over
    int64_t[4] paid          # the own payment that each leads to with open cards
    int64_t[4] points        # points of the own side

cdef class HiddenPlay:
    cdef readonly KernelRules rules
    cdef readonly int layouts
    cdef EndgameTables endings
    cdef const tables_t* tables
    cdef Solver solver
    cdef query_t[16] queries
    cdef uint64_t seed
    cdef uint64_t number        # of the deal, for chance to differ from deal to deal
    cdef int announcer
    cdef bint alone
    cdef uint64_t[2] old
    cdef int[4] partners
    cdef int partner_count
    cdef int64_t* paid          # the payments
    cdef int most               # rows of points in them
    cdef uint64_t* calling
    cdef uint64_t* ways_with    # with how many layouts each hand of them fits
    cdef int calling_count
    cdef int total              # points of a deal
    cdef narrow_t* drawn
    cdef branch_t* branches     # one for each layout drawn
    cdef uint64_t[MOST_ROOM] room

    cdef int _declarers(self, const narrow_t* whole) noexcept nogil
    cdef int _fitting(self, const moment_t* moment, int seat, uint64_t held, chance_t* chance, bint even) noexcept nogil
    cdef void _count(self, space_t* space) noexcept nogil
    cdef void _deal(self, const space_t* space, uint64_t number, int seat, uint64_t held, int other, uint64_t
        known, int place) noexcept nogil
    cdef uint64_t _count_calling(self, const moment_t* moment, int seat, uint64_t unseen, const uint64_t* may,
        const int* size) noexcept nogil
    cdef int _of_calling(self, const moment_t* moment, uint64_t held, uint64_t unseen, uint64_t* may, int* size,
        uint64_t total, int seat, chance_t* chance, bint even) noexcept nogil
    cdef int _weigh(self, const moment_t* moment, int seat, uint64_t held, uint64_t cards, chance_t* chance,
        int kind, int64_t* paid, int64_t* points) noexcept nogil
    cdef int64_t _payment(self, int side, int value, int seat) noexcept nogil
    cdef int _value(self, const moment_t* moment, const narrow_t* hands, const trick_t* trick, int side) noexcept nogil
    cdef chance_t _chance(self, const moment_t* moment, int seat, uint64_t held) noexcept nogil
    cdef int _choose(self, int kind, const moment_t* moment, int seat, uint64_t held) noexcept nogil
    cdef int _by_thumb(self, const moment_t* moment, int seat, uint64_t cards) noexcept nogil
    cdef int _answer(self, int kind, int seat, uint64_t held, int plies, uint64_t history) except -1 nogil
    cdef int _replay(self, moment_t* moment, int seat, uint64_t held, int plies, uint64_t history) except -1 nogil
    cdef void _play_one(self, const uint64_t* hands, const int* kind, uint8_t* declarers,
        int16_t* points) noexcept nogil
