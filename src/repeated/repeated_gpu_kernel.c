/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_gpu_kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/machine.h"
#include "gpu/kernel_text.h"
#include "pm/alloc.h"
#include "repeated/repeated_exact.h"
#include "repeated/repeated_float.h"
#include "repeated/repeated_float_entries.h"
#include "repeated/repeated_gpu_table.h"
#include "repeated/repeated_rounding.h"
#include "sweep/gpu_records.h"

enum {
    PATTERNS_MOST = 4096,
    WRITTEN_OUT = 1200, /* operations of the positions of a run that are written out */
    CHUNK = 16,
    CHUNK_RESIDUES = 8, /* their sum is exact in a double */
    LIST = 1024         /* characters of a list of numbers */
};
/* Registers: of a multiprocessor; of a thread at most; of a thread beside its row sums; for each
 * prime. */
enum { REGISTERS = 65536, REGISTERS_MOST = 255, OTHERS = 74, OF_PRIME = 16, BLOCKS_MOST = 3 };
enum { CONSTANT_BYTES = 60000 };

typedef struct {
    pm_gpu_sweep gpu; /* must be first */
    pm_repeated_gpu_shape shape;
    int32_t chunk;
    double scale;   /* S of sweep/sweep.h; 0: there is no spread */
    double *table;  /* pm_table of cuda/repeated.cuh; floats in single precision */
    int32_t *words; /* the same in words, or NULL */
    int64_t shift;
    double terms, operations, seconds;
    char *text;
} problem;

static bool is_single(const problem *q)
{
    return !q->shape.arithmetic.nprimes
           && pm_dense_is_single((pm_dense_kind)q->shape.arithmetic.kind);
}

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
    pm_gpu_term_fold(&q->shape.arithmetic, records, count, q->scale > 0 ? 1 / q->scale : 0, sum);
}

/* ---- groups and slices of rows (repeated_powers.h) ---- */

/* The last rows of the groups whose multiplicity has the bit. */
static uint64_t ends_with_bit(const pm_repeated_powers *p, int bit)
{
    uint64_t ends = 0;
    for (int32_t g = 0; g < p->groups; ++g)
        if ((uint32_t)p->times[g] >> bit & 1)
            ends |= UINT64_C(1) << (p->end[g] - 1);
    return ends;
}

static uint64_t ends_of(const pm_repeated_powers *p)
{
    uint64_t ends = 0;
    for (int32_t g = 0; g < p->groups; ++g)
        ends |= UINT64_C(1) << (p->end[g] - 1);
    return ends;
}

/* The rows that set the residue of a group: the first ones that close or reduce. */
static uint64_t firsts_of(const pm_repeated_gpu_shape *h)
{
    uint64_t firsts = 0, any = h->arithmetic.closes | h->arithmetic.reduces, ends;
    bool is_set = false;
    ends = ends_of(&h->powers);
    for (int32_t i = 0; i < h->powers.rows; ++i) {
        if ((any >> i & 1) && !is_set)
            firsts |= UINT64_C(1) << i;
        is_set = (is_set || (any >> i & 1)) && !(ends >> i & 1);
    }
    return firsts;
}

static bool is_in(uint64_t rows, int32_t i)
{
    return rows >> i & 1;
}

/* Multiplications that join groups to slices, and slices to the product.
 * lost: in words, the number of factors 2^-32 of each group, and of the product. */
static double join_slices(const pm_repeated_powers *p, const int64_t *lost, int64_t *lost_of_all)
{
    double count = 0;
    int64_t of_slice[PM_REPEATED_BITS] = {0};
    for (int b = 0; b <= p->top; ++b) {
        bool is_begun = false;
        for (int32_t g = 0; g < p->groups; ++g)
            if ((uint32_t)p->times[g] >> b & 1) {
                of_slice[b] += lost[g] + is_begun;
                count += is_begun;
                is_begun = true;
            }
    }
    *lost_of_all = of_slice[p->top];
    for (int b = p->top - 1; b >= 0; --b) {
        bool has = p->all_bits >> b & 1;
        *lost_of_all = 2 * *lost_of_all + 1 + (has ? of_slice[b] + 1 : 0);
        count += 1 + has;
    }
    return count;
}

