/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/memory.h: the bound of the memory of the process.  There is one for all inputs, graphs and threads; a
 * program sets it before its first input.
 *
 * Only requests are counted, not what is freed.  When the requests since the last look amount to a part of
 * what is left, the C library is asked how much memory the process has allocated: so memory that other
 * libraries allocate counts too.  All functions are thread-safe. */
#ifndef PM_MEMORY_H
#define PM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The process may allocate about so many bytes; 0: no bound, as at the start.  src/gpu takes the bound away
 * when it opens a device: the memory of a driver is not that of the input. */
void pm_memory_set_limit(int64_t bytes);
/* The bound, or 0. */
int64_t pm_memory_limit(void);

/* False when the bound does not allow to allocate this many bytes more.  Asked by pm/alloc.h, and before
 * numbers grow. */
bool pm_memory_allows(size_t bytes);

/* The same for a request that ends the program when it fails: a sixteenth of the bound and 4 MiB more are
 * allowed, so that what was allowed before can be completed. */
bool pm_memory_allows_last(size_t bytes);

/* Bytes that can be allocated now: pm_available_memory(), or less when the bound leaves less. */
int64_t pm_memory_left(void);

/* Pages that are free go back to the system: for the time before and within a long computation with large arrays, when many
 * small blocks have been freed.  Takes about as long as to write to these pages once.  Nothing to do where the C library has no such function. */
void pm_memory_give_back(void);

#endif
