/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/array_memory.h: the memory that reading a matrix from arrays takes, said before it is taken; as io/reading_memory.h does for
 * texts.  Elements 0 take none as entries, and are not known before: what is said is the most. */
#ifndef PM_ARRAY_MEMORY_H
#define PM_ARRAY_MEMORY_H

#include "arrays/npy_head.h"
#include "io/formats.h"

/* Before a matrix is read whose elements, `elements` of them, are in the next `bytes` bytes of `in`, perhaps with others; they are
 * held in memory as they are.  Input that is too short for them is bad, whatever it announces: nothing is said then.
 * Says the memory in a note, where it is at least a MiB.
 * Fails: PM_UNABLE the bytes are more than the process may still take. */
pm_status pm_array_memory_foresee(const pm_byte_source *in, const pm_read_options *opt,
                                  int64_t bytes, int64_t elements, int64_t nrows, pm_field field,
                                  pm_error *err);

/* Before the entries of a sparse matrix are read, from arrays of `bytes` bytes in all, which are in memory while they are.
 * Says the memory in a note, as above. */
void pm_array_memory_say_sparse(const char *name, const pm_read_options *opt, int64_t bytes,
                                int64_t entries, int64_t nrows, int64_t ncols, pm_field field);

#endif
