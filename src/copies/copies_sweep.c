/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "copies/copies_sweep.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "copies/copies_entries.h"
#include "copies/copies_problem.h"
#include "copies/copies_tables.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "repeated/repeated_rounding.h"
#include "sweep/sweep.h"

static pm_copies_range *range_for(pm_isa isa, int kind, bool has_loops)
{
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return pm_copies_avx512[kind][has_loops];
    if (isa == PM_ISA_AVX2)
        return pm_copies_avx2[kind][has_loops];
#endif
    (void)isa;
    return pm_copies_portable[kind][has_loops];
}

/* ---- the digits ---- */

static pm_status make_digits(const pm_vertex_classes *x, int kind, pm_repeated_digits *out,
                             pm_error *err)
{
    pm_square shape = {.n = x->count};
    for (int32_t i = 0; i < x->count; ++i)
        shape.col_times[i] = x->times[i];
    if (kind != PM_COPIES_RESIDUE && x->total > PM_COPIES_FLOAT_MAX)
        return pm_fail(err, PM_UNABLE,
                       "repeated counts real and complex graphs of up to %d vertices, not %lld",
                       PM_COPIES_FLOAT_MAX, (long long)x->total);
    const double tables = x->has_loops ? 3 : 2;
    return pm_repeated_digits_make(
        &shape, sizeof(double) * (tables * pm_copies_components(kind) + 1), out, err);
}

/* ---- cost ---- */

/* In vector operations: a product, a sum. */
static const struct {
    double product, sum;
} costs[PM_COPIES_KINDS] = {{1, 1}, {6, 2}, {8, 8}, {40, 16}, {9, 6}};

static double term_work(const pm_vertex_classes *x, int kind)
{
    const double product = costs[kind].product, sum = costs[kind].sum;
    const uint32_t half = (uint32_t)(x->total / 2);
    const double size = kind == PM_COPIES_RESIDUE ? 0 : 8 * half + 60;
    if (x->has_loops)
        return half * (3 * product + sum) + size + 4 * sum + 8;
    const int products = half ? 31 - __builtin_clz(half) + __builtin_popcount(half) - 1 : 0;
    return products * product + 4 * sum + 10;
}

/* What a tile costs besides its patterns. */
static double tile_work(const pm_repeated_digits *d, int kind)
{
    const double number = kind == PM_COPIES_RESIDUE ? 60 : kind == PM_DENSE_REAL ? 50 : 80;
    double values = 0;
    for (int32_t j = 0; j < d->inner; ++j)
        values += (double)d->digit[j].radix;
    return number * ((double)d->count * (d->count - d->inner + 1) + values) + 300;
}

pm_status pm_copies_cost_of(const pm_vertex_classes *x, int kind, pm_copies_cost *out,
                            pm_error *err)
{
    pm_repeated_digits d;
    pm_status status = make_digits(x, kind, &d, err);
    if (status)
        return status;
    const double tile =
        (double)d.padded / PM_REPEATED_LANES * term_work(x, kind) + tile_work(&d, kind);
    *out = (pm_copies_cost){.terms = (double)d.tiles * (double)d.patterns,
                            .work = (double)d.tiles * tile + 100. * (double)d.patterns,
                            .memory = 1e6 + 16. * (double)d.padded * pm_copies_components(kind)
                                      + 24. * pm_repeated_values(&d) + 8. * (double)x->total};
    return PM_OK;
}

/* ---- the problem ---- */

static void free_problem(void *problem)
{
    pm_copies *f = problem;
    if (!f)
        return;
    free(f->edge);
    free(f->loop);
    free(f->digit_weight);
    free(f->room);
    free(f->coefficient);
    free(f);
}

