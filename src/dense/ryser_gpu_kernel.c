/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/ryser_gpu_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "dense/dense_exact_plan.h"
#include "dense/dense_float_entries.h"
#include "gpu/kernel_text.h"
#include "pm/alloc.h"
#include "sweep/gpu_arithmetic.h"
#include "sweep/gpu_records.h"
#include "sweep/term.h"

/* Measured: with more columns written out, or fewer thread blocks on a multiprocessor, kernels are
 * slower. */
enum { INNER = 4, WRITTEN_OUT = 2400 /* operations */, BLOCKS_MOST = 3 };
/* Registers: of a multiprocessor; of a thread at most; of a thread beside its row sums; for each
 * prime. */
enum { REGISTERS = 65536, REGISTERS_MOST = 255, OTHERS = 74, OF_PRIME = 16 };
enum { CONSTANT_BYTES = 60000, CONSTANT_MEMORY = 64 << 10 };

typedef struct {
    pm_gpu_sweep gpu; /* must be first */
    pm_gpu_arithmetic arithmetic;
    pm_placement placement;
    int32_t chunk, inner;
    double scale;   /* S of sweep/sweep.h; 0: there is no spread */
    double *table;  /* pm_table of cuda/dense.cuh; floats in single precision */
    int32_t *words; /* the same in words, or NULL */
    int64_t shift;
    double operations, seconds;
    char *text;
} problem;

static void free_problem(void *of)
{
    problem *q = of;
    free(q->text);
    free(q->table);
    free(q->words);
    free(q);
}

static void fold(const void *of, const void *records, int64_t count, pm_sum *sum)
{
    const problem *q = of;
    double spread = q->scale > 0 ? ldexp(1, q->gpu.flips) / q->scale : 0;
    pm_gpu_term_fold(&q->arithmetic, records, count, spread, sum);
}

/* ---- the table ---- */

static bool is_single(const problem *q)
{
    return !q->arithmetic.nprimes && pm_dense_is_single((pm_dense_kind)q->arithmetic.kind);
}

static int64_t width_of(const problem *q)
{
    return (int64_t)q->arithmetic.n * pm_gpu_parts(&q->arithmetic);
}

/* Doubles of the table: the columns that flip or are slow; the row sums with all signs +; by how
 * much these are raised for the spread. */
static int64_t table_size(const problem *q)
{
    return width_of(q) * (q->arithmetic.n + 1);
}

/* entry: [n][n][parts], rows first.  A sign that changes moves the row sum by twice the entry. */
static void fill_table(problem *q, const double *entry, const double *inexact)
{
    int32_t n = q->arithmetic.n;
    int parts = pm_gpu_parts(&q->arithmetic);
    int64_t width = width_of(q);
    double *start = q->table + (n - 1) * width, *raised = start + width;
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j)
            for (int c = 0; c < parts; ++c) {
                double v = entry[(i * n + j) * parts + c];
                if (j < n - 1)
                    q->table[j * width + i * parts + c] = 2 * v;
                start[i * parts + c] += v;
            }
        raised[i] = q->scale * inexact[i];
        if (is_single(q))
            raised[i] = pm_single_at_least(raised[i]);
    }
    if (is_single(q))
        pm_single_narrow(q->table, table_size(q));
}

/* S so that S e_i is about 2^-28 of the largest row sum; S is at most 2^900. */
static double scale_of(int32_t n, const double *inexact)
{
    double most = 0;
    int top;
    for (int32_t i = 0; i < n; ++i)
        most = fmax(most, inexact[i]);
    if (most == 0)
        return 0;
    frexp(most, &top);
    return ldexp(1, top < -28 ? top > -928 ? -28 - top : 900 : 0);
}

static pm_status put_entries(const pm_square *s, problem *q, pm_error *err)
{
    double inexact[PM_SQUARE_MAX] = {0};
    int32_t n = q->arithmetic.n;
    double *entry = pm_calloc_array(width_of(q) * n, sizeof *entry);
    if (!entry)
        return pm_fail_memory(err, "ryser");
    const pm_dense_kind kind = (pm_dense_kind)q->arithmetic.kind;
    q->shift = pm_dense_float_entries(s, kind, n, entry, inexact) - (n - 1);
    q->shift += pm_dense_float_lift(kind, n, entry, inexact);
    q->scale = scale_of(n, inexact);
    fill_table(q, entry, inexact);
    free(entry);
    return PM_OK;
}

static pm_status put_words(problem *q, pm_error *err)
{
    q->words = pm_alloc_array(table_size(q), sizeof *q->words);
    if (!q->words)
        return pm_fail_memory(err, "ryser");
    for (int64_t k = 0; k < table_size(q); ++k)
        q->words[k] = (int32_t)q->table[k];
    return PM_OK;
}

