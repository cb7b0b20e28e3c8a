/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/own_files.h: the files that a filter uses from its first input on. */
#ifndef PM_OWN_FILES_H
#define PM_OWN_FILES_H

#include "cli/command.h"
#include "cli/output.h"

/* Called when the output is open, before the first input is: gives up all other files (process/landlock.h) where the
 * program is in the sandbox.  Where the kernel cannot do it, a note of level 2 says so.
 * Fails: PM_ENOMEM. */
pm_status pm_own_files_only(pm_invocation *program, const pm_output *out, pm_error *err);

#endif
