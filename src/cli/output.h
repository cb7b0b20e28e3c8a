/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/output.h: where results go: standard output, or a file that takes its name only when it is
 * complete. */
#ifndef PM_OUTPUT_H
#define PM_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "pm/status.h"

typedef struct {
    FILE *stream;
    char *path;       /* NULL: standard output or a file written in place */
    char *temporary;  /* beside path until then */
    const char *name; /* for messages */
    int error;        /* errno of a flush that failed */
} pm_output;

/* path: NULL or "-": standard output.  What is no regular file (a device, a pipe) is written in
 * place.  Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_output_open(pm_output *out, const char *path, pm_error *err);

/* Push out what was written so far; false when that failed, which pm_output_commit will report. */
bool pm_output_flush(pm_output *out);

/* Close the file and give it its name; a zeroed *out is fine.  Standard output stays open (pm_exit
 * closes it), but an earlier failure is reported.  Fails: PM_EIO; the temporary file is gone
 * then. */
pm_status pm_output_commit(pm_output *out, pm_error *err);

/* Close and remove the temporary file; nothing after a commit. */
void pm_output_discard(pm_output *out);

#endif
