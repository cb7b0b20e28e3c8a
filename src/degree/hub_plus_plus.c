/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The method hub++: choices of a few rows, the root, are drawn from their exact sums (hub_root.h),
 * then the other rows as by hub+.  Weights are below U_d, not only below U, so a guarantee needs U
 * / U_d times fewer samples. */
#include "config.h"

#include <stdlib.h>

#include "core/machine.h"
#include "core/vectorised.h"
#include "cuda/degree_masks.h"
#include "degree/degree_lists.h"
#include "degree/hub_bound.h"
#include "degree/hub_root.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sampler/sampler.h"
#include "sampler/weight.h"

enum { MAX_ROOT = 12 /* rows of the root */, MASKS_MOST = 64 /* rows of a matrix with masks */ };
#define MAX_SUM_BYTES (INT64_C(1) << 23) /* of pm_hub_root.sum, which every sample reads */

typedef struct {
    pm_neighbours lists;
    pm_hub_root root;
    uint32_t *table;
    uint64_t *mask;          /* [2 n]: pm_neighbours_masks; NULL: samples are drawn with lists */
    uint64_t root_mask, all; /* the rows of the root; all rows */
    pm_degree_masks by_masks;
    pm_degree_lists by_lists;
} model;

/* ---- making ---- */

static pm_status make_root(pm_sampler *s, model *m, pm_error *err)
{
    pm_neighbours *l = &m->lists;
    bool is_transposed;
    int32_t most =
        l->max_row_degree > l->max_column_degree ? l->max_row_degree : l->max_column_degree;
    int32_t d = l->n < MAX_ROOT ? l->n : MAX_ROOT;
    double *gamma = pm_alloc_array(most + 1, sizeof *gamma);
    m->table = pm_alloc_array(most + 1, sizeof *m->table);
    pm_status status = gamma && m->table ? PM_OK : pm_fail_memory(err, "Huber's bound");
    while (d > 0 && (int64_t)(l->n + 1) * (int64_t)sizeof(double) << d > MAX_SUM_BYTES)
        --d;
    if (!status) {
        pm_hub_gamma(gamma, most);
        pm_hub_choose_side(l, gamma, 1, &is_transposed);
        status = pm_hub_root_make(l, gamma, d, &m->root, err);
    }
    if (!status) {
        /* every step after the root can exceed the bound by the slack of the table; the d further
         * factors cover the rounding of the sums of the root */
        double slack = pm_hub_table(gamma, most, m->table);
        s->bound = m->root.bound;
        for (int32_t i = 0; i < l->n; ++i)
            s->bound = pm_weight_product(s->bound, pm_weight_make(slack, 0));
    }
    free(gamma);
    return status;
}

static pm_status make_masks(model *m, pm_error *err)
{
    const pm_neighbours *l = &m->lists;
    pm_status status = pm_neighbours_masks(l, &m->mask, err);
    if (status)
        return status;
    m->by_masks = (pm_degree_masks){
        .row = m->mask, .column = m->mask + l->n, .table = m->table, .n = l->n, .forces = 1};
    m->all = l->n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << l->n) - 1;
    for (int32_t k = 0; k < m->root.d; ++k)
        m->root_mask |= UINT64_C(1) << m->root.row[k];
    return PM_OK;
}

/* Fitted to measured runs: the columns of the root, then hub+ with the remaining rows. */
static void plan(pm_sampler *s, const model *m)
{
    double n = m->lists.n, nnz = m->lists.nnz, rest = 1 - m->root.d / n;
    double steps = m->mask ? 1.2 * nnz + 12 * n + 0.3 * n * n : 4 * nnz + 30 * n + 0.06 * n * n;
    s->seconds = PM_SAMPLE_UNIT_SECONDS * (30 * m->root.ncolumns + rest * steps);
    s->batch = pm_sampler_batch_size(s->seconds);
}

static pm_status make(pm_sampler *s, const pm_sampler_options *o, const pm_run *run, pm_error *err)
{
    (void)o, (void)run;
    model *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "a sampler");
    s->model = m;
    pm_status status = pm_neighbours_make(s->a, &m->lists, err);
    if (!status && m->lists.rowval)
        status = pm_fail(err, PM_UNABLE,
                         "hub++ needs entries that are all 1, because Huber's bound holds for 0/1 "
                         "matrices only%s",
                         pm_hint_text(PM_HINT_NO_WEIGHTS));
    if (!status)
        status = make_root(s, m, err);
    if (!status && m->lists.n <= MASKS_MOST)
        status = make_masks(m, err);
    if (status)
        return status;
    m->by_lists = (pm_degree_lists){.lists = &m->lists, .table = m->table, .forces = 1};
    s->scratch = pm_degree_lists_scratch(&m->lists);
    plan(s, m);
    return PM_OK;
}

static void free_model(pm_sampler *s)
{
    model *m = s->model;
    if (!m)
        return;
    pm_neighbours_free(&m->lists);
    pm_hub_root_free(&m->root);
    free(m->table);
    free(m->mask);
    free(m);
}

/* ---- drawing ---- */

/* Compiled several times, also for CPUs that count bits in one instruction. */
static PM_VECTORISED pm_wide_product rest_by_masks(const model *m, const int32_t *column,
                                                   pm_sample_sequence *s)
{
    uint64_t columns = m->all;
    for (int32_t k = 0; k < m->root.d; ++k)
        columns &= ~(UINT64_C(1) << column[k]);
    return pm_degree_masks_draw_rest(&m->by_masks, m->all & ~m->root_mask, columns, s);
}

static pm_wide_product rest_by_lists(const model *m, void *scratch, const int32_t *column,
                                     pm_sample_sequence *s)
{
    pm_degree_lists_start(&m->by_lists, scratch);
    for (int32_t k = 0; k < m->root.d; ++k)
        pm_degree_lists_assign(&m->by_lists, scratch, m->root.row[k], column[k]);
    return pm_degree_lists_draw_rest(&m->by_lists, scratch, m->lists.n - m->root.d, s);
}

static pm_weight draw(const pm_sampler *s, void *scratch, uint64_t sample)
{
    const model *m = s->model;
    int32_t column[PM_HUB_ROOT_MOST];
    pm_sample_sequence sequence = pm_sample_sequence_of(s->seed, s->block, sample);
    pm_wide_product root = pm_hub_root_draw(&m->root, &sequence, column);
    pm_wide_product rest = m->mask ? rest_by_masks(m, column, &sequence)
                                   : rest_by_lists(m, scratch, column, &sequence);
    return pm_weight_product(pm_weight_make(root.m, root.e),
                             pm_weight_make(rest.m, rest.e + m->lists.exponent));
}

const pm_sampler_method pm_sampler_hub_plus_plus = {
    .name = "hub++",
    .summary = "as hub+, the choices of twelve rows summed exactly: weights with a smaller bound",
    .source = "Harviainen, Royskoe and Koivisto 2021",
    .is_bounded = true,
    .make = make,
    .draw = draw,
    .free_model = free_model};
