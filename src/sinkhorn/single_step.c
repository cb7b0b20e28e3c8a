/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/single_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/fetch_ahead.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "sinkhorn/short_float.h"

enum {
    ROWS_OF_PART =
        1 << 13, /* at least: sums are those of parts, which depend on the number of rows alone */
    PARTS_MOST = 256,
    STALLED =
        60, /* steps with coarse systems that do not halve what remains: rounding keeps it there, and the rest is for the next system */
    ENTRIES_OF_HALVES = 1 << 16 /* from here on columns are summed over two halves of the rows */
};
#define ROUNDING 0x1p-56 /* of a sum near 1 */

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    const pm_csr *a;
    const pm_line_products *between; /* the entries are these; or NULL */
    const pm_coarse *coarse;
    int parts, halves, threads;
    uint16_t *inverse; /* 1 over the diagonal, in 16 bits */
    float *step, *rest;
    float *along; /* the direction */
    float *
        image; /* of the direction, or what the preconditioner makes of the rest; also sums of the second half */
    float *
        sum; /* of the columns, times the direction; between two products vectors of coarse systems */
} work;

/* narrow: the entries in single precision, or NULL; here, since the compiler reads s again after each store. */
INLINE double entry(const work *s, const float *narrow, int64_t i, int64_t k)
{
    if (narrow)
        return narrow[k];
    return s->between ? pm_line_product(s->between, i, s->a->colind[k]) : s->a->value[k];
}

static int64_t start_of_part(const work *s, int p)
{
    return s->a->nrows * p / s->parts;
}

/* ---- beginning ---- */

/* The right side and the diagonal. */
static double begin_rows(const work *s, int64_t from, int64_t to)
{
    const float *narrow = s->a->narrow;
    double dot = 0;
    for (int64_t i = from; i < to; ++i) {
        double sum = 0, squares = 0;
        for (int64_t k = s->a->rowptr[i]; k < s->a->rowptr[i + 1]; ++k) {
            const double x = entry(s, narrow, i, k);
            sum += x;
            squares += x * x;
        }
        const double diagonal = pm_map_step(PM_MAP_REMAINDER, 0, sum, 0, squares);
        s->inverse[i] = pm_short_of((float)fmin(1 / diagonal, FLT_MAX));
        s->rest[i] = (float)(1 - sum);
        s->step[i] = 0;
        dot += (double)s->rest[i] * s->rest[i];
    }
    return dot;
}

/* ---- products ---- */

/* Rows from .. r - 1, r the value returned, ask ahead. */
static int64_t ahead_rows(const work *s, int64_t from, int64_t to)
{
    return pm_fetch_ahead_rows(s->a->rowptr, s->a->colind, s->a->ncols, from, to);
}

/* Adds row i, times along_i, to the sums of the columns of a range. */
INLINE void add_row(const work *s, int64_t i, pm_column_range range, bool is_all, bool asks_ahead,
                    float *sum)
{
    const int32_t *j = s->a->colind;
    const float *narrow = s->a->narrow, along = s->along[i];
    const int64_t to = s->a->rowptr[i + 1];
    for (int64_t k = s->a->rowptr[i]; k < to; ++k) {
        if (asks_ahead)
            __builtin_prefetch(&sum[j[k + PM_FETCH_AHEAD]], 1);
        if (is_all || pm_column_is_in(range, j[k]))
            sum[j[k]] += (float)(entry(s, narrow, i, k) * along);
    }
}

/* Adds the rows of one half to the sums of some columns. */
static void add_columns(const work *s, int half, pm_column_range range)
{
    const pm_csr_rows rows = pm_csr_share(s->a, half, s->halves);
    const bool is_all = (int64_t)range.count == s->a->ncols;
    float *sum = half ? s->image : s->sum;
    for (uint32_t j = 0; j < range.count; ++j)
        sum[range.from + j] = 0;
    const int64_t middle = is_all ? ahead_rows(s, rows.from, rows.to) : rows.from;
    for (int64_t i = rows.from; i < middle; ++i)
        add_row(s, i, range, is_all, true, sum);
    for (int64_t i = middle; i < rows.to; ++i)
        add_row(s, i, range, is_all, false, sum);
}

