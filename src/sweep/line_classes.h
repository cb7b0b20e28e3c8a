/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/line_classes.h: the different rows and columns of a block, and how often each occurs.
 * Twins that the reductions have joined are one line with their capacity; equal lines that are
 * still written out are found here.  (The reductions join twins of one side only, where an entry
 * would join two classes.)  Lines that are only proportional count as different. */
#ifndef PM_LINE_CLASSES_H
#define PM_LINE_CLASSES_H

#include <stdint.h>

#include "pm/reduce.h"
#include "pm/status.h"

enum { PM_LINE_CLASSES_MAX = 64, PM_NO_ENTRY = -1 };

typedef struct {
    int32_t nrows, ncols; /* different ones */
    /* Multiplicities; 0 beyond nrows and ncols. */
    int32_t row_times[PM_LINE_CLASSES_MAX], col_times[PM_LINE_CLASSES_MAX];
    /* The index of an entry of the block's matrix with this value, or PM_NO_ENTRY; set for different
     * rows and columns. */
    int64_t entry[PM_LINE_CLASSES_MAX][PM_LINE_CLASSES_MAX];
} pm_line_classes;

/* Cost: linear in the entries.
 * Fails: PM_UNABLE more than PM_LINE_CLASSES_MAX different rows or columns; PM_ENOMEM. */
pm_status pm_line_classes_find(const pm_block *b, pm_line_classes *out, pm_error *err);

#endif
