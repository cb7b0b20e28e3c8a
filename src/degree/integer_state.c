/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods whose state is the set of unmatched rows and columns, with choices in integers.  They
 * differ in the order of the rows and in one table, T of cuda/degree_masks.h:
 *
 *     rasmussen    rows in the order of the matrix, T = 1
 *     rasmussen+   the row with the fewest unmatched columns, T = 1
 *     look+        the row with the fewest unmatched columns, T ~ 1 / (c - 1/2)
 *     hub+         the row with the fewest unmatched columns, T ~ 1 / gamma(c - 1): every weight is
 *                  below a bound (hub_bound.h)
 *
 * The mean entry of a column with c rows in a doubly stochastic matrix is 1 / c; 1 / (c - 1/2) is
 * corrected for the chosen row itself. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "core/vectorised.h"
#include "degree/degree_gpu.h"
#include "degree/degree_gpu_kernel.h"
#include "degree/degree_model.h"
#include "degree/hub_bound.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sampler/sampler.h"
#include "sampler/weight.h"

#define GPU_LIMITS "1024 rows"

typedef pm_degree_model model;

/* ---- tables ---- */

static void uniform_table(uint32_t *table, int32_t most)
{
    for (int32_t c = 0; c <= most; ++c)
        table[c] = 1;
}

static void look_table(uint32_t *table, int32_t most)
{
    for (int32_t c = 0; c <= most; ++c)
        table[c] = c < 2 ? 0 : (uint32_t)round(0x1p24 / (c - 0.5));
}

/* Transposes the matrix if that makes the bound smaller; sets s->bound and the table. */
static pm_status hub_table(pm_sampler *s, model *m, pm_error *err)
{
    pm_neighbours *l = &m->lists;
    int32_t most =
        l->max_row_degree > l->max_column_degree ? l->max_row_degree : l->max_column_degree;
    double *gamma = pm_alloc_array(most + 1, sizeof *gamma);
    if (!gamma)
        return pm_fail_memory(err, "the table of Huber's bound");
    pm_hub_gamma(gamma, most);
    double slack = pm_hub_table(gamma, most, m->table);
    pm_weight of_columns = pm_hub_bound(l, gamma, slack);
    pm_neighbours_transpose(l);
    s->bound = pm_hub_bound(l, gamma, slack);
    if (pm_weight_compare(of_columns, s->bound) <= 0) {
        pm_neighbours_transpose(l);
        s->bound = of_columns;
    }
    free(gamma);
    return PM_OK;
}

/* ---- making ---- */

/* Fitted to measured runs: terms for the entries, the rows and the comparisons of keys. */
static void plan(pm_sampler *s, const model *m)
{
    double n = m->lists.n, nnz = m->lists.nnz;
    bool by_masks = !m->lists.rowval && n <= PM_MASKS_MAX_ROWS;
    s->seconds = by_masks ? PM_SAMPLE_UNIT_SECONDS * (1.2 * nnz + 12 * n + 0.3 * n * n)
                          : PM_SAMPLE_UNIT_SECONDS * (4 * nnz + 30 * n + 0.06 * n * n);
    s->batch = by_masks ? PM_MASKS_BATCH : pm_sampler_batch_size(s->seconds);
}

/* Completes the model after its lists and its table; forces: the table is not T = 1. */
static pm_status make_model(pm_sampler *s, int in_sequence, int forces, pm_error *err)
{
    model *m = s->model;
    const pm_neighbours *l = &m->lists;
    m->by_masks = (pm_degree_masks){.table = m->table,
                                    .n = l->n,
                                    .in_sequence = in_sequence,
                                    .forces = forces,
                                    .is_uniform = !forces};
    m->by_lists = (pm_degree_lists){
        .lists = l, .table = m->table, .in_sequence = in_sequence, .forces = forces};
    s->scratch = pm_degree_lists_scratch(l);
    plan(s, m);
    if (!l->rowval && l->n <= PM_MASKS_MAX_ROWS) {
        s->on_gpu = &pm_degree_thread_gpu;
        pm_status status = pm_neighbours_masks(&m->lists, &m->mask, err);
        m->by_masks.row = m->mask;
        m->by_masks.column = status ? NULL : m->mask + l->n;
        return status;
    }
    s->on_gpu = &pm_degree_warp_gpu;
    if (l->rowval) {
        m->integer_entries = pm_degree_integer_entries(l);
        m->by_lists.integer_entries = m->integer_entries;
        if (!m->integer_entries)
            return pm_fail_memory(err, "the parts of entries");
    }
    return PM_OK;
}