static pm_status allocate(pm_copies *f, int64_t *most)
{
    const pm_repeated_digits *d = &f->digits;
    const int64_t n = d->count, components = pm_copies_components(f->kind);
    int64_t values = 0;
    *most = 1;
    for (int32_t j = 0; j < n; ++j) {
        f->first[j] = (int32_t)values;
        values += d->digit[j].radix;
        *most = d->digit[j].radix > *most ? d->digit[j].radix : *most;
    }
    if (values > INT32_MAX)
        return PM_ENOMEM;
    f->edge = pm_calloc_array(n * n, sizeof *f->edge);
    f->loop = pm_calloc_array(n, sizeof *f->loop);
    f->digit_weight = pm_calloc_array(values, sizeof *f->digit_weight);
    f->coefficient = pm_calloc_array(2 * (f->half + (int64_t)1), sizeof *f->coefficient);
    f->room =
        pm_calloc_array((2 * components + 2) * d->padded + PM_REPEATED_LANES, sizeof *f->room);
    if (!f->edge || !f->loop || !f->digit_weight || !f->coefficient || !f->room)
        return PM_ENOMEM;
    f->quadratic = pm_repeated_aligned(f->room);
    f->linear = f->quadratic + components * d->padded;
    f->weight = f->linear + components * d->padded;
    return PM_OK;
}

/* The loop hafnian is 2^shift times the sum of the terms, divided by `divisor`. */
typedef struct {
    pm_copies *f;
    int64_t shift;
    mpz_t divisor;
    double error; /* of q and of l */
} problem;

static void set_divisor(const pm_vertex_classes *x, problem *w)
{
    const unsigned long n = (unsigned long)x->total;
    mpz_fac_ui(w->divisor, x->has_loops ? n : n / 2);
    if (!x->has_loops)
        w->shift -= (int64_t)(n / 2);
}

/* See the header.  A double-double that is rounded to double; then products and sums in this. */
static double error_of_forms(const pm_copies *f)
{
    const double u = 0x1p-53, k = f->digits.inner, n = f->digits.count;
    if (f->kind >= PM_DENSE_QUAD)
        return (40 * n + 4 * k * k + 50 * k + 200) * u * u;
    return (4 * k + 16) * u + (40 * n + 200) * u * u;
}

static void set_errors(problem *w)
{
    pm_copies *f = w->f;
    int top;
    w->error = error_of_forms(f);
    frexp(w->error, &top);
    f->scale = ldexp(1, -20 - top);
    f->raised_q = f->raised_l = f->scale * w->error;
}

static pm_status make(const pm_vertex_classes *x, int kind, uint64_t prime, problem *w,
                      pm_error *err)
{
    int64_t most, coefficient_shift;
    pm_copies *f = w->f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "tables");
    *f = (pm_copies){.kind = kind,
                     .has_loops = x->has_loops,
                     .half = (int32_t)(x->total / 2),
                     .is_odd = x->total % 2,
                     .p = (double)prime,
                     .inverse = 1 / (double)prime};
    pm_status status = make_digits(x, kind, &f->digits, err);
    if (status)
        return status;
    uint64_t *residue = NULL;
    if (allocate(f, &most) || !(residue = pm_alloc_array(most, sizeof *residue))) {
        free(residue);
        return pm_fail_memory(err, "tables");
    }
    pm_copies_set_entries(x, f, &w->shift);
    pm_copies_fill_tables(f, x->total, residue, &coefficient_shift);
    free(residue);
    w->shift += coefficient_shift;
    set_divisor(x, w);
    if (kind != PM_COPIES_RESIDUE)
        set_errors(w);
    return PM_OK;
}

/* ---- the sweep ---- */

/* Some milliseconds with the widest vectors. */
static uint64_t piece_of(const pm_vertex_classes *x, const pm_copies *f)
{
    const double vectors = (double)f->digits.padded / PM_REPEATED_LANES;
    const double work = vectors * term_work(x, f->kind) + tile_work(&f->digits, f->kind);
    return (uint64_t)fmax(1, 2e7 / work);
}

static double rounding_of(const pm_copies *f, const pm_sweep *s, double n)
{
    const double u = 0x1p-53, half = f->half, adds = (double)f->digits.padded / PM_REPEATED_LANES;
    const bool is_quad = f->kind >= PM_DENSE_QUAD;
    const pm_dense_kind kind = (pm_dense_kind)f->kind;
    const double tiles = 3 * ((double)s->piece + (double)s->count / (double)s->piece + 2) * u;
    const double terms = !f->has_loops ? pm_repeated_product_rounding(kind, half)
                         : is_quad     ? (400 * half * half + 400 * half + 100) * u
                                       : 5.5 * half + 12;
    const double sums = is_quad ? (4 * adds + 28 * n + 64) * u : adds + 64 * u;
    return 1.25 * u * (terms + pm_repeated_weight_rounding(kind, &f->digits, n) + sums + tiles);
}

