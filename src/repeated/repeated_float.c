/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_float.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "repeated/repeated_float_entries.h"
#include "repeated/repeated_float_problem.h"
#include "repeated/repeated_rounding.h"
#include "repeated/repeated_weights.h"
#include "sweep/gpu_sweep.h"

/* The spread is computed for all terms if there are at most WHOLE, else for about SAMPLES of them,
 * but for at least one in SPARSEST, which costs little time. */
enum { WHOLE = 1 << 15, SAMPLES = 1 << 14, SPARSEST = 512 };

static pm_repeated_range *range_for(pm_isa isa, pm_dense_kind kind)
{
    const bool is_single = pm_dense_is_single(kind);
    const int which = is_single ? kind - PM_DENSE_SINGLE : kind;
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return (is_single ? pm_repeated_single_avx512 : pm_repeated_float_avx512)[which];
    if (isa == PM_ISA_AVX2)
        return (is_single ? pm_repeated_single_avx2 : pm_repeated_float_avx2)[which];
#endif
    (void)isa;
    return (is_single ? pm_repeated_single_portable : pm_repeated_float_portable)[which];
}

/* The numbers of a vector of 64 bytes, which have sums of their own. */
static int lanes_of(pm_dense_kind kind)
{
    return pm_dense_is_single(kind) ? 2 * PM_REPEATED_LANES : PM_REPEATED_LANES;
}

pm_status pm_repeated_float_digits(const pm_square *s, pm_precision precision,
                                   pm_repeated_digits *out, pm_error *err)
{
    int32_t different = 0;
    pm_status status = pm_repeated_refuse_rows(s, err);
    if (status)
        return status;
    for (int32_t i = 0; i < s->n; ++i)
        different += s->row_times[i] > 0;
    const pm_dense_kind kind = pm_repeated_kind(s, precision);
    const double components = pm_dense_components(kind);
    const int lanes = lanes_of(kind);
    status = pm_repeated_digits_make(s, sizeof(double) * components * different, out, err);
    if (!status)
        out->padded = (out->padded + lanes - 1) / lanes * lanes;
    return status;
}

/* ---- work ---- */

static uint64_t sample_of(const pm_repeated_digits *d)
{
    double terms = (double)d->tiles * (double)d->patterns;
    uint64_t sample = 1;
    while (terms > WHOLE && sample < SPARSEST && terms > 2. * (double)sample * SAMPLES)
        sample *= 2;
    return sample;
}

double pm_repeated_float_work(const pm_square *s, const pm_repeated_digits *d,
                              pm_precision precision)
{
    /* operations of an addition and a multiplication of each kind; of a term's weight and sum; of a
     * row of the spread */
    static const struct {
        double sum, product, term, spread;
    } of[PM_DENSE_KINDS] = {{1, 1, 16, 6},    {2, 6, 24, 26}, {5, 7, 30, 14},
                            {10, 38, 60, 50}, {1, 1, 16, 6},  {2, 6, 24, 26}};
    pm_repeated_powers p = pm_repeated_powers_make(s);
    pm_dense_kind kind = pm_repeated_kind(s, precision);
    double products = pm_repeated_multiplications(&p), vectors = (double)d->padded / lanes_of(kind);
    double term = of[kind].sum * p.rows + of[kind].product * products + of[kind].term;
    double spread = of[kind].spread * products / (double)sample_of(d);
    double tile = 40 + 2. * p.rows * pm_dense_components(kind);
    return (double)d->tiles * (vectors * (term + spread) + tile);
}

/* ---- weights ---- */

static void set_digit_weights(pm_repeated_float *f)
{
    for (int32_t j = 0; j < f->digits.count; ++j)
        pm_repeated_weights(&f->digits.digit[j], f->digit_weight + f->first[j]);
}

/* Zeros behind the last pattern. */
static void pad(const pm_repeated_digits *d, double *t)
{
    for (int64_t p = d->patterns; p < d->padded; ++p)
        t[p] = 0;
}

/* One digit after another, as fill_row. */
static void set_pattern_weights(pm_repeated_float *f)
{
    const pm_repeated_digits *d = &f->digits;
    double *high = f->weight, *low = f->weight + d->padded;
    int64_t known = 1;
    pad(d, high);
    pad(d, low);
    high[0] = 1;
    low[0] = 0;
    for (int32_t j = 0; j < d->inner; ++j) {
        for (int64_t k = d->digit[j].radix - 1; k >= 0; --k)
            for (int64_t p = 0; p < known; ++p) {
                double w[2] = {high[p], low[p]};
                pm_dd_mul(w, w, f->digit_weight[f->first[j] + k]);
                high[known * k + p] = w[0];
                low[known * k + p] = w[1];
            }
        known *= d->digit[j].radix;
    }
}

