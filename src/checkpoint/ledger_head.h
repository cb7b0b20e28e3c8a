/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/ledger_head.h: the first lines of a checkpoint or a part: the version of the format, the program
 * and its version, and the options that the answers depend on. */
#ifndef PM_LEDGER_HEAD_H
#define PM_LEDGER_HEAD_H

#include "cli/command.h"
#include "ledger/ledger_text.h"

/* {0} is empty. */
typedef struct {
    char *program; /* name and version */
    char *options; /* "--mod=7 --seed=1", escaped as in pm-stream(5) */
} pm_ledger_head;

/* Of this run: the options of the command line that are in `names`, which ends with NULL, or `also`, which may be NULL.
 * Fails: PM_ENOMEM. */
pm_status pm_ledger_head_make(const pm_invocation *program, const char *const *names,
                              const char *also, pm_ledger_head *out, pm_error *err);
void pm_ledger_head_free(pm_ledger_head *h);

void pm_ledger_head_write(const pm_ledger_head *h, pm_ledger_writer *w);
/* Takes a line if it belongs to the head; *is_head says whether it did.
 * Fails: PM_EDATA another version of the format; PM_ENOMEM. */
pm_status pm_ledger_head_line(pm_ledger_head *h, const pm_source *s, char *line, bool *is_head,
                              pm_error *err);
/* Fails: PM_EDATA the head that was read (h) is of another program, another version or other options than
 * this run. */
pm_status pm_ledger_head_check(const pm_ledger_head *h, const pm_ledger_head *now, const char *path,
                               pm_error *err);

/* Sets the options of the head in the structs of the groups.  Fails: PM_EDATA, PM_ENOMEM. */
pm_status pm_ledger_head_apply(const pm_ledger_head *h, const pm_option_group *groups,
                               const char *path, pm_error *err);

#endif