static void sum_columns(const work *s)
{
    const int ranges = s->threads > s->halves ? s->threads / s->halves : 1;
#pragma omp parallel num_threads(s->threads) if (s->threads > 1)
    {
#pragma omp for schedule(static, 1)
        for (int task = 0; task < s->halves * ranges; ++task)
            add_columns(s, task / ranges, pm_column_range_of(s->a->ncols, task % ranges, ranges));
#pragma omp for
        for (int64_t j = 0; j < (s->halves > 1 ? s->a->ncols : 0); ++j)
            s->sum[j] += s->image[j];
    }
}

/* Sets the image of row i, from differences: what they have in common would leave its rounding.  Returns the image times along_i. */
INLINE double row_image(const work *s, int64_t i, bool asks_ahead)
{
    const int32_t *j = s->a->colind;
    const float *narrow = s->a->narrow, *of_column = s->sum, along = s->along[i];
    const int64_t to = s->a->rowptr[i + 1];
    double sum = 0;
    for (int64_t k = s->a->rowptr[i]; k < to; ++k) {
        if (asks_ahead)
            __builtin_prefetch(&of_column[j[k + PM_FETCH_AHEAD]]);
        sum += entry(s, narrow, i, k) * (double)(along - of_column[j[k]]);
    }
    s->image[i] = (float)sum;
    return along * sum;
}

/* image = A along for some rows.  Returns along^T image. */
static double multiply_rows(const work *s, int64_t from, int64_t to)
{
    const int64_t middle = ahead_rows(s, from, to);
    double dot = 0;
    for (int64_t i = from; i < middle; ++i)
        dot += row_image(s, i, true);
    for (int64_t i = middle; i < to; ++i)
        dot += row_image(s, i, false);
    return dot;
}

/* ---- vectors ---- */

typedef struct {
    double rest, image; /* products of the rest with itself and with the image */
} dots;

static dots advance_rows(const work *s, double length, int64_t from, int64_t to)
{
    dots d = {0, 0};
    for (int64_t i = from; i < to; ++i) {
        s->step[i] += (float)(length * s->along[i]);
        s->rest[i] -= (float)(length * s->image[i]);
        s->image[i] = pm_short_value(s->inverse[i]) * s->rest[i];
        d.rest += (double)s->rest[i] * s->rest[i];
        d.image += (double)s->rest[i] * s->image[i];
    }
    return d;
}

static double dot_rows(const work *s, int64_t from, int64_t to)
{
    double dot = 0;
    for (int64_t i = from; i < to; ++i)
        dot += (double)s->rest[i] * s->image[i];
    return dot;
}

static double step_rows(const work *s, int64_t from, int64_t to)
{
    double dot = 0;
    for (int64_t i = from; i < to; ++i)
        dot += (double)s->step[i] * s->step[i];
    return dot;
}

/* ---- all rows ---- */

typedef double pm_single_rows(const work *s, int64_t from, int64_t to);

static double for_rows(const work *s, pm_single_rows *of_rows)
{
    double part[PARTS_MOST], sum = 0;
#pragma omp parallel for num_threads(s->threads) if (s->threads > 1)
    for (int p = 0; p < s->parts; ++p)
        part[p] = of_rows(s, start_of_part(s, p), start_of_part(s, p + 1));
    for (int p = 0; p < s->parts; ++p)
        sum += part[p];
    return sum;
}

static double image_rows(const work *s, int64_t from, int64_t to)
{
    double sum = 0;
    for (int64_t i = from; i < to; ++i)
        sum += (double)s->image[i];
    return sum;
}

/* The equations say nothing of the mean of a solution.  Coarse systems make it large, and its rounding then grows from step to step. */
static void center_image(const work *s)
{
    const float mean = (float)(for_rows(s, image_rows) / (double)s->a->nrows);
#pragma omp parallel for num_threads(s->threads) if (s->threads > 1)
    for (int64_t i = 0; i < s->a->nrows; ++i)
        s->image[i] -= mean;
}

