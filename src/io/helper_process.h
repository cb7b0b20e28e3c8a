/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/helper_process.h: the helper program pm-igraph-read as a child process (io/igraph_read.c).  It writes nothing
 * before its input ends, so neither process waits for the other forever. */
#ifndef PM_HELPER_PROCESS_H
#define PM_HELPER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "pm/status.h"

typedef struct {
    pid_t pid;
    int to;       /* a socket: a write to a helper that is gone must not raise SIGPIPE */
    int from;     /* its standard output */
    FILE *errors; /* its standard error: a file, so that the helper never blocks */
} pm_helper;

#define PM_HELPER_NONE                                                                             \
    {                                                                                              \
        .to = -1, .from = -1                                                                       \
    }

/* h: PM_HELPER_NONE.  name: of the input, for messages.  format: the word that says what to do.
 * Fails: PM_UNABLE there is no helper; PM_EIO, PM_ENOMEM. */
pm_status pm_helper_start(pm_helper *h, const char *name, const char *format, pm_error *err);

/* Writes all bytes.  Returns false when the helper has stopped reading: it has written the reason. */
bool pm_helper_send(const pm_helper *h, const char *bytes, int64_t count);
/* The input has ended. */
void pm_helper_no_more(pm_helper *h);

/* Waits for the end of the helper.  The warnings of a helper that succeeds become the note.
 * Fails: with the status and the message of the helper. */
pm_status pm_helper_finish(pm_helper *h, const char *name, char *note, size_t room, pm_error *err);

void pm_helper_free(pm_helper *h);

#endif
