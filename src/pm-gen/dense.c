/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices that are defined by the difference of row and column. */
#include "config.h"

#include "pm-gen/family.h"

#include <stdlib.h>

#include "pm/alloc.h"

/* N x N, the entries with |row - column| <= most, and without the diagonal if `hollow`. */
static pm_status band_edges(const pm_family_args *a, int64_t n, int64_t most, bool hollow,
                            pm_triples *edges, pm_error *err)
{
    int64_t w = most < n ? most : n - 1;
    double side = (double)n, width = (double)w, diagonal = hollow ? 0 : side;
    pm_status status =
        pm_family_begin(a, side, side, diagonal + width * (double)(2 * n - 1 - w), edges, err);
    for (int64_t i = 0; !status && i < n; ++i)
        for (int64_t j = i > w ? i - w : 0; !status && j < n && j <= i + w; ++j)
            if (i != j || !hollow)
                status = pm_family_edge(a, edges, i, j, err);
    return status;
}

static pm_status make_ones(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    return !status ? band_edges(a, n, n, false, edges, err) : status;
}

const pm_family pm_family_ones = {
    .name = "ones",
    .arguments = "N",
    .summary = "all-ones N x N matrix: N! matchings",
    .run = make_ones,
};

static pm_status make_derangement(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    return !status ? band_edges(a, n, n, true, edges, err) : status;
}

const pm_family pm_family_derangement = {
    .name = "derangement",
    .arguments = "N",
    .summary = "all-ones matrix minus the identity",
    .run = make_derangement,
};

static pm_status make_band(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n, w;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    if (!status)
        status = pm_family_int(a, 1, 0, PM_SIDE_MAX, &w, err);
    return !status ? band_edges(a, n, w, false, edges, err) : status;
}

const pm_family pm_family_band = {
    .name = "band",
    .arguments = "N W",
    .summary = "N x N band matrix, |row - column| <= W",
    .run = make_band,
};

static pm_status make_hessenberg(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    const double side = (double)n;
    if (!status)
        status = pm_family_begin(a, side, side, side * (side + 3) / 2, edges, err);
    for (int64_t i = 0; !status && i < n; ++i)
        for (int64_t j = 0; !status && j < n && j <= i + 1; ++j)
            status = pm_family_edge(a, edges, i, j, err);
    return status;
}

const pm_family pm_family_hessenberg = {
    .name = "hessenberg",
    .arguments = "N",
    .summary = "N x N Hessenberg matrix, column <= row + 1: 2^(N-1) matchings",
    .run = make_hessenberg,
};

static int compare(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* The shifts as they are given, sorted.  Fails: PM_EUSAGE one is no number, or is given twice. */
static pm_status read_shifts(const pm_family_args *a, int64_t count, int64_t *shift, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t k = 0; !status && k < count; ++k)
        status = pm_family_int(a, (int)k + 1, 0, PM_SIDE_MAX, &shift[k], err);
    if (status)
        return status;
    qsort(shift, (size_t)count, sizeof *shift, compare);
    for (int64_t k = 1; k < count; ++k)
        if (shift[k] == shift[k - 1])
            return pm_fail(err, PM_EUSAGE, "circulant: %lld is given twice", (long long)shift[k]);
    return PM_OK;
}

/* Shifts that are equal modulo n become one.  Returns how many are left. */
static int64_t reduce_shifts(int64_t n, int64_t count, int64_t *shift)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k)
        shift[k] %= n;
    qsort(shift, (size_t)count, sizeof *shift, compare);
    for (int64_t k = 0; k < count; ++k)
        if (!kept || shift[k] != shift[kept - 1])
            shift[kept++] = shift[k];
    return kept;
}

static pm_status make_circulant(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n, degree = a->count - 1;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    if (status)
        return status;
    int64_t *shift = pm_alloc_array(degree, sizeof *shift);
    if (!shift)
        return pm_fail_memory(err, "shifts");
    status = read_shifts(a, degree, shift, err);
    if (!status) {
        degree = n ? reduce_shifts(n, degree, shift) : 0;
        status = pm_family_begin(a, (double)n, (double)n, (double)n * (double)degree, edges, err);
    }
    for (int64_t i = 0; !status && i < n; ++i)
        for (int64_t k = 0; !status && k < degree; ++k)
            status = pm_family_edge(a, edges, i, (i + shift[k]) % n, err);
    free(shift);
    return status;
}

/* The columns on a circle, the rows on one around it. */
static pm_status place_circulant(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    for (int side = 0; side < 2 && !status; ++side)
        status = pm_family_place_circle(&labels[side], n, side == 0, err);
    return status;
}

const pm_family pm_family_circulant = {
    .name = "circulant",
    .arguments = "N S...",
    .summary = "N x N circulant matrix, column = row + S (modulo N)",
    .run = make_circulant,
    .place = place_circulant,
};
