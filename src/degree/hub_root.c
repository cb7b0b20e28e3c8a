/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/hub_root.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "sampler/weight.h"

/* ---- making ---- */

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

/* Which of the root can take column j. */
static uint32_t may_take(const pm_neighbours *l, const pm_hub_root *r, int32_t j)
{
    uint32_t may = 0;
    for (int32_t at = l->colptr[j]; at < l->colptr[j + 1]; ++at)
        for (int32_t k = 0; k < r->d; ++k)
            may |= (uint32_t)(l->rowind[at] == r->row[k]) << k;
    return may;
}

/* Columns that the root cannot take have the same factor in all terms. */
static pm_weight meet_columns(const pm_neighbours *l, const double *gamma, pm_hub_root *r)
{
    pm_weight outside = pm_weight_make(1, 0);
    for (int32_t j = 0; j < l->n; ++j) {
        uint32_t may = may_take(l, r, j);
        double skip = gamma[l->colptr[j + 1] - l->colptr[j] - __builtin_popcount(may)];
        if (!may) {
            outside = pm_weight_product(outside, pm_weight_make(skip, 0));
            continue;
        }
        r->met[r->nmet] = j;
        r->may[r->nmet] = may;
        r->skip[r->nmet++] = skip;
    }
    return outside;
}

/* after = the sums with one more column.  Returns the largest. */
static double add_column(const double *before, double *after, int32_t d, uint32_t may, double skip)
{
    double largest = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << d; ++set) {
        double sum = before[set] * skip;
        for (uint32_t from = set & may; from; from &= from - 1)
            sum += before[set & ~(from & (0 - from))];
        after[set] = sum;
        largest = fmax(largest, sum);
    }
    return largest;
}

static void add_columns(pm_hub_root *r, pm_weight outside)
{
    int64_t sets = INT64_C(1) << r->d, exponent = 0;
    for (int64_t set = 0; set < sets; ++set)
        r->sum[set] = set == 0;
    for (int32_t m = 0; m < r->nmet; ++m) {
        double *after = r->sum + (m + 1) * sets;
        int e = 0;
        frexp(add_column(after - sets, after, r->d, r->may[m], r->skip[m]), &e);
        for (int64_t set = 0; set < sets; ++set)
            after[set] = ldexp(after[set], -e);
        exponent += e;
    }
    double total = r->sum[(r->nmet + 1) * sets - 1];
    r->bound = pm_weight_product(outside, pm_weight_make(total, exponent));
}

pm_status pm_hub_root_make(const pm_neighbours *l, const double *gamma, int32_t d, pm_hub_root *out,
                           pm_error *err)
{
    pm_hub_root r = {.d = d, .n = l->n};
    choose_rows(l, &r);
    r.met = pm_alloc_array(l->n, sizeof *r.met);
    r.may = pm_alloc_array(l->n, sizeof *r.may);
    r.skip = pm_alloc_array(l->n, sizeof *r.skip);
    pm_status s = r.met && r.may && r.skip ? PM_OK : pm_fail_memory(err, "the root of a bound");
    if (s == PM_OK) {
        pm_weight outside = meet_columns(l, gamma, &r);
        r.sum = pm_alloc_array((int64_t)(r.nmet + 1) << d, sizeof *r.sum);
        if (r.sum)
            add_columns(&r, outside);
        else
            s = pm_fail_memory(err, "the sums of a bound");
    }
    if (s == PM_OK)
        *out = r;
    else
        pm_hub_root_free(&r);
    return s;
}

void pm_hub_root_free(pm_hub_root *r)
{
    free(r->met);
    free(r->may);
    free(r->skip);
    free(r->sum);
    *r = (pm_hub_root){0};
}

/* ---- drawing ---- */

/* The member of the root that column met[m] goes to, as a bit, or 0: none. */
static uint32_t choose(const pm_hub_root *r, int32_t m, uint32_t set, pm_sample_sequence *s,
                       pm_wide_product *w)
{
    const double *before = r->sum + ((int64_t)m << r->d);
    double none = before[set] * r->skip[m], total = none;
    for (uint32_t from = set & r->may[m]; from; from &= from - 1)
        total += before[set & ~(from & (0 - from))];
    double at = pm_sample_sequence_unit(s) * total - none, part = none;
    uint32_t taken = 0;
    for (uint32_t from = set & r->may[m]; from && at >= 0; from &= from - 1) {
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
    for (int32_t m = r->nmet; m-- > 0 && set;) {
        if (!(set & r->may[m])) /* a factor that all ways have */
            continue;
        uint32_t taken = choose(r, m, set, s, &w);
        if (taken)
            column[__builtin_ctz(taken)] = r->met[m];
        set &= ~taken;
    }
    return w;
}
