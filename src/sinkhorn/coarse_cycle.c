/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How coarse systems are applied (coarse.h). */
#include "config.h"

#include "sinkhorn/coarse.h"

#include <string.h>

/* What a step of Jacobi's method takes of the whole; with 0.6 to 0.85 lattices need the same number of steps. */
#define JACOBI 0.8F
/* Of the square of the right side: where no more is left after one step there is no second one. */
#define ENOUGH 0x1p-4

typedef struct {
    const pm_coarse *c;
    pm_coarse_vectors first; /* of the first level */
} work;

/* A level at work. */
typedef struct {
    const pm_coarse_level *l;
    pm_coarse_vectors v;
    int threads;
} place;

typedef struct {
    double curvature, along; /* x^T A x, x^T rest */
} two_dots;

static place place_of(const work *w, int k)
{
    const pm_coarse_level *l = &w->c->level[k];
    return (place){l, k ? l->v : w->first, w->c->threads};
}

/* ---- from items to clusters and back ---- */

/* REST of the clusters of part p of the items = the sums of x. */
static void sum_part(const place *at, int p, const float *x)
{
    const pm_coarse_level *l = at->l;
    const int64_t end = pm_coarse_start(l->items, l->parts, p + 1);
    const int32_t *cluster = l->cluster, first = l->first[p];
    const uint16_t *short_one = l->of_part;
    float *own = at->v.rest + first;
    memset(own, 0, (size_t)(l->first[p + 1] - first) * sizeof *own);
    if (short_one)
        for (int64_t i = pm_coarse_start(l->items, l->parts, p); i < end; ++i)
            own[short_one[i]] += x[i];
    else
        for (int64_t i = pm_coarse_start(l->items, l->parts, p); i < end; ++i)
            own[cluster[i] - first] += x[i];
}

/* x += STEP of the clusters */
static void spread_part(const place *at, int p, float *x)
{
    const pm_coarse_level *l = at->l;
    const int64_t end = pm_coarse_start(l->items, l->parts, p + 1);
    const int32_t *cluster = l->cluster, first = l->first[p];
    const uint16_t *short_one = l->of_part;
    const float *own = at->v.step + first;
    if (short_one)
        for (int64_t i = pm_coarse_start(l->items, l->parts, p); i < end; ++i)
            x[i] += own[short_one[i]];
    else
        for (int64_t i = pm_coarse_start(l->items, l->parts, p); i < end; ++i)
            x[i] += own[cluster[i] - first];
}

static void cycle(const work *w, int k);

/* x += P (what level k makes of P^T rest) */
static void add_level(const work *w, int k, const float *rest, float *x)
{
    const place at = place_of(w, k);
    const int parts = at.l->parts;
#pragma omp parallel for num_threads(at.threads) if (at.threads > 1 && parts > 1)
    for (int p = 0; p < parts; ++p)
        sum_part(&at, p, rest);
    cycle(w, k);
#pragma omp parallel for num_threads(at.threads) if (at.threads > 1 && parts > 1)
    for (int p = 0; p < parts; ++p)
        spread_part(&at, p, x);
}

/* ---- a level that has a next one ---- */

static int64_t start_of(const place *at, int p)
{
    return pm_coarse_start(at->l->count, at->l->a.parts, p);
}

/* LEFT = REST - A x */
static void set_left(const place *at, int p, const float *x)
{
    const int64_t from = start_of(at, p), to = start_of(at, p + 1);
    for (int64_t i = from; i < to; ++i)
        at->v.left[i] =
            (float)(at->v.rest[i] - pm_coarse_image(&at->l->a.part[p], i - from, x, x[i]));
}

