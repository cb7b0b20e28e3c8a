/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/walks_body.h: the kernels of walks_problem.h for one vector unit, after copies_body.h. */
#ifndef PM_WALKS_BODY_H
#define PM_WALKS_BODY_H

#include <string.h>

#include "copies/copies_numbers.h"
#include "copies/walks_problem.h"

/* from: components one after another */
PM_BODY copies_number splat_components(const double *from, int64_t stride, int kind)
{
    copies_number x = {0};
#pragma GCC unroll 4
    for (int c = 0; c < pm_copies_components(kind); ++c)
        set_component(&x, kind, c, splat(from[c * stride]));
    return x;
}

PM_BODY copies_number load_anywhere(const double *from, int64_t stride, int kind)
{
    copies_number x = {0};
#pragma GCC unroll 4
    for (int c = 0; c < pm_copies_components(kind); ++c)
        set_component(&x, kind, c, *(const vec_anywhere *)(from + c * stride));
    return x;
}

PM_BODY void store_number(const copies_number *x, double *to, int64_t stride, int kind)
{
#pragma GCC unroll 4
    for (int c = 0; c < pm_copies_components(kind); ++c)
        store(to + c * stride, component(x, kind, c));
}

/* sum += a b */
PM_BODY void plus_product(const pm_walks *w, copies_number *sum, copies_number a,
                          const copies_number *b, int kind)
{
    times(&w->field, &a, b, kind);
    plus(&w->field, sum, &a, kind);
}

/* ---- walks ---- */

/* One more edge: out[u] = the sum over w of from[w] A[w][partner of u], for `ends` ends. */
PM_BODY void take_edge(const pm_walks *w, const double *from, int32_t ends, int kind, double *out)
{
    const int64_t width = w->width, components = pm_copies_components(kind);
    for (int32_t u = 0; u < ends; u += PM_LANES) {
        copies_number sum = {0};
        for (int32_t v = 0; v < ends; ++v) {
            const copies_number edge =
                load_anywhere(w->edge + v * components * width + u, width, kind);
            plus_product(w, &sum, splat_components(from + v, width, kind), &edge, kind);
        }
        normalise(&sum, kind);
        store_number(&sum, out + u, width, kind);
    }
}

/* Jumps to the other end, for all pairs up to `last` that are not used up. */
PM_BODY void jump(const pm_walks *w, const int32_t *used, int32_t last, const double *from,
                  int kind, double *walk)
{
    const int64_t width = w->width, components = pm_copies_components(kind);
    for (int32_t k = 0; k <= last; ++k)
        if (used[k] < w->most[k])
            for (int64_t c = 0; c < components; ++c)
                memcpy(walk + (w->stride[k] * components + c) * width + 2 * k,
                       from + c * width + 2 * k, 2 * sizeof *walk);
}

PM_BODY void count_up(const pm_walks *w, int32_t *used)
{
    int32_t k = 0;
    while (k < w->pairs && used[k] == w->most[k])
        used[k++] = 0;
    if (k < w->pairs)
        ++used[k];
}

/* The digits of state s. */
PM_BODY void find_used(const pm_walks *w, int64_t s, int32_t *used)
{
    for (int32_t k = 0; k < w->pairs; ++k) {
        used[k] = (int32_t)(s % (w->most[k] + 1));
        s /= w->most[k] + 1;
    }
}

/* Closed walks that begin in pair `last`. */
PM_BODY void close_walks(const pm_walks *w, int32_t last, int64_t first, int64_t end, int kind)
{
    const int64_t components = pm_copies_components(kind), size = components * w->width;
    _Alignas(64) double next[4 * PM_WALKS_ENDS_MAX];
    int32_t used[PM_WALKS_PAIRS_MAX];
    find_used(w, first, used);
    for (int64_t s = first; s < end; ++s) {
        double *from = w->walk + s * size;
        if (used[last] > 0)
            for (int64_t c = 0; c < components; ++c)
                w->closed[s * components + c] = from[c * w->width + 2 * last];
        take_edge(w, from, 2 * last + 2, kind, next);
        jump(w, used, last, next, kind, from);
        count_up(w, used);
    }
}

/* Adds what walks between two loops give. */
PM_BODY void join_loops(const pm_walks *w, int64_t first, int64_t end, int kind)
{
    const int64_t components = pm_copies_components(kind), size = components * w->width;
    const int32_t ends = 2 * w->pairs;
    _Alignas(64) double next[4 * PM_WALKS_ENDS_MAX], lanes[4 * LANES];
    int32_t used[PM_WALKS_PAIRS_MAX];
    find_used(w, first, used);
    if (first == 0) {
        jump(w, used, w->pairs - 1, w->loop + size, kind, w->walk);
        count_up(w, used);
    }
    for (int64_t s = first == 0 ? 1 : first; s < end; ++s) {
        double *from = w->walk + s * size, *closed = w->closed + s * components;
        copies_number sum = {0}, known = splat_components(closed, 1, kind);
        int32_t k = w->pairs - 1;
        for (int32_t u = 0; u < ends; ++u) {
            const copies_number loop = splat_components(w->loop + u, w->width, kind);
            plus_product(w, &sum, splat_components(from + u, w->width, kind), &loop, kind);
        }
        while (used[k] == 0)
            --k;
        normalise(&sum, kind);
        times_real(&w->field, &sum, w->halves[used[k]], kind);
        plus(&w->field, &known, &sum, kind);
        normalise(&known, kind);
        store_number(&known, lanes, LANES, kind);
        for (int64_t c = 0; c < components; ++c)
            closed[c] = lanes[c * LANES];
        take_edge(w, from, ends, kind, next);
        jump(w, used, w->pairs - 1, next, kind, from);
        count_up(w, used);
    }
}

