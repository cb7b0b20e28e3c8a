/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/terminal.h: standard output when it is a terminal. */
#ifndef PM_TERMINAL_H
#define PM_TERMINAL_H

#include <stdio.h>

#include "pm/status.h"

/* If standard output is a terminal, makes stdout a stream that shows labels and names without
 * harm: of what is written, all bytes but newline, TAB and those of pm_printable_length reach the
 * terminal as \xHH.  Output to files and pipes is not changed.  To be called before anything is
 * printed.
 * Fails: PM_ENOMEM. */
pm_status pm_terminal_guard(pm_error *err);

/* A stream that writes to the file descriptor fd in this way; closing it closes fd.  NULL when
 * memory ends. */
FILE *pm_terminal_stream(int fd);

#endif
