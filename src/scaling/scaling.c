/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods that choose with the doubly stochastic matrix s_ij = r_i a_ij c_j of the remainder:
 *
 *     scaling     rows in the order of the matrix, column j with probability ~ s_ij
 *     scaling+    the row with the fewest unmatched columns, column j with probability ~ s_ij
 *     scaling++   the row or column with the fewest unmatched neighbours, a neighbour with
 *     probability
 *                 ~ s / (1 - s/2); the last rows are counted exactly
 *
 * If s_ij were the fraction p_ij of matchings that contain (i, j), all weights would be equal.  In
 * the Bethe approximation p (1 - p) = s, so p = s + s^2 to first order.  s / (1 - s/2) = s + s^2 /
 * 2 is half of that correction and was the best in measurements.  The weight is divided by the
 * probability that was used, so its mean is the permanent for any probabilities > 0; shares have a
 * lower limit for this reason.
 * Sources: Dufosse, Kaya, Panagiotas and Ucar 2018; Yaglioglu 2021, algorithms 8 and 9. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "cuda/sample_sequence.h"
#include "pm/alloc.h"
#include "sampler/sampler.h"
#include "sampler/vertex_key.h"
#include "sampler/weight.h"
#include "scaling/complete.h"
#include "scaling/scaling_gpu.h"
#include "scaling/scaling_gpu_kernel.h"
#include "scaling/scaling_model.h"

enum {
    FIRST_ITERATIONS = 50, /* for the whole matrix */
    COMPLETE = 10          /* default of pm_sampler_options.complete */
};
static const double min_share = 0x1p-40;

typedef pm_scaling_model model;

/* ---- one sample ---- */

/* The unnormalised probability of an entry whose scaled value is s. */
static double share_of(double s, bool is_corrected)
{
    if (is_corrected) {
        s = s < 1 ? s : 1;
        s /= 1 - 0.5 * s;
    }
    return s > min_share ? s : min_share;
}

/* Chooses a neighbour of line i of the side `own` by the shares; multiplies *w by the entry /
 * probability.  share: working memory for the neighbours of the line. */
static int32_t choose(const model *m, const pm_remainder_side *own, const pm_remainder_side *other,
                      int32_t i, double *share, pm_sample_sequence *sequence, pm_wide_product *w)
{
    int32_t start = own->start[i], length = own->length[i], k = 0;
    const int32_t *at = own->neighbour + start;
    const double *value = own->value ? own->value + start : NULL;
    if (length > 1) {
        double total = 0;
        for (int32_t h = 0; h < length; ++h) {
            double s = own->scale[i] * other->scale[at[h]];
            share[h] = share_of(value ? s * value[h] : s, m->has_two_sides);
            total += share[h];
        }
        double u = pm_sample_sequence_unit(sequence) * total - share[0];
        while (u >= 0 && k + 1 < length)
            u -= share[++k];
        pm_wide_product_multiply(w, total / share[k]);
    }
    if (value)
        pm_wide_product_multiply(w, value[k]);
    return at[k];
}

/* Multiplies *w by the permanent of the remainder. */
static void finish(const pm_remainder *x, void *memory, pm_wide_product *w)
{
    pm_wide_product_multiply(w, pm_complete(x, memory));
    for (int32_t k = 0; x->row.value && k < x->left; ++k) {
        pm_wide_product_multiply(w, 1 / x->row.scale[x->row.line[k]]);
        pm_wide_product_multiply(w, 1 / x->column.scale[x->column.line[k]]);
    }
}

static uint32_t next_key(const model *m, const pm_remainder *x, int32_t step)
{
    if (m->in_sequence)
        return x->row.key[step];
    return pm_vertex_key_min(x->row.key, m->has_two_sides ? 2 * m->lists.n : m->lists.n);
}

static pm_weight draw(const pm_sampler *sampler, void *scratch, uint64_t sample)
{
    const model *m = sampler->model;
    int32_t n = m->lists.n;
    pm_sample_sequence sequence = pm_sample_sequence_of(sampler->seed, sampler->block, sample);
    pm_wide_product w = {1, 0};
    pm_remainder x;
    pm_remainder_start(&x, &m->matrix, scratch);
    for (int32_t step = 0; x.left > m->complete; ++step) {
        uint32_t key = next_key(m, &x, step);
        int32_t v = pm_vertex_key_vertex(key), i = v, j = v - n;
        /* scaling++ does not scale before a choice of one neighbour; the published methods do */
        if (step % m->interval == 0 && (pm_vertex_key_degree(key) > 1 || !m->has_two_sides))
            pm_remainder_scale(&x, m->iterations);
        if (v < n)
            j = choose(m, &x.row, &x.column, i, x.share, &sequence, &w);
        else
            i = choose(m, &x.column, &x.row, j, x.share, &sequence, &w);
        if (!pm_remainder_match(&x, i, j))
            return (pm_weight){0};
    }
    if (m->complete > 0)
        finish(&x, (char *)scratch + m->remainder_bytes, &w);
    return pm_weight_make(w.m, w.e + m->lists.exponent);
}

