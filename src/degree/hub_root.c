/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/hub_root.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "sampler/weight.h"

/* ---- making ---- */

/* The d rows with the fewest entries; the first of several. */
static void choose_rows(const pm_neighbours *l, pm_hub_root *r)
{
    for (int32_t k = 0; k < r->d; ++k) {
        int32_t best = -1, least = INT32_MAX;
        for (int32_t i = 0; i < l->n; ++i) {
            bool is_taken = false;
            for (int32_t h = 0; h < k; ++h)
                is_taken = is_taken || r->row[h] == i;
            if (!is_taken && l->rowptr[i + 1] - l->rowptr[i] < least) {
                least = l->rowptr[i + 1] - l->rowptr[i];
                best = i;
            }
        }
        r->row[k] = best;
    }
}

/* The rows of the root with an entry in column j, as a set. */
static uint32_t rows_with_entry(const pm_neighbours *l, const pm_hub_root *r, int32_t j)
{
    uint32_t rows = 0;
    for (int32_t at = l->colptr[j]; at < l->colptr[j + 1]; ++at)
        for (int32_t k = 0; k < r->d; ++k)
            rows |= (uint32_t)(l->rowind[at] == r->row[k]) << k;
    return rows;
}

/* Lists the columns with an entry in the root.  Returns the product of gamma over all other
 * columns, which is a factor of every term. */
static pm_weight collect_columns(const pm_neighbours *l, const double *gamma, pm_hub_root *r)
{
    pm_weight outside = pm_weight_make(1, 0);
    for (int32_t j = 0; j < l->n; ++j) {
        uint32_t rows = rows_with_entry(l, r, j);
        double unused = gamma[l->colptr[j + 1] - l->colptr[j] - __builtin_popcount(rows)];
        if (!rows) {
            outside = pm_weight_product(outside, pm_weight_make(unused, 0));
            continue;
        }
        r->column[r->ncolumns] = j;
        r->rows[r->ncolumns] = rows;
        r->unused[r->ncolumns++] = unused;
    }
    return outside;
}

/* after[S] = the sum for the subset S with one more column, which has entries in `rows` and the
 * factor `unused`.  Returns the largest sum. */
static double add_column(const double *before, double *after, int32_t d, uint32_t rows,
                         double unused)
{
    double largest = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << d; ++set) {
        double sum = before[set] * unused;
        for (uint32_t from = set & rows; from; from &= from - 1)
            sum += before[set & ~(from & (0 - from))];
        after[set] = sum;
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Fills r->sum and r->bound.  outside: the product of gamma over the columns without an entry in
 * the root. */
static void add_columns(pm_hub_root *r, pm_weight outside)
{
    int64_t sets = INT64_C(1) << r->d, exponent = 0;
    for (int64_t set = 0; set < sets; ++set)
        r->sum[set] = set == 0;
    for (int32_t m = 0; m < r->ncolumns; ++m) {
        double *after = r->sum + (m + 1) * sets;
        int e = 0;
        frexp(add_column(after - sets, after, r->d, r->rows[m], r->unused[m]), &e);
        for (int64_t set = 0; set < sets; ++set)
            after[set] = ldexp(after[set], -e);
        exponent += e;
    }
    double total = r->sum[(r->ncolumns + 1) * sets - 1];
    r->bound = pm_weight_product(outside, pm_weight_make(total, exponent));
}

pm_status pm_hub_root_make(const pm_neighbours *l, const double *gamma, int32_t d, pm_hub_root *out,
                           pm_error *err)
{
    pm_hub_root r = {.d = d, .n = l->n};
    choose_rows(l, &r);
    r.column = pm_alloc_array(l->n, sizeof *r.column);
    r.rows = pm_alloc_array(l->n, sizeof *r.rows);
    r.unused = pm_alloc_array(l->n, sizeof *r.unused);
    pm_status status =
        r.column && r.rows && r.unused ? PM_OK : pm_fail_memory(err, "the root of a bound");
    if (!status) {
        pm_weight outside = collect_columns(l, gamma, &r);
        r.sum = pm_alloc_array((int64_t)(r.ncolumns + 1) << d, sizeof *r.sum);
        if (r.sum)
            add_columns(&r, outside);
        else
            status = pm_fail_memory(err, "the sums of a bound");
    }
    if (!status)
        *out = r;
    else
        pm_hub_root_free(&r);
    return status;
}

void pm_hub_root_free(pm_hub_root *r)
{
    free(r->column);
    free(r->rows);
    free(r->unused);
    free(r->sum);
    *r = (pm_hub_root){0};
}

/* ---- drawing ---- */

/* Draws the row of the root that is matched with column r->column[m], when the rows in `set` are
 * matched with the first m + 1 columns.  Returns it as a bit, or 0 when the column is unused.
 * Multiplies *w by 1 / probability. */
static uint32_t choose(const pm_hub_root *r, int32_t m, uint32_t set, pm_sample_sequence *s,
                       pm_wide_product *w)
{
    const double *before = r->sum + ((int64_t)m << r->d);
    double none = before[set] * r->unused[m], total = none;
    for (uint32_t from = set & r->rows[m]; from; from &= from - 1)
        total += before[set & ~(from & (0 - from))];
    double at = pm_sample_sequence_unit(s) * total - none, part = none;
    uint32_t taken = 0;
    for (uint32_t from = set & r->rows[m]; from && at >= 0; from &= from - 1) {
        double more = before[set & ~(from & (0 - from))];
        if (more == 0)
            continue;
        taken = from & (0 - from);
        part = more;
        at -= more;
    }
    pm_wide_product_multiply(w, total / part);
    return taken;
}

pm_wide_product pm_hub_root_draw(const pm_hub_root *r, pm_sample_sequence *s, int32_t *column)
{
    uint32_t set = (UINT32_C(1) << r->d) - 1;
    pm_wide_product w = {1, 0};
    for (int32_t m = r->ncolumns; m-- > 0 && set;) {
        if (!(set & r->rows[m])) /* the column is unused in all remaining choices */
            continue;
        uint32_t taken = choose(r, m, set, s, &w);
        if (taken)
            column[__builtin_ctz(taken)] = r->column[m];
        set &= ~taken;
    }
    return w;
}
