/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_float.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_float_entries.h"
#include "dense/dense_float_problem.h"
#include "dense/ryser_gpu_kernel.h"
#include "pm/alloc.h"

/* The spread is computed for all terms if there are at most WHOLE, else for about SAMPLES of them,
 * but for at least one in SPARSEST, which costs little time. */
enum { WHOLE = 1 << 17, SAMPLES = 1 << 16, SPARSEST = 128, SPARSEST_COMPLEX = 512 };

static pm_dense_range *range_for(pm_isa isa, pm_dense_kind kind)
{
    const bool is_single = pm_dense_is_single(kind);
    const int which = is_single ? kind - PM_DENSE_SINGLE : kind;
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return (is_single ? pm_dense_single_avx512 : pm_dense_float_avx512)[which];
    if (isa == PM_ISA_AVX2)
        return (is_single ? pm_dense_single_avx2 : pm_dense_float_avx2)[which];
#endif
    (void)isa;
    return (is_single ? pm_dense_single_portable : pm_dense_float_portable)[which];
}

/* ---- tables ---- */

static bool bit(int pattern, int b)
{
    return pattern >> b & 1;
}

/* Component c of entry (i, j). */
typedef struct {
    const double *value;
    int32_t n;
    int components, lane_bits, tile_bits;
} entries;

static double entry_at(const entries *e, int32_t i, int32_t j, int c)
{
    return e->value[((int64_t)i * e->n + j) * e->components + c];
}

static double lane_start(const entries *e, int32_t i, int c, int lane)
{
    double sum = 0;
    for (int32_t j = 0; j < e->lane_bits; ++j)
        sum += bit(lane, j) ? -entry_at(e, i, j, c) : entry_at(e, i, j, c);
    for (int32_t j = e->tile_bits; j < e->n; ++j)
        sum += entry_at(e, i, j, c);
    return sum;
}

static double pattern_sum(const entries *e, int32_t i, int c, int pattern)
{
    double sum = 0;
    for (int32_t j = e->lane_bits; j < e->tile_bits; ++j)
        sum += bit(pattern, j - e->lane_bits) ? -entry_at(e, i, j, c) : entry_at(e, i, j, c);
    return sum;
}

static void fill_tables(const entries *e, pm_dense_float *f)
{
    int lanes = pm_dense_lanes(f->kind), patterns = pm_dense_patterns(f->kind);
    double *start = f->start, *table = f->table, *column = f->column;
    for (int32_t i = 0; i < f->n; ++i)
        for (int c = 0; c < e->components; ++c) {
            for (int lane = 0; lane < lanes; ++lane)
                *start++ = lane_start(e, i, c, lane);
            for (int k = 0; k < patterns; ++k)
                *table++ = pattern_sum(e, i, c, k);
        }
    for (int32_t j = e->tile_bits; j < f->n - 1; ++j)
        for (int32_t i = 0; i < f->n; ++i)
            for (int c = 0; c < e->components; ++c)
                *column++ = entry_at(e, i, j, c);
    if (pm_dense_is_single(f->kind)) {
        pm_single_narrow(f->start, start - f->start + e->components * lanes);
        pm_single_narrow(f->table, table - f->table);
        pm_single_narrow(f->column, column - f->column + e->components);
    }
}

/* S so that S e_i is about 2^-28 of the largest row sum; S is at most 2^900. */
static void set_spread(const double *inexact, pm_dense_float *f)
{
    double most = 0;
    int top;
    for (int32_t i = 0; i < f->n; ++i)
        most = fmax(most, inexact[i]);
    f->has_spread = most > 0;
    frexp(most, &top);
    f->scale = ldexp(1, most > 0 && top < -28 ? top > -928 ? -28 - top : 900 : 0);
    for (int32_t i = 0; i < f->n; ++i)
        f->raised[i] = pm_dense_is_single(f->kind) ? pm_single_at_least(f->scale * inexact[i])
                                                   : f->scale * inexact[i];
}

static uint64_t sample_of(pm_dense_kind kind, uint64_t terms)
{
    uint64_t sparsest = pm_dense_is_complex(kind) ? SPARSEST_COMPLEX : SPARSEST;
    if (terms <= WHOLE)
        return 1;
    return terms / SAMPLES < sparsest ? terms / SAMPLES : sparsest;
}

/* ---- errors ----
 *
 * Row sums are exact.  All errors are relative to the sum of |terms|, in units of u = 2^-53, to
 * first order.  Products: n - 1 roundings; complex ones sqrt 5 each (Brent, Percival and Zimmermann
 * 2007). Double-double: the low part is at most 2 k u of the product after k rows; step k rounds it
 * three times and omits low * low: 6 k u, together 4 n^2 u.  Complex: 7/2 k u in the low part by
 * the same count, 19 k u + 7 u for a step, together 10 (n + 1)^2 u.
 * Sums: three levels in a unit, then one of at most four units a tile in a lane, each rounded
 * (double) or compensated; in double-double a level costs 7 n u + 3 u for the low parts, an
 * addition to a lane 4 u; blocks by additions of 3 u.
 * In single precision products and the compensated sums of a block have 2^-24 in place of u.
 * The factor 1.25 covers the terms of higher order and the rounding of `absolute` itself: at most
 * 2^50 additions with an error of 2^-53 each. */

