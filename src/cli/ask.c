/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/ask.h"

typedef struct {
    const pm_question *question;
    pm_answers answers; /* of the input at hand */
    bool header_is_due, any_none;
} asking;

static pm_status read_answers(void *context, pm_batch_input *in, pm_error *err)
{
    asking *x = context;
    pm_answers_free(&x->answers);
    pm_status s = x->question->ask(x->question->context, in->reader, &x->answers, err);
    in->is_last_word = x->answers.is_last_word;
    return s;
}

static bool has_text(const pm_answers *a)
{
    for (int64_t i = 0; i < a->count; ++i)
        if (a->item[i].text)
            return true;
    return false;
}

static pm_status print_answers(void *context, pm_batch_input *in, pm_error *err)
{
    asking *x = context;
    const pm_question *q = x->question;
    bool names = q->how.names || in->several;
    if (x->header_is_due && has_text(&x->answers)) {
        fprintf(in->to, "%s%s\n", q->header, names ? "\tname" : "");
        x->header_is_due = false;
    }
    in->failed = x->answers.failed;
    return pm_answers_print(&x->answers, in->to, q->how.json ? PM_LAYOUT_JSON : q->layout, names,
                            in->path, &x->any_none, err);
}

typedef struct {
    pm_matrix_answer *answer;
    const void *context;
    const char *input;
    pm_answers *out;
} matrix_asking;

static pm_status answer_matrix(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const matrix_asking *x = context;
    (void)at;
    return node->kind == PM_NODE_MATRIX ? x->answer(x->context, node, x->input, x->out, err)
                                        : PM_OK;
}

pm_status pm_ask_matrices(pm_matrix_answer *answer, const void *context, pm_reader *r,
                          pm_answers *out, pm_error *err)
{
    static const pm_visitor visitor = {.leaf = answer_matrix};
    const pm_node_source source = pm_reader_source(r);
    matrix_asking x = {answer, context, source.name, out};
    return pm_walk_all(&source, &visitor, &x, NULL, err);
}

int pm_ask(const pm_batch *b, const pm_question *q)
{
    asking x = {.question = q, .header_is_due = q->header && !q->how.json};
    const pm_batch_work work = {&x, read_answers, print_answers, NULL};
    int status = pm_batch_run(b, &work);
    pm_answers_free(&x.answers);
    return status == 0 && q->how.exit_status && x.any_none ? 1 : status;
}
