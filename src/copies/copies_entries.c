/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "copies/copies_entries.h"

#include <math.h>

#include "pm/value.h"

enum { MAX = PM_VERTEX_CLASSES_MAX };

/* ---- residues ---- */

static double least_residue(const pm_matrix *a, int64_t k, double p)
{
    if (k == PM_NO_EDGE)
        return 0;
    const double x = a->re ? (double)pm_dyadic_mod(&a->re[k], (uint64_t)p) : 1;
    return x > p / 2 ? x - p : x;
}

static void set_residues(const pm_vertex_classes *x, pm_copies *f)
{
    const int32_t n = f->digits.count;
    for (int32_t i = 0; i < n; ++i) {
        const int32_t v = f->digits.digit[i].column;
        for (int32_t j = 0; j < n; ++j)
            f->edge[(int64_t)i * n + j].x[0] =
                least_residue(x->a, x->edge[v][f->digits.digit[j].column], f->p);
        f->loop[i].x[0] = least_residue(x->loops, x->loop[v], f->p);
    }
}

/* ---- powers of two ---- */

typedef struct {
    pm_xreal re, im;
} number;

static number number_at(const pm_matrix *a, int64_t k)
{
    number x = {{.hi = 0}, {.hi = 0}};
    if (k == PM_NO_EDGE)
        return x;
    x.re = a->re ? pm_xreal_from_dyadic(&a->re[k]) : pm_xreal_make(1, 0, 0);
    if (a->im)
        x.im = pm_xreal_from_dyadic(&a->im[k]);
    return x;
}

/* |x| < 2^(its result); -INFINITY for 0 */
static double exponent_of(number x)
{
    const double re = x.re.hi == 0 ? -INFINITY : (double)x.re.exp;
    const double im = x.im.hi == 0 ? -INFINITY : (double)x.im.exp;
    return im == -INFINITY ? re : fmax(re, im) + 0.5;
}

typedef struct {
    int32_t n;
    double edge[MAX][MAX], loop[MAX]; /* exponents, with the number of copies */
} exponents;

static void find_exponents(const pm_vertex_classes *x, exponents *e)
{
    double times[MAX]; /* log2 */
    e->n = x->count;
    for (int32_t i = 0; i < e->n; ++i) {
        times[i] = log2((double)x->times[i]);
        for (int32_t j = 0; j <= i; ++j)
            e->edge[i][j] = e->edge[j][i] =
                exponent_of(number_at(x->a, x->edge[i][j])) + times[i] + times[j];
        e->loop[i] = exponent_of(number_at(x->loops, x->loop[i])) + times[i];
    }
}

/* The largest exponent of vertex i when those of vertex j grow by by[j]. */
static double largest(const exponents *e, const double *by, int32_t i)
{
    double most = e->loop[i];
    for (int32_t j = 0; j < e->n; ++j) {
        const double x = e->edge[i][j] + by[j];
        most = x > most ? x : most;
    }
    return most + by[i];
}

static double log2_sum(double x, double y)
{
    const double more = fmax(x, y), less = fmin(x, y);
    return less == -INFINITY ? more : more + log2(1 + exp2(less - more));
}

/* At least log2 of the larger one of |l| and sqrt |q|. */
static double size_of_forms(const exponents *e, const double *by)
{
    double q = -INFINITY, l = -INFINITY;
    for (int32_t i = 0; i < e->n; ++i) {
        l = log2_sum(l, e->loop[i] + by[i]);
        for (int32_t j = 0; j < e->n; ++j)
            q = log2_sum(q, e->edge[i][j] + by[i] + by[j]);
    }
    return fmax(l, q / 2) + 1e-6;
}

/* Integers. */
static void find_factors(const exponents *e, double *by)
{
    enum { ROUNDS = 24 };
    const double least = 0x1p-4; /* changes do not matter below it */
    double change = INFINITY;
    for (int32_t i = 0; i < e->n; ++i)
        by[i] = 0;
    for (int round = 0; round < ROUNDS && change > least; ++round) {
        change = 0;
        for (int32_t i = 0; i < e->n; ++i) {
            const double x = largest(e, by, i);
            if (x > -INFINITY)
                by[i] -= x / 2;
            if (x > -INFINITY && fabs(x) > change)
                change = fabs(x);
        }
    }
    for (int32_t i = 0; i < e->n; ++i)
        by[i] = floor(by[i]);
    const double size = size_of_forms(e, by);
    for (int32_t i = 0; i < e->n && size > -INFINITY; ++i)
        by[i] -= ceil(size);
}

/* ---- double-doubles ---- */

static double scaled(double x, double exponent)
{
    return exponent < -4000 ? 0 : ldexp(x, (int)exponent);
}

static pm_copies_number scaled_number(number x, double by)
{
    const double re = (double)x.re.exp + by, im = (double)x.im.exp + by;
    return (pm_copies_number){
        {scaled(x.re.hi, re), scaled(x.re.lo, re), scaled(x.im.hi, im), scaled(x.im.lo, im)}};
}

static void set_floats(const pm_vertex_classes *x, pm_copies *f, int64_t *shift)
{
    exponents e;
    double by[MAX], sum = 0;
    const int32_t n = f->digits.count;
    find_exponents(x, &e);
    find_factors(&e, by);
    for (int32_t i = 0; i < n; ++i) {
        const int32_t v = f->digits.digit[i].column;
        sum += by[v] * x->times[v];
        for (int32_t j = 0; j <= i; ++j) {
            const int32_t u = f->digits.digit[j].column;
            f->edge[(int64_t)i * n + j] = f->edge[(int64_t)j * n + i] =
                scaled_number(number_at(x->a, x->edge[v][u]), by[v] + by[u]);
        }
        f->loop[i] = scaled_number(number_at(x->loops, x->loop[v]), by[v]);
    }
    *shift = -(int64_t)sum;
}

void pm_copies_set_entries(const pm_vertex_classes *x, pm_copies *f, int64_t *shift)
{
    *shift = 0;
    if (f->kind == PM_COPIES_RESIDUE)
        set_residues(x, f);
    else
        set_floats(x, f, shift);
}
