/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/recorded_source.h: the graphs of a run as they are read: their digests go into the ledger, and
 * for a part their text is kept, with the names of the inputs.  A digest is of the text without the names of
 * items: the same graphs may lie elsewhere on another machine. */
#ifndef PM_RECORDED_SOURCE_H
#define PM_RECORDED_SOURCE_H

#include "checkpoint/long_run.h"
#include "core/text_stream.h"
#include "pm/io.h"

typedef struct {
    const pm_long_run *run;
    bool keeps_text;
    pm_text_stream *text, *kept; /* of the last node; of all of them, NULL without keeps_text */
    pm_writer *writer, *keeper;  /* to these texts */
    pm_sha256 hash;              /* of the text since the last digest */
    int64_t depth;               /* groups that are open */
    const char *input;           /* names items that have no name; NULL: nothing does */
    const pm_reader *reader;     /* of the input */
    int64_t items;               /* of the input */
    pm_node_source source;       /* of the input at hand */
} pm_recorded_source;

/* run: borrowed.  is_exact: numbers mean themselves (pm_read_options).  out: the caller calls pm_recorded_source_free.
 * Fails: PM_ENOMEM. */
pm_status pm_recorded_source_make(const pm_long_run *run, bool keeps_text, bool is_exact,
                                  pm_recorded_source *out, pm_error *err);
void pm_recorded_source_free(pm_recorded_source *r);
/* The next graphs are of this input; both are borrowed. */
void pm_recorded_source_begin(pm_recorded_source *r, const char *input, const pm_reader *reader);
/* The nodes of `source`, which r notes when they are read.  Valid until the next call. */
pm_node_source pm_recorded_source_from(pm_recorded_source *r, const pm_node_source *source);
/* With keeps_text: the graphs so far, as pm_writer writes them, without the last line of a stream; NULL: memory ended. */
const char *pm_recorded_source_text(pm_recorded_source *r);

#endif
