/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "hafnian/hafnian_entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hafnian/hafnian_scale.h"
#include "number/prime.h"
#include "pm/alloc.h"

/* ---- which entries ---- */

static bool is_plain(const pm_matrix *a)
{
    if (a->field > PM_INTEGER)
        return false;
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_bits(&a->re[k]) + a->re[k].exp > PM_HAFNIAN_PLAIN_BITS)
            return false;
    return true;
}

bool pm_hafnian_has_loops(const pm_matrix *a)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (a->colind[k] == i)
                return true;
    return false;
}

bool pm_hafnian_is_possible(const pm_matrix *a)
{
    return a->nrows % 2 == 0 || pm_hafnian_has_loops(a);
}

pm_status pm_hafnian_entries_find(const pm_matrix *a, pm_hafnian_entries *out, pm_error *err)
{
    const int n = (int)a->nrows + (int)(a->nrows & 1);
    pm_hafnian_entries e = {
        .a = a, .n = n, .is_plain = is_plain(a), .has_loops = pm_hafnian_has_loops(a)};
    e.entry = pm_alloc_array((int64_t)n * n, sizeof *e.entry);
    if (!e.entry)
        return pm_fail_memory(err, "hafnian");
    for (int i = 0; i < n * n; ++i)
        e.entry[i] = PM_HAFNIAN_NONE;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            e.entry[i * n + a->colind[k]] = k;
    if (a->nrows < n)
        e.entry[n * n - 1] = PM_HAFNIAN_ONE;
    *out = e;
    return PM_OK;
}

void pm_hafnian_entries_free(pm_hafnian_entries *e)
{
    free(e->entry);
    *e = (pm_hafnian_entries){0};
}

void pm_hafnian_level_shape(const pm_hafnian_entries *e, pm_hafnian_level *l)
{
    l->pairs = e->n / 2;
    l->sheets = e->has_loops ? 2 : 1;
    l->stride = e->n + 1;
}

/* The entry that is the coefficient from row w to column v. */
static int64_t coefficient(const pm_hafnian_entries *e, int w, int v)
{
    const int n = e->n, other = v ^ 1;
    if (w == n && v == n)
        return PM_HAFNIAN_NONE;
    if (w == n)
        return e->entry[other * n + other];
    if (v == n)
        return e->entry[w * n + w];
    return w == other ? PM_HAFNIAN_NONE : e->entry[w * n + other];
}

/* ---- residues ---- */

static uint64_t residue(const pm_hafnian_entries *e, int64_t k, uint64_t m)
{
    if (k == PM_HAFNIAN_NONE)
        return 0;
    return k == PM_HAFNIAN_ONE || !e->a->re ? 1 % m : pm_dyadic_mod(&e->a->re[k], m);
}

static uint64_t plain(const pm_hafnian_entries *e, int64_t k)
{
    if (k == PM_HAFNIAN_NONE)
        return 0;
    return k == PM_HAFNIAN_ONE || !e->a->re ? 1 : (uint64_t)(int64_t)pm_dyadic_get_d(&e->a->re[k]);
}

/* -1 / m modulo 2^32, by Newton's iteration: each step doubles the number of correct bits, from three. */
static uint64_t negative_inverse(uint64_t m)
{
    uint32_t x = (uint32_t)m;
    for (int i = 0; i < 4; ++i)
        x *= 2 - (uint32_t)m * x;
    return (uint32_t)-x;
}

/* Every reduction divides by R = 2^32.  Where coefficients are R times the entries, a path has its weight; where they are plain
 * ones, its weight is divided by R for each pair.  Cycles have one more factor R, which the product with a count takes away.  So with plain
 * coefficients counts are divided by R for each pair. */
void pm_hafnian_residues(const pm_hafnian_entries *e, pm_hafnian_level *l, uint64_t *step,
                         uint64_t *close, uint64_t *factor)
{
    const uint64_t m = l->modulus, R = (UINT64_C(1) << 32) % m;
    const uint64_t last = e->is_plain ? R : pm_mod_mul(R, R, m);
    pm_hafnian_level_shape(e, l);
    l->inverse = negative_inverse(m);
    l->is_plain = e->is_plain;
    l->step = step;
    l->close = close;
    for (int w = 0; w <= e->n; ++w)
        for (int v = 0; v <= e->n; ++v) {
            const int64_t k = coefficient(e, w, v), at = w * l->stride + v;
            const uint64_t x = residue(e, k, m);
            step[at] = e->is_plain ? plain(e, k) : pm_mod_mul(x, R, m);
            close[at] = pm_mod_mul(x, v == e->n ? R : last, m);
        }
    *factor = e->is_plain ? pm_mod_pow(R, (uint64_t)l->pairs, m) : 1 % m;
}

/* ---- real and complex numbers ---- */

typedef struct {
    pm_xreal re, im;
} number;

static number number_at(const pm_hafnian_entries *e, int64_t k)
{
    number x = {{.hi = 0}, {.hi = 0}};
    if (k == PM_HAFNIAN_NONE)
        return x;
    if (k == PM_HAFNIAN_ONE || !e->a->re)
        x.re = pm_xreal_make(1, 0, 0);
    else
        x.re = pm_xreal_from_dyadic(&e->a->re[k]);
    if (k >= 0 && e->a->im)
        x.im = pm_xreal_from_dyadic(&e->a->im[k]);
    return x;
}