/* Rows whose entries have an odd sum are doubled (pm_terms_make, PM_FORM_SIGNS). */
static pm_status put_integers(const pm_square *s, const pm_ryser_gpu_choice *c,
                              const uint64_t *prime, int count, problem *q, pm_error *err)
{
    pm_terms t;
    pm_column_order order;
    int64_t n = q->arithmetic.n;
    pm_column_order_given(s->n, &order);
    if (c->has_columns)
        memcpy(order.cols, c->column, (size_t)s->n * sizeof *order.cols);
    else
        pm_dense_exact_order(s, c->keep_order, order.cols);
    pm_status status = pm_terms_make(s, PM_FORM_SIGNS, &order, &t, err);
    if (status)
        return status;
    for (int32_t j = 0; j < t.flips; ++j)
        for (int32_t k = t.colptr[j]; k < t.colptr[j + 1]; ++k)
            q->table[j * n + t.rowind[k]] = (double)t.re[k];
    for (int32_t i = 0; i < n; ++i)
        q->table[(n - 1) * n + i] = (double)t.start_re[i];
    pm_gpu_arithmetic_modulo(prime, count, c->in_words, t.bound, 0, &q->arithmetic);
    q->shift = t.shift + pm_gpu_word_shift(&q->arithmetic);
    pm_terms_free(&t);
    return c->in_words ? put_words(q, err) : PM_OK;
}

/* ---- the shape of the kernel ---- */

static bool is_placed(const problem *q)
{
    return q->placement.sums != PM_IN_ANY;
}

/* The number of columns written out; at least one if any column flips. */
static int32_t inner_columns(const problem *q, double term)
{
    int32_t inner = q->gpu.flips < INNER ? q->gpu.flips : INNER;
    while (inner > 1 && ldexp(term, inner) > WRITTEN_OUT)
        --inner;
    return inner;
}

/* Thread blocks on a multiprocessor: as many as have registers for their row sums. */
static int blocks_of(const problem *q)
{
    int64_t wanted =
        (is_single(q) ? 1 : 2) * width_of(q) + OTHERS + OF_PRIME * q->arithmetic.nprimes;
    int64_t each = wanted < REGISTERS_MOST ? wanted : REGISTERS_MOST;
    int blocks = (int)(REGISTERS / (PM_GPU_THREADS * each));
    if (q->placement.sums > PM_IN_REGISTERS)
        return 1;
    return blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
}

/* Numbers of shared memory for each thread. */
static int64_t shared_cells(const problem *q)
{
    int64_t threads = pm_gpu_block_threads(&q->gpu);
    int64_t cold = q->placement.sums == PM_IN_SHARED ? width_of(q) : 0;
    if (q->placement.matrix == PM_IN_SHARED)
        cold += (table_size(q) + threads - 1) / threads;
    return cold;
}

/* Measured: compiled quickly, kernels are as fast (0.84 to 1.01 of the time), but those of complex
 * double-doubles (1.2), residues and the published placements (more instructions) are not. */
static bool is_quick(const problem *q)
{
    const pm_gpu_arithmetic *a = &q->arithmetic;
    return !is_placed(q) && !a->nprimes && a->kind != PM_DENSE_COMPLEX_QUAD;
}

static pm_status write_text(void *of, pm_error *err)
{
    problem *q = of;
    q->gpu.text = q->text = pm_gpu_term_text(
        &q->arithmetic, is_placed(q) ? pm_text_placed : pm_text_dense,
        "%s#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_SHARED_CELLS %d\n"
        "#define PM_INNER %d\n#define PM_FLIPS %d\n#define PM_SLOW %d\n#define PM_CHUNK %d\n"
        "#define PM_SPREAD %d\n#define PM_LARGE %d\n#define PM_SUMS %d\n#define PM_MATRIX %d\n"
        "#define PM_UNALIGNED %d\n%s",
        is_quick(q) ? PM_GPU_QUICK : "", pm_gpu_block_threads(&q->gpu), blocks_of(q),
        (int)shared_cells(q), (int)q->inner, (int)q->gpu.flips, (int)q->gpu.slow, (int)q->chunk,
        q->scale > 0, q->gpu.values_size > CONSTANT_BYTES, (int)q->placement.sums,
        (int)q->placement.matrix, q->placement.is_unaligned,
        is_single(q) ? "#define PM_CELL float\n" : "");
    return q->text ? PM_OK : pm_fail_memory(err, "text of a kernel");
}

/* ---- the sweep ---- */

static void set_placement(pm_placement p, problem *q)
{
    if (p.sums && !p.matrix)
        p.matrix = p.sums == PM_IN_REGISTERS ? PM_IN_CONSTANT : p.sums;
    if (p.sums == PM_IN_REGISTERS && p.matrix == PM_IN_CONSTANT && !p.is_unaligned)
        p = (pm_placement){0};
    q->placement = p;
}

static pm_status refuse_placement(const problem *q, pm_error *err)
{
    if (q->placement.matrix != PM_IN_CONSTANT || q->gpu.values_size <= CONSTANT_MEMORY)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "ryser: the matrix needs %zu bytes of constant memory, a GPU has %d",
                   q->gpu.values_size, CONSTANT_MEMORY);
}

/* The share of a device's peak rate that the kernels reach, measured.  Where all operands of a
 * multiply-add are in registers, as with complex numbers and double-doubles, the ports of the
 * registers are the limit. */