/* The multiplications modulo a prime of each group, which is what it loses in words. */
static void count_products(const pm_repeated_gpu_shape *h, int64_t *products)
{
    const pm_repeated_powers *p = &h->powers;
    uint64_t any = h->arithmetic.closes | h->arithmetic.reduces;
    for (int32_t g = 0, i = 0; g < p->groups; ++g) {
        products[g] = -1;
        for (; i < p->end[g]; ++i)
            products[g] += is_in(any, i);
    }
}

/* ---- work ---- */

/* Additions and multiplications of a term, with its share of the work of its run. */
static double term_operations(const pm_repeated_gpu_shape *h)
{
    /* of a product; of the weight and the sum of a term; of a run */
    static const double product[PM_DENSE_KINDS] = {1, 4, 4, 36, 1, 4},
                        settle[PM_DENSE_KINDS] = {0, 0, 3, 6}, add[] = {3, 6, 20, 40, 3, 6},
                        flush[] = {10, 20, 30, 60, 10, 20};
    const pm_gpu_arithmetic *a = &h->arithmetic;
    int64_t lost[PM_SQUARE_MAX] = {0}, all;
    double run = (double)pm_repeated_gpu_run(h), width = (double)pm_repeated_gpu_width(h);
    count_products(h, lost);
    double joins = join_slices(&h->powers, lost, &all);
    if (!a->nprimes)
        return width + settle[a->kind] * a->n + product[a->kind] * (a->n - h->powers.groups + joins)
               + add[a->kind] + flush[a->kind] / run;
    double modular = a->kind == PM_GPU_KIND_WORDS ? 5 : 7, products = joins + 1 + 2 / run;
    for (int32_t g = 0; g < h->powers.groups; ++g)
        products += (double)lost[g];
    return width + a->n + a->nprimes * (modular * products + 2 + 4 / run);
}

static void set_work(const pm_repeated_gpu_choice *c, problem *q)
{
    static const double reached[] = PM_GPU_REPEATED_REACHED;
    const pm_repeated_digits *d = &q->shape.digits;
    q->terms = (double)d->tiles * (double)d->patterns;
    q->operations = q->terms * term_operations(&q->shape);
    q->seconds = q->operations / (c->rate * reached[q->shape.arithmetic.kind]);
}

/* ---- the text ---- */

static void add_number(char list[LIST], int *length, const char *format, uint64_t value)
{
    *length += snprintf(list + *length, (size_t)(LIST - *length), format, value);
}

static int unrolled(const pm_repeated_gpu_shape *h)
{
    double fit = floor(WRITTEN_OUT / term_operations(h));
    return (int)fmax(1, fmin(fit, (double)pm_repeated_gpu_run(h)));
}

/* Thread blocks on a multiprocessor: as many as have registers for their row sums and slices. */
static int blocks_of(const pm_repeated_gpu_shape *h)
{
    int parts = h->arithmetic.nprimes ? 0 : pm_gpu_parts(&h->arithmetic);
    const int words =
        !h->arithmetic.nprimes && pm_dense_is_single((pm_dense_kind)h->arithmetic.kind) ? 1 : 2;
    int64_t wanted = words * pm_repeated_gpu_width(h) + OTHERS + OF_PRIME * h->arithmetic.nprimes
                     + (int64_t)words * parts * h->powers.top;
    int64_t each = wanted < REGISTERS_MOST ? wanted : REGISTERS_MOST;
    int blocks = (int)(REGISTERS / (PM_GPU_THREADS * each));
    return blocks < BLOCKS_MOST ? blocks : BLOCKS_MOST;
}

