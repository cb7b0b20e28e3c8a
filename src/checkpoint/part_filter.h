/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/part_filter.h: the filter of --part=I/N: does the share of all inputs, and writes the stream of
 * the part. */
#ifndef PM_PART_FILTER_H
#define PM_PART_FILTER_H

#include "checkpoint/recorded_source.h"

/* Does the share of the next item of the source.  *got: false at its end.  *refused: PM_OK, or why the
 * item was refused; the message has been printed then.
 * Fails: the rest of the input cannot be read. */
typedef pm_status pm_part_item(const void *context, const pm_node_source *source, bool *got,
                               pm_status *refused, pm_error *err);

/* recorded: keeps the text of the graphs; the items are read through it.  After a failure nothing is
 * written: the part would not be one of the others' run.  Returns the exit status. */
int pm_part_run(pm_invocation *program, pm_recorded_source *recorded, pm_part_item *item,
                const void *context);

#endif
