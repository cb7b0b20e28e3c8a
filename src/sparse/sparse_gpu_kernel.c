/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sparse/sparse_gpu_kernel.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "gpu/kernel_text.h"
#include "pm/alloc.h"
#include "sparse/skip.h"
#include "sparse/sparse_ryser.h"
#include "sweep/gpu_records.h"

/* ROOM: the number of entries is rounded up to a multiple of it, so that many matrices share one
 * text.  SMALL: bits of the integers that a float holds. */
enum { ROOM = 64, SMALL = 24, BLOCKS = 2 };

typedef struct {
    pm_gpu_sweep gpu; /* must be first */
    pm_gpu_arithmetic arithmetic;
    pm_terms terms;
    bool skips, is_small;
    int32_t entries; /* in the table, with the rounding up */
    int32_t chunk;
    double *table; /* pm_table of cuda/sparse.cuh */
    char *text;
} problem;

static void free_problem(void *of)
{
    problem *q = of;
    pm_terms_free(&q->terms);
    free(q->text);
    free(q->table);
    free(q);
}

static void fold(const void *of, const void *records, int64_t count, pm_sum *sum)
{
    const problem *q = of;
    pm_gpu_term_fold(&q->arithmetic, records, count, ldexp(1 / PM_SPREAD_SCALE, q->gpu.flips), sum);
}

/* ---- the table ---- */

static int64_t table_size(const problem *q)
{
    int64_t n = q->terms.n, parts = pm_gpu_parts(&q->arithmetic);
    return n * parts + 2 * n + q->terms.flips + 1 + q->entries * (1 + parts);
}

/* An integer in the units of the kernel, in which inexact row sums are at most 1. */
static double scaled(const pm_terms *t, int32_t row, int64_t v)
{
    return t->is_exact ? (double)v : (double)v * t->scale[row];
}

static double *put_pair(const problem *q, int32_t row, int64_t re, int64_t im, double *at)
{
    const pm_terms *t = &q->terms;
    *at++ = scaled(t, row, re);
    if (t->is_complex)
        *at++ = scaled(t, row, im);
    return at;
}

/* The columns of the row that flip within a segment, and all bits from there on. */
static uint32_t set_of(const problem *q, int32_t row)
{
    uint32_t beyond = UINT32_MAX << q->gpu.flips;
    return (uint32_t)q->terms.columns[row] | beyond;
}

static void fill_table(problem *q)
{
    const pm_terms *t = &q->terms;
    double *at = q->table;
    for (int32_t i = 0; i < t->n; ++i)
        at = put_pair(q, i, t->start_re[i], t->start_im[i], at);
    for (int32_t i = 0; i < t->n; ++i)
        *at++ = t->is_exact ? 0 : t->inexact[i];
    for (int32_t i = 0; i < t->n; ++i)
        *at++ = set_of(q, i);
    for (int32_t j = 0; j <= t->flips; ++j)
        *at++ = t->colptr[j];
    for (int32_t k = 0; k < t->colptr[t->flips]; ++k)
        at[k] = t->rowind[k];
    at += q->entries;
    for (int32_t k = 0; k < t->colptr[t->flips]; ++k)
        at = put_pair(q, t->rowind[k], t->re[k], t->is_complex ? t->im[k] : 0, at);
}

/* ---- the text ---- */

/* Doubles of shared memory for each thread: pm_dev_memory of the kernel, divided by the threads. */
static int64_t shared_cells(const problem *q)
{
    int64_t n = q->terms.n, parts = pm_gpu_parts(&q->arithmetic),
            threads = pm_gpu_block_threads(&q->gpu);
    int64_t doubles = q->entries * parts, words = n + q->terms.flips + 1 + q->entries;
    int64_t cells = n * parts * threads;
    doubles += q->is_small ? (cells + 1) / 2 : cells;
    doubles += (words + 1) / 2 + 1;
    return (doubles + threads - 1) / threads;
}

static pm_status write_text(void *of, pm_error *err)
{
    problem *q = of;
    q->gpu.text = q->text = pm_gpu_term_text(
        &q->arithmetic, pm_text_sparse,
        "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_SHARED_CELLS %d\n"
        "#define PM_FLIPS %d\n#define PM_SLOW %d\n#define PM_CHUNK %d\n#define PM_ENTRIES %d\n"
        "#define PM_SMALL %d\n#define PM_SKIPS %d\n#define PM_REFRESH %d\n#define PM_TINY %a\n"
        "#define PM_SPREAD %d\n",
        pm_gpu_block_threads(&q->gpu), BLOCKS, (int)shared_cells(q), (int)q->gpu.flips,
        (int)q->gpu.slow, (int)q->chunk, (int)q->entries, q->is_small, q->skips, PM_SPARSE_REFRESH,
        PM_SPARSE_TINY, q->terms.has_spread);
    return q->text ? PM_OK : pm_fail_memory(err, "text of a kernel");
}

