/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_digits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE_WORK = 16,         /* what a tile costs besides its patterns, in patterns */
    TABLE_WORK = 2,         /* what it costs to make the table of a pattern, in patterns */
    NEAR_BYTES = 40 * 1024, /* tables that stay in the first cache */
    MOST_BYTES = 160 * 1024
};
#define FAR_TIMES 1.3 /* the work with other tables, as a multiple */

static void list_digits(const pm_square *s, pm_repeated_digits *d)
{
    for (int32_t j = 0; j < s->n; ++j)
        if (s->col_times[j] > 0)
            d->digit[d->count++] =
                (pm_repeated_digit){j, s->col_times[j], (int64_t)s->col_times[j] + 1};
}

/* Sets the tiles that are summed: of `all` tiles one of each pair, and the middle one. */
static void set_tiles(uint64_t all, pm_repeated_digits *d)
{
    d->tiles = all - all / 2;
    d->middle = all % 2 ? d->tiles - 1 : PM_REPEATED_NO_TILE;
}

/* ---- inner digits ---- */

static int ascending(const void *x, const void *y)
{
    const pm_repeated_digit *a = x, *b = y;
    if (a->radix != b->radix)
        return a->radix < b->radix ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static int descending(const void *x, const void *y)
{
    return ascending(y, x);
}

static int64_t pad(int64_t patterns)
{
    return (patterns + PM_REPEATED_LANES - 1) / PM_REPEATED_LANES * PM_REPEATED_LANES;
}

/* Finds the number of inner digits, in the present order of the digits, with the least work;
 * returns the work of all tiles and of their tables, in patterns. */
static double choose_inner(const pm_repeated_digits *d, double terms, double bytes, int32_t *inner)
{
    double best = INFINITY;
    int64_t patterns = 1;
    for (int32_t m = 0; m <= d->count; ++m) {
        double padded = (double)pad(patterns), tiles = ceil(terms / (double)patterns / 2);
        bool fits = patterns <= PM_REPEATED_PATTERNS_MAX && padded * bytes <= MOST_BYTES;
        double work = tiles * (padded + TILE_WORK);
        if (padded * bytes > NEAR_BYTES)
            work *= FAR_TIMES;
        work += TABLE_WORK * padded;
        if (m == 0 || (fits && work < best)) {
            best = work;
            *inner = m;
        }
        if (m == d->count || !fits)
            break;
        patterns *= d->digit[m].radix;
    }
    return best;
}

static void order_digits(double terms, double bytes, pm_repeated_digits *d)
{
    int32_t inner = 0;
    qsort(d->digit, (size_t)d->count, sizeof *d->digit, descending);
    double work = choose_inner(d, terms, bytes, &d->inner);
    pm_repeated_digits other = *d;
    qsort(other.digit, (size_t)other.count, sizeof *other.digit, ascending);
    if (choose_inner(&other, terms, bytes, &inner) < work) {
        *d = other;
        d->inner = inner;
    }
}

/* *terms: of all digits, each counted twice. */
static pm_status begin(const pm_square *s, pm_repeated_digits *d, double *terms, pm_error *err)
{
    list_digits(s, d);
    *terms = 1;
    for (int32_t j = 0; j < d->count; ++j)
        *terms *= (double)d->digit[j].radix;
    if (*terms < 0x1p63)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%.2g terms: the copies of rows and columns are too few or too many",
                   *terms / 2);
}

/* The digits are in their order, d->inner is set. */
static void set_products(pm_repeated_digits *d)
{
    uint64_t tiles = 1;
    d->patterns = 1;
    for (int32_t j = 0; j < d->count; ++j)
        if (j < d->inner)
            d->patterns *= d->digit[j].radix;
        else
            tiles *= (uint64_t)d->digit[j].radix;
    d->padded = pad(d->patterns);
    set_tiles(tiles, d);
}

pm_status pm_repeated_digits_make(const pm_square *s, double bytes, pm_repeated_digits *out,
                                  pm_error *err)
{
    pm_repeated_digits d = {0};
    double terms;
    pm_status status = begin(s, &d, &terms, err);
    if (status)
        return status;
    order_digits(terms, bytes, &d);
    set_products(&d);
    *out = d;
    return PM_OK;
}

pm_status pm_repeated_digits_divide(const pm_square *s, double least, int64_t most,
                                    pm_repeated_digits *out, pm_error *err)
{
    pm_repeated_digits d = {0};
    int64_t patterns = 1;
    double terms;
    pm_status status = begin(s, &d, &terms, err);
    if (status)
        return status;
    qsort(d.digit, (size_t)d.count, sizeof *d.digit, descending);
    for (int32_t j = 0; j < d.count; ++j) {
        pm_repeated_digit g = d.digit[j];
        if (g.radix > most / patterns || terms / (double)(patterns * g.radix) < 2 * least)
            continue;
        patterns *= g.radix;
        memmove(d.digit + d.inner + 1, d.digit + d.inner, (size_t)(j - d.inner) * sizeof *d.digit);
        d.digit[d.inner++] = g;
    }
    set_products(&d);
    *out = d;
    return PM_OK;
}

double pm_repeated_values(const pm_repeated_digits *d)
{
    double values = 0;
    for (int32_t j = 0; j < d->count; ++j)
        values += (double)d->digit[j].radix;
    return values;
}

void pm_repeated_pattern(const pm_repeated_digits *d, int64_t p, int32_t *k)
{
    for (int32_t j = 0; j < d->inner; ++j) {
        k[j] = (int32_t)(p % d->digit[j].radix);
        p /= d->digit[j].radix;
    }
}

void pm_repeated_walk_at(const pm_repeated_digits *d, uint64_t tile, pm_repeated_walk *w)
{
    for (int32_t j = 0; d->inner + j < d->count; ++j) {
        uint64_t radix = (uint64_t)d->digit[d->inner + j].radix;
        int32_t k = (int32_t)(tile % radix);
        tile /= radix;
        w->step[j] = tile % 2 ? -1 : 1;
        w->k[j] = tile % 2 ? (int32_t)(radix - 1) - k : k;
    }
}
