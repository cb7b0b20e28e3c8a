/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With the sizes of the values in place of the values, the maximum norm of T^k is the largest number of
 * T^k (1, ..., 1). */
#include "config.h"

#include "layers/layers_bound.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

enum {
    LARGEST = 500, /* bits of a value */
    POWER = 64, /* of the cycle whose norm is found; less where that takes more transitions than */
    WORK = 1 << 27
};

typedef struct {
    const pm_transfer *t;
    double *value, *now, *next;
    int64_t states; /* of now */
    double scale;   /* the vector is now 2^scale */
} vector;

static void vector_free(vector *v)
{
    free(v->value);
    free(v->now);
    free(v->next);
}

static pm_status vector_make(const pm_layered *g, const pm_transfer *t, vector *v, pm_error *err)
{
    *v = (vector){t,
                  pm_alloc_array(g->nvalues, sizeof *v->value),
                  pm_alloc_array(t->widest, sizeof *v->now),
                  pm_alloc_array(t->widest, sizeof *v->next),
                  0,
                  0};
    if (!v->value || !v->now || !v->next)
        return pm_fail_memory(err, "a bound");
    for (int k = 0; k < g->nvalues; ++k) {
        if (pm_dyadic_bits(&g->value[k]) > LARGEST)
            return pm_fail(err, PM_UNABLE, "an entry of a part has more than %d bits", LARGEST);
        v->value[k] = fabs(pm_dyadic_get_d(&g->value[k])) * (1 + 0x1p-50);
    }
    return PM_OK;
}

static void fill(vector *v, int64_t states)
{
    v->states = states;
    v->scale = 0;
    for (int64_t s = 0; s < states; ++s)
        v->now[s] = 1;
}

static double largest(const vector *v)
{
    double most = 0;
    for (int64_t s = 0; s < v->states; ++s)
        most = v->now[s] > most ? v->now[s] : most;
    return most;
}

/* Divides by a power of 2, so that the largest number is near 1. */
static void normalise(vector *v)
{
    int exponent;
    const double most = largest(v);
    if (most == 0)
        return;
    frexp(most, &exponent);
    const double factor = ldexp(1, -exponent);
    for (int64_t s = 0; s < v->states; ++s)
        v->now[s] *= factor;
    v->scale += exponent;
}

static void run_steps(vector *v, int first, int count)
{
    for (int n = first; n < first + count; ++n) {
        const pm_transfer_step *s = &v->t->step[n];
        for (int64_t d = 0; d < s->to; ++d) {
            double sum = 0;
            for (int64_t k = s->start[d]; k < s->start[d + 1]; ++k) {
                const double x = v->now[s->source[k]];
                sum += s->entry && s->entry[k] >= 0 ? x * v->value[s->entry[k]] : x;
            }
            v->next[d] = sum;
        }
        double *swap = v->now;
        v->now = v->next;
        v->next = swap;
        v->states = s->to;
        normalise(v);
    }
}

/* log2 of the largest number; -INFINITY: all are 0 */
static double log2_largest(const vector *v)
{
    return log2(largest(v)) + v->scale;
}

/* log2 of the maximum norm of a cycle to this power */
static double log2_power(vector *v, int64_t power)
{
    fill(v, v->t->states);
    for (int64_t k = 0; k < power; ++k)
        run_steps(v, v->t->head, v->t->cycle);
    return log2_largest(v);
}

pm_status pm_layers_bound(const pm_layered *g, const pm_transfer *t, double *log2_norm,
                          double *log2_bound, pm_error *err)
{
    vector v;
    pm_status status = vector_make(g, t, &v, err);
    if (!status) {
        const int64_t affordable = 1 + WORK / (t->transitions + 1);
        const int64_t most = affordable < POWER ? affordable : POWER;
        const int64_t power = g->repeats < most ? g->repeats : most;
        const double norm = power > 0 ? log2_power(&v, power) : 0;
        double bound = power > 0 ? norm * (double)(g->repeats / power) : 0;
        if (power > 0)
            bound += log2_power(&v, g->repeats % power);
        if (g->is_ring) {
            bound += log2((double)t->states);
        } else {
            fill(&v, 1);
            run_steps(&v, 0, t->head);
            bound += log2_largest(&v);
            fill(&v, t->states);
            run_steps(&v, t->head + t->cycle, t->tail);
            bound += log2_largest(&v); /* there is one state at the end */
        }
        /* the rounding of at most 10^8 additions, and of logarithms */
        const double slack = 1e-6 * (double)(g->head + g->tail + POWER) + 1e-9 * fabs(bound);
        *log2_norm = power > 0 ? fmax(0, norm / (double)power + 1e-6) : 0;
        *log2_bound = bound > 0 ? bound + slack : 0;
    }
    vector_free(&v);
    return status;
}
