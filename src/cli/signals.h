/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/signals.h: SIGINT, SIGTERM and SIGHUP ask a program to stop, a second one ends it;
 * SIGUSR1 asks for a line about the progress. */
#ifndef PM_SIGNALS_H
#define PM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Install the handlers (a signal that is ignored stays so).  Returns the flag that is the number
 * of the signal once one has come, for pm_run.stop.  Reads that wait are interrupted by it. */
const volatile sig_atomic_t *pm_signals_install(void);

/* Set that flag after so many seconds of time, too. */
void pm_signals_set_limit(double seconds);
/* Has that come to pass, before any signal? */
bool pm_signals_limit_reached(void);

/* What a second signal removes before it ends the program: a file that is not complete, or NULL.
 * path must live until the next call. */
void pm_signals_remove_file(const char *path);

/* Has SIGUSR1 come since the last call? */
bool pm_signals_take_report(void);

/* If a signal to stop has come: end the program by it, so that the shell sees 128 + its number. */
void pm_signals_raise(void);

#endif
