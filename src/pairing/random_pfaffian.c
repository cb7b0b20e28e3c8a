/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods godsil-gutman and barvinok: a skew-symmetric matrix S with s_ij = x_ij sqrt(a_ij) for i < j, where the x_ij are
 * independent with mean 0 and variance 1: signs, or normal variables.  The Pfaffian of S is the sum over all perfect matchings of
 * +-1 times the product of the s_ij.  In the mean of its square only the products of a matching with itself are not 0:
 * of two others some x_ij occurs once.  So the mean is the hafnian of a.
 * doc/estimates.md has the variance.
 *
 * Normal variables are drawn by comparisons alone (Karney 2016), so that they are the same on every machine. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "cuda/sample_sequence.h"
#include "pairing/pairing_graph.h"
#include "pm/alloc.h"
#include "sampler/weight.h"

enum { VERTICES_MAX = 2048 /* 32 MB for each thread */ };

static void free_model(pm_sampler *s)
{
    pm_pairing_graph *g = s->model;
    if (!g)
        return;
    pm_pairing_graph_free(g);
    free(g);
}

static pm_status make(pm_sampler *s, const pm_sampler_options *o, const pm_run *run, pm_error *err)
{
    (void)o;
    const double n = (double)s->a->nrows, nnz = (double)pm_matrix_nnz(s->a);
    if (s->a->nrows > VERTICES_MAX)
        return pm_fail(err, PM_UNABLE, "%lld vertices: %s has room for %d", (long long)s->a->nrows,
                       s->method->name, (int)VERTICES_MAX);
    pm_pairing_graph *g = pm_calloc_array(1, sizeof *g);
    if (!g)
        return pm_fail_memory(err, "a sampler");
    s->model = g;
    pm_status status = pm_pairing_graph_make(s->a, run, g, err);
    s->scratch = (size_t)(s->a->nrows * s->a->nrows) * sizeof(double);
    s->seconds = PM_SAMPLE_UNIT_SECONDS * (0.4 * n * n * n + 2 * n * n + 60 * nnz);
    s->batch = pm_sampler_batch_size(s->seconds);
    return status;
}

/* ---- random numbers ---- */

static double draw_sign(pm_sample_sequence *s)
{
    return pm_sample_sequence_bits(s) >> 63 ? -1 : 1;
}

/* True with probability exp(-p), 0 <= p <= 1: a falling sequence of uniform numbers below p has an even length with this
 * probability (von Neumann 1951). */
static bool draw_exp(pm_sample_sequence *s, double p)
{
    bool is_even = true;
    for (double last = p, next; (next = pm_sample_sequence_unit(s)) < last; last = next)
        is_even = !is_even;
    return is_even;
}

static bool draw_all_exp(pm_sample_sequence *s, int64_t count, double p)
{
    for (; count > 0; --count)
        if (!draw_exp(s, p))
            return false;
    return true;
}

/* k + x, of a density in proportion to exp(-(k + x)^2 / 2) = exp(-k/2) exp(-k (k - 1) / 2) exp(-x (2 k + x) / 2). */
static double draw_normal(pm_sample_sequence *s)
{
    for (;;) {
        int64_t k = 0;
        while (draw_exp(s, 0.5))
            ++k;
        if (!draw_all_exp(s, k * (k - 1), 0.5))
            continue;
        const double x = pm_sample_sequence_unit(s), wide = (double)k;
        if (draw_all_exp(s, k + 1, x * (2 * wide + x) / (2 * wide + 2)))
            return (wide + x) * draw_sign(s);
    }
}

/* ---- a sample ---- */

static void fill(const pm_pairing_graph *g, double (*draw_one)(pm_sample_sequence *),
                 pm_sample_sequence *random, double *s)
{
    const pm_matrix *a = g->a;
    const int64_t n = g->n;
    memset(s, 0, (size_t)(n * n) * sizeof *s);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int64_t j = a->colind[k];
            if (j <= i)
                continue;
            s[i * n + j] = draw_one(random) * (g->value ? sqrt(g->value[k]) : 1);
            s[j * n + i] = -s[i * n + j];
        }
}

static void swap_lines(double *s, int64_t n, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < n; ++k) {
        const double row = s[i * n + k];
        s[i * n + k] = s[j * n + k];
        s[j * n + k] = row;
    }
    for (int64_t k = 0; k < n; ++k) {
        const double column = s[k * n + i];
        s[k * n + i] = s[k * n + j];
        s[k * n + j] = column;
    }
}

/* Brings the largest entry of row i behind i to column i + 1. */
static double pivot(double *s, int64_t n, int64_t i)
{
    int64_t best = i + 1;
    for (int64_t j = i + 2; j < n; ++j)
        if (fabs(s[i * n + j]) > fabs(s[i * n + best]))
            best = j;
    if (best != i + 1)
        swap_lines(s, n, i + 1, best);
    return s[i * n + i + 1];
}

/* The square of the Pfaffian.  With p = s_01 it is p^2 times that of s_jk + (s_1j s_0k - s_0j s_1k) / p, j, k > 1. */
static pm_wide_product square_of_pfaffian(double *s, int64_t n)
{
    pm_wide_product w = {1, 0};
    for (int64_t i = 0; i < n; i += 2) {
        const double p = pivot(s, n, i);
        const double *x = s + i * n, *y = x + n;
        if (!(fabs(p) > 0x1p-400))
            return (pm_wide_product){0, 0};
        pm_wide_product_multiply(&w, p * p);
        for (int64_t j = i + 2; j < n; ++j) {
            const double by_x = y[j] / p, by_y = x[j] / p;
            for (int64_t k = i + 2; k < n; ++k)
                s[j * n + k] += by_x * x[k] - by_y * y[k];
        }
    }
    return w;
}

static pm_weight draw_with(const pm_sampler *sampler, void *scratch, uint64_t sample,
                           double (*draw_one)(pm_sample_sequence *))
{
    const pm_pairing_graph *g = sampler->model;
    pm_sample_sequence random = pm_sample_sequence_of(sampler->seed, sampler->block, sample);
    fill(g, draw_one, &random, scratch);
    const pm_wide_product w = square_of_pfaffian(scratch, g->n);
    return w.m > 0 ? pm_weight_make(w.m, w.e + g->exponent) : (pm_weight){0};
}

static pm_weight draw_signs(const pm_sampler *s, void *scratch, uint64_t sample)
{
    return draw_with(s, scratch, sample, draw_sign);
}

static pm_weight draw_normals(const pm_sampler *s, void *scratch, uint64_t sample)
{
    return draw_with(s, scratch, sample, draw_normal);
}

const pm_sampler_method pm_sampler_godsil_gutman = {
    .name = "godsil-gutman",
    .summary = "graphs with odd cycles: the determinant of a skew-symmetric matrix of random signs;"
               " for comparison",
    .source = "Godsil and Gutman 1981",
    .is_general = true,
    .make = make,
    .draw = draw_signs,
    .free_model = free_model};

const pm_sampler_method pm_sampler_barvinok = {.name = "barvinok",
                                               .summary =
                                                   "the same with normal variables; for comparison",
                                               .source = "Barvinok 1999",
                                               .is_general = true,
                                               .make = make,
                                               .draw = draw_normals,
                                               .free_model = free_model};
