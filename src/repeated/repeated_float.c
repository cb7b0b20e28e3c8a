/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_float.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_float_entries.h"
#include "pm/alloc.h"
#include "repeated/repeated_float_problem.h"

/* The spread is computed for all terms if there are at most WHOLE, else for about SAMPLES of them,
 * but for at least one in SPARSEST, which costs little time. */
enum { WHOLE = 1 << 15, SAMPLES = 1 << 14, SPARSEST = 512 };

pm_dense_kind pm_repeated_kind(const pm_square *s, pm_precision precision)
{
    if (precision == PM_QUAD)
        return s->field == PM_COMPLEX ? PM_DENSE_COMPLEX_QUAD : PM_DENSE_QUAD;
    return s->field == PM_COMPLEX ? PM_DENSE_COMPLEX : PM_DENSE_REAL;
}

static pm_repeated_range *range_for(pm_isa isa, pm_dense_kind kind)
{
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return pm_repeated_float_avx512[kind];
    if (isa == PM_ISA_AVX2)
        return pm_repeated_float_avx2[kind];
#endif
    (void)isa;
    return pm_repeated_float_portable[kind];
}

static double total_of(const int32_t *times, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; ++i)
        sum += times[i];
    return sum;
}

pm_status pm_repeated_float_digits(const pm_square *s, pm_precision precision,
                                   pm_repeated_digits *out, pm_error *err)
{
    double rows = total_of(s->row_times, s->n);
    if (rows > PM_REPEATED_FLOAT_MAX)
        return pm_fail(err, PM_UNABLE,
                       "repeated counts real and complex matrices of up to %d rows, not %.0f",
                       PM_REPEATED_FLOAT_MAX, rows);
    int32_t different = 0;
    for (int32_t i = 0; i < s->n; ++i)
        different += s->row_times[i] > 0;
    double components = pm_dense_components(pm_repeated_kind(s, precision));
    return pm_repeated_digits_make(s, sizeof(double) * components * different, out, err);
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
    } of[PM_DENSE_KINDS] = {{1, 1, 16, 6}, {2, 6, 24, 26}, {5, 7, 30, 14}, {10, 38, 60, 50}};
    pm_repeated_powers p = pm_repeated_powers_make(s);
    pm_dense_kind kind = pm_repeated_kind(s, precision);
    double products = pm_repeated_multiplications(&p),
           vectors = (double)d->padded / PM_REPEATED_LANES;
    double term = of[kind].sum * p.rows + of[kind].product * products + of[kind].term;
    double spread = of[kind].spread * products / (double)sample_of(d);
    double tile = 40 + 2. * p.rows * pm_dense_components(kind);
    return (double)d->tiles * (vectors * (term + spread) + tile);
}

/* ---- weights ---- */

/* C(c,k) is below 2^53 for c up to this. */
enum { SMALL_TIMES = 55 };

/* high + low = C(c,k), at most 106 bits of it. */
static void set_binomial(int32_t c, int32_t k, double *high, double *low)
{
    mpz_t z, h;
    mpz_init(z);
    mpz_init(h);
    mpz_bin_uiui(z, (unsigned long)c, (unsigned long)k);
    double top = mpz_get_d(z);
    mpz_set_d(h, top);
    mpz_sub(z, z, h);
    pm_two_sum(top, mpz_get_d(z), high, low);
    mpz_clear(z);
    mpz_clear(h);
}

static void set_weights(const pm_repeated_digit *g, double (*out)[2])
{
    int64_t small = 1;
    for (int32_t k = 0; k < g->radix; ++k) {
        out[k][0] = (double)small;
        out[k][1] = 0;
        if (g->times <= SMALL_TIMES)
            small = small * (g->times - k) / (k + 1); /* C(c,k+1) (k + 1) is below 2^59 */
        else
            set_binomial(g->times, k, &out[k][0], &out[k][1]);
        double factor = ldexp(1, -g->times);
        for (int i = 0; i < 2; ++i)
            out[k][i] *= k % 2 ? -factor : factor;
    }
}

static void set_digit_weights(pm_repeated_float *f)
{
    for (int32_t j = 0; j < f->digits.count; ++j)
        set_weights(&f->digits.digit[j], f->digit_weight + f->first[j]);
}