static double product_rounding(const pm_dense_float *f)
{
    const double u = 0x1p-53;
    double n = f->n;
    switch (f->kind) {
    case PM_DENSE_REAL: return n - 1;
    case PM_DENSE_COMPLEX: return 2.25 * (n - 1);
    case PM_DENSE_QUAD: return 4 * n * n * u;
    case PM_DENSE_COMPLEX_QUAD: return 10 * (n + 1) * (n + 1) * u;
    case PM_DENSE_SINGLE: return (n - 1) * PM_SINGLE_ROUNDING;
    case PM_DENSE_COMPLEX_SINGLE: return 2.25 * (n - 1) * PM_SINGLE_ROUNDING;
    }
    return INFINITY;
}

static double block_rounding(const pm_dense_float *f, double tiles)
{
    const double u = 0x1p-53;
    double units = pm_dense_patterns(f->kind) / pm_dense_unit(f->kind);
    double adds = units * fmin(tiles, PM_DENSE_BLOCK);
    if (pm_dense_is_quad(f->kind))
        return (4 * adds + 4 * (7. * f->n + 3)) * u;
    if (pm_dense_is_single(f->kind))
        return (3 + 2) * PM_SINGLE_ROUNDING
               + adds * adds * PM_SINGLE_ROUNDING * PM_SINGLE_ROUNDING * u;
    if (f->precision == PM_DQ)
        return (4 * adds + 64) * u;
    if (f->precision == PM_DOUBLE)
        return 3 + adds;
    return 3 + 2 + adds * adds * u;
}

static double rounding_of(const pm_dense_float *f, const pm_sweep *s)
{
    const double u = 0x1p-53;
    double blocks = (double)s->piece / ((double)s->grain * PM_DENSE_BLOCK) + 5;
    double pieces = (double)s->count / (double)s->piece + 1;
    double tiles = (double)s->count / (double)s->grain;
    double sums = 3 * (blocks + pieces) * u;
    return 1.25 * u * (product_rounding(f) + block_rounding(f, tiles) + sums);
}

/* ---- the sweep ---- */

/* A piece takes about a millisecond with the widest vectors. */
static int piece_bits(pm_dense_kind kind)
{
    return kind == PM_DENSE_SINGLE         ? 21
           : kind == PM_DENSE_REAL         ? 20
           : kind == PM_DENSE_COMPLEX_QUAD ? 15
                                           : 18;
}

static void free_problem(void *problem)
{
    pm_dense_float *f = problem;
    if (!f)
        return;
    free(f->start);
    free(f->column);
    free(f->table);
    free(f);
}

static pm_status make_problem(pm_dense_kind kind, int32_t n, pm_precision precision,
                              pm_dense_float **out)
{
    int components = pm_dense_components(kind);
    int64_t numbers = (int64_t)n * components, columns = n - 1 - pm_dense_tile_bits(kind);
    pm_dense_float *f = pm_calloc_array(1, sizeof *f);
    if (!(*out = f))
        return PM_ENOMEM;
    *f = (pm_dense_float){.kind = kind, .precision = precision, .n = n};
    f->start = pm_calloc_array((numbers + components) * pm_dense_lanes(kind), sizeof *f->start);
    f->column = pm_calloc_array(numbers * columns + components, sizeof *f->column);
    f->table = pm_alloc_array(numbers * pm_dense_patterns(kind), sizeof *f->table);
    return f->start && f->column && f->table ? PM_OK : PM_ENOMEM;
}

pm_status pm_dense_float_prepare_isa(const pm_square *s, pm_precision precision, pm_isa isa,
                                     pm_sweep *out, pm_error *err)
{
    pm_dense_kind kind = pm_dense_kind_of(precision, s->im);
    int bits = pm_dense_tile_bits(kind);
    int32_t n = s->n > bits ? s->n : bits + 1;
    double inexact[PM_SQUARE_MAX] = {0};
    pm_dense_float *f = NULL;
    entries e = {.n = n,
                 .components = pm_dense_components(kind),
                 .lane_bits = pm_dense_lane_bits(kind),
                 .tile_bits = bits};
    double *value = pm_calloc_array((int64_t)n * n * e.components, sizeof *value);
    if (!value || make_problem(kind, n, precision, &f)) {
        free(value);
        free_problem(f);
        return pm_fail_memory(err, "tables");
    }
    int64_t shift = pm_dense_float_entries(s, kind, n, value, inexact);
    shift += pm_dense_float_lift(kind, n, value, inexact);
    e.value = value;
    fill_tables(&e, f);
    free(value);
    set_spread(inexact, f);
    *out = (pm_sweep){.what = "ryser",
                      .count = UINT64_C(1) << (n - 1),
                      .grain = UINT64_C(1) << bits,
                      .piece = UINT64_C(1) << piece_bits(kind),
                      .shift = shift - (n - 1),
                      .problem = f,
                      .range = range_for(isa, kind),
                      .free_problem = free_problem};
    /* Then parts that devices do have the digits of the whole, and parts of both fit together. */
    out->share = pm_ryser_gpu_share(n, kind, precision, out->piece);
    f->sample = sample_of(kind, out->count);
    out->sampled = f->has_spread && f->sample > 1;
    out->rounding = rounding_of(f, out);
    out->lost = pm_dense_is_single(kind) ? pm_single_lost((double)out->count, n) : 0;
    return PM_OK;
}

pm_status pm_dense_float_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                 pm_error *err)
{
    return pm_dense_float_prepare_isa(s, *(const pm_precision *)choice, pm_isa_best(), out, err);
}
