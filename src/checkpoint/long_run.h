/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/long_run.h: the options of long runs, and the ledger that follows from them. */
#ifndef PM_LONG_RUN_H
#define PM_LONG_RUN_H

#include "checkpoint/checkpoint.h"

typedef struct {
    const char *checkpoint; /* the file, or NULL */
    int part, parts;        /* of --part; 0: none */
    bool merge;
    const char *status; /* the checkpoint of --status, or NULL */
} pm_long_settings;

/* --checkpoint --part --merge --status */
extern const pm_option pm_options_long_run[];

/* Fails: PM_EUSAGE options that exclude each other. */
pm_status pm_long_settings_check(const pm_long_settings *set, pm_error *err);

/* The run of a program with these options.  {0}: none of them was given. */
typedef struct {
    pm_ledger *ledger;         /* NULL: nothing is recorded */
    pm_ledger_head head;       /* as in all parts of the run */
    pm_ledger_head kept;       /* as in the checkpoint, which is that of one part */
    pm_checkpoint *checkpoint; /* NULL: none */
    const pm_long_settings *settings;
    const char *files[2]; /* the checkpoint, which the sandbox allows, then NULL */
} pm_long_run;

/* Reads the checkpoint, or the parts, which are the operands: then only the first operand is left, whose
 * graphs are those of all parts, and their options are set in the groups of the program.
 * names: the options that the answers depend on, then NULL.
 * out: the caller calls pm_long_run_stop and pm_long_run_close, also after a failure.
 * Fails: PM_EUSAGE, PM_EDATA, PM_ENOINPUT, PM_EIO, PM_ENOMEM. */
pm_status pm_long_run_open(pm_invocation *program, const pm_long_settings *set,
                           const char *const *names, pm_long_run *out, pm_error *err);
/* The next graph: notes its digest, and begins to write checkpoints.
 * Fails: PM_EDATA it is not the one of the earlier run; PM_ENOMEM. */
pm_status pm_long_run_begin_item(const pm_long_run *r, const pm_ledger_key *key, pm_error *err);
/* For --status: prints how far the run is that keeps the checkpoint.  Returns the exit status. */
int pm_long_run_report(pm_invocation *program, const pm_long_settings *set);
/* See pm_checkpoint_stop. */
int pm_long_run_stop(pm_long_run *r, int status);
/* After the output has been closed, with the exit status. */
void pm_long_run_close(pm_long_run *r, int status);

#endif