/* step += length along; the rest follows, and image = the preconditioner times the rest. */
static dots advance(const work *s, double length)
{
    dots part[PARTS_MOST], sum = {0, 0};
#pragma omp parallel for num_threads(s->threads) if (s->threads > 1)
    for (int p = 0; p < s->parts; ++p)
        part[p] = advance_rows(s, length, start_of_part(s, p), start_of_part(s, p + 1));
    for (int p = 0; p < s->parts; ++p) {
        sum.rest += part[p].rest;
        sum.image += part[p].image;
    }
    if (s->coarse) {
        pm_coarse_add(s->coarse, s->rest, s->image, s->sum);
        center_image(s);
        sum.image = for_rows(s, dot_rows);
    }
    return sum;
}

/* along = image + share along */
static void turn(const work *s, double share)
{
#pragma omp parallel for num_threads(s->threads) if (s->threads > 1)
    for (int64_t i = 0; i < s->a->nrows; ++i)
        s->along[i] = s->image[i] + (float)share * s->along[i];
}

static void iterate(const work *s, const pm_single_equations *q, pm_single_end *end)
{
    const double size = sqrt(for_rows(s, begin_rows));
    const double least = fmax(q->share * size, ROUNDING * sqrt((double)s->a->nrows));
#pragma omp parallel for num_threads(s->threads) if (s->threads > 1)
    for (int64_t i = 0; i < s->a->nrows; ++i)
        s->along[i] = s->image[i] = 0;
    dots now = advance(s, 0);
    turn(s, 0);
    double mark = now.rest;
    int64_t since = 0;
    while (end->taken < q->steps && now.rest > least * least && !pm_run_stopped(q->run)) {
        end->is_hopeless = q->hopeless && end->taken == q->hopeless && now.rest > size * size;
        if (end->is_hopeless)
            break;
        sum_columns(s);
        const double curvature = for_rows(s, multiply_rows), before = now.image;
        ++end->taken;
        if (!(curvature > 0)) {
            end->is_broken = end->taken == 1 || (!s->coarse && now.rest >= size * size);
            break;
        }
        now = advance(s, before / curvature);
        turn(s, now.image / before);
        ++since;
        if (now.rest < mark / 4) {
            mark = now.rest;
            since = 0;
        }
        if (s->coarse && since == STALLED)
            break;
    }
    end->is_worse = now.rest >= size * size;
    end->is_broken = end->is_broken || !isfinite(now.rest) || !isfinite(for_rows(s, step_rows));
}

pm_status pm_single_step(const pm_single_equations *q, float *step, pm_single_end *end,
                         pm_error *err)
{
    const pm_workspace *on = q->on;
    const pm_csr *a = &on->x.a;
    const int64_t n = a->nrows, parts = n / ROWS_OF_PART + 1;
    const pm_line_products between = pm_workspace_products(on);
    work s = {.a = a,
              .between = on->is_product ? &between : NULL,
              .coarse = q->coarse,
              .parts = parts < PARTS_MOST ? (int)parts : PARTS_MOST,
              .halves = a->rowptr[n] < ENTRIES_OF_HALVES ? 1 : 2,
              .threads = on->threads,
              .inverse = pm_alloc_array(n, sizeof *s.inverse),
              .step = step,
              .rest = pm_alloc_array(n, sizeof *s.rest),
              .along = pm_alloc_array(n, sizeof *s.along),
              .image = pm_alloc_array(n, sizeof *s.image),
              .sum = pm_alloc_array(n, sizeof *s.sum)};
    *end = (pm_single_end){0};
    const bool has_memory = s.inverse && s.rest && s.along && s.image && s.sum;
    if (has_memory)
        iterate(&s, q, end);
    free(s.inverse);
    free(s.rest);
    free(s.along);
    free(s.image);
    free(s.sum);
    return has_memory ? PM_OK : pm_fail_memory(err, "vectors");
}