/* One digit after another, as fill_row. */
static void set_pattern_weights(pm_repeated_float *f)
{
    const pm_repeated_digits *d = &f->digits;
    double *high = f->weight, *low = f->weight + d->padded;
    int64_t known = 1;
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

/* True when all products of weights have at most 53 bits. */
static bool has_exact_weights(const pm_repeated_digits *d)
{
    double bits = 0;
    for (int32_t j = 0; j < d->count; ++j) {
        double n = d->digit[j].times, half = floor(n / 2);
        bits += (lgamma(n + 1) - lgamma(half + 1) - lgamma(n - half + 1)) / log(2);
    }
    return bits < 52;
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

/* One digit after another: the patterns of the first digits are known when the next is added. */
static void fill_row(const pm_repeated_float *f, const entries *e, int32_t i, int component,
                     double *t)
{
    const pm_repeated_digits *d = &f->digits;
    int64_t known = 1;
    t[0] = 0;
    for (int32_t j = 0; j < d->inner; ++j) {
        double a = entry_at(f, e, i, j)[component];
        int32_t times = d->digit[j].times;
        for (int64_t k = d->digit[j].radix - 1; k >= 0; --k)
            for (int64_t p = 0; p < known; ++p)
                t[known * k + p] = t[p] + (double)(times - 2 * k) * a;
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
            fill_row(f, e, i, c, f->table + at * d->padded);
            for (int32_t j = 0; j < outer; ++j) {
                double a = entry_at(f, e, i, d->inner + j)[c];
                f->start[at] += d->digit[d->inner + j].times * a;
                f->entry[(int64_t)j * rows * e->components + at] = 2 * a;
            }
        }
}

/* S so that S e_i is about 2^-28 of the largest row sum; S is at most 2^900. */
static void set_spread(const double *inexact, pm_repeated_float *f)
{
    double most = 0;
    int top;
    for (int32_t i = 0; i < f->powers.rows; ++i)
        most = fmax(most, inexact[f->powers.row[i]]);
    f->has_spread = most > 0;
    frexp(most, &top);
    f->scale = ldexp(1, most > 0 && top < -28 ? top > -928 ? -28 - top : 900 : 0);
    for (int32_t i = 0; i < f->powers.rows; ++i)
        f->raised[i] = f->scale * inexact[f->powers.row[i]];
}

/* ---- errors ----
 *
 * As in dense/dense_float.c, relative to the sum of |terms|, in units of u = 2^-53, to first order.
 * Products: N - 1 roundings; complex ones sqrt 5 each.  Double-double: the low part is at most 2 k u
 * of a product of k row sums, and a product of k + l row sums rounds it three times, 6 (k + l) u,
 * and omits low * low, 4 k l u.  Over all products of a term the sum of k + l is at most N^2 / 2 +
 * N, that of k l is N (N - 1) / 2: together 5 N^2 u + 6 N u.  Complex: 7/2 k u in the low part, 19
 * (k + l) u for a product and 2 (7/2)^2 k l u for what is omitted, together 22 N^2 u + 26 N u.
 * Weights: exact, or rounded for the pattern, the tile and their product; then one multiplication.
 * In double-double 7 u for each product of weights. */

static double product_rounding(const pm_repeated_float *f, double n)
{
    const double u = 0x1p-53;
    switch (f->kind) {
    case PM_DENSE_REAL: return n - 1;
    case PM_DENSE_COMPLEX: return 2.25 * (n - 1);
    case PM_DENSE_QUAD: return (5 * n * n + 6 * n) * u;
    case PM_DENSE_COMPLEX_QUAD: return (22 * n * n + 26 * n) * u;
    }
    return INFINITY;
}

static double weight_rounding(const pm_repeated_float *f, double n)
{
    double products = 8. * (f->digits.count + 2);
    if (f->kind >= PM_DENSE_QUAD)
        return (products + 14 * n) * 0x1p-53;
    return has_exact_weights(&f->digits) ? 1 : 4 + products * 0x1p-53;
}

static double block_rounding(const pm_repeated_float *f, double n)
{
    const double u = 0x1p-53;
    double adds = (double)f->digits.padded / PM_REPEATED_LANES
                  * fmin((double)f->digits.tiles, PM_REPEATED_BLOCK);
    if (f->kind >= PM_DENSE_QUAD)
        return (4 * adds + 4 * (7. * n + 3)) * u;
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
           * (product_rounding(f, n) + weight_rounding(f, n) + block_rounding(f, n) + sums);
}

/* Entries in double-double have one bit of room for their low parts.  High powers would underflow
 * sooner for it: entries and errors are doubled.  Returns the shift of the permanent. */
static int64_t double_entries(const pm_square *s, double *value, int64_t count, double *inexact)
{
    int64_t rows = 0;
    for (int64_t k = 0; k < count; ++k)
        value[k] *= 2;
    for (int32_t i = 0; i < s->n; ++i) {
        inexact[i] *= 2;
        rows += s->row_times[i];
    }
    return rows;
}

/* ---- the sweep ---- */

/* Some milliseconds with the widest vectors; whole blocks. */
static uint64_t piece_of(const pm_repeated_float *f)
{
    double vectors = (double)f->digits.padded / PM_REPEATED_LANES;
    double work =
        PM_REPEATED_BLOCK * vectors * (f->powers.rows + 4) * (double[]){1, 4, 8, 32}[f->kind];
    return PM_REPEATED_BLOCK * (uint64_t)fmax(1, 2e6 / work);
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
    f->room = pm_calloc_array(table + weights + start + entry + PM_REPEATED_LANES, sizeof *f->room);
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
    f->powers = pm_repeated_powers_make(s);
    return allocate(f);
}

pm_status pm_repeated_float_prepare_isa(const pm_square *s, pm_precision precision, pm_isa isa,
                                        pm_sweep *out, pm_error *err)
{
    double inexact[PM_SQUARE_MAX] = {0}, n = total_of(s->row_times, s->n);
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
    int64_t shift = pm_dense_float_entries(s, f->kind, e.n, value, inexact);
    if (f->kind >= PM_DENSE_QUAD)
        shift -= double_entries(s, value, (int64_t)e.n * e.n * e.components, inexact);
    e.value = value;
    set_digit_weights(f);
    set_pattern_weights(f);
    fill_tables(&e, f);
    free(value);
    set_spread(inexact, f);
    *out = (pm_sweep){.what = "repeated",
                      .count = digits.tiles,
                      .grain = 1,
                      .piece = piece_of(f),
                      .shift = shift,
                      .problem = f,
                      .range = range_for(isa, f->kind),
                      .free_problem = free_problem};
    f->sample = sample_of(&digits);
    out->sampled = f->has_spread && f->sample > 1;
    out->rounding = rounding_of(f, out, n);
    return PM_OK;
}

pm_status pm_repeated_float_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                    pm_error *err)
{
    return pm_repeated_float_prepare_isa(s, *(const pm_precision *)choice, pm_isa_best(), out, err);
}
