/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/write_failure.h: why a stream could not be written.  It remembers that a write has failed, and not why. */
#ifndef PM_WRITE_FAILURE_H
#define PM_WRITE_FAILURE_H

#include <stdio.h>

/* The reason as errno has it, if it still holds: no room on the disk or in the quota, or the limit of the size of
 * files; else 0.  Changes no byte of the file. */
int pm_write_failure(FILE *f);

#endif