static pm_status write_text(void *of, pm_error *err)
{
    problem *q = of;
    const pm_repeated_gpu_shape *h = &q->shape;
    const pm_repeated_digits *d = &h->digits;
    char radices[LIST], times[LIST], bits[LIST];
    int length = 0;
    for (int32_t j = 0; j < d->count; ++j)
        add_number(radices, &length, "%" PRIu64 ", ", (uint64_t)d->digit[j].radix);
    length = 0;
    for (int32_t g = 0, i = 0; g < h->powers.groups; ++g)
        for (; i < h->powers.end[g]; ++i)
            add_number(times, &length, "%" PRIu64 ", ", (uint64_t)h->powers.times[g]);
    length = 0;
    for (int b = 0; b <= h->powers.top; ++b)
        add_number(bits, &length, "0x%" PRIx64 "ull, ", ends_with_bit(&h->powers, b));
    q->gpu.text = q->text = pm_gpu_term_text(
        &h->arithmetic, pm_text_repeated,
        "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_SHARED_CELLS 0\n"
        "#define PM_DIGITS %d\n#define PM_RADICES {%s}\n#define PM_INNER %d\n#define PM_RUN %d\n"
        "#define PM_RUNS %d\n#define PM_VALUES %d\n#define PM_TILES %" PRIu64 "ull\n"
        "#define PM_MIDDLE %" PRIu64 "ull\n#define PM_ENDS 0x%" PRIx64 "ull\n#define PM_TOP %d\n"
        "#define PM_BITS {%s}\n#define PM_TIMES {%s}\n#define PM_FIRSTS 0x%" PRIx64 "ull\n"
        "#define PM_CHUNK %d\n#define PM_UNROLLED %d\n#define PM_LARGE %d\n",
        pm_gpu_block_threads(&q->gpu), blocks_of(h), (int)d->count, radices, (int)d->inner,
        (int)pm_repeated_gpu_run(h), (int)pm_repeated_gpu_runs(h), (int)pm_repeated_values(d),
        d->tiles, d->middle, ends_of(&h->powers), h->powers.top, bits, times, firsts_of(h),
        (int)q->chunk, unrolled(h), q->gpu.values_size > CONSTANT_BYTES);
    return q->text ? PM_OK : pm_fail_memory(err, "text of a kernel");
}

/* ---- entries ---- */

static pm_status put_floats(const pm_square *s, problem *q, pm_error *err)
{
    double inexact[PM_SQUARE_MAX] = {0}, raised[PM_SQUARE_MAX];
    pm_dense_kind kind = (pm_dense_kind)q->shape.arithmetic.kind;
    double *entry =
        pm_calloc_array((int64_t)s->n * s->n * pm_dense_components(kind), sizeof *entry);
    if (!entry)
        return pm_fail_memory(err, "tables");
    q->shift = pm_repeated_float_entries(s, kind, entry, inexact);
    q->scale = pm_repeated_spread_scale(&q->shape.powers, inexact, raised);
    for (int32_t i = 0; i < q->shape.powers.rows && is_single(q); ++i)
        raised[i] = pm_single_at_least(raised[i]);
    pm_repeated_gpu_put_floats(&q->shape, s->n, entry, q->scale > 0 ? raised : NULL, q->table);
    if (is_single(q))
        pm_single_narrow(q->table, pm_repeated_gpu_cells(&q->shape));
    free(entry);
    return PM_OK;
}

static pm_status put_words(problem *q, pm_error *err)
{
    int64_t cells = pm_repeated_gpu_cells(&q->shape);
    q->words = pm_alloc_array(cells, sizeof *q->words);
    if (!q->words)
        return pm_fail_memory(err, "tables");
    for (int64_t k = 0; k < cells; ++k)
        q->words[k] = (int32_t)q->table[k];
    return PM_OK;
}

/* In words every multiplication modulo a prime loses a factor 2^32. */
static int64_t words_shift(const pm_repeated_gpu_shape *h)
{
    int64_t lost[PM_SQUARE_MAX], all, others = h->digits.count - h->digits.inner;
    if (h->arithmetic.kind != PM_GPU_KIND_WORDS)
        return 0;
    count_products(h, lost);
    join_slices(&h->powers, lost, &all);
    return 32 * (all + 2 + others + 1); /* the weights of a term, of a run, of a tile and its sum */
}

