/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch/query.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "process/signals.h"

typedef struct {
    const pm_query *query;
    const pm_answer_settings *settings;
    pm_parallel *parallel; /* NULL: one item is answered after another */
    pm_scratch_file file;  /* of long answers */
    bool has_printed_header, any_none;
} query_state;

/* Of one input. */
typedef struct {
    pm_answers answers;
    pm_parallel_input items;
} input_state;

static pm_status open_state(query_state *x, pm_filter_input *in, pm_error *err)
{
    const pm_answer_settings *settings = x->settings;
    input_state *s = in->state = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "answers");
    s->answers.emitter.is_json = settings->json;
    s->answers.emitter.columns = settings->columns.count ? &settings->columns : NULL;
    s->answers.file = x->file.is_open ? &x->file : NULL;
    return PM_OK;
}

static void close_state(void *context, pm_filter_input *in)
{
    const query_state *x = context;
    input_state *s = in->state;
    if (!s)
        return;
    pm_parallel_input_free(x->parallel, &s->items);
    pm_answers_free(&s->answers);
    free(s);
    in->state = NULL;
}

static void report_state(pm_filter_input *in)
{
    const pm_answers *a = &((const input_state *)in->state)->answers;
    in->is_final = a->is_final;
    in->is_whole = a->is_whole;
    in->graphs = a->count;
    in->failures = a->failures;
}

/* After the last answer because of the time limit: has the input no further graphs?  If it is not
 * known within a second, it may have some. */
static bool is_at_end(pm_reader *r)
{
    if (pm_reader_is_one_graph(r))
        return true;
    pm_node node;
    pm_error unknown;
    pm_node_init(&node);
    pm_signals_set_limit(1);
    bool is_end = pm_reader_next(r, &node, &unknown) == PM_OK && node.kind == PM_NODE_END;
    pm_node_clear(&node);
    return is_end;
}

/* has_ended: the end of the input has been read. */
static void settle_end(pm_filter_input *in, bool has_ended)
{
    pm_answers *a = &((input_state *)in->state)->answers;
    if (a->is_final)
        a->is_whole = has_ended || pm_reader_is_one_graph(in->reader)
                      || (pm_signals_limit_reached() && is_at_end(in->reader));
}

/* One item after another. */
static pm_status answer_items(const pm_query *q, pm_filter_input *in, pm_error *err)
{
    const pm_node_source source = pm_reader_source(in->reader);
    pm_answers *out = &((input_state *)in->state)->answers;
    pm_status status;
    bool got;
    do
        status = q->next(q->context, NULL, &source, out, &got, err);
    while (!status && got && !out->is_final);
    settle_end(in, false);
    return status;
}

static pm_status read_input(void *context, pm_filter_input *in, pm_error *err)
{
    query_state *x = context;
    const pm_query *q = x->query;
    pm_status status = in->state ? PM_OK : open_state(x, in, err);
    if (status)
        return status;
    input_state *s = in->state;
    if (x->parallel) {
        const pm_node_source source = pm_reader_source(in->reader);
        status = pm_parallel_read(x->parallel, &source, &s->items, &s->answers, &in->has_more, err);
    } else if (q->next) {
        status = answer_items(q, in, err);
    } else {
        status = q->read(q->context, in->reader, &s->answers, err);
    }
    report_state(in);
    return status;
}

static pm_status collect_input(void *context, pm_filter_input *in, pm_error *err)
{
    const query_state *x = context;
    input_state *s = in->state;
    if (!s)
        return PM_OK;
    pm_status status = pm_parallel_collect(x->parallel, &s->items, &s->answers, err);
    in->is_answered = s->items.has_ended && !s->items.is_late;
    if (!s->items.has_left)
        settle_end(in, s->items.has_ended);
    report_state(in);
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
    const pm_answers *a = &((const input_state *)in->state)->answers;
    const char *header = a->emitter.header;
    bool is_table = x->settings->columns.count > 0;
    bool several = in->several || (x->query->names_several && a->count > 1);
    bool with_names = (x->settings->names || several) && !is_table;
    pm_layout layout = x->settings->json ? PM_LAYOUT_JSON
                       : is_table        ? PM_LAYOUT_COLUMNS
                                         : x->query->layout;
    if (header && !x->has_printed_header && has_text(a)) {
        fprintf(in->to, "%s%s\n", header, with_names ? "\tname" : "");
        x->has_printed_header = true;
    }
    in->failed = a->failed;
    return pm_answers_print(a, in->to, layout, with_names, in->path, &x->any_none, err);
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
    query_state x = {.query = q, .settings = settings};
    pm_error err;
    if (q->is_parallel
        && pm_parallel_start(program, q->next, q->context, &x.parallel, &err) != PM_OK) {
        pm_console_error(&program->console, err.msg);
        return pm_exit_status(PM_ENOMEM);
    }
    const pm_filter filter = {.context = &x,
                              .read = read_input,
                              .collect = x.parallel ? collect_input : NULL,
                              .close = close_state,
                              .print = print_input,
                              .fail = print_failure};
    /* Inputs are not read ahead, so that those of one input have the file alone. */
    if (q->layout == PM_LAYOUT_BLOCKS && !x.parallel && !settings->columns.count)
        pm_scratch_file_open(&x.file);
    int status = pm_filter_run(program, &filter);
    pm_scratch_file_close(&x.file);
    pm_parallel_free(x.parallel);
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
