/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger/ledger_text.h: a ledger as lines of text, for checkpoints and for the streams of parts
 * (pm-checkpoint(5) has the grammar).  The last line has the SHA-256 of all lines before it, so that a
 * text that was cut or changed is noticed. */
#ifndef PM_LEDGER_TEXT_H
#define PM_LEDGER_TEXT_H

#include <stdio.h>

#include "ledger/ledger.h"
#include "text/source.h"

/* ---- writing ---- */

typedef struct {
    FILE *to; /* its failures are noticed by the caller, with ferror() */
    const char *prefix;
    pm_sha256 hash;
} pm_ledger_writer;

/* Lines go to `to`, each after the prefix. */
pm_ledger_writer pm_ledger_writer_begin(FILE *to, const char *prefix);
/* One line, without its line feed, of at most 4000 bytes. */
void pm_ledger_writer_line(pm_ledger_writer *w, const char *fmt, ...) PM_PRINTF(2, 3);
/* One line of any length: word and text. */
void pm_ledger_writer_text(pm_ledger_writer *w, const char *word, const char *text);
/* The lines of the ledger, which may be in use by another thread.  Fails: PM_ENOMEM. */
pm_status pm_ledger_writer_ledger(pm_ledger_writer *w, pm_ledger *l, pm_error *err);
/* The last line. */
void pm_ledger_writer_end(pm_ledger_writer *w);

/* ---- reading ---- */

typedef struct {
    pm_ledger *ledger;
    pm_sha256 hash;
    bool has_ended;
    int64_t items; /* of this text */
    /* of the lines so far; private */
    struct pm_ledger_computation *computation;
    pm_ledger_record *task;
    char *digits;
    int64_t digits_length, cap_digits;
} pm_ledger_reader;

/* Lines are added to l, which is borrowed: it may hold the lines of other parts. */
pm_ledger_reader pm_ledger_reader_begin(pm_ledger *l);
/* A line of the caller's own, which counts for the digest only. */
void pm_ledger_reader_pass(pm_ledger_reader *r, const char *line, int64_t length);
/* A line of the ledger, or the last line; `line` ends with a NUL and may be changed.  s: for the place
 * in messages.
 * Fails: PM_EDATA the line breaks the grammar, indices are done twice, or the digest differs;
 * PM_ENOMEM. */
pm_status pm_ledger_reader_line(pm_ledger_reader *r, const pm_source *s, char *line, int64_t length,
                                pm_error *err);
/* Frees what the reader holds.  Fails: PM_EDATA the last line has not come. */
pm_status pm_ledger_reader_end(pm_ledger_reader *r, const pm_source *s, pm_error *err);

#endif
