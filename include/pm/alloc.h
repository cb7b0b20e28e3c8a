/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/alloc.h: all allocations of the project except those of GMP.  Memory is released with free().
 * All functions but pm_alloc_fail_at are thread-safe. */
#ifndef PM_ALLOC_H
#define PM_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* Allocates count elements of size bytes, not initialised.
 * Returns NULL when count * size overflows or memory is exhausted; never NULL for count 0.  A large
 * request (256 MiB) also fails when it exceeds the memory that is available now: the system would
 * grant it and kill the process later. */
void *pm_alloc_array(int64_t count, size_t size);

/* The same, zeroed. */
void *pm_calloc_array(int64_t count, size_t size);

/* A copy of size bytes, and a copy of a string.  Return NULL when out of memory. */
void *pm_copy(const void *from, size_t size);
char *pm_copy_text(const char *text);

/* As pm_alloc_array, for arrays that are read in random order: uses huge pages where the system has
 * them. */
void *pm_alloc_huge(int64_t count, size_t size);

/* Makes room for at least want elements in an array that has room for *cap; at least doubles it.
 * *array and *cap change only on success.  Returns 0, or -1 when out of memory.
 * PM_GROW evaluates its arguments more than once. */
int pm_grow_array(void **array, int64_t *cap, int64_t want, size_t size);
#define PM_GROW(ptr, cap, want)                                                                    \
    ((want) <= (cap) ? 0 : pm_grow_array((void **)&(ptr), &(cap), (want), sizeof *(ptr)))

/* Gives back what an array has beyond `count` elements, more than 0; where that fails nothing changes. */
void pm_shrink_array(void **array, int64_t *cap, int64_t count, size_t size);

/* Bytes that the process can allocate now without swapping: MemAvailable on Linux, as it was at
 * most 10 ms ago; the whole memory elsewhere. */
int64_t pm_available_memory(void);

/* For tests: makes the k-th allocation from now on fail (k = 1: the next one); 0 switches this off.
 * Returns the number of allocations since the last call if a k was set then.  Not thread-safe. */
int64_t pm_alloc_fail_at(int64_t k);

#endif
