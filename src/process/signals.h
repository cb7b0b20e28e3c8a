/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/signals.h: the first SIGINT, SIGTERM, SIGHUP, SIGQUIT or SIGXCPU ends the program at once, unless it
 * has answers to keep; then it sets a stop flag, and the second signal ends the program.  SIGUSR1 asks for a
 * line of progress; SIGALRM is the time limit, which sets the stop flag. */
#ifndef PM_SIGNALS_H
#define PM_SIGNALS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Installs the handlers; a signal that the program inherited as ignored stays ignored.  Returns the
 * stop flag, for pm_run.stop: 0, or the number of the signal that came.  While the flag is set, a
 * timer interrupts calls that wait, such as a read, again and again: the flag may have been looked at
 * just before it was set. */
const volatile sig_atomic_t *pm_signals_install(void);

/* Sets the stop flag also when so many seconds have passed. */
void pm_signals_set_limit(double seconds);
/* Takes back a limit that has not been reached. */
void pm_signals_clear_limit(void);
/* From the first call to the second one the limit does not interrupt the calling thread: a write that waits
 * for its reader goes on.  A limit that is reached meanwhile sets the stop flag at the second call. */
void pm_signals_hold_limit(void);
void pm_signals_release_limit(void);
/* True when the time limit has set the stop flag, and not another signal. */
bool pm_signals_limit_reached(void);

/* name: a file that is not complete, in `folder`, a file descriptor; or NULL.  It is removed before a
 * signal ends the program at once, one of a defect (SIGABRT, SIGSEGV, ...), too, and by pm_signals_end.  Not copied, must be valid until the next call. */
void pm_signals_remove_file(int folder, const char *name);

/* While it is caught, SIGPIPE sets the stop flag too: for a program that writes a file and not standard
 * output, so that the signal came from standard error. */
void pm_signals_catch_pipe(bool is_caught);

/* A write beyond the limit of the size of files (ulimit -f) fails; by default SIGXFSZ ends the program. */
void pm_signals_ignore_file_size(void);

/* Ends the process with this exit status, at once: removes the file that is not complete; what
 * standard output still holds is not written. */
_Noreturn void pm_signals_end(int status);

/* Ends the process at once as a stop asks that has come: by the same signal, or with the message and the exit
 * status of the time limit.  Returns when none has come. */
void pm_signals_end_if_stopped(void);

/* How many operations run that do not look at the stop flag (pm_settings.long_steps).  While there are any,
 * the first signal ends the program at once, and so does the time limit, with its message and exit status. */
atomic_int *pm_signals_long_steps(void);

/* From now on there are answers, or there are none, that are lost when the program ends at once. */
void pm_signals_keep_answers(bool are_ready);

/* How many operations run that must not be cut (pm_settings.whole_steps).  The program does not end at once
 * while there are any, but at most 0.05 seconds after the last one. */
atomic_int *pm_signals_whole_steps(void);

/* Whether standard error ends with a line that is overwritten: it is cleared before the program ends at
 * once. */
void pm_signals_line_is_drawn(bool is_drawn);

/* From now on a stop does not end the program at once, not even in an operation that does not look at the
 * stop flag: another thread writes a checkpoint then, and calls pm_signals_end_if_stuck.  SIGUSR2, which
 * would end the program without a handler, asks for a checkpoint. */
void pm_signals_keep_checkpoint(bool is_kept);
/* True when SIGUSR2 has come since the last call. */
bool pm_signals_take_write(void);
/* pm_signals_end_if_stopped, where such an operation runs. */
void pm_signals_end_if_stuck(void);

/* True when SIGUSR1 has come since the last call. */
bool pm_signals_take_report(void);

/* True when a signal to stop has come, so that the next function ends the program. */
bool pm_signals_will_raise(void);

/* If a signal to stop has come, ends the program by the same signal, so that the shell sees the
 * status 128 + its number. */
void pm_signals_raise(void);

#endif
