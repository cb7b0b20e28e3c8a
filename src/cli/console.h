/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/console.h: what a program says to people, on standard error: messages, notes and a
 * progress line that gives way to them. */
#ifndef PM_CONSOLE_H
#define PM_CONSOLE_H

#include <stdbool.h>

#include "cli/options.h"

typedef struct {
    const char *program;
    int verbosity; /* -1 quiet, 0, one more for each -v */
    bool has_line; /* progress is drawn as one line that is overwritten */
    bool line_is_drawn;
    const char *item; /* what is being worked on, or NULL */
    double started;   /* seconds of a steady clock */
    double next;      /* when progress is due */
} pm_console;

/* show_progress: even when standard error is no terminal. */
void pm_console_open(pm_console *c, const char *program, int verbosity, bool show_progress);
/* Start the clock of an item; name must live until the next call. */
void pm_console_begin(pm_console *c, const char *name);
/* Erase the progress line. */
void pm_console_clear(pm_console *c);
/* "program: message" */
void pm_console_error(pm_console *c, const char *message);
void pm_console_notef(pm_console *c, int level, const char *fmt, ...) PM_PRINTF(3, 4);

/* For pm_run.note and pm_run.progress, with the console as context.  On a terminal the line comes
 * after one second, at most six times a second; elsewhere -v gives a line a minute.  SIGUSR1
 * gives one line at the next call. */
void pm_console_note(void *console, int level, const char *line);
void pm_console_progress(void *console, double fraction, const char *what);

#endif
