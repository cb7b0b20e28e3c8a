/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "glynn/glynn_entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 2^e, -1022 <= e <= 1023 */
static double power_of_two(int64_t e)
{
    union {
        uint64_t bits;
        double x;
    } u = {(uint64_t)(e + 1023) << 52};
    return u.x;
}

/* Where the entries of the block are in the matrix with twins written out. */
typedef struct {
    int row_first[PM_GLYNN_MAX], col_first[PM_GLYNN_MAX];
} places;

static void find_places(const int32_t *cap, int64_t count, int *first)
{
    int at = 0;
    for (int64_t k = 0; k < count; ++k) {
        first[k] = at;
        at += cap[k];
    }
}

/* Numbers of at least PM_GLYNN_LEAST rows: zeros, and ones on the diagonal behind the block. */
static void begin(const pm_block *b, int parts, pm_glynn *g, places *p)
{
    int n = b->n < PM_GLYNN_LEAST ? PM_GLYNN_LEAST : (int)b->n;
    g->n = n;
    g->parts = parts;
    memset(g->entry, 0, (size_t)(n * n * parts) * sizeof *g->entry);
    find_places(b->row_cap, b->a.nrows, p->row_first);
    find_places(b->col_cap, b->a.ncols, p->col_first);
}

static double *entry_at(pm_glynn *g, int i, int j)
{
    return g->entry + (j * g->n + i) * g->parts;
}

/* Copies the numbers of the first row and column of a class to the others. */
static void write_out_twins(const pm_block *b, const places *p, int64_t i, int32_t j, pm_glynn *g)
{
    int r = p->row_first[i], c = p->col_first[j];
    const double *from = entry_at(g, r, c);
    for (int u = 0; u < b->row_cap[i]; ++u)
        for (int v = 0; v < b->col_cap[j]; ++v)
            if (u || v)
                memcpy(entry_at(g, r + u, c + v), from, (size_t)g->parts * sizeof *from);
}

/* ---- integers ---- */

static bool get_integer(const pm_matrix *a, int64_t k, double *x)
{
    if (!a->re) {
        *x = 1;
        return true;
    }
    const pm_dyadic *d = &a->re[k];
    if (d->kind != PM_DYADIC_SMALL || d->exp > 52 || llabs(d->m.small) > INT64_C(1) << 52)
        return false;
    *x = (double)d->m.small * power_of_two(d->exp);
    return fabs(*x) <= 0x1p52;
}

/* bound[i]: log2 of the sum of |entries| of row i, at least 0. */
static bool group_rows(const double *bound, pm_glynn *g)
{
    double first = 0, second = 0;
    int i = 0;
    for (; i < g->n && first + bound[i] <= 50; ++i)
        first += bound[i];
    g->first_group = i;
    for (; i < g->n; ++i)
        second += bound[i];
    return second <= 53 && first + second + g->n - 1 <= 126;
}

bool pm_glynn_set_integers(const pm_block *b, pm_glynn *g)
{
    const pm_matrix *a = &b->a;
    places p;
    double bound[PM_GLYNN_MAX] = {0};
    begin(b, 1, g, &p);
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t j = a->colind[k];
            double *x = entry_at(g, p.row_first[i], p.col_first[j]);
            if (!get_integer(a, k, x))
                return false;
            sum += fabs(*x) * b->col_cap[j];
            write_out_twins(b, &p, i, j, g);
        }
        for (int u = 0; u < b->row_cap[i]; ++u)
            bound[p.row_first[i] + u] = sum > 1 ? log2(sum) * (1 + 0x1p-40) : 0;
    }
    for (int i = (int)b->n; i < g->n; ++i)
        *entry_at(g, i, i) = 1;
    return group_rows(bound, g);
}

/* ---- real and complex numbers ----
 *
 * A row is scaled so that its largest part is in [2^43, 2^44).  High parts are multiples of 2^-4,
 * low parts of 2^-51: sums of 20 of them are exact in a double, and products of 20 sums, if not 0,
 * are between 2^-1020 and 2^970, so that nothing underflows or overflows. */