/* |x| < 2^(its result), at least for a part; -INFINITY for 0. */
static double exponent_of(number x)
{
    const double re = x.re.hi == 0 ? -INFINITY : (double)x.re.exp;
    const double im = x.im.hi == 0 ? -INFINITY : (double)x.im.exp;
    return im == -INFINITY ? re : fmax(re, im) + 0.5;
}

/* The largest exponent in row i when each row i is multiplied by 2^(by[i]). */
static double largest(int n, const double *exponent, const double *by, int i)
{
    double most = -INFINITY;
    for (int j = 0; j < n; ++j)
        most = fmax(most, exponent[i * n + j] + by[i] + (j == i ? 0 : by[j]));
    return most;
}

/* Integers; no exponent exceeds 0 with them. */
static void find_factors(int n, const double *exponent, double *by)
{
    enum { ROUNDS = 24 };
    double most = -INFINITY;
    for (int i = 0; i < n; ++i)
        by[i] = 0;
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < n; ++i) {
            const double x = largest(n, exponent, by, i);
            if (x > -INFINITY)
                by[i] -= x / 2;
        }
    for (int i = 0; i < n; ++i)
        by[i] = floor(by[i]);
    for (int i = 0; i < n; ++i)
        most = fmax(most, largest(n, exponent, by, i));
    for (int i = 0; i < n && most > 0; ++i)
        by[i] -= ceil(most);
}

static double scaled(double x, double exponent)
{
    return exponent < -4000 ? 0 : ldexp(x, (int)exponent);
}

static void set_numbers(number x, double shift, int numbers, double *out)
{
    const double re = (double)x.re.exp + shift, im = (double)x.im.exp + shift;
    out[0] = scaled(x.re.hi, re);
    out[1] = scaled(x.re.lo, re);
    if (numbers == 2)
        return;
    out[2] = scaled(x.im.hi, im);
    out[3] = scaled(x.im.lo, im);
}

/* At least |x|, but for underflow. */
static double size_of(const double *x, int numbers)
{
    return (numbers == 2 ? fabs(x[0]) : hypot(x[0], x[2])) * (1 + 0x1p-50);
}

static void set_coefficients(const pm_hafnian_entries *e, pm_hafnian_level *l, int numbers,
                             const double *by, double *step, double *sizes)
{
    const int n = e->n;
    l->is_plain = true;
    for (int w = 0; w <= n; ++w)
        for (int v = 0; v <= n; ++v) {
            const int64_t at = w * l->stride + v;
            double *x = step + at * numbers;
            const double shift = (w == n ? 0 : by[w]) + (v == n ? 0 : by[v ^ 1]);
            set_numbers(number_at(e, coefficient(e, w, v)), shift, numbers, x);
            l->is_plain = l->is_plain && x[1] == 0 && (numbers == 2 || x[3] == 0);
            if (sizes)
                sizes[at] = size_of(x, numbers);
        }
}

static void set_scale(const pm_hafnian_entries *e, const double *exponent, const double *by,
                      pm_hafnian_scale *scale)
{
    enum { LEAST = -600 };
    const int n = e->n;
    double least = 0, sum = 0;
    scale->is_positive = e->a->im == NULL;
    for (int i = 0; i < n; ++i) {
        sum += by[i];
        for (int j = 0; j < n; ++j) {
            const int64_t k = e->entry[i * n + j];
            if (k == PM_HAFNIAN_NONE)
                continue;
            if (k >= 0 && e->a->re && pm_dyadic_sign(&e->a->re[k]) < 0)
                scale->is_positive = false;
            least = fmin(least, exponent[i * n + j] - 1.5 + by[i] + (i == j ? 0 : by[j]));
        }
    }
    scale->shift = -(int64_t)sum;
    scale->may_underflow = least * n < LEAST; /* with loops a matching may have n factors */
}

pm_status pm_hafnian_floats(const pm_hafnian_entries *e, pm_hafnian_level *l, int numbers,
                            double *step, double *sizes, pm_hafnian_scale *scale, pm_error *err)
{
    const int n = e->n;
    double *exponent = pm_alloc_array((int64_t)n * n, sizeof *exponent);
    double *by = pm_alloc_array(n, sizeof *by);
    pm_status status = exponent && by ? PM_OK : pm_fail_memory(err, "hafnian");
    scale->is_zero = false;
    for (int i = 0; i < n * n && !status; ++i)
        exponent[i] = exponent_of(number_at(e, e->entry[i]));
    if (!status) {
        pm_hafnian_level_shape(e, l);
        find_factors(n, exponent, by);
        set_scale(e, exponent, by, scale);
        if (scale->may_underflow) {
            scale->is_zero = !pm_hafnian_factors(n, exponent, by);
            set_scale(e, exponent, by, scale);
        }
        set_coefficients(e, l, numbers, by, step, sizes);
        l->step = l->close = step;
    }
    free(exponent);
    free(by);
    return status;
}
