/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/written_out.h: how large a matrix may be that a short input announces. */
#ifndef PM_WRITTEN_OUT_H
#define PM_WRITTEN_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/alloc.h"

enum {
    PM_WRITTEN_OUT_LINES = 1 << 26, /* rows; columns */
    PM_WRITTEN_OUT_LARGE = 1 << 28  /* bytes; for fewer the memory is not looked up */
};

static inline bool pm_written_out_is_allowed(int64_t nrows, int64_t ncols, int64_t nnz)
{
    return nrows <= PM_WRITTEN_OUT_LINES && ncols <= PM_WRITTEN_OUT_LINES
           && nnz <= INT64_C(1) << 31;
}

static inline bool pm_written_out_has_memory(int64_t bytes)
{
    return bytes < PM_WRITTEN_OUT_LARGE || bytes <= pm_available_memory();
}

#endif
