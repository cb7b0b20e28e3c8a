/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/output.h: the output of a program: standard output, or a file.  A file
 * gets its name when it is complete (process/new_file.h). */
#ifndef PM_OUTPUT_H
#define PM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "pm/status.h"
#include "process/new_file.h"

typedef struct {
    FILE *stream;
    pm_new_file file; /* not open: standard output, or a file that is written in place */
    char *partial;    /* after pm_output_keep_partial: where the output is; else NULL */
    const char *name; /* for messages */
    int error;        /* errno of a flush that failed */
} pm_output;

/* path: NULL or "-" for standard output.  A device or a pipe is written in place.
 * Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_output_open(pm_output *out, const char *path, pm_error *err);

/* Flushes the output.  Returns false when that failed; pm_output_commit then fails too. */
bool pm_output_flush(pm_output *out);

/* Closes the file and gives it its name.  Standard output stays open (pm_exit closes it).  *out may
 * be zeroed.
 * Fails: PM_EIO, also for an earlier failure; nothing of the file stays then.  If only the name cannot
 * be given, it stays under a temporary one, which the message names. */
pm_status pm_output_commit(pm_output *out, pm_error *err);

/* The same under the name FILE.partial, for an output that is good as far as it goes; an older file
 * of that name is replaced.  Does nothing for standard output, and for a file that is empty or is
 * written in place if all was written.  Sets out->partial.
 * Fails: PM_ENOMEM, and as pm_output_commit. */
pm_status pm_output_keep_partial(pm_output *out, pm_error *err);

/* Closes the file, of which nothing stays.  Does nothing after pm_output_commit. */
void pm_output_discard(pm_output *out);

#endif
