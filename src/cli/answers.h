/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/answers.h: the answers of one input.  They are printed after the whole input has been read,
 * so that an input that turns out to be bad leaves nothing on standard output. */
#ifndef PM_ANSWERS_H
#define PM_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/emit.h"
#include "cli/text_store.h"
#include "core/text_stream.h"
#include "pm/status.h"
#include "process/scratch_file.h"

typedef struct {
    const char *name; /* from the input, or NULL */
    const char
        *text; /* without the name; JSON: the members of the object; NULL: nothing is printed */
    bool is_none;
    int64_t from, to; /* these bytes of the file are before the text */
} pm_answer;

/* Zeroed, but for emitter.is_json, emitter.columns and file, it is an empty list. */
typedef struct {
    int64_t count, cap;
    pm_answer *item;
    int64_t failures; /* how many of the items failed */
    pm_status failed; /* the first of these failures; their messages have been printed */
    bool is_final;    /* a signal to stop came, and the last answer is what there was by then */
    bool is_whole;    /* with is_final: the input has no further graphs */
    pm_emitter emitter;
    pm_text_store texts; /* names and texts of the items */
    pm_text_stream
        *stream; /* where an answer is written; its memory is used again for the next one */
    pm_scratch_file
        *file;    /* of long texts; NULL: all are in memory.  Of this list alone, without columns */
    int64_t used; /* bytes of the file, of the answers that have ended */
} pm_answers;

/* Begins an answer; it is written with the functions of cli/emit.h, or to the emitter's f or json.
 * f must not be closed.  Returns NULL when memory ends. */
pm_emitter *pm_answers_begin(pm_answers *a, pm_error *err);
/* Ends it.  name: copied; may be NULL.  is_none: the answer is zero or none. */
pm_status pm_answers_end(pm_answers *a, const char *name, bool is_none, pm_error *err);
/* For an item that failed with the status `why` and the message in *err, while the rest of the input
 * is good.  An answer that was begun is dropped.  Text: nothing is printed; JSON: the failure.  Later
 * items have the same numbers as without the failure.  name: copied; may be NULL. */
pm_status pm_answers_skip(pm_answers *a, const char *name, pm_status why, pm_error *err);
/* Adds the answers of `from` with the indices first to first + count - 1 to *a.  The texts of `from`
 * are moved: its answers must not be used after those of *a have been freed.  Fails: PM_ENOMEM. */
pm_status pm_answers_move(pm_answers *a, pm_answers *from, int64_t first, int64_t count,
                          pm_error *err);
/* For an input that failed, on one line of JSON: {"name":"...","failure":{...}}.  name may be NULL. */
void pm_answers_print_failure(FILE *f, const char *name, pm_status why, const pm_error *err);
/* Leaves an empty list, which keeps its memory for further answers. */
void pm_answers_empty(pm_answers *a);
/* Leaves an empty list. */
void pm_answers_free(pm_answers *a);

typedef enum {
    PM_LAYOUT_LINES,  /* text: one line an answer, then a TAB and the name */
    PM_LAYOUT_BLOCKS, /* text: "# name" on a line, then the lines of the answer */
    PM_LAYOUT_JSON,   /* {"name":"...",members} on a line */
    PM_LAYOUT_COLUMNS /* a row of the table of --table */
} pm_layout;

/* Prints all answers of the input.  The name of an answer is the one that the input gives it, else
 * that of the input, with ":INDEX" (from 1) when there are several answers.
 * with_names: print the names; JSON always has them.
 * *any_none: set to true when an answer is none, otherwise not changed.
 * Fails: PM_ENOMEM, PM_EIO (of the file of long texts). */
pm_status pm_answers_print(const pm_answers *a, FILE *f, pm_layout layout, bool with_names,
                           const char *input, bool *any_none, pm_error *err);

#endif
