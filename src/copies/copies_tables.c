/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "copies/copies_tables.h"

#include <gmp.h>
#include <math.h>

#include "number/dd.h"
#include "number/prime.h"
#include "pm/value.h"
#include "repeated/repeated_weights.h"

/* ---- numbers ---- */

static double least(const pm_copies *f, uint64_t residue)
{
    const double x = (double)residue;
    return x > f->p / 2 ? x - f->p : x;
}

/* to += t a, for an integer t below 2^53 */
static void add_times(const pm_copies *f, pm_copies_number *to, const pm_copies_number *a, double t)
{
    if (f->kind == PM_COPIES_RESIDUE) {
        const int64_t p = (int64_t)f->p;
        const int64_t r =
            (int64_t)(((__int128)(int64_t)a->x[0] * (int64_t)t + (int64_t)to->x[0]) % p);
        to->x[0] = least(f, (uint64_t)(r < 0 ? r + p : r));
        return;
    }
    const double factor[2] = {t, 0};
    for (int i = 0; i < 4; i += 2) {
        double more[2];
        pm_dd_mul(more, a->x + i, factor);
        pm_dd_add(to->x + i, more);
    }
}

static void put(const pm_copies *f, const pm_copies_number *a, double *table, int64_t pattern)
{
    for (int c = 0; c < pm_copies_components(f->kind); ++c)
        table[c * f->digits.padded + pattern] = a->x[f->kind == PM_DENSE_COMPLEX ? 2 * c : c];
}

static double inner_value(const pm_copies *f, int32_t j, int64_t k)
{
    return (double)f->digits.digit[j].times - 2. * (double)k;
}

/* ---- forms of the inner digits ---- */

/* Adds by * h_j: the forms of the first `known` patterns are those of the digits before. */
static void extend_linear(const pm_copies *f, const pm_copies_number *by, int32_t j, int64_t known,
                          pm_copies_number *form)
{
    for (int64_t k = f->digits.digit[j].radix - 1; k >= 0; --k)
        for (int64_t p = 0; p < known; ++p) {
            pm_copies_number x = form[p];
            add_times(f, &x, by, inner_value(f, j, k));
            form[known * k + p] = x;
        }
}

static void fill_linear(const pm_copies *f, pm_copies_number *form)
{
    int64_t known = 1;
    form[0] = (pm_copies_number){{0}};
    for (int32_t j = 0; j < f->digits.inner; ++j) {
        extend_linear(f, &f->loop[j], j, known, form);
        known *= f->digits.digit[j].radix;
    }
    for (int64_t p = 0; p < known; ++p)
        put(f, &form[p], f->linear, p);
}

/* The sum over i < j of a_ij h_i, for the patterns of these digits. */
static int64_t linear_below(const pm_copies *f, int32_t j, pm_copies_number *form)
{
    int64_t known = 1;
    form[0] = (pm_copies_number){{0}};
    for (int32_t i = 0; i < j; ++i) {
        extend_linear(f, &f->edge[(int64_t)j * f->digits.count + i], i, known, form);
        known *= f->digits.digit[i].radix;
    }
    return known;
}

static void fill_quadratic(const pm_copies *f, pm_copies_number *below, pm_copies_number *form)
{
    form[0] = (pm_copies_number){{0}};
    for (int32_t j = 0; j < f->digits.inner; ++j) {
        const int64_t known = linear_below(f, j, below);
        const pm_copies_number *square = &f->edge[(int64_t)j * f->digits.count + j];
        for (int64_t k = f->digits.digit[j].radix - 1; k >= 0; --k)
            for (int64_t p = 0; p < known; ++p) {
                const double h = inner_value(f, j, k);
                pm_copies_number x = form[p];
                add_times(f, &x, &below[p], 2 * h);
                add_times(f, &x, square, h * h);
                form[known * k + p] = x;
            }
    }
    for (int64_t p = 0; p < f->digits.patterns; ++p)
        put(f, &form[p], f->quadratic, p);
}

