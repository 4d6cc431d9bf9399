/* Zeroed memory for tables that are read at random: in large pages where the system gives them,
   because with small ones most of the time goes into finding the page. */
#ifndef KOPSIM_LARGE_MEMORY_H
#define KOPSIM_LARGE_MEMORY_H
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

static void *large_alloc(size_t bytes) {
#if defined(__linux__)
    const size_t page = (size_t)2 << 20;
    void *memory = NULL;
    size_t whole = (bytes + page - 1) / page * page;
    if (posix_memalign(&memory, page, whole)) return NULL;
    (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memset(memory, 0, bytes);
#else
    return calloc(bytes, 1);
#endif
}
#endif
