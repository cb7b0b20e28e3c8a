/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch/query.h: a filter that prints answers about its inputs.  The answers of an input are printed
 * after the whole input has been read (cli/answers.h). */
#ifndef PM_QUERY_H
#define PM_QUERY_H

#include "batch/parallel.h"
#include "cli/answers.h"
#include "cli/filter.h"

/* Has `read` or `next`. */
typedef struct {
    /* Reads the input to its end and collects answers. */
    pm_status (*read)(const void *context, pm_reader *r, pm_answers *out, pm_error *err);
    /* Answers one item.  Until the end of the input, or until an answer is final. */
    pm_item_answer *next;
    bool is_parallel;   /* next: items may be answered side by side */
    bool names_several; /* several answers of one input have names, as those of several inputs do */
    const void *context;
    pm_layout
        layout; /* without --json; PM_LAYOUT_BLOCKS: answers may be long lists, which wait in a file */
} pm_query;

/* Answers all inputs.  Returns the exit status: 1 with --exit-status when an answer is none. */
int pm_query_run(pm_invocation *program, const pm_query *q);

/* Adds one answer about the matrix of the node.  input: the name of the input, for messages. */
typedef pm_status pm_matrix_answer(const void *context, const pm_node *node, const char *input,
                                   pm_answers *out, pm_error *err);
/* For pm_query.read: calls `answer` for every matrix of the input, also inside groups. */
pm_status pm_query_matrices(pm_matrix_answer *answer, const void *context, pm_reader *r,
                            pm_answers *out, pm_error *err);

#endif
