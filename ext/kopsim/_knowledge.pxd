"""Search over what one player knows: can he win for certain, whatever the others hold and play?"""
from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t
from kopsim._hands cimport narrow_t
from kopsim._rules cimport KernelRules, rule_t
from kopsim._trick cimport trick_t

cdef enum:
    MOST_ORDERED = 16

cdef struct known_t:         # what the soloist knows between or within tricks
    narrow_t may             # his own cards in his lane; in another lane the cards that seat may still hold
    int8_t[4] size           # cards each seat holds
    int16_t taken            # points the soloist has
    bint lost                # whether another seat has taken a trick
    int16_t left             # points not yet taken, those on the table included

cdef struct task_t:          # what stays the same during a search
    const rule_t* rules
    int soloist
    int goal                 # points he needs
    bint every_trick         # or whether he needs every trick instead
    int8_t[MOST_ORDERED] order   # if any, the order in which the soloist plays what he may
    int ordered              # its length
    uint64_t* table
    int table_bits

cdef class Knowledge:
    cdef readonly KernelRules rules
    cdef task_t task
    cdef _remember(self, int soloist, order)


cdef uint64_t lacking(const rule_t* rules, const trick_t* trick, int seat, int card) noexcept nogil
