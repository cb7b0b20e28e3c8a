/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/alloc.h: every allocation of the project; released with free(). */
#ifndef PM_ALLOC_H
#define PM_ALLOC_H

#include <stddef.h>
#include <stdint.h>

/* count * size bytes, not initialised; never NULL for count 0; NULL on overflow or when memory
 * ends.  A large request that exceeds the memory available now counts as its end: the system would
 * grant it and kill the process later. */
void *pm_alloc_array(int64_t count, size_t size);

/* The same, zeroed. */
void *pm_calloc_array(int64_t count, size_t size);

/* A copy of size bytes; of a text with its end.  NULL when memory ends. */
void *pm_copy(const void *from, size_t size);
char *pm_copy_text(const char *text);

/* As pm_alloc_array, for arrays that are gathered from: in huge pages where the system has them. */
void *pm_alloc_huge(int64_t count, size_t size);

/* Make room for at least want elements in an array that holds *cap; doubles.
 * *array and *cap change only on success.  Returns 0 on success, -1 when memory ends. */
int pm_grow_array(void **array, int64_t *cap, int64_t want, size_t size);
#define PM_GROW(ptr, cap, want) pm_grow_array((void **)&(ptr), &(cap), (want), sizeof *(ptr))

/* Bytes that a process can take now without swapping (Linux: MemAvailable; else all of it). */
int64_t pm_available_memory(void);

/* Tests: let the k-th allocation from now on fail (k = 1 the next one); 0 switches off.
 * Returns how many were asked for since the last call while a k was set. */
int64_t pm_alloc_fail_at(int64_t k);

#endif
