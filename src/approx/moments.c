/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/moments.h"

#include <math.h>
#include <string.h>

#include "approx/pareto.h"
#include "approx/weight.h"

void pm_moments_clear(pm_moments *m)
{
    memset(m, 0, offsetof(pm_moments, tail));
}

/* ---- the shared exponent ---- */

static double scaled(double x, int64_t e)
{
    return ldexp(x, e < -4000 ? -4000 : (int)e);
}

static void raise_exponent(pm_moments *m, int64_t e)
{
    int64_t down = m->exp - e < -4000 ? -4000 : m->exp - e;
    m->mean = scaled(m->mean, down);
    for (int k = 0; k < 3; ++k)
        m->central[k] = scaled(m->central[k], (k + 2) * down);
    for (int b = 0; b < PM_MOMENTS_BATCHES; ++b)
        m->batch[b] = scaled(m->batch[b], down);
    m->exp = e;
}

/* So that weights below 2^e fit. */
static void make_room(pm_moments *m, int64_t e)
{
    if (m->dead == m->count)
        m->exp = e;
    else if (e > m->exp)
        raise_exponent(m, e);
}

/* ---- the largest weights ---- */

static void sift_down(pm_weight *heap, int64_t n, int64_t at)
{
    pm_weight w = heap[at];
    for (int64_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && pm_weight_compare(heap[child + 1], heap[child]) < 0)
            ++child;
        if (pm_weight_compare(w, heap[child]) <= 0)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = w;
}

static void keep_if_large(pm_moments *m, pm_weight w)
{
    if (m->ntail < PM_MOMENTS_TAIL) {
        m->tail[m->ntail++] = w;
        if (m->ntail == PM_MOMENTS_TAIL)
            for (int64_t i = PM_MOMENTS_TAIL / 2; i-- > 0;)
                sift_down(m->tail, PM_MOMENTS_TAIL, i);
    } else if (pm_weight_compare(w, m->tail[0]) > 0) {
        m->tail[0] = w;
        sift_down(m->tail, PM_MOMENTS_TAIL, 0);
    }
}

/* ---- moments ---- */

/* One more number, in the exponent of m. */
static void add_central(pm_moments *m, double x)
{
    double before = (double)m->count, n = before + 1;
    double delta = x - m->mean, part = delta / n, term = delta * part * before;
    double *c = m->central;
    c[2] += term * part * part * (n * n - 3 * n + 3) + 6 * part * part * c[0] - 4 * part * c[1];
    c[1] += term * part * (n - 2) - 3 * part * c[0];
    c[0] += term;
    m->mean += part;
}

void pm_moments_add(pm_moments *m, uint64_t sample, pm_weight w)
{
    double x = 0;
    if (w.m > 0) {
        make_room(m, w.e);
        keep_if_large(m, w);
        x = scaled(w.m, w.e - m->exp);
    }
    add_central(m, x);
    m->batch[sample % PM_MOMENTS_BATCHES] += x;
    ++m->batch_count[sample % PM_MOMENTS_BATCHES];
    ++m->count;
    m->dead += !(w.m > 0);
}

/* Neither is empty; what is in b is to be multiplied by 2^down, its k-th powers by 2^(k down). */
static void merge_central(pm_moments *a, const pm_moments *b, int64_t down)
{
    double na = (double)a->count, nb = (double)b->count, n = na + nb, ra = na / n, rb = nb / n;
    double d = scaled(b->mean, down) - a->mean, d2 = d * d, *x = a->central, y[3];
    for (int k = 0; k < 3; ++k)
        y[k] = scaled(b->central[k], (k + 2) * down);
    x[2] += y[2] + d2 * d2 * na * rb * (ra * ra - ra * rb + rb * rb)
            + 6 * d2 * (ra * ra * y[0] + rb * rb * x[0]) + 4 * d * (ra * y[1] - rb * x[1]);
    x[1] += y[1] + d2 * d * na * rb * (ra - rb) + 3 * d * (ra * y[0] - rb * x[0]);
    x[0] += y[0] + d2 * na * rb;
    a->mean += d * rb;
}

void pm_moments_merge(pm_moments *m, const pm_moments *more)
{
    if (more->count == 0)
        return;
    if (more->dead < more->count)
        make_room(m, more->exp);
    int64_t down = more->exp - m->exp < -4000 ? -4000 : more->exp - m->exp;
    down = more->dead == more->count ? 0 : down;
    merge_central(m, more, down);
    for (int k = 0; k < PM_MOMENTS_BATCHES; ++k) {
        m->batch[k] += scaled(more->batch[k], down);
        m->batch_count[k] += more->batch_count[k];
    }
    m->count += more->count;
    m->dead += more->dead;
    for (int64_t i = 0; i < more->ntail; ++i)
        keep_if_large(m, more->tail[i]);
}

/* ---- summary ---- */

static void summarise_batches(const pm_moments *m, pm_sample_summary *out)
{
    double least = INFINITY;
    for (int b = 0; b < PM_MOMENTS_BATCHES; ++b)
        if (m->batch_count[b] > 0) {
            least = fmin(least, m->batch[b] / (double)m->batch_count[b]);
            ++out->batches;
        }
    out->least_batch = m->mean > 0 ? fmin(least / m->mean, 1) : 0;
}

void pm_moments_summary(const pm_moments *m, pm_sample_summary *out)
{
    double n = (double)m->count, mean = m->mean, square = m->central[0];
    *out = (pm_sample_summary){.mean = pm_weight_make(mean, m->exp),
                               .relative_variance = INFINITY,
                               .tail_k = pm_pareto_tail(m),
                               .count = m->count,
                               .dead = m->dead};
    summarise_batches(m, out);
    if (!(mean > 0))
        return;
    out->effective = n / (1 + square / (n * mean * mean));
    if (m->count > 1)
        out->relative_variance = square / (n * (n - 1) * mean * mean);
    if (square > 0)
        out->skewness = m->central[1] / n / pow(square / n, 1.5);
}