/* ---- row sums ---- */

typedef struct {
    const double *value; /* [n][n][components] */
    int32_t n;
    int components;
} entries;

/* The entries of row i of the powers in the column of digit j. */
static const double *entry_at(const pm_repeated_float *f, const entries *e, int32_t i, int32_t j)
{
    return e->value
           + ((int64_t)f->powers.row[i] * e->n + f->digits.digit[j].column) * e->components;
}

/* to: t itself, or behind it */
static void add_to_each(double x, const double *t, int64_t count, double *to)
{
    for (int64_t p = 0; p < count; ++p)
        to[p] = t[p] + x;
}

/* One digit after another: the patterns of the first digits are known when the next is added. */
static void fill_row(const pm_repeated_float *f, const entries *e, int32_t i, int component,
                     double *t)
{
    const pm_repeated_digits *d = &f->digits;
    int64_t known = 1;
    pad(d, t);
    t[0] = 0;
    for (int32_t j = 0; j < d->inner; ++j) {
        double a = entry_at(f, e, i, j)[component];
        int32_t times = d->digit[j].times;
        for (int64_t k = d->digit[j].radix - 1; k >= 0; --k)
            add_to_each((double)(times - 2 * k) * a, t, known, t + known * k);
        known *= d->digit[j].radix;
    }
}

static void fill_tables(const entries *e, pm_repeated_float *f)
{
    const pm_repeated_digits *d = &f->digits;
    int32_t rows = f->powers.rows, outer = d->count - d->inner;
    for (int32_t i = 0; i < rows; ++i)
        for (int c = 0; c < e->components; ++c) {
            int64_t at = (int64_t)i * e->components + c;
            f->start[at] = 0;
            fill_row(f, e, i, c, f->table + at * d->padded);
            for (int32_t j = 0; j < outer; ++j) {
                double a = entry_at(f, e, i, d->inner + j)[c];
                f->start[at] += d->digit[d->inner + j].times * a;
                f->entry[(int64_t)j * rows * e->components + at] = 2 * a;
            }
        }
}

/* In single precision the tables become floats. */
static void narrow(pm_repeated_float *f)
{
    const pm_repeated_digits *d = &f->digits;
    const int64_t numbers = (int64_t)f->powers.rows * pm_dense_components(f->kind);
    if (!pm_dense_is_single(f->kind))
        return;
    pm_single_narrow(f->table, numbers * d->padded);
    pm_single_narrow(f->weight, 2 * d->padded);
    pm_single_narrow(f->start, numbers);
    pm_single_narrow(f->entry, numbers * (d->count - d->inner));
}

static void set_spread(const double *inexact, pm_repeated_float *f)
{
    f->scale = pm_repeated_spread_scale(&f->powers, inexact, f->raised);
    for (int32_t i = 0; i < f->powers.rows && pm_dense_is_single(f->kind); ++i)
        f->raised[i] = pm_single_at_least(f->raised[i]);
    f->has_spread = f->scale > 0;
}

/* ---- errors ---- */

/* Of the sum of a block. */
static double block_rounding(const pm_repeated_float *f, double n)
{
    const double u = 0x1p-53;
    double adds = (double)f->digits.padded / lanes_of(f->kind)
                  * fmin((double)f->digits.tiles, PM_REPEATED_BLOCK);
    if (pm_dense_is_quad(f->kind))
        return (4 * adds + 4 * (7. * n + 3)) * u;
    if (pm_dense_is_single(f->kind))
        return (3 + 2) * PM_SINGLE_ROUNDING
               + adds * adds * PM_SINGLE_ROUNDING * PM_SINGLE_ROUNDING * u;
    if (f->precision == PM_DQ)
        return (4 * adds + 64) * u;
    return f->precision == PM_DOUBLE ? 3 + adds : 3 + 2 + adds * adds * u;
}

static double rounding_of(const pm_repeated_float *f, const pm_sweep *s, double n)
{
    const double u = 0x1p-53;
    double blocks = (double)s->piece / PM_REPEATED_BLOCK + 5;
    double pieces = (double)s->count / (double)s->piece + 1;
    double sums = 3 * (blocks + pieces) * u;
    return 1.25 * u
           * (pm_repeated_product_rounding(f->kind, n)
              + pm_repeated_weight_rounding(f->kind, &f->digits, n) + block_rounding(f, n) + sums);
}

/* ---- the sweep ---- */

