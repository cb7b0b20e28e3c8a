/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/query.h"

typedef struct {
    const pm_query *query;
    const pm_answer_settings *settings;
    pm_answers answers; /* of the current input */
    bool has_printed_header, any_none;
} query_state;

static pm_status read_input(void *context, pm_filter_input *in, pm_error *err)
{
    query_state *x = context;
    pm_answers_free(&x->answers);
    pm_status status = x->query->read(x->query->context, in->reader, &x->answers, err);
    in->is_final = x->answers.is_final;
    in->is_whole = x->answers.is_whole;
    in->graphs = x->answers.count;
    in->failures = x->answers.failures;
    return status;
}

static bool has_text(const pm_answers *a)
{
    for (int64_t i = 0; i < a->count; ++i)
        if (a->item[i].text)
            return true;
    return false;
}

static pm_status print_input(void *context, pm_filter_input *in, pm_error *err)
{
    query_state *x = context;
    const char *header = x->answers.emitter.header;
    bool is_table = x->settings->columns.count > 0;
    bool with_names = (x->settings->names || in->several) && !is_table;
    pm_layout layout = x->settings->json ? PM_LAYOUT_JSON
                       : is_table        ? PM_LAYOUT_COLUMNS
                                         : x->query->layout;
    if (header && !x->has_printed_header && has_text(&x->answers)) {
        fprintf(in->to, "%s%s\n", header, with_names ? "\tname" : "");
        x->has_printed_header = true;
    }
    in->failed = x->answers.failed;
    return pm_answers_print(&x->answers, in->to, layout, with_names, in->path, &x->any_none, err);
}

static void print_failure(void *context, const pm_filter_input *in, pm_status why,
                          const pm_error *err)
{
    const query_state *x = context;
    if (x->settings->json)
        pm_answers_print_failure(in->to, in->path, why, err);
}

int pm_query_run(pm_invocation *program, const pm_query *q)
{
    const pm_answer_settings *settings = &program->common->answer;
    query_state x = {
        .query = q,
        .settings = settings,
        .answers.emitter = {.is_json = settings->json,
                            .columns = settings->columns.count ? &settings->columns : NULL},
    };
    const pm_filter filter = {&x, read_input, print_input, print_failure, NULL};
    int status = pm_filter_run(program, &filter);
    pm_answers_free(&x.answers);
    return status == 0 && settings->exit_status && x.any_none ? 1 : status;
}

/* ---- answers about matrices ---- */

typedef struct {
    pm_matrix_answer *answer;
    const void *context;
    const char *input;
    pm_answers *out;
} matrix_query;

static pm_status answer_matrix(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const matrix_query *q = context;
    (void)at;
    return node->kind == PM_NODE_MATRIX ? q->answer(q->context, node, q->input, q->out, err)
                                        : PM_OK;
}

pm_status pm_query_matrices(pm_matrix_answer *answer, const void *context, pm_reader *r,
                            pm_answers *out, pm_error *err)
{
    static const pm_visitor visitor = {.leaf = answer_matrix};
    const pm_node_source source = pm_reader_source(r);
    matrix_query q = {answer, context, source.name, out};
    return pm_walk_all(&source, &visitor, &q, NULL, err);
}