/* x = what preconditions the equations times REST: Jacobi's method, the next level, Jacobi's method. */
static void precondition(const work *w, int k, float *x)
{
    const place at = place_of(w, k);
    const int parts = at.l->a.parts;
    const float *inverse = at.l->inverse;
#pragma omp parallel num_threads(at.threads) if (at.threads > 1 && parts > 1)
    {
#pragma omp for
        for (int p = 0; p < parts; ++p)
            for (int64_t i = start_of(&at, p); i < start_of(&at, p + 1); ++i)
                x[i] = JACOBI * inverse[i] * at.v.rest[i];
#pragma omp for
        for (int p = 0; p < parts; ++p)
            set_left(&at, p, x);
    }
    add_level(w, k + 1, at.v.left, x);
#pragma omp parallel num_threads(at.threads) if (at.threads > 1 && parts > 1)
    {
#pragma omp for
        for (int p = 0; p < parts; ++p)
            set_left(&at, p, x);
#pragma omp for
        for (int p = 0; p < parts; ++p)
            for (int64_t i = start_of(&at, p); i < start_of(&at, p + 1); ++i)
                x[i] += JACOBI * inverse[i] * at.v.left[i];
    }
}

/* IMAGE = A x for a part. */
static two_dots image_of_part(const place *at, int p, const float *x)
{
    const int64_t from = start_of(at, p), to = start_of(at, p + 1);
    two_dots d = {0, 0};
    for (int64_t i = from; i < to; ++i) {
        const double y = pm_coarse_image(&at->l->a.part[p], i - from, x, x[i]);
        at->v.image[i] = (float)y;
        d.curvature += x[i] * y;
        d.along += (double)x[i] * at->v.rest[i];
    }
    return d;
}

static two_dots multiply(const place *at, const float *x)
{
    two_dots part[PM_COARSE_PARTS], d = {0, 0};
    const int parts = at->l->a.parts;
#pragma omp parallel for num_threads(at->threads) if (at->threads > 1 && parts > 1)
    for (int p = 0; p < parts; ++p)
        part[p] = image_of_part(at, p, x);
    for (int p = 0; p < parts; ++p) {
        d.curvature += part[p].curvature;
        d.along += part[p].along;
    }
    return d;
}

/* x^T y */
static double dot(const place *at, const float *x, const float *y)
{
    double part[PM_COARSE_PARTS], sum = 0;
    const int parts = at->l->a.parts;
#pragma omp parallel for num_threads(at->threads) if (at->threads > 1 && parts > 1)
    for (int p = 0; p < parts; ++p) {
        part[p] = 0;
        for (int64_t i = start_of(at, p); i < start_of(at, p + 1); ++i)
            part[p] += (double)x[i] * y[i];
    }
    for (int p = 0; p < parts; ++p)
        sum += part[p];
    return sum;
}

/* x = a x + b y */
static void combine(const place *at, double a, float *x, double b, const float *y)
{
#pragma omp parallel for num_threads(at->threads) if (at->threads > 1 && at->l->a.parts > 1)
    for (int64_t i = 0; i < at->l->count; ++i)
        x[i] = (float)(a * x[i] + b * y[i]);
}

/* STEP = nearly A^-1 REST for the clusters of level k; REST is lost. */
static void cycle(const work *w, int k)
{
    const place at = place_of(w, k);
    const pm_coarse_vectors *v = &at.v;
    if (k == w->c->levels - 1) {
        pm_coarse_last_solve(&at.l->last, v->rest, v->step);
        return;
    }
    const double size = dot(&at, v->rest, v->rest);
    precondition(w, k, v->step);
    const two_dots first = multiply(&at, v->step);
    const double length = first.curvature > 0 ? first.along / first.curvature : 0;
    combine(&at, 1, v->rest, -length, v->image);
    if (length == 0 || dot(&at, v->rest, v->rest) <= ENOUGH * size) {
        combine(&at, length, v->step, 0, v->step);
        return;
    }
    precondition(w, k, v->other);
    combine(&at, 1, v->other, -dot(&at, v->other, v->image) / first.curvature, v->step);
    const two_dots second = multiply(&at, v->other);
    combine(&at, length, v->step, second.curvature > 0 ? second.along / second.curvature : 0,
            v->other);
}

void pm_coarse_add(const pm_coarse *c, const float *rest, float *z, float *room)
{
    const pm_coarse_level *l = c->level;
    const int64_t n = l->count;
    const bool has_own = l->v.rest;
    const work w = {
        c, has_own ? l->v
                   : (pm_coarse_vectors){room, room + n, room + 2 * n, room + 3 * n, room + 4 * n}};
    add_level(&w, 0, rest, z);
}