/* ---- the sweep ---- */

static pm_status make_terms(const pm_square *s, const pm_sparse_gpu_choice *c, pm_terms *out,
                            pm_error *err)
{
    pm_skip_choice skip = {.form = c->form, .keep_order = c->keep_order};
    pm_sparse_choice sparse = {.keep_order = c->keep_order};
    return c->skips ? pm_skip_terms(s, &skip, c->has_starts ? c->start : NULL, out, err)
                    : pm_sparse_ryser_terms(s, &sparse, out, err);
}

static bool are_small(const pm_terms *t)
{
    for (int32_t i = 0; i < t->n; ++i)
        if (t->bound[i] >= INT64_C(1) << SMALL)
            return false;
    return t->is_exact;
}

static void set_arithmetic(const uint64_t *prime, int count, problem *q)
{
    const pm_terms *t = &q->terms;
    q->arithmetic = (pm_gpu_arithmetic){.n = t->n, .each = true};
    if (count)
        pm_gpu_arithmetic_modulo(prime, count, false, t->bound, 0, &q->arithmetic);
    else
        q->arithmetic.kind = t->is_complex ? PM_DENSE_COMPLEX : PM_DENSE_REAL;
    q->is_small = count && are_small(t);
    q->entries = (t->colptr[t->flips] + ROOM - 1) / ROOM * ROOM;
    if (q->entries == 0)
        q->entries = ROOM;
}

static double position_operations(const problem *q)
{
    /* every product is computed anew, modulo each prime */
    bool multiplies = !q->skips && q->arithmetic.nprimes;
    return PM_GPU_SPARSE_INDEX_WORK + (multiplies ? pm_gpu_product_operations(&q->arithmetic) : 0);
}

static void set_gpu(const pm_sparse_gpu_choice *c, problem *q)
{
    pm_gpu_sweep *g = &q->gpu;
    g->gpus = c->gpus;
    g->flips = pm_gpu_flips(q->terms.flips, c->slow, position_operations(q));
    g->slow = q->terms.flips - g->flips;
    g->record = pm_gpu_record(q->arithmetic.nprimes);
    g->fold = fold;
    g->write = write_text;
    g->table = "pm_table";
    g->values_size = (size_t)table_size(q) * sizeof(double);
    g->shared = (size_t)shared_cells(q) * (size_t)pm_gpu_block_threads(g) * sizeof(double);
    q->chunk = pm_gpu_chunk(&q->arithmetic, INT32_MAX);
}

static double rounding_of(const problem *q, double pieces)
{
    double drift = q->skips ? 0 : pm_sparse_ryser_drift(&q->terms);
    return pm_terms_rounding(&q->terms) + drift
           + pm_gpu_term_rounding(&(pm_gpu_arithmetic){.n = 1, .each = true}, 1, q->gpu.flips,
                                  pieces);
}

pm_status pm_sparse_gpu_prepare_modular(const pm_square *s, const void *choice,
                                        const uint64_t *prime, int count, pm_sweep *out,
                                        pm_error *err)
{
    const pm_sparse_gpu_choice *c = choice;
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "a sparse sum");
    pm_status status = make_terms(s, c, &q->terms, err);
    if (!status) {
        q->skips = c->skips;
        set_arithmetic(prime, count, q);
        set_gpu(c, q);
        q->gpu.values = q->table = pm_calloc_array(table_size(q), sizeof *q->table);
        if (!q->table)
            status = pm_fail_memory(err, "a sparse sum");
    }
    if (status) {
        free_problem(q);
        return status;
    }
    fill_table(q);
    *out = (pm_sweep){.what = c->skips ? "skipper" : "sparyser",
                      .limbs = 2 * count,
                      .sampled = q->terms.has_spread && q->gpu.flips > 0,
                      .shift = q->terms.shift,
                      .problem = q,
                      .free_problem = free_problem};
    pm_gpu_sweep_shape(&q->gpu, out);
    if (!count)
        out->rounding = rounding_of(q, (double)(out->count / out->piece));
    return PM_OK;
}

pm_status pm_sparse_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                pm_error *err)
{
    return pm_sparse_gpu_prepare_modular(s, choice, NULL, 0, out, err);
}

uint64_t pm_sparse_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k)
{
    const problem *q = s->problem;
    return pm_sum_residue(sum, k, q->terms.shift, q->arithmetic.prime[k]);
}
