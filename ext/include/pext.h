/* Gather and scatter bits: one instruction where the processor has it, asked at run time; a loop elsewhere. */
#ifndef KOPSIM_PEXT_H
#define KOPSIM_PEXT_H
#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define KOPSIM_HAS_PEXT __builtin_cpu_supports("bmi2")
#else
#define KOPSIM_HAS_PEXT 0
#endif

static inline uint64_t gather_loop(uint64_t x, uint64_t mask) {
    uint64_t out = 0;
    for (int i = 0; mask; mask &= mask - 1, i++)
        if (x & mask & -mask) out |= (uint64_t)1 << i;
    return out;
}

static inline uint64_t scatter_loop(uint64_t x, uint64_t mask) {
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        if (x & 1) out |= mask & -mask;
    return out;
}

/* The bits of x at the places of mask, moved together at the low end. */
static inline uint64_t gather_bits(uint64_t x, uint64_t mask, int fast) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (fast) {
        uint64_t out;
        __asm__("pextq %2, %1, %0" : "=r"(out) : "r"(x), "r"(mask));
        return out;
    }
#endif
    (void)fast;
    return gather_loop(x, mask);
}

/* The low bits of x, moved to the places of mask. */
static inline uint64_t scatter_bits(uint64_t x, uint64_t mask, int fast) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (fast) {
        uint64_t out;
        __asm__("pdepq %2, %1, %0" : "=r"(out) : "r"(x), "r"(mask));
        return out;
    }
#endif
    (void)fast;
    return scatter_loop(x, mask);
}
#endif
