/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/console.h: standard error: messages about failures, notes, and a progress line that is erased
 * before a message is printed.  Not thread-safe. */
#ifndef PM_CONSOLE_H
#define PM_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/options.h"
#include "pm/run.h"

typedef struct {
    const char *program;
    int verbosity; /* -1: --quiet; else the number of --verbose */
    bool has_line; /* progress is printed as one line that is overwritten */
    bool line_is_drawn;
    const char *input; /* the current input, or NULL */
    FILE *to;          /* where messages go; NULL: standard error */
    double started;    /* when the current input was begun: seconds of core/clock.h */
    double next;       /* when the next progress is to be printed */
    uint64_t last;     /* of pm_console_is_new: a hash of its last name */
} pm_console;

/* show_progress: also when standard error is not a terminal. */
void pm_console_open(pm_console *c, const char *program, int verbosity, bool show_progress);
/* A console that writes its messages to f, without progress. */
pm_console pm_console_for(const pm_console *c, FILE *f);
/* Begins an input.  name: not copied, must be valid until the next call; may be NULL. */
void pm_console_begin(pm_console *c, const char *name);
/* Erases the progress line. */
void pm_console_clear(pm_console *c);
/* Prints "program: message".  Every message and note goes through here: bytes that could steer a
 * terminal (text/printable.h) are printed as \xHH. */
void pm_console_error(pm_console *c, const char *message);
void pm_console_errorf(pm_console *c, const char *fmt, ...) PM_PRINTF(2, 3);
/* The same for a note, when the verbosity is at least `level`. */
void pm_console_notef(pm_console *c, int level, const char *fmt, ...) PM_PRINTF(3, 4);

/* For notes that are printed once an input: true when it is called with this name for the first time
 * since it was called with another name. */
bool pm_console_is_new(pm_console *c, const char *input);

/* For pm_run.note and pm_run.progress, with the console as context.  On a terminal progress is
 * shown after one second, at most six times a second; otherwise with --verbose one line a minute.
 * After SIGUSR1 the next call prints one line in any case. */
void pm_console_note(void *console, int level, const char *line);
void pm_console_progress(void *console, double fraction, const char *what);

/* Notes of the library do not know the input.  A copy of `run` whose notes begin with its name.
 * named: filled; it, console and input must outlive the copy. */
typedef struct {
    pm_console *console;
    const char *input;
} pm_console_named;
pm_run pm_console_name_notes(const pm_run *run, pm_console *console, const char *input,
                             pm_console_named *named);

#endif
