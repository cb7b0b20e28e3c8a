/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods that choose by the scaled matrix s_ij = r_i a_ij c_j:
 *
 *     scaling     rows in their sequence, column j with probability ~ s_ij
 *     scaling+    the row with the fewest columns left
 *     scaling++   the row or column with the fewest neighbours left, probability ~ s/(1 - s/2), and
 *                 the last rows counted exactly
 *
 * Were s_ij the share of matchings that use (i, j), no weight would differ from another.  For the
 * Bethe approximation of these shares p (1 - p) = r_i a_ij c_j, which to first order is s + s^2;
 * s/(1 - s/2) goes half of that way and was the best in measurements.  The weight is divided by
 * the probability that was used, so any probability > 0 leaves its mean where it is: shares have a
 * floor.  Sources: Dufosse, Kaya, Panagiotas and Ucar 2018; Yaglioglu 2021, algorithms 8 and 9. */
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

enum { FIRST_SWEEPS = 50, COMPLETE = 10 };
static const double least_share = 0x1p-40;

typedef pm_scaling_model model;

/* ---- one sample ---- */

/* The share of matchings that the entry is taken to be in. */
static double share_of(double s, bool is_corrected)
{
    if (is_corrected) {
        s = s < 1 ? s : 1;
        s /= 1 - 0.5 * s;
    }
    return s > least_share ? s : least_share;
}

/* A neighbour of line i, by its shares; the weight gets 1 / probability and the entry. */
static int32_t choose(const model *m, const pm_remainder_side *own, const pm_remainder_side *other,
                      int32_t i, double *score, pm_sample_sequence *sequence, pm_wide_product *w)
{
    int32_t start = own->start[i], length = own->length[i], k = 0;
    const int32_t *at = own->at + start;
    const double *value = own->value ? own->value + start : NULL;
    if (length > 1) {
        double total = 0;
        for (int32_t h = 0; h < length; ++h) {
            double s = own->scale[i] * other->scale[at[h]];
            score[h] = share_of(value ? s * value[h] : s, m->has_two_sides);
            total += score[h];
        }
        double u = pm_sample_sequence_unit(sequence) * total - score[0];
        while (u >= 0 && k + 1 < length)
            u -= score[++k];
        pm_wide_product_multiply(w, total / score[k]);
    }
    if (value)
        pm_wide_product_multiply(w, value[k]);
    return at[k];
}

/* What is left, counted. */
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
    pm_remainder_start(&x, &m->whole, scratch);
    for (int32_t step = 0; x.left > m->complete; ++step) {
        uint32_t key = next_key(m, &x, step);
        int32_t v = pm_vertex_key_vertex(key), i = v, j = v - n;
        /* a forced choice needs no scaling; the published methods scale at every interval */
        if (step % m->interval == 0 && (pm_vertex_key_degree(key) > 1 || !m->has_two_sides))
            pm_remainder_scale(&x, m->sweeps);
        if (v < n)
            j = choose(m, &x.row, &x.column, i, x.score, &sequence, &w);
        else
            i = choose(m, &x.column, &x.row, j, x.score, &sequence, &w);
        if (!pm_remainder_take(&x, i, j))
            return (pm_weight){0};
    }
    if (m->complete > 0)
        finish(&x, (char *)scratch + m->remainder_bytes, &w);
    return pm_weight_make(w.m, w.e + m->lists.exponent);
}

/* ---- making ---- */

/* Scalings of the whole matrix, where all samples start. */
static pm_status scale_once(model *m, pm_error *err)
{
    void *memory = pm_alloc_array((int64_t)m->remainder_bytes, 1);
    if (!memory)
        return pm_fail_memory(err, "the scaling");
    pm_remainder x;
    pm_remainder_start(&x, &m->whole, memory);
    pm_remainder_scale(&x, FIRST_SWEEPS);
    memcpy(m->whole.r, x.row.scale, (size_t)x.n * sizeof *x.row.scale);
    memcpy(m->whole.c, x.column.scale, (size_t)x.n * sizeof *x.column.scale);
    free(memory);
    return PM_OK;
}

/* Fitted to measured runs: the entries left, summed over steps and sweeps, and the sets of rows. */
static void plan(pm_sampler *s, const model *m)
{
    double n = m->lists.n, nnz = m->lists.nnz, scaled = n * m->sweeps / m->interval;
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
        status = pm_padded_matrix_make(&m->lists, &m->whole, err);
    if (status)
        return status;
    bool is_dense = m->lists.nnz >= 6 * (int64_t)m->lists.n;
    m->in_sequence = in_sequence;
    m->has_two_sides = has_two_sides;
    m->interval = o->scale_interval > 0 ? o->scale_interval : 1;
    m->sweeps = o->scale_sweeps > 0 ? o->scale_sweeps : has_two_sides && is_dense ? 2 : 5;
    m->remainder_bytes = pm_remainder_bytes(&m->whole);
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
    pm_padded_matrix_free(&m->whole);
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