/* Allocates the model with its lists and an empty table. */
static pm_status make_lists(pm_sampler *s, model **out, pm_error *err)
{
    model *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "a sampler");
    s->model = *out = m;
    pm_status status = pm_neighbours_make(s->a, &m->lists, err);
    if (status)
        return status;
    int32_t rows = m->lists.max_row_degree, columns = m->lists.max_column_degree;
    m->table = pm_alloc_array((rows > columns ? rows : columns) + 1, sizeof *m->table);
    return m->table ? PM_OK : pm_fail_memory(err, "a table of probabilities");
}

static pm_status make_uniform(pm_sampler *s, int in_sequence, pm_error *err)
{
    model *m = NULL;
    pm_status status = make_lists(s, &m, err);
    if (status)
        return status;
    uniform_table(m->table, m->lists.max_column_degree);
    return make_model(s, in_sequence, 0, err);
}

static pm_status make_rasmussen(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                                pm_error *err)
{
    (void)o, (void)run;
    return make_uniform(s, 1, err);
}

static pm_status make_rasmussen_plus(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                                     pm_error *err)
{
    (void)o, (void)run;
    return make_uniform(s, 0, err);
}

static pm_status make_look_plus(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                                pm_error *err)
{
    (void)o, (void)run;
    model *m = NULL;
    pm_status status = make_lists(s, &m, err);
    if (status)
        return status;
    look_table(m->table, m->lists.max_column_degree);
    return make_model(s, 0, 1, err);
}

static pm_status make_hub_plus(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                               pm_error *err)
{
    (void)o, (void)run;
    model *m = NULL;
    pm_status status = make_lists(s, &m, err);
    if (!status && m->lists.rowval)
        status = pm_fail(err, PM_UNABLE,
                         "hub+ needs entries that are all 1, because Huber's bound holds for 0/1 "
                         "matrices only%s",
                         pm_hint_text(PM_HINT_NO_WEIGHTS));
    if (!status)
        status = hub_table(s, m, err);
    return status ? status : make_model(s, 0, 1, err);
}

static void free_model(pm_sampler *s)
{
    model *m = s->model;
    if (!m)
        return;
    pm_neighbours_free(&m->lists);
    free(m->table);
    free(m->integer_entries);
    free(m->mask);
    free(m);
}

/* ---- drawing ---- */

/* Compiled several times, also for CPUs that count bits in one instruction. */
static PM_VECTORISED pm_wide_product draw_by_masks(const pm_degree_masks *g, pm_sample_sequence *s)
{
    return pm_degree_masks_draw(g, s);
}

static pm_weight draw(const pm_sampler *s, void *scratch, uint64_t sample)
{
    const model *m = s->model;
    pm_sample_sequence sequence = pm_sample_sequence_of(s->seed, s->block, sample);
    pm_wide_product w = m->mask ? draw_by_masks(&m->by_masks, &sequence)
                                : pm_degree_lists_draw(&m->by_lists, scratch, &sequence);
    return pm_weight_make(w.m, w.e + m->lists.exponent);
}

const pm_sampler_method pm_sampler_rasmussen = {.name = "rasmussen",
                                                .summary =
                                                    "rows in their sequence, a column uniformly",
                                                .source = "Rasmussen 1994",
                                                .gpu_limits = GPU_LIMITS,
                                                .make = make_rasmussen,
                                                .draw = draw,
                                                .free_model = free_model};

const pm_sampler_method pm_sampler_rasmussen_plus = {
    .name = "rasmussen+",
    .summary = "the row with the fewest columns left, a column uniformly",
    .source = "Dufosse, Kaya, Panagiotas and Ucar 2018",
    .gpu_limits = GPU_LIMITS,
    .make = make_rasmussen_plus,
    .draw = draw,
    .free_model = free_model};

const pm_sampler_method pm_sampler_look_plus = {
    .name = "look+",
    .summary = "as rasmussen+, columns that few rows can still have more often",
    .source = "src/degree/integer_state.c",
    .gpu_limits = GPU_LIMITS,
    .make = make_look_plus,
    .draw = draw,
    .free_model = free_model};

const pm_sampler_method pm_sampler_hub_plus = {
    .name = "hub+",
    .summary = "as look+, by Huber's bound: weights with a known upper bound; entries 0 and 1",
    .source = "Huber 2006; Huber and Law 2008",
    .gpu_limits = GPU_LIMITS,
    .is_bounded = true,
    .make = make_hub_plus,
    .draw = draw,
    .free_model = free_model};
