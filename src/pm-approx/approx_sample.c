/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random perfect matchings of every graph, each an edge list under a comment with its number. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/obstruction.h"
#include "matchings/matchings.h"
#include "pm-approx/approx_tasks.h"
#include "pm/alloc.h"

/* One matching, by the functions that print the one of an obstruction. */
static pm_status put(const pm_matrix *a, int64_t number, int32_t *col_of, pm_json *j, FILE *f,
                     pm_error *err)
{
    const pm_obstruction o = {.exists = true, .col_of = col_of};
    if (j) {
        pm_json_begin(j, NULL, '{');
        pm_obstruction_matching_json(&o, a, j);
        pm_json_end(j, '}');
        return PM_OK;
    }
    fprintf(f, "# matching %" PRId64 "\n", number + 1);
    return pm_obstruction_matching(&o, a, f, err);
}

static void put_seed(const pm_approx_context *c, pm_json *j)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, c->estimate.seed);
    if (c->json)
        pm_json_string(j, "seed", number);
    else
        fprintf(j->f, "# seed %s\n", number);
}

static pm_status draw_all(const pm_approx_context *c, const pm_matrix *a, FILE *f, pm_error *err)
{
    pm_json j = {.f = f};
    pm_matchings *m = NULL;
    int32_t *col_of = pm_alloc_array(a->nrows, sizeof *col_of);
    pm_status s = col_of ? PM_OK : pm_fail_memory(err, "a matching");
    if (s == PM_OK)
        s = pm_matchings_make(a, c->estimate.seed, &c->run, &m, err);
    if (s == PM_OK)
        put_seed(c, &j);
    if (s == PM_OK && c->json)
        pm_json_begin(&j, "matchings", '[');
    for (int64_t i = 0; i < c->matchings && s == PM_OK; ++i) {
        pm_run_progress(&c->run, (double)i / (double)c->matchings, "random matchings");
        if (pm_run_stopped(&c->run))
            s = pm_fail(err, PM_ESTOPPED, "stopped before all matchings were drawn");
        if (s == PM_OK)
            s = pm_matchings_draw(m, (uint64_t)i, &c->run, col_of, err);
        if (s == PM_OK)
            s = put(a, i, col_of, c->json ? &j : NULL, f, err);
    }
    if (s == PM_OK && c->json)
        pm_json_end(&j, ']');
    pm_matchings_free(m);
    free(col_of);
    return s;
}

static pm_status none(const pm_approx_context *c, const pm_obstruction *o, const pm_matrix *a,
                      FILE *f)
{
    pm_json j = {.f = f};
    if (c->json) {
        pm_json_string(&j, "matchings", NULL);
        pm_obstruction_json(o, a, &j);
        return PM_OK;
    }
    fputs("# ", f);
    pm_obstruction_print(o, a, -1, f);
    putc('\n', f);
    return PM_OK;
}

static pm_status answer(const void *context, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    const pm_approx_context *c = context;
    pm_obstruction o = {0};
    pm_error why;
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    pm_status s = pm_obstruction_find(&e->matrix, &o, &why);
    if (s == PM_OK)
        s = o.exists ? draw_all(c, &e->matrix, f, &why) : none(c, &o, &e->matrix, f);
    bool is_none = !o.exists;
    pm_obstruction_free(&o);
    if (s == PM_OK)
        return pm_answers_end(out, e->name, is_none, err);
    pm_fail(err, s, "%s:%" PRId64 ": %s", input, e->line, why.msg);
    if (s == PM_ESTOPPED)
        pm_console_error(c->console, err->msg);
    if (s != PM_UNABLE)
        return s;
    pm_console_error(c->console, err->msg); /* this graph alone failed */
    return pm_answers_skip(out, s, err);
}

pm_status pm_approx_sample(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_ask_matrices(answer, context, r, out, err);
}