static double reached(const problem *q)
{
    static const double by_kind[] = PM_GPU_DENSE_REACHED;
    double share = by_kind[q->arithmetic.kind];
    int n = q->arithmetic.n;
    if (q->arithmetic.kind == PM_DENSE_REAL && n > PM_GPU_DENSE_CACHED_ROWS)
        share -= PM_GPU_DENSE_ROW_LOSS * (n - PM_GPU_DENSE_CACHED_ROWS);
    switch (q->placement.sums) {
    case PM_IN_REGISTERS: return PM_GPU_REGISTERS_REACHED * share;
    case PM_IN_SHARED: return PM_GPU_SHARED_REACHED * share;
    case PM_IN_GLOBAL: return PM_GPU_GLOBAL_REACHED * share;
    default: return share;
    }
}

static double term_operations(const pm_gpu_arithmetic *a)
{
    return pm_gpu_product_operations(a) + (double)a->n * pm_gpu_parts(a);
}

/* Bytes of a number of the table, and of a cell of shared memory. */
static size_t number_size(const problem *q)
{
    return q->words ? sizeof *q->words : is_single(q) ? sizeof(float) : sizeof *q->table;
}

static void set_gpu(const pm_ryser_gpu_choice *c, problem *q)
{
    const pm_gpu_arithmetic *a = &q->arithmetic;
    double term = term_operations(a);
    pm_gpu_sweep *g = &q->gpu;
    q->inner = inner_columns(q, term);
    q->chunk = pm_gpu_chunk(a, 1 << (is_placed(q) ? g->flips : q->inner));
    q->operations = ldexp(term, a->n - 1);
    q->seconds = q->operations / (c->rate * reached(q));
    g->record = pm_gpu_record(a->nprimes);
    g->fold = fold;
    g->write = write_text;
    g->table = "pm_table";
    g->values = q->words ? (const void *)q->words : q->table;
    g->values_size = (size_t)table_size(q) * number_size(q);
    g->shared = (size_t)(shared_cells(q) * pm_gpu_block_threads(g)) * number_size(q);
}

pm_status pm_ryser_gpu_prepare_modular(const pm_square *s, const void *choice,
                                       const uint64_t *prime, int count, pm_sweep *out,
                                       pm_error *err)
{
    const pm_ryser_gpu_choice *c = choice;
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "ryser");
    q->arithmetic = (pm_gpu_arithmetic){
        .n = s->n, .kind = pm_dense_kind_of(c->precision, s->im), .each = c->precision == PM_DQ};
    set_placement(c->placement, q);
    q->gpu.gpus = c->gpus;
    if (count) /* one double for each row sum, whatever the precision */
        q->arithmetic.kind = PM_DENSE_REAL;
    q->table = pm_calloc_array(table_size(q), sizeof *q->table);
    pm_status status = !q->table ? pm_fail_memory(err, "ryser")
                       : count   ? put_integers(s, c, prime, count, q, err)
                                 : put_entries(s, q, err);
    if (status) {
        free_problem(q);
        return status;
    }
    /* of all primes together */
    q->gpu.flips = pm_gpu_flips(s->n - 1, c->slow, term_operations(&q->arithmetic));
    q->gpu.slow = s->n - 1 - q->gpu.flips;
    set_gpu(c, q);
    status = refuse_placement(q, err);
    if (status) {
        free_problem(q);
        return status;
    }
    *out = (pm_sweep){.what = "ryser",
                      .limbs = 2 * count,
                      .sampled = q->scale > 0 && q->gpu.flips > 0,
                      .shift = q->shift,
                      .problem = q,
                      .free_problem = free_problem};
    pm_gpu_sweep_shape(&q->gpu, out);
    if (!count)
        out->rounding = pm_gpu_term_rounding(&q->arithmetic, q->chunk, q->gpu.flips,
                                             (double)(out->count / out->piece));
    if (is_single(q))
        out->lost = pm_single_lost((double)out->count, s->n);
    return PM_OK;
}

uint64_t pm_ryser_gpu_share(int32_t n, pm_dense_kind kind, pm_precision precision, uint64_t piece)
{
    const pm_gpu_arithmetic a = {.n = n, .kind = kind, .each = precision == PM_DQ};
    return pm_gpu_sweep_share(n - 1, term_operations(&a), piece);
}

pm_status pm_ryser_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return pm_ryser_gpu_prepare_modular(s, choice, NULL, 0, out, err);
}

uint64_t pm_ryser_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k)
{
    const problem *q = s->problem;
    return pm_sum_residue(sum, k, q->shift, q->arithmetic.prime[k]);
}

double pm_ryser_gpu_operations(const pm_sweep *s)
{
    return ((const problem *)s->problem)->operations;
}

double pm_ryser_gpu_seconds(const pm_sweep *s)
{
    return ((const problem *)s->problem)->seconds;
}

double pm_ryser_gpu_compiling(const pm_sweep *s)
{
    const problem *q = s->problem;
    return is_quick(q) ? PM_GPU_DENSE_QUICK_COMPILE_SECONDS
                             * ldexp(term_operations(&q->arithmetic), q->inner)
                       : PM_GPU_DENSE_COMPILE_SECONDS;
}
