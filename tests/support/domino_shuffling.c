/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/domino_shuffling.h"

#include <string.h>

#include "support/testing.h"

/* ---- weights ---- */

/* chance: [k k], of the squares of order k; next: [4 (k - 1) (k - 1)], weights of order k - 1. */
static void reduce(int k, const double *weight, double *chance, double *next)
{
    for (int r = 0; r < 2 * k; ++r)
        for (int c = 0; c < 2 * k; ++c) {
            const double *corner = weight + (r & ~1) * 2 * k + (c & ~1);
            const double along = corner[0] * corner[2 * k + 1], across = corner[1] * corner[2 * k];
            chance[r / 2 * k + c / 2] = along / (along + across);
            if (r > 0 && r < 2 * k - 1 && c > 0 && c < 2 * k - 1)
                next[(r - 1) * 2 * (k - 1) + c - 1] =
                    weight[(r ^ 1) * 2 * k + (c ^ 1)] / (along + across);
        }
}

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    assert_non_null(p);
    return p;
}

void domino_shuffling_make(int order, const double *weight, domino_shuffling *out)
{
    *out = (domino_shuffling){.order = order};
    if (!weight)
        return;
    const size_t edges = 4 * (size_t)order * (size_t)order;
    double *now = allocate(edges, sizeof *now), *next = allocate(edges, sizeof *next);
    memcpy(now, weight, edges * sizeof *now);
    out->chance = allocate((size_t)order + 1, sizeof *out->chance);
    for (int k = order; k > 0; --k) {
        out->chance[k] = allocate((size_t)k * (size_t)k, sizeof **out->chance);
        reduce(k, now, out->chance[k], next);
        double *swap = now;
        now = next;
        next = swap;
    }
    free(now);
    free(next);
}

void domino_shuffling_free(domino_shuffling *s)
{
    for (int k = 0; s->chance && k <= s->order; ++k)
        free(s->chance[k]);
    free(s->chance);
    *s = (domino_shuffling){0};
}

/* ---- a step ---- */

static void slide(uint8_t *up, uint8_t *down)
{
    const uint8_t a = up[0], b = up[1], c = down[0], d = down[1];
    const uint8_t moves = !((a & d) | (b & c)); /* no two dominoes of the square face each other */
    up[0] = d & moves;
    up[1] = c & moves;
    down[0] = b & moves;
    down[1] = a & moves;
}

/* Whether no vertex of square (R, C) of order k is covered: neither by its own edges nor by those that go on from its
 * vertices. */
static bool is_free(const uint8_t *edge, int k, int R, int C)
{
    const int side = 2 * k;
    for (int r = 2 * R - 1; r <= 2 * R + 2; ++r)
        for (int c = 2 * C - 1; c <= 2 * C + 2; ++c) {
            const bool is_outside = r < 0 || c < 0 || r >= side || c >= side;
            const bool is_corner = (r < 2 * R || r > 2 * R + 1) && (c < 2 * C || c > 2 * C + 1);
            if (!is_outside && !is_corner && edge[r * side + c])
                return false;
        }
    return true;
}

void domino_shuffling_draw(const domino_shuffling *s, uint64_t *rng, uint8_t *edge)
{
    const int n = s->order;
    uint8_t *old = allocate(4 * (size_t)n * (size_t)n, 1);
    for (int k = 1; k <= n; ++k) {
        const int side = 2 * k, inner = side - 2;
        memset(edge, 0, (size_t)side * (size_t)side);
        for (int r = 0; r < inner; ++r)
            memcpy(edge + (r + 1) * side + 1, old + r * inner, (size_t)inner);
        for (int R = 0; R < k; ++R)
            for (int C = 0; C < k; ++C)
                slide(edge + 2 * R * side + 2 * C, edge + (2 * R + 1) * side + 2 * C);
        for (int R = 0; R < k; ++R)
            for (int C = 0; C < k; ++C) {
                if (!is_free(edge, k, R, C))
                    continue;
                const double chance = s->chance ? s->chance[k][R * k + C] : 0.5;
                const int along = pm_rng_unit(rng) < chance;
                edge[2 * R * side + 2 * C + !along] = 1;
                edge[(2 * R + 1) * side + 2 * C + along] = 1;
            }
        memcpy(old, edge, (size_t)side * (size_t)side);
    }
    free(old);
}
