"""Chance that depends on a seed and on what a player sees, the same wherever and whenever it is asked.

The numbers are splitmix64 (Steele, Lea, Flood 2014): a counter, mixed.
"""
from libc.stdint cimport uint64_t

ctypedef struct chance_t:
    uint64_t state


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x = (x ^ x >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ x >> 27) * <uint64_t>0x94D049BB133111EB
    return x ^ x >> 31


cdef inline void stir(chance_t* chance, uint64_t seen) noexcept nogil:
    """Makes what follows depend on one thing more."""
    chance.state = mixed((chance.state ^ seen) + <uint64_t>0x9E3779B97F4A7C15)


cdef inline uint64_t below(chance_t* chance, uint64_t limit) noexcept nogil:
    """A number from 0 to limit - 1, for limits up to 2**32."""
    chance.state += <uint64_t>0x9E3779B97F4A7C15
    return (mixed(chance.state) >> 32) * limit >> 32