static pm_status sweep(const pm_vertex_classes *x, problem *w, pm_isa isa,
                       const pm_ledger_scope *scope, const pm_run *run, pm_sweep *s, pm_sum *sum,
                       pm_error *err)
{
    const double choice[2] = {w->f->kind, w->f->p};
    *s = (pm_sweep){.what = "repeated",
                    .count = w->f->digits.tiles,
                    .grain = 1,
                    .piece = piece_of(x, w->f),
                    .limbs = w->f->kind == PM_COPIES_RESIDUE ? 2 : 0,
                    .problem = w->f,
                    .range = range_for(isa, w->f->kind, w->f->has_loops)};
    return pm_sweep_all(s, scope, choice, sizeof choice, run, sum, err);
}

pm_status pm_copies_residue(const pm_vertex_classes *x, uint64_t prime, pm_isa isa,
                            const pm_ledger_scope *scope, const pm_run *run, uint64_t *residue,
                            pm_error *err)
{
    pm_sweep s;
    pm_sum sum;
    problem w = {.f = NULL};
    mpz_init(w.divisor);
    pm_status status = make(x, PM_COPIES_RESIDUE, prime, &w, err);
    if (!status)
        status = sweep(x, &w, isa, scope, run, &s, &sum, err);
    if (!status) {
        const uint64_t divisor = mpz_fdiv_ui(w.divisor, prime);
        *residue = pm_mod_mul(pm_sum_residue(&sum, 0, w.shift - x->total, prime),
                              pm_mod_inverse(divisor, prime), prime);
    }
    free_problem(w.f);
    mpz_clear(w.divisor);
    return status;
}

/* Of errors of q; see the header. */
static double spread_of(const problem *w, const pm_sum *sum)
{
    const double half = w->f->half, most = sum->absolute * (1 + 0x1p-30);
    if (w->f->has_loops)
        return sum->spread * (1 + 0x1p-30);
    if (most == 0)
        return 0; /* less than what underflow takes */
    return 1.01 * most * expm1(half * log1p(w->error * pow(most, -1 / half)));
}

/* The terms are at most 1; what underflows in all of them is less than this. */
#define UNDERFLOW_ERROR 0x1p-900

static void finish(const pm_vertex_classes *x, const problem *w, const pm_sweep *s,
                   const pm_sum *sum, pm_value *out)
{
    mpq_t inverse;
    mpq_init(inverse);
    mpz_set_ui(mpq_numref(inverse), 1);
    mpz_set(mpq_denref(inverse), w->divisor);
    const pm_xreal factor = pm_xreal_from_mpq(inverse);
    mpq_clear(inverse);
    const double error = rounding_of(w->f, s, (double)x->total) * sum->absolute + spread_of(w, sum)
                         + UNDERFLOW_ERROR
                         + 4 * PM_XREAL_EPS * (fabs(sum->re[0]) + fabs(sum->im[0]));
    pm_value_set_real(out, x->a->field,
                      pm_xreal_mul(pm_xreal_make(sum->re[0], sum->re[1], w->shift), factor),
                      pm_xreal_mul(pm_xreal_make(sum->im[0], sum->im[1], w->shift), factor),
                      pm_xreal_mul(pm_xreal_make(error * (1 + 0x1p-40), 0, w->shift), factor));
}

pm_status pm_copies_float(const pm_vertex_classes *x, int kind, pm_isa isa,
                          const pm_ledger_scope *scope, const pm_run *run, pm_value *out,
                          pm_error *err)
{
    pm_sweep s;
    pm_sum sum;
    problem w = {.f = NULL};
    mpz_init(w.divisor);
    pm_status status = make(x, kind, 0, &w, err);
    if (!status)
        status = sweep(x, &w, isa, scope, run, &s, &sum, err);
    if (!status)
        finish(x, &w, &s, &sum, out);
    free_problem(w.f);
    mpz_clear(w.divisor);
    return status;
}
