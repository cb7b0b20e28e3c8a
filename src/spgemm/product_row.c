/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spgemm/product_row.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/settings.h"

/* Up to so many columns a table for all of them stays in the second cache. */
enum { DIRECT_COLUMNS = 1 << 16 };

static int64_t at_most(int64_t terms, int64_t columns)
{
    int64_t most = terms < columns ? terms : columns;
    return most > 0 ? most : 1;
}

/* A power of two, at least twice `most`; or 0, where the table has all columns. */
static int bits_of(int64_t most, int64_t columns)
{
    int bits = 1;
    while (INT64_C(1) << bits < 2 * most)
        ++bits;
    return columns <= DIRECT_COLUMNS || INT64_C(1) << bits >= columns ? 0 : bits;
}

static int64_t places_of(int64_t most, int64_t columns)
{
    int bits = bits_of(most, columns);
    return bits ? INT64_C(1) << bits : columns > 0 ? columns : 1;
}

double pm_product_row_bytes(int64_t terms, int64_t columns)
{
    int64_t most = at_most(terms, columns);
    return 16.0 * (double)most + 12.0 * (double)places_of(most, columns);
}

pm_status pm_product_row_make(int64_t terms, int64_t columns, pm_product_row *out, pm_error *err)
{
    const int64_t most = at_most(terms, columns);
    const int bits = bits_of(most, columns);
    pm_product_row t = {
        .factor = pm_settings_get()->hash_seed[0] | 1,
        .most = most,
        .places = places_of(most, columns),
        .shift = bits ? 64 - bits : 0,
    };
    while (t.digits < 4 && (columns - 1) >> (8 * t.digits) > 0)
        ++t.digits;
    t.found = pm_alloc_array(most, sizeof *t.found);
    t.spare = pm_alloc_array(most, sizeof *t.spare);
    t.column = pm_alloc_array(t.places, sizeof *t.column);
    t.sum = pm_alloc_array(t.places, sizeof *t.sum);
    *out = t;
    if (!t.found || !t.spare || !t.column || !t.sum) {
        pm_product_row_free(out);
        return pm_fail_memory(err, "product of sparse matrices");
    }
    memset(t.column, -1, (size_t)t.places * sizeof *t.column);
    return PM_OK;
}

void pm_product_row_free(pm_product_row *t)
{
    free(t->found);
    free(t->spare);
    free(t->column);
    free(t->sum);
    *t = (pm_product_row){0};
}

/* ---- sorting ---- */

enum { SHORT = 48 }; /* rows that are sorted by insertion */

static void sort_short(uint64_t *x, int64_t n)
{
    for (int64_t i = 1; i < n; ++i) {
        uint64_t own = x[i];
        int64_t j = i;
        for (; j > 0 && x[j - 1] > own; --j)
            x[j] = x[j - 1];
        x[j] = own;
    }
}

/* By one byte of the column, keeping the order of equal ones. */
static void sort_digit(const uint64_t *from, uint64_t *to, int64_t n, int digit)
{
    int64_t begin[257] = {0};
    const int shift = 32 + 8 * digit;
    for (int64_t i = 0; i < n; ++i)
        ++begin[(from[i] >> shift & 255) + 1];
    for (int d = 0; d < 256; ++d)
        begin[d + 1] += begin[d];
    for (int64_t i = 0; i < n; ++i)
        to[begin[from[i] >> shift & 255]++] = from[i];
}

void pm_product_row_sort(pm_product_row *t)
{
    if (t->count <= SHORT) {
        sort_short(t->found, t->count);
        return;
    }
    for (int digit = 0; digit < t->digits; ++digit) {
        uint64_t *sorted = t->spare;
        sort_digit(t->found, sorted, t->count, digit);
        t->spare = t->found;
        t->found = sorted;
    }
}

void pm_product_row_clear(pm_product_row *t)
{
    for (int64_t i = 0; i < t->count; ++i)
        t->column[(uint32_t)t->found[i]] = -1;
    t->count = 0;
}
