/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/checkpoint.h: the file of a run that can be interrupted (pm-checkpoint(5)).
 *
 * The file is read when the run begins, if it exists.  A thread writes it once a minute, when SIGUSR2 has
 * come, and at a stop.  It is removed when the output is complete.  The engines of the run may store their
 * states beside it (checkpoint/level_file.h). */
#ifndef PM_CHECKPOINT_H
#define PM_CHECKPOINT_H

#include "checkpoint/ledger_head.h"

typedef struct pm_checkpoint pm_checkpoint;

/* Reads the file into the ledger, if it exists and is not empty.  path, head, ledger, console: borrowed
 * until pm_checkpoint_close.
 * Fails: PM_EDATA it is damaged, or of another program or other options; PM_EIO it cannot be read or
 * written, or another run has it; PM_ENOMEM. */
pm_status pm_checkpoint_open(const char *path, const pm_ledger_head *head, pm_ledger *ledger,
                             pm_console *console, pm_checkpoint **out, pm_error *err);

/* Begins to write, if that has not begun.  After the program has given up what it does not need
 * (process/sandbox.h).  Fails: PM_ENOMEM no thread. */
pm_status pm_checkpoint_start(pm_checkpoint *c, pm_error *err);

/* The file is of another run: from now on it stays as it is. */
void pm_checkpoint_leave(pm_checkpoint *c);

/* Ends the thread, and writes the file for the last time if the run was stopped or has failed and there is
 * something to go on from.  After the failure of an input the file does not say which inputs there were,
 * so that they can be mended.
 * status: the exit status so far.
 * Returns it, or that of a file that could not be written. */
int pm_checkpoint_stop(pm_checkpoint *c, int status);

/* After the output has been closed.  Removes the file if status is 0 or 1 or it is empty, and frees c,
 * which may be NULL. */
void pm_checkpoint_close(pm_checkpoint *c, int status);

/* Prints how far the run of this file is, for --status.  Fails: as pm_checkpoint_open. */
pm_status pm_checkpoint_report(const char *path, pm_console *console, FILE *to, pm_error *err);

#endif