/* Of a piece: units of a vector operation. */
#define MOST_WORK 2e6

/* Some milliseconds with the widest vectors; whole blocks, a power of two of them, as those of devices. */
static uint64_t piece_of(const pm_repeated_float *f)
{
    uint64_t piece = PM_REPEATED_BLOCK;
    static const double of_kind[PM_DENSE_KINDS] = {1, 4, 8, 32, 1, 4};
    double vectors = (double)f->digits.padded / lanes_of(f->kind);
    double work = PM_REPEATED_BLOCK * vectors * (f->powers.rows + 4) * of_kind[f->kind];
    for (; 2 * work <= MOST_WORK; work *= 2)
        piece *= 2;
    return piece;
}

/* Then parts that devices do have the digits of the whole: a tile is a segment. */
static uint64_t share_of(uint64_t piece)
{
    const uint64_t group = PM_GPU_GROUP * PM_GPU_THREADS;
    return group > piece ? group : piece;
}

static void free_problem(void *problem)
{
    pm_repeated_float *f = problem;
    if (!f)
        return;
    free(f->room);
    free(f->digit_weight);
    free(f);
}

static pm_status allocate(pm_repeated_float *f)
{
    const pm_repeated_digits *d = &f->digits;
    int64_t numbers = (int64_t)f->powers.rows * pm_dense_components(f->kind), values = 0;
    int64_t table = numbers * d->padded, weights = 2 * d->padded;
    int64_t start = pm_repeated_whole_vectors(numbers), entry = numbers * (d->count - d->inner);
    for (int32_t j = 0; j < d->count; ++j) {
        f->first[j] = (int32_t)values;
        values += d->digit[j].radix;
    }
    f->digit_weight = pm_alloc_array(values, sizeof *f->digit_weight);
    f->room = pm_alloc_array(table + weights + start + entry + PM_REPEATED_LANES, sizeof *f->room);
    if (!f->digit_weight || !f->room)
        return PM_ENOMEM;
    f->table = pm_repeated_aligned(f->room);
    f->weight = f->table + table;
    f->start = f->weight + weights;
    f->entry = f->start + start;
    return PM_OK;
}

static pm_status make_problem(const pm_square *s, pm_precision precision,
                              const pm_repeated_digits *digits, pm_repeated_float **out)
{
    pm_repeated_float *f = pm_calloc_array(1, sizeof *f);
    if (!(*out = f))
        return PM_ENOMEM;
    f->kind = pm_repeated_kind(s, precision);
    f->precision = precision;
    f->digits = *digits;
    f->rows = (int32_t)pm_repeated_rows(s);
    f->powers = pm_repeated_powers_make(s);
    return allocate(f);
}

pm_status pm_repeated_float_prepare_isa(const pm_square *s, pm_precision precision, pm_isa isa,
                                        pm_sweep *out, pm_error *err)
{
    double inexact[PM_SQUARE_MAX] = {0}, n = pm_repeated_rows(s);
    pm_repeated_float *f = NULL;
    pm_repeated_digits digits;
    pm_status status = pm_repeated_float_digits(s, precision, &digits, err);
    if (status)
        return status;
    entries e = {.n = s->n, .components = pm_dense_components(pm_repeated_kind(s, precision))};
    double *value = pm_calloc_array((int64_t)e.n * e.n * e.components, sizeof *value);
    if (!value || make_problem(s, precision, &digits, &f)) {
        free(value);
        free_problem(f);
        return pm_fail_memory(err, "tables");
    }
    int64_t shift = pm_repeated_float_entries(s, f->kind, value, inexact);
    e.value = value;
    set_digit_weights(f);
    set_pattern_weights(f);
    fill_tables(&e, f);
    narrow(f);
    free(value);
    set_spread(inexact, f);
    *out = (pm_sweep){.what = "repeated",
                      .count = digits.tiles,
                      .grain = 1,
                      .piece = piece_of(f),
                      .share = share_of(piece_of(f)),
                      .shift = shift,
                      .problem = f,
                      .range = range_for(isa, f->kind),
                      .free_problem = free_problem};
    f->sample = sample_of(&digits);
    out->sampled = f->has_spread && f->sample > 1;
    out->rounding = rounding_of(f, out, n);
    if (pm_dense_is_single(f->kind))
        out->lost =
            pm_single_lost((double)digits.tiles * (double)digits.patterns, n + digits.count);
    return PM_OK;
}

pm_status pm_repeated_float_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                    pm_error *err)
{
    return pm_repeated_float_prepare_isa(s, *(const pm_precision *)choice, pm_isa_best(), out, err);
}
