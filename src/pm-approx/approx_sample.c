/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random perfect matchings of every graph.  As text, each is an edge list after a comment with its
 * number. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "matchings/matchings.h"
#include "pm-approx/approx_item.h"
#include "pm/alloc.h"

static pm_status put_matching(void *emitter, const pm_matrix *a, int64_t number,
                              const int32_t *col_of, pm_error *err)
{
    pm_emitter *e = emitter;
    if (e->is_json)
        pm_json_begin(&e->json, NULL, '{');
    else
        fprintf(e->f, "# matching %" PRId64 "\n", number);
    pm_status status = pm_emit_matching(e, col_of, a, err);
    if (e->is_json)
        pm_json_end(&e->json, '}');
    return status;
}

/* total_variation: a bound of the distance from the exact distribution. */
static pm_status put_start(void *emitter, const pm_approx_context *c, const pm_node *node,
                           double total_variation, pm_error *err)
{
    pm_emitter *e = emitter;
    const uint64_t seed = c->estimate.seed;
    (void)node, (void)err;
    const pm_cell cells[] = {pm_cell_uint("seed", seed),
                             pm_cell_number("total_variation", total_variation)};
    if (!e->is_json)
        fprintf(e->f, "# seed %" PRIu64 "\n# total_variation %.2g\n", seed, total_variation);
    pm_emit_members(e, cells, 2);
    if (e->is_json)
        pm_json_begin(&e->json, "matchings", '[');
    return PM_OK;
}

/* Where the matchings go. */
typedef struct {
    void *to;
    pm_status (*start)(void *to, const pm_approx_context *c, const pm_node *node,
                       double total_variation, pm_error *err);
    pm_status (*put)(void *to, const pm_matrix *a, int64_t number, const int32_t *col_of,
                     pm_error *err);
} sink;

/* Each edge once: a general matching has both ends of it. */
static void keep_one_end(int64_t n, int32_t *partner)
{
    for (int32_t v = 0; v < n; ++v)
        if (partner[v] < v)
            partner[v] = -1;
}

static pm_status draw_all(const pm_approx_context *c, const pm_node *node, const sink *s,
                          pm_error *err)
{
    const pm_matrix *a = &node->matrix;
    pm_matchings *m = NULL;
    int32_t *col_of = pm_alloc_array(a->nrows, sizeof *col_of);
    pm_status status = col_of ? PM_OK : pm_fail_memory(err, "a matching");
    if (!status)
        status = pm_matchings_make(a, node->general, c->estimate.seed, c->run, &m, err);
    if (!status)
        status = s->start(s->to, c, node, pm_matchings_total_variation(m), err);
    for (int64_t i = 0; i < c->matchings && !status; ++i) {
        pm_run_progress(c->run, (double)i / (double)c->matchings, "random matchings");
        if (pm_run_stopped(c->run))
            status = pm_fail(err, PM_ESTOPPED, "stopped before all matchings were drawn");
        if (!status)
            status = pm_matchings_draw(m, (uint64_t)i, c->run, col_of, err);
        if (!status && node->general)
            keep_one_end(a->nrows, col_of);
        if (!status)
            status = s->put(s->to, a, i + 1, col_of, err);
    }
    pm_matchings_free(m);
    free(col_of);
    return status;
}

static pm_status print_all(const pm_approx_context *c, const pm_node *node, pm_emitter *e,
                           pm_error *err)
{
    const sink to = {e, put_start, put_matching};
    pm_status status = draw_all(c, node, &to, err);
    if (!status && e->is_json)
        pm_json_end(&e->json, ']');
    return status;
}

/* Whether there is a perfect matching, and why not. */
typedef struct {
    bool exists;
    pm_existence bipartite;
    pm_gallai_edmonds general;
} existence;

static void existence_free(existence *x)
{
    pm_existence_free(&x->bipartite);
    pm_gallai_edmonds_free(&x->general);
}

static pm_status find_existence(const pm_node *node, const pm_run *run, existence *x, pm_error *err)
{
    pm_status status =
        node->general ? pm_gallai_edmonds_find(&node->matrix, run, &x->general, err)
                      : pm_existence_find(&node->matrix, PM_MATCHING_PERFECT, &x->bipartite, err);
    x->exists =
        !status
        && (node->general ? pm_gallai_edmonds_left_out(&x->general) == 0 : x->bipartite.exists);
    return status;
}

static pm_status check_kind(const pm_node *event, const char *input, pm_error *err)
{
    char place[PM_PLACE];
    if (event->matchings)
        return pm_fail(err, PM_UNABLE,
                       "%s: --sample draws perfect matchings, but the stream asks for others",
                       pm_node_place(input, event->line, place));
    return pm_node_check_loops(event, input, err);
}

static pm_status answer(const void *context, const pm_node *event, const char *input,
                        pm_answers *out, pm_error *err)
{
    const pm_approx_context *c = context;
    existence x = {0};
    pm_error why;
    pm_status status = check_kind(event, input, err);
    if (status)
        return status;
    pm_emitter *e = pm_answers_begin(out, err);
    if (!e)
        return PM_ENOMEM;
    status = find_existence(event, c->run, &x, &why);
    bool is_none = !status && !x.exists;
    if (is_none)
        status = pm_emit_no_matching(e, "matchings", &event->matrix, PM_MATCHING_PERFECT,
                                     &x.bipartite, event->general ? &x.general : NULL, &why);
    else if (!status)
        status = print_all(c, event, e, &why);
    existence_free(&x);
    return status ? pm_approx_matrix_fails(c, event, input, status, &why, out, err)
                  : pm_answers_end(out, event->name, is_none, err);
}

pm_status pm_approx_sample(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_approx_matrices(context, answer, r, out, err);
}

/* ---- a picture ---- */

static pm_status begin_picture(void *picture, const pm_approx_context *c, const pm_node *node,
                               double total_variation, pm_error *err)
{
    char about[160];
    snprintf(about, sizeof about, "Drawn at random with seed %" PRIu64 "; total variation %s%.2g.",
             c->estimate.seed, total_variation > 0 ? "at most " : "", total_variation);
    return pm_picture_begin(picture, &node->matrix, node->general, c->matchings,
                            node->matrix.nrows / (node->general ? 2 : 1), about, err);
}

static pm_status put_frame(void *picture, const pm_matrix *a, int64_t number, const int32_t *col_of,
                           pm_error *err)
{
    (void)a, (void)number;
    return pm_picture_frame(picture, col_of, err);
}

pm_status pm_approx_draw(const void *context, const pm_node *node, const char *where,
                         const pm_run *run, pm_picture *p, pm_error *err)
{
    pm_approx_context c = *(const pm_approx_context *)context;
    const sink to = {p, begin_picture, put_frame};
    existence x = {0};
    pm_error why;
    c.run = run;
    pm_status status = check_kind(node, where, err);
    if (status)
        return status;
    status = find_existence(node, run, &x, &why);
    if (!status && !x.exists)
        status = pm_fail(&why, PM_EDATA,
                         "no perfect matching to draw; the answer without --draw says why");
    if (!status)
        status = pm_picture_locate(p, &node->matrix, node->general, &why);
    if (!status)
        status = draw_all(&c, node, &to, &why);
    existence_free(&x);
    return status ? pm_fail_after(&why, err, status, "%s: %s", where, why.msg) : PM_OK;
}
