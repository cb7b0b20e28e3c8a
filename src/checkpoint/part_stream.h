/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/part_stream.h: the result of a part, a pm stream of version 2: lines "%pm: part ..." with the
 * ledger of the part, and then the graphs. */
#ifndef PM_PART_STREAM_H
#define PM_PART_STREAM_H

#include "checkpoint/ledger_head.h"

/* Writes the stream.  graphs: the text of a stream of them, as pm_writer writes it, without its last
 * line.  made_by: a line of provenance, or NULL.  Fails: PM_ENOMEM, PM_EIO. */
pm_status pm_part_stream_write(FILE *to, const char *made_by, int part, int parts,
                               const pm_ledger_head *head, pm_ledger *ledger, const char *graphs,
                               pm_error *err);

/* Which part of how many the file holds.
 * Fails: PM_EDATA it is none; PM_ENOINPUT, PM_EIO, PM_ENOMEM. */
pm_status pm_part_stream_number(const char *path, int *part, int *parts, pm_error *err);

/* Adds the part in the file to *ledger.
 * head: {0}: set to that of the file; else the file must have the same.
 * Fails: PM_EDATA it is damaged, or of another count than what the ledger holds; PM_ENOINPUT, PM_EIO,
 * PM_ENOMEM. */
pm_status pm_part_stream_read(const char *path, pm_ledger_head *head, pm_ledger *ledger,
                              pm_error *err);

#endif
