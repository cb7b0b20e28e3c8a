/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/recorded_source.h: the graphs of a run as they are read: their digests go into the ledger, and
 * for a part their text is kept. */
#ifndef PM_RECORDED_SOURCE_H
#define PM_RECORDED_SOURCE_H

#include "checkpoint/long_run.h"
#include "core/text_stream.h"
#include "pm/io.h"

typedef struct {
    const pm_long_run *run;
    bool keeps_text;
    pm_text_stream *text; /* of the graphs that were kept, or of the last one */
    pm_writer *writer;
    size_t length;
    pm_sha256 hash;        /* of the text since the last digest */
    int64_t depth;         /* groups that are open */
    pm_node_source source; /* of the input at hand */
} pm_recorded_source;

/* run: borrowed.  out: the caller calls pm_recorded_source_free.  Fails: PM_ENOMEM. */
pm_status pm_recorded_source_make(const pm_long_run *run, bool keeps_text, pm_recorded_source *out,
                                  pm_error *err);
void pm_recorded_source_free(pm_recorded_source *r);
/* The nodes of `source`, which r notes when they are read.  Valid until the next call. */
pm_node_source pm_recorded_source_from(pm_recorded_source *r, const pm_node_source *source);
/* The graphs so far, as pm_writer writes them, without the last line of a stream; NULL: memory ended. */
const char *pm_recorded_source_text(pm_recorded_source *r);

#endif
