/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/band_layers.h"

#include <stdlib.h>

#include "layers/layer_parts.h"
#include "pm/alloc.h"

enum {
    PERIOD_MAX = PM_LAYER_BITS / 4, /* rows of a part, which has as many columns */
    ENDS_MAX = 1024,                /* parts that are not repeated, at each end */
    REPEATS_MIN = 8
};

/* Part t: rows and columns t * period .. (t + 1) * period - 1; the last part may have fewer. */
typedef struct {
    const pm_matrix *a;
    int64_t period, parts;
    int64_t begin, repeats; /* parts begin .. begin + repeats are equal, and equally joined */
} band;

static pm_status refuse(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "the rows of the matrix do not repeat");
}

/* ---- rows that repeat ---- */

bool pm_band_repeats(const pm_matrix *a, int64_t i, int64_t period)
{
    const int64_t from = a->rowptr[i], to = a->rowptr[i + period], count = a->rowptr[i + 1] - from;
    if (a->rowptr[i + period + 1] - to != count)
        return false;
    for (int64_t k = 0; k < count; ++k)
        if (a->colind[to + k] - a->colind[from + k] != period
            || (a->re && !pm_dyadic_equal(&a->re[from + k], &a->re[to + k])))
            return false;
    return true;
}

/* The parts around the middle that repeat.  Returns false where they are not nearly all. */
static bool find_stretch(band *x)
{
    const pm_matrix *a = x->a;
    const int64_t n = a->nrows, p = x->period;
    int64_t first = n / 2, last = n / 2; /* rows first .. last - 1 are repeated p rows later */
    while (last + p < n && pm_band_repeats(a, last, p))
        ++last;
    if (n - last > (ENDS_MAX + 1) * p)
        return false;
    while (first > 0 && pm_band_repeats(a, first - 1, p))
        --first;
    x->begin = (first + p - 1) / p;
    x->repeats = (last + p) / p - 1 - x->begin;
    return x->begin <= ENDS_MAX && x->repeats >= REPEATS_MIN;
}

/* The entries of these rows join a part with itself or one beside it. */
static bool are_local(const band *x, int64_t first, int64_t end)
{
    const pm_matrix *a = x->a;
    for (int64_t i = first; i < end; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (llabs(a->colind[k] / x->period - i / x->period) > 1)
                return false;
    return true;
}

/* The rows of the other parts repeat those of part `begin`. */
static bool has_parts(const band *x)
{
    return are_local(x, 0, (x->begin + 1) * x->period)
           && are_local(x, (x->begin + x->repeats) * x->period, x->a->nrows);
}

static bool find_band(band *x)
{
    const int64_t n = x->a->nrows;
    for (x->period = 1; x->period <= PERIOD_MAX && n >= REPEATS_MIN * x->period; ++x->period) {
        x->parts = (n + x->period - 1) / x->period;
        if (find_stretch(x) && has_parts(x))
            return true;
    }
    return false;
}

/* ---- its layers ---- */

static int size_of(const band *x, int64_t t)
{
    const int64_t left = x->a->nrows - t * x->period;
    return left < 0 ? 0 : left < x->period ? (int)left : (int)x->period;
}

/* The rows of part t in the columns of part u. */
static pm_status cut(const band *x, int64_t t, int64_t u, pm_matrix *out, pm_error *err)
{
    int32_t row[PERIOD_MAX], col[PERIOD_MAX];
    for (int k = 0; k < size_of(x, t); ++k)
        row[k] = (int32_t)(t * x->period + k);
    for (int k = 0; k < size_of(x, u); ++k)
        col[k] = (int32_t)(u * x->period + k);
    return pm_matrix_select(x->a, row, size_of(x, t), col, size_of(x, u), out, err);
}

/* The matrices of a part: in its own columns, its rows in those of the next part, and those of the next part in its own. */
enum { OWN, NEXT, BEFORE, MATRICES };

static void matrices_free(pm_matrix m[MATRICES])
{
    for (int k = 0; k < MATRICES; ++k)
        pm_matrix_free(&m[k]);
}

static pm_status matrices_make(const band *x, int64_t t, pm_matrix m[MATRICES], pm_error *err)
{
    pm_status status = cut(x, t, t, &m[OWN], err);
    if (!status)
        status = cut(x, t, t + 1, &m[NEXT], err);
    if (!status)
        status = cut(x, t + 1, t, &m[BEFORE], err);
    return status;
}

static pm_status make_layer(const band *x, int64_t t, const pm_layer_places *whole, pm_layered *g,
                            pm_layer *l, pm_error *err)
{
    const int here = size_of(x, t), there = size_of(x, t + 1);
    const pm_layer_places this = pm_layer_places_first(whole, here, here),
                          that = pm_layer_places_first(whole, there, there);
    pm_matrix m[MATRICES] = {{0}};
    pm_status status = matrices_make(x, t, m, err);
    if (!status)
        status =
            pm_layer_make(&this, there ? &that : NULL, &m[OWN], &m[NEXT], &m[BEFORE], g, l, err);
    matrices_free(m);
    return status;
}

static pm_status find_places(const band *x, pm_layer_places *out, pm_error *err)
{
    pm_matrix m[MATRICES] = {{0}};
    pm_status status = matrices_make(x, x->begin, m, err);
    if (!status)
        *out = pm_layer_places_of(&m[OWN], &m[NEXT], &m[BEFORE]);
    matrices_free(m);
    return status;
}

/* Entries of the layers that are made, at least. */
static int64_t most_values(const band *x)
{
    const pm_matrix *a = x->a;
    const int64_t first = (x->begin + 2) * x->period, last = (x->begin + x->repeats) * x->period;
    return 2 * (a->rowptr[first] + a->rowptr[a->nrows] - a->rowptr[last]);
}

pm_status pm_layered_from_band(const pm_matrix *a, pm_layered *out, pm_error *err)
{
    band x = {.a = a};
    pm_layer_places places;
    if (a->nrows != a->ncols || a->field > PM_INTEGER || !find_band(&x))
        return refuse(err);
    pm_layered g = {.head = (int)x.begin,
                    .cycle = 1,
                    .tail = (int)(x.parts - x.begin - x.repeats),
                    .repeats = x.repeats};
    g.layer = pm_calloc_array(g.head + g.cycle + g.tail, sizeof *g.layer);
    g.value = pm_calloc_array(a->re ? most_values(&x) : 1, sizeof *g.value);
    pm_status status = g.layer && g.value ? PM_OK : pm_fail_memory(err, "layers");
    if (!status)
        status = find_places(&x, &places, err);
    for (int k = 0; k < g.head + g.cycle + g.tail && !status; ++k)
        status = make_layer(&x, k <= g.head ? k : k - 1 + x.repeats, &places, &g, &g.layer[k], err);
    if (status)
        pm_layered_free(&g);
    else
        *out = g;
    return status;
}