static pm_status put_integers(const pm_square *s, problem *q, pm_error *err)
{
    for (int32_t j = 0; j < s->n; ++j)
        q->shift -= s->col_times[j];
    q->shift += words_shift(&q->shape);
    pm_repeated_gpu_put_integers(&q->shape, s, q->table);
    return q->shape.arithmetic.kind == PM_GPU_KIND_WORDS ? put_words(q, err) : PM_OK;
}

/* ---- the sweep ---- */

pm_status pm_repeated_gpu_refuse_rows(const pm_square *s, const pm_repeated_gpu_choice *c,
                                      pm_error *err)
{
    int64_t most = INT64_C(1) << (c->in_words ? PM_WORD_BITS : PM_GPU_BITS);
    for (int32_t i = 0; i < s->n; ++i)
        if (s->row_times[i] > 0 && s->bound[i] >= most)
            return pm_fail(err, PM_UNABLE, "the integers are too large for repeated on GPUs");
    return PM_OK;
}

static pm_status set_residues(const pm_square *s, const pm_repeated_gpu_choice *c,
                              const uint64_t *prime, int count, pm_repeated_gpu_shape *h,
                              pm_error *err)
{
    int64_t bound[PM_SQUARE_MAX];
    pm_status status = pm_repeated_gpu_refuse_rows(s, c, err);
    if (status)
        return status;
    for (int32_t i = 0; i < h->powers.rows; ++i)
        bound[i] = s->bound[h->powers.row[i]];
    pm_gpu_arithmetic_modulo(prime, count, c->in_words, bound, ends_of(&h->powers), &h->arithmetic);
    return PM_OK;
}

static pm_status digits_of_cpu(const pm_square *s, const pm_repeated_gpu_choice *c,
                               pm_repeated_gpu_shape *h, pm_error *err)
{
    return h->arithmetic.nprimes ? pm_repeated_exact_digits(s, &h->digits, err)
                                 : pm_repeated_float_digits(s, c->precision, &h->digits, err);
}

/* Digits that suit the work of a term. */
static pm_status digits_of_gpu(const pm_square *s, const pm_repeated_gpu_choice *c,
                               pm_repeated_gpu_shape *h, pm_error *err)
{
    double most = PM_GPU_SEGMENT_WORK / term_operations(h);
    return pm_repeated_digits_divide(s, ldexp(1, c->slow),
                                     (int64_t)fmax(1, fmin(PATTERNS_MOST, most)), &h->digits, err);
}

static pm_status set_digits(const pm_square *s, const pm_repeated_gpu_choice *c,
                            pm_repeated_gpu_shape *h, pm_error *err)
{
    pm_status status = (c->as_on_cpu ? digits_of_cpu : digits_of_gpu)(s, c, h, err);
    if (!status && pm_repeated_values(&h->digits) > PM_REPEATED_GPU_MAX)
        return pm_fail(err, PM_UNABLE,
                       "repeated counts up to %d columns on GPUs, with their copies",
                       PM_REPEATED_GPU_MAX);
    return status;
}

static pm_status set_shape(const pm_square *s, const pm_repeated_gpu_choice *c,
                           const uint64_t *prime, int count, pm_repeated_gpu_shape *h,
                           pm_error *err)
{
    h->powers = pm_repeated_powers_make(s);
    h->arithmetic = (pm_gpu_arithmetic){.n = h->powers.rows,
                                        .kind = pm_repeated_kind(s, c->precision),
                                        .each = c->precision == PM_DQ};
    pm_status status =
        count ? set_residues(s, c, prime, count, h, err) : pm_repeated_refuse_rows(s, err);
    return status ? status : set_digits(s, c, h, err);
}

static pm_status make_table(const pm_square *s, problem *q, pm_error *err)
{
    q->table = pm_calloc_array(pm_repeated_gpu_cells(&q->shape), sizeof *q->table);
    if (!q->table)
        return pm_fail_memory(err, "tables");
    pm_status status = pm_repeated_gpu_put_weights(&q->shape, q->table, err);
    if (status)
        return status;
    return q->shape.arithmetic.nprimes ? put_integers(s, q, err) : put_floats(s, q, err);
}

