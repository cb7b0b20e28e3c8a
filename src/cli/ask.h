/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/ask.h: a question to every input of a batch.  The answers of an input are printed when it
 * has been read to its proper end (cli/answers.h). */
#ifndef PM_ASK_H
#define PM_ASK_H

#include "cli/answers.h"
#include "cli/batch.h"

typedef struct {
    /* Read the input to its end and collect answers. */
    pm_status (*ask)(const void *context, pm_reader *r, pm_answers *out, pm_error *err);
    const void *context;
    pm_layout layout;
    const char *header; /* a line before the first answer, or NULL; not in JSON */
    pm_answer_settings how;
} pm_question;

/* One answer about one matrix; input: its name, for messages. */
typedef pm_status pm_matrix_answer(const void *context, const pm_node *e, const char *input,
                                   pm_answers *out, pm_error *err);
/* Answers about every matrix of the input, wherever it stands. */
pm_status pm_ask_matrices(pm_matrix_answer *answer, const void *context, pm_reader *r,
                          pm_answers *out, pm_error *err);

/* Returns the exit status: 1 for an answer that is none, when how.exit_status wants it. */
int pm_ask(const pm_batch *b, const pm_question *q);

#endif
