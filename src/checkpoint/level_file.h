/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/level_file.h: the state of an engine in files beside a checkpoint (ledger/state_store.h): FILE.level,
 * and FILE.level.1, FILE.level.2 and so on where several devices compute.
 *
 *     level 1
 *     program pm-count 0.1.0
 *     scope KEY
 *     engine KEY
 *     step 17 of 60
 *     bits 64
 *     lanes 2 2 4611686018427387847 4611686018427387817
 *     bytes 1048576
 *     ...1048576 bytes...end KEY
 *
 * The last KEY is the SHA-256 of all that comes before "end".  A file is replaced when the new one is on the
 * disk (FILE.level.new). */
#ifndef PM_LEVEL_FILE_H
#define PM_LEVEL_FILE_H

#include <stdio.h>

#include "cli/console.h"
#include "ledger/state_store.h"

typedef struct pm_level_files pm_level_files;

/* Looks for files of an earlier run, and opens them.  One that is damaged or of another version is left aside
 * with a message.
 * path: of the checkpoint.  program: name and version.  interval: seconds between two states.
 * path, program, console: borrowed.  Fails: PM_ENOMEM. */
pm_status pm_level_files_open(const char *path, const char *program, double interval,
                              pm_console *console, pm_level_files **out, pm_error *err);
/* Valid until the files are closed. */
const pm_state_store *pm_level_files_store(const pm_level_files *f);
/* is_removed: the run is complete.  f: may be NULL. */
void pm_level_files_close(pm_level_files *f, bool is_removed);

/* True when there is a level to go on from. */
bool pm_level_files_exist(const pm_level_files *f);
/* For --status: a line for each file. */
void pm_level_files_report(const pm_level_files *f, FILE *to);

#endif