/* ---- the exponential ---- */

/* The first row: powers of y_0 only, one after another. */
PM_BODY void first_row(const pm_walks *w, int kind)
{
    const int64_t components = pm_copies_components(kind), size = w->lead + w->row;
    _Alignas(64) double lanes[4 * LANES];
    double *power = w->power + w->lead;
    power[0] = 1;
    for (int32_t a = 1; a <= w->most[0]; ++a) {
        copies_number sum = {0};
        for (int32_t b = 1; b <= a; ++b) {
            const copies_number rest = splat_components(power + a - b, size, kind);
            plus_product(w, &sum, splat_components(w->closed + b * components, 1, kind), &rest,
                         kind);
        }
        normalise(&sum, kind);
        times_real(&w->field, &sum, w->inverse[a], kind);
        normalise(&sum, kind);
        store_number(&sum, lanes, LANES, kind);
        for (int64_t c = 0; c < components; ++c)
            power[c * size + a] = lanes[c * LANES];
    }
}

/* *sum += the product of the row `closed` of b_k L_b and the row `power`; a vector of it. */
PM_BODY void plus_rows(const pm_walks *w, const double *closed, const double *power,
                       copies_number *sum, int kind)
{
    const int64_t components = pm_copies_components(kind);
    copies_number part = {0};
    for (int32_t t = 0; t <= w->most[0]; ++t) {
        const copies_number rest = load_anywhere(power - t, w->lead + w->row, kind);
        plus_product(w, &part, splat_components(closed + t * components, 1, kind), &rest, kind);
    }
    normalise(&part, kind);
    plus(&w->field, sum, &part, kind);
    normalise(sum, kind);
}

/* The vector `at` of row `a`, with these powers of y_1 and on; k: the last pair in it. */
PM_BODY void fill_row(const pm_walks *w, const int32_t *used, int32_t k, int64_t a, int64_t at,
                      int kind)
{
    const int64_t components = pm_copies_components(kind), size = w->lead + w->row;
    const int64_t row = w->stride[1];
    double *to = w->power + a * components * size + w->lead + at;
    copies_number sum = {0};
    int32_t b[PM_WALKS_PAIRS_MAX] = {0};
    int64_t at_b = w->stride[k] / row;
    b[k] = 1;
    for (;;) {
        plus_rows(w, w->closed + at_b * row * components,
                  w->power + (a - at_b) * components * size + w->lead + at, &sum, kind);
        int32_t j = 1;
        for (; j <= k && b[j] == used[j]; ++j) {
            at_b -= b[j] * (w->stride[j] / row);
            b[j] = 0;
        }
        if (j > k)
            break;
        ++b[j];
        at_b += w->stride[j] / row;
    }
    times_real(&w->field, &sum, w->inverse[used[k]], kind);
    normalise(&sum, kind);
    store_number(&sum, to, size, kind);
}

PM_BODY void exponential(const pm_walks *w, int64_t first, int64_t end, int kind)
{
    const int64_t rows = w->stride[w->pairs] / w->stride[1];
    const int32_t last = w->pairs - 1;
    int32_t used[PM_WALKS_PAIRS_MAX];
    if (first == 0)
        first_row(w, kind);
    for (int64_t a = first == 0 ? 1 : first; a < end; ++a) {
        int32_t k = last;
        find_used(w, a * w->stride[1], used);
        while (used[k] == 0)
            --k;
        /* No row needs those of the last power of the last pair. */
        if (used[last] == w->most[last] && a + 1 < rows)
            continue;
        for (int64_t at = 0; at < w->row; at += PM_LANES)
            fill_row(w, used, k, a, at, kind);
    }
}

#define PM_WALKS_KERNEL(name, kind)                                                                \
    PM_BODY_TARGET static void close_##name(const pm_walks *w, int32_t last, int64_t first,        \
                                            int64_t end)                                           \
    {                                                                                              \
        close_walks(w, last, first, end, kind);                                                    \
    }                                                                                              \
    PM_BODY_TARGET static void join_##name(const pm_walks *w, int64_t first, int64_t end)          \
    {                                                                                              \
        join_loops(w, first, end, kind);                                                           \
    }                                                                                              \
    PM_BODY_TARGET static void power_##name(const pm_walks *w, int64_t first, int64_t end)         \
    {                                                                                              \
        exponential(w, first, end, kind);                                                          \
    }                                                                                              \
    static const pm_walks_kernel name = {close_##name, join_##name, power_##name};

PM_WALKS_KERNEL(walks_real, PM_DENSE_REAL)
PM_WALKS_KERNEL(walks_complex, PM_DENSE_COMPLEX)
PM_WALKS_KERNEL(walks_quad, PM_DENSE_QUAD)
PM_WALKS_KERNEL(walks_complex_quad, PM_DENSE_COMPLEX_QUAD)
PM_WALKS_KERNEL(walks_residue, PM_COPIES_RESIDUE)

#define PM_WALKS_TABLE(name)                                                                       \
    const pm_walks_kernel *const name[PM_COPIES_KINDS] = {                                         \
        &walks_real, &walks_complex, &walks_quad, &walks_complex_quad, &walks_residue}

#endif
