/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/answers.h: the answers of one input, held back until the input has been read to its proper
 * end, so that a cut stream or a bad graph further down leaves nothing on standard output. */
#ifndef PM_ANSWERS_H
#define PM_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pm/status.h"

typedef struct {
    char *name; /* that the input gives it, or NULL */
    char *text; /* without the name; for JSON: the members of the object; NULL: failed */
    bool is_none;
} pm_answer;

typedef struct {
    int64_t count, cap;
    pm_answer *item;
    pm_status failed;  /* the first failure of a single answer, reported already */
    bool is_last_word; /* the last one tells what there was at a signal to stop */
    FILE *f;           /* of the answer being written */
    char *text;
    size_t length;
} pm_answers;

/* Begin an answer: its text is to be written to the result, which is not to be closed.  NULL when
 * memory ends. */
FILE *pm_answers_begin(pm_answers *a);
/* End it: name is copied (may be NULL).  is_none: the answer is zero or none. */
pm_status pm_answers_end(pm_answers *a, const char *name, bool is_none, pm_error *err);
/* In the place of an answer that failed alone, the input being good: nothing is printed for it,
 * and those after it keep their numbers. */
pm_status pm_answers_skip(pm_answers *a, pm_status why, pm_error *err);
void pm_answers_free(pm_answers *a);

typedef enum {
    PM_LAYOUT_LINES,  /* text, TAB, name */
    PM_LAYOUT_BLOCKS, /* "# name" on a line of its own, then the lines of the text */
    PM_LAYOUT_JSON    /* {"name":"...",text} */
} pm_layout;

/* A name or label in a line of text: backslash and control characters as \\ \t \n \r \xHH. */
void pm_answers_put_name(FILE *f, const char *name);

/* Write all answers of the input.  The name of an answer is that of the input, with ":INDEX" when
 * there are several, unless the input gives it one.
 * names: print them (JSON: always).  *any_none: set when an answer is none, else left alone. */
pm_status pm_answers_print(const pm_answers *a, FILE *f, pm_layout layout, bool names,
                           const char *input, bool *any_none, pm_error *err);

#endif
