/* Bit tricks with the compiler's builtins; no processor flag is assumed. */
#ifndef KOPSIM_BITS_H
#define KOPSIM_BITS_H
#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
static __forceinline int lowest_bit(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
static __forceinline int highest_bit(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
#else
static inline int lowest_bit(uint64_t x) { return __builtin_ctzll(x); }
static inline int highest_bit(uint64_t x) { return 63 - __builtin_clzll(x); }
#endif

/* Called a few times a query, never inside a search: the portable form is enough. */
static inline int count_bits(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
#endif