/* ---- making ---- */

/* Scales the whole matrix; every sample starts with this scaling. */
static pm_status scale_once(model *m, pm_error *err)
{
    void *memory = pm_alloc_array((int64_t)m->remainder_bytes, 1);
    if (!memory)
        return pm_fail_memory(err, "the scaling");
    pm_remainder x;
    pm_remainder_start(&x, &m->matrix, memory);
    pm_remainder_scale(&x, FIRST_ITERATIONS);
    memcpy(m->matrix.r, x.row.scale, (size_t)x.n * sizeof *x.row.scale);
    memcpy(m->matrix.c, x.column.scale, (size_t)x.n * sizeof *x.column.scale);
    free(memory);
    return PM_OK;
}

/* Fitted to measured runs: terms for the entries of the remainder, summed over all steps and
 * iterations, and for the sets of the rows that are counted exactly. */
static void plan(pm_sampler *s, const model *m)
{
    double n = m->lists.n, nnz = m->lists.nnz, scaled = n * m->iterations / m->interval;
    double left = fmin(m->complete / fmax(n, 1), 1), sets = ldexp(1, (int)fmin(m->complete, n));
    s->seconds = PM_SAMPLE_UNIT_SECONDS * (1 - left * left)
                     * (0.4 * scaled * (nnz + 2 * n) + 20 * nnz + 60 * n)
                 + PM_SAMPLE_UNIT_SECONDS * (m->has_two_sides ? 2 * sets : 0);
    s->batch = pm_scaling_thread_applies(m) ? PM_MASKS_BATCH : pm_sampler_batch_size(s->seconds);
}

static pm_status make(pm_sampler *s, const pm_sampler_options *o, bool in_sequence,
                      bool has_two_sides, pm_error *err)
{
    model *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "a sampler");
    s->model = m;
    pm_status status = pm_neighbours_make(s->a, &m->lists, err);
    if (!status)
        status = pm_padded_matrix_make(&m->lists, &m->matrix, err);
    if (status)
        return status;
    bool is_dense = m->lists.nnz >= 6 * (int64_t)m->lists.n;
    m->in_sequence = in_sequence;
    m->has_two_sides = has_two_sides;
    m->interval = o->scale_interval > 0 ? o->scale_interval : 1;
    m->iterations = o->scale_sweeps > 0 ? o->scale_sweeps : has_two_sides && is_dense ? 2 : 5;
    m->remainder_bytes = pm_remainder_bytes(&m->matrix);
    s->scratch = m->remainder_bytes;
    m->complete = !has_two_sides ? 0 : o->complete >= 0 ? o->complete : COMPLETE;
    plan(s, m);
    s->on_gpu = pm_scaling_thread_applies(m) ? &pm_scaling_thread_gpu : &pm_scaling_warp_gpu;
    if (!has_two_sides)
        return PM_OK;
    s->scratch += pm_complete_bytes(m->complete);
    s->is_exact = m->lists.n <= m->complete;
    return scale_once(m, err);
}

static pm_status make_scaling(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                              pm_error *err)
{
    (void)run;
    return make(s, o, true, false, err);
}

static pm_status make_scaling_plus(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                                   pm_error *err)
{
    (void)run;
    return make(s, o, false, false, err);
}

static pm_status make_scaling_plus_plus(pm_sampler *s, const pm_sampler_options *o,
                                        const pm_run *run, pm_error *err)
{
    (void)run;
    return make(s, o, false, true, err);
}

static void free_model(pm_sampler *s)
{
    model *m = s->model;
    if (!m)
        return;
    pm_neighbours_free(&m->lists);
    pm_padded_matrix_free(&m->matrix);
    free(m);
}

const pm_sampler_method pm_sampler_scaling = {
    .name = "scaling",
    .summary = "rows in their sequence, a column by the scaled matrix",
    .source = "Dufosse, Kaya, Panagiotas and Ucar 2018; Yaglioglu 2021, section 4.1.4",
    .gpu_limits = "1024 rows",
    .takes = PM_TAKES_SCALINGS,
    .make = make_scaling,
    .draw = draw,
    .free_model = free_model};

const pm_sampler_method pm_sampler_scaling_plus = {
    .name = "scaling+",
    .summary = "the row with the fewest columns left, a column by the scaled matrix",
    .source = "Dufosse, Kaya, Panagiotas and Ucar 2018; Yaglioglu 2021, algorithm 8",
    .gpu_limits = "1024 rows",
    .takes = PM_TAKES_SCALINGS,
    .make = make_scaling_plus,
    .draw = draw,
    .free_model = free_model};

const pm_sampler_method pm_sampler_scaling_plus_plus = {
    .name = "scaling++",
    .summary =
        "the vertex of either side with the fewest neighbours left, a corrected scaling, the "
        "last rows exactly",
    .source = "src/scaling/scaling.c",
    .gpu_limits = "1024 rows",
    .takes = PM_TAKES_SCALINGS | PM_TAKES_COMPLETE,
    .make = make_scaling_plus_plus,
    .draw = draw,
    .free_model = free_model};