enum { TOP = 44, HIGH_UNIT = -4, LOW_UNIT = -51 };

/* Rounded to multiples of 2^unit; |x| < 2^(unit + 51). */
static inline double round_to(double x, int unit)
{
    const double c = 1.5 * power_of_two(unit + 52);
    return (x + c) - c;
}

static int64_t top_of(const pm_dyadic *d)
{
    return d->m.small ? d->exp + 64 - __builtin_clzll((uint64_t)llabs(d->m.small)) : INT64_MIN;
}

/* Of the largest part of a row; false when a part has more than 53 bits. */
static bool find_top(const pm_dyadic *part, int64_t begin, int64_t end, int64_t *top)
{
    for (int64_t k = begin; part && k < end; ++k) {
        if (part[k].kind != PM_DYADIC_SMALL || llabs(part[k].m.small) >> 53)
            return false;
        int64_t t = top_of(&part[k]);
        *top = t > *top ? t : *top;
    }
    return true;
}

/* What the rounding of the entries of a row changes, and the sum of |re| + |im|. */
typedef struct {
    double error, size;
} row_size;

/* d * 2^shift = out[0] + out[1], up to an error that is added to s. */
static void split(const pm_dyadic *d, int64_t shift, double *out, row_size *s)
{
    int64_t e = d->exp + shift;
    if (e < -900) { /* |d| 2^shift < 2^-847 */
        out[0] = out[1] = 0;
        s->error += d->m.small ? 0x1p-840 : 0;
        return;
    }
    double x = (double)d->m.small * power_of_two(e);
    out[0] = round_to(x, HIGH_UNIT);
    out[1] = round_to(x - out[0], LOW_UNIT);
    s->error += fabs((x - out[0]) - out[1]);
    s->size += fabs(x);
}

/* Leaves out the low parts if all are 0. */
static void shorten(pm_glynn *g)
{
    int numbers = g->n * g->n * g->parts / 2;
    for (int k = 0; k < numbers; ++k)
        if (g->entry[2 * k + 1] != 0)
            return;
    for (int k = 1; k < numbers; ++k)
        g->entry[k] = g->entry[2 * k];
    g->parts /= 2;
}

/* Row i, scaled by 2^scale. */
static void set_row(const pm_block *b, const places *p, int64_t i, int64_t scale, pm_glynn *g,
                    row_size *size)
{
    const pm_matrix *a = &b->a;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k];
        double *x = entry_at(g, p->row_first[i], p->col_first[j]);
        row_size s = {0};
        split(&a->re[k], scale, x, &s);
        if (a->im)
            split(&a->im[k], scale, x + 2, &s);
        size->error += s.error * b->col_cap[j];
        size->size += s.size * b->col_cap[j];
        write_out_twins(b, p, i, j, g);
    }
}

bool pm_glynn_set_numbers(const pm_block *b, pm_glynn *g, int64_t *shift, double *inexact)
{
    const pm_matrix *a = &b->a;
    places p;
    double size = 1, error = 0;
    *shift = 0;
    begin(b, a->im ? 4 : 2, g, &p);
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t top = INT64_MIN, first = a->rowptr[i], end = a->rowptr[i + 1];
        row_size s = {0};
        if (!find_top(a->re, first, end, &top) || !find_top(a->im, first, end, &top))
            return false;
        int64_t scale = top == INT64_MIN ? 0 : TOP - top;
        set_row(b, &p, i, scale, g, &s);
        *shift -= scale * b->row_cap[i];
        for (int u = 0; u < b->row_cap[i]; ++u)
            size *= s.size + s.error;
        error += s.size > 0 ? s.error / s.size * b->row_cap[i] : 0;
    }
    for (int i = (int)b->n; i < g->n; ++i)
        *entry_at(g, i, i) = 1;
    *inexact = error > 0 ? 1.01 * size * expm1(error) : 0;
    shorten(g);
    return true;
}