/* ---- weights ---- */

static void set_digit_weights(pm_copies *f, uint64_t *residue)
{
    for (int32_t j = 0; j < f->digits.count; ++j) {
        const pm_repeated_digit *g = &f->digits.digit[j];
        double(*to)[2] = f->digit_weight + f->first[j];
        if (f->kind != PM_COPIES_RESIDUE) {
            pm_repeated_weights(g, to);
            continue;
        }
        pm_repeated_weights_modulo(g, (uint64_t)f->p, residue);
        for (int64_t k = 0; k < g->radix; ++k)
            to[k][0] = least(f, residue[k]);
    }
}

static void times_weight(const pm_copies *f, const double *by, double *w)
{
    if (f->kind != PM_COPIES_RESIDUE) {
        pm_dd_mul(w, w, by);
        return;
    }
    const int64_t p = (int64_t)f->p, r = (int64_t)((__int128)(int64_t)w[0] * (int64_t)by[0] % p);
    w[0] = least(f, (uint64_t)(r < 0 ? r + p : r));
}

static void set_pattern_weights(pm_copies *f)
{
    const pm_repeated_digits *d = &f->digits;
    double *high = f->weight, *low = f->weight + d->padded;
    int64_t known = 1;
    high[0] = 1;
    for (int32_t j = 0; j < d->inner; ++j) {
        for (int64_t k = d->digit[j].radix - 1; k >= 0; --k)
            for (int64_t p = 0; p < known; ++p) {
                double w[2] = {high[p], low[p]};
                times_weight(f, f->digit_weight[f->first[j] + k], w);
                high[known * k + p] = w[0];
                low[known * k + p] = w[1];
            }
        known *= d->digit[j].radix;
    }
}

/* ---- coefficients ---- */

static void set_coefficient(const pm_copies *f, int64_t shift, const mpz_t c, double *to)
{
    if (f->kind == PM_COPIES_RESIDUE) {
        to[0] = least(f, mpz_fdiv_ui(c, (unsigned long)f->p));
        return;
    }
    mpq_t q;
    mpq_init(q);
    mpq_set_z(q, c);
    const pm_xreal x = pm_xreal_from_mpq(q);
    mpq_clear(q);
    to[0] = ldexp(x.hi, (int)(x.exp - shift));
    to[1] = ldexp(x.lo, (int)(x.exp - shift));
}

/* c_(r+1) = c_r (N - 2r) (N - 2r - 1) / (2 (r + 1)).  Sets the coefficients, or *shift: the bits of the largest one. */
static void visit_coefficients(pm_copies *f, int64_t total, int64_t *shift, bool sets)
{
    mpz_t c;
    mpz_init_set_ui(c, 1);
    for (int64_t r = 0; r <= f->half; ++r) {
        const int64_t bits = (int64_t)mpz_sizeinbase(c, 2);
        if (sets)
            set_coefficient(f, *shift, c, f->coefficient + 2 * r);
        else if (bits > *shift)
            *shift = bits;
        mpz_mul_ui(c, c, (unsigned long)(total - 2 * r));
        if (total - 2 * r > 0)
            mpz_mul_ui(c, c, (unsigned long)(total - 2 * r - 1));
        mpz_divexact_ui(c, c, 2 * (unsigned long)(r + 1));
    }
    mpz_clear(c);
}

void pm_copies_fill_tables(pm_copies *f, int64_t total, uint64_t *residue,
                           int64_t *coefficient_shift)
{
    pm_copies_number form[PM_REPEATED_PATTERNS_MAX], below[PM_REPEATED_PATTERNS_MAX];
    set_digit_weights(f, residue);
    set_pattern_weights(f);
    fill_quadratic(f, below, form);
    *coefficient_shift = 0;
    if (!f->has_loops)
        return;
    fill_linear(f, form);
    if (f->kind != PM_COPIES_RESIDUE)
        visit_coefficients(f, total, coefficient_shift, false);
    visit_coefficients(f, total, coefficient_shift, true);
}