/* Of the sum of |terms|, in units of u: the terms of a chunk and of a tile, the products by weights,
 * the records of a thread block and of the pieces. */
static double rounding_of(const problem *q, double n, double pieces)
{
    const double u = 0x1p-53;
    const pm_gpu_arithmetic *a = &q->shape.arithmetic;
    pm_dense_kind kind = (pm_dense_kind)a->kind;
    double run = (double)pm_repeated_gpu_run(&q->shape);
    double flushes = (double)pm_repeated_gpu_runs(&q->shape) * ceil(run / q->chunk);
    double adds = q->chunk + flushes, sums = (4 * adds + 3 * (pieces + 64) + 64) * u, own;
    const double v = PM_SINGLE_ROUNDING;
    if (pm_dense_is_quad(kind))
        own = (4 * (7 * n + 3)) * u;
    else if (pm_dense_is_single(
                 kind)) /* the weights of outer digits are multiplied in single precision too */
        own = v * (2 * q->shape.digits.count + q->chunk + 8 + adds * adds * v * u);
    else
        own = (a->each ? 4 : 4 + q->chunk + 1) + adds * adds * u;
    return 1.25 * u
           * (pm_repeated_product_rounding(kind, n)
              + pm_repeated_weight_rounding(kind, &q->shape.digits, n) + own + sums);
}

static void set_gpu(const pm_repeated_gpu_choice *c, problem *q)
{
    pm_gpu_sweep *g = &q->gpu;
    int64_t run = pm_repeated_gpu_run(&q->shape),
            most = q->shape.arithmetic.nprimes ? CHUNK_RESIDUES : CHUNK;
    q->chunk = (int32_t)(run < most ? run : most);
    set_work(c, q);
    g->gpus = c->gpus;
    g->record = pm_gpu_record(q->shape.arithmetic.nprimes);
    g->fold = fold;
    g->write = write_text;
    g->table = "pm_table";
    g->values = q->words ? (const void *)q->words : q->table;
    const size_t number = q->words       ? sizeof *q->words
                          : is_single(q) ? sizeof(float)
                                         : sizeof *q->table;
    g->values_size = (size_t)pm_repeated_gpu_cells(&q->shape) * number;
}

pm_status pm_repeated_gpu_prepare_modular(const pm_square *s, const void *choice,
                                          const uint64_t *prime, int count, pm_sweep *out,
                                          pm_error *err)
{
    const pm_repeated_gpu_choice *c = choice;
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "repeated");
    pm_status status = set_shape(s, c, prime, count, &q->shape, err);
    if (!status)
        status = make_table(s, q, err);
    if (status) {
        free_problem(q);
        return status;
    }
    set_gpu(c, q);
    *out = (pm_sweep){.what = "repeated",
                      .limbs = 2 * count,
                      .sampled = q->scale > 0 && q->shape.digits.inner > 0,
                      .shift = q->shift,
                      .problem = q,
                      .free_problem = free_problem};
    pm_gpu_sweep_shape_segments(q->shape.digits.tiles, &q->gpu, out);
    if (!count)
        out->rounding = rounding_of(q, pm_repeated_rows(s), (double)(out->count / out->piece));
    if (is_single(q))
        out->lost = pm_single_lost(q->terms, pm_repeated_rows(s) + q->shape.digits.count);
    return PM_OK;
}

pm_status pm_repeated_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err)
{
    return pm_repeated_gpu_prepare_modular(s, choice, NULL, 0, out, err);
}

uint64_t pm_repeated_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k)
{
    const problem *q = s->problem;
    return pm_sum_residue(sum, k, q->shift, q->shape.arithmetic.prime[k]);
}

double pm_repeated_gpu_operations(const pm_sweep *s)
{
    return ((const problem *)s->problem)->operations;
}

double pm_repeated_gpu_seconds(const pm_sweep *s)
{
    return ((const problem *)s->problem)->seconds;
}
