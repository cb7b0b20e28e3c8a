/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/line_sample.h: what a long file of lines "left right ..." holds, before it is read: from samples at equal
 * distances, or by counting its lines. */
#ifndef PM_LINE_SAMPLE_H
#define PM_LINE_SAMPLE_H

#include "text/source.h"

/* One of the first two fields of all lines. */
typedef struct {
    double distinct; /* an estimate of the number of different ones */
    double largest;  /* of the integers in the samples; -1: not all fields are integers */
    double bytes;    /* a field, the mean */
} pm_line_field;

/* Lines that are blank or begin with # or % do not count. */
typedef struct {
    double
        lines; /* an estimate: the samples have up to a MiB of it, and a sixteenth of a short file */
    pm_line_field field[2];
    bool has_more;     /* most lines have a third field */
    bool is_ascending; /* the first fields of neighbouring lines are integers in ascending order */
} pm_line_sample;

/* False for what is no plain regular file of at least a MiB, where its samples have no two fields, and where there is no memory.
 * Nothing is taken out of the input.  Memory: a quarter of the file, at most 4 MiB. */
bool pm_line_sample_take(const pm_source *s, pm_line_sample *out);

/* The number of lines that count, of the whole file, if pm_line_sample_take has found it.  Reads it once, at the speed of a copy.
 * Fails: PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_line_sample_count(const pm_source *s, int64_t *lines, pm_error *err);

#endif
