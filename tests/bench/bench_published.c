/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published tables of sampling, with our methods beside: Yaglioglu 2021.
 *
 * Table 6.16: a million samples on square grids, the estimate over the true count.  A row takes no
 * more samples than its budget of seconds allows, and says how many; where cv^2 has not been met
 * (k above 0.7) the standard error is too small.
 * Tables 6.9 and 6.12 to 6.14: seconds for a million samples on 40 x 40 matrices of a density, on
 * one thread and on two, extrapolated from half a second; the published CPU figures are of 16
 * threads.
 *
 * Argument: seconds a row of the first table (default 2). */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "sampler/moments.h"
#include "sampler/weight.h"
#include "support/graphs.h"

enum { MILLION = 1000000 };

typedef struct {
    const char *label, *method;
    pm_sampler_options options;
} contender;

typedef struct {
    int64_t samples;
    double seconds; /* of the processor, or of the clock where there are several threads */
    pm_sample_summary sum;
    bool is_exact;
} result;

/* Up to `most` samples, in that many seconds or a few more. */
static result draw(const pm_matrix *a, const contender *c, int threads, int64_t most, double budget)
{
    pm_error err;
    pm_sampler s;
    pm_run run = {.threads = threads};
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    must(pm_sampler_make(pm_sampler_method_find(c->method), a, &c->options, 1, 0, &run, &s, &err),
         &err);
    pm_moments_clear(m);
    result r = {0};
    clockid_t clock = threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    double start = clock_seconds(clock);
    for (int64_t more = s.batch;
         m->count < most && (r.seconds < budget || m->count < s.min_samples);
         more = r.seconds < budget / 4 ? m->count : m->count / 4 + s.batch) {
        more = m->count + more > most ? most - m->count : more;
        must(pm_moments_draw(&s, (uint64_t)m->count, more, &run, m, &err), &err);
        r.seconds = clock_seconds(clock) - start;
        if (s.is_exact)
            break;
    }
    r.samples = m->count;
    r.is_exact = s.is_exact;
    pm_moments_summary(m, &r.sum);
    pm_sampler_free(&s);
    free(m);
    return r;
}

/* ---- grids ---- */

static const contender on_grids[] = {
    {"rasmussen+", "rasmussen+", {0}},
    {"scaling+ 1,5", "scaling+", {.scale_interval = 1, .scale_sweeps = 5}},
    {"scaling+ 5,5", "scaling+", {.scale_interval = 5, .scale_sweeps = 5}},
    {"look+", "look+", {0}},
    {"scaling++", "scaling++", {.complete = -1}},
    {"beam 1e4", "beam", {.states = 10000}},
};

static void print_grid_row(int side, const char *label, const result *r)
{
    double logarithm = pm_weight_log2(r->sum.mean) * log(2);
    double cv2 = r->sum.relative_variance * (double)r->samples;
    double each = r->seconds / (double)r->samples;
    if (r->is_exact)
        cv2 = 0;
    printf("%dx%d\t%s\t%lld\t%.3f\t%.3g\t%.2f\t%.3g\t%.3g\n", side, side, label,
           (long long)r->samples, r->sum.mean.m > 0 ? exp(logarithm - grid_log(side, side)) : 0,
           r->is_exact ? 0 : sqrt(r->sum.relative_variance), r->sum.tail_k, r->seconds,
           each * cv2 * 1e4);
    fflush(stdout);
}

static void grids(double budget)
{
    puts("# grid\tmethod\tsamples\testimate/count\tstandard error\tk\tseconds\tto 1 %");
    for (int side = 6; side <= 24; side += 2) {
        pm_matrix a;
        grid_graph(side, side, &a);
        for (size_t i = 0; i < sizeof on_grids / sizeof *on_grids; ++i) {
            result r = draw(&a, &on_grids[i], 1, MILLION, budget);
            print_grid_row(side, on_grids[i].label, &r);
        }
        pm_matrix_free(&a);
    }
}

/* ---- 40 x 40 ---- */

static const contender on_dense[] = {
    {"rasmussen", "rasmussen", {0}},
    {"rasmussen+", "rasmussen+", {0}},
    {"scaling 5,5", "scaling", {.scale_interval = 5, .scale_sweeps = 5}},
    {"scaling+ 5,5", "scaling+", {.scale_interval = 5, .scale_sweeps = 5}},
    {"scaling 1,5", "scaling", {.scale_interval = 1, .scale_sweeps = 5}},
    {"scaling+ 1,5", "scaling+", {.scale_interval = 1, .scale_sweeps = 5}},
    {"look+", "look+", {0}},
    {"hub+", "hub+", {0}},
    {"scaling++", "scaling++", {.complete = -1}},
};

/* The first seed whose matrix has a perfect matching. */
static void matrix_of_density(double density, pm_matrix *a)
{
    for (uint64_t seed = 1;; ++seed) {
        pm_error err;
        pm_dm d;
        dense_graph(40, density, seed, a);
        must(pm_dm_decompose(a, NULL, &d, &err), &err);
        bool is_found = pm_dm_has_perfect_matching(&d);
        pm_dm_free(&d);
        if (is_found)
            return;
        pm_matrix_free(a);
    }
}

static void densities(void)
{
    static const double density[] = {.1, .2, .3, .4, .8};
    puts("# seconds for a million samples, n = 40\n"
         "# density\tmethod\t1 thread\t2 threads\tdead\tcv^2");
    for (size_t d = 0; d < sizeof density / sizeof *density; ++d) {
        pm_matrix a;
        matrix_of_density(density[d], &a);
        for (size_t i = 0; i < sizeof on_dense / sizeof *on_dense; ++i) {
            result one = draw(&a, &on_dense[i], 1, MILLION, 0.5);
            result two = draw(&a, &on_dense[i], 2, MILLION, 0.5);
            printf("%.1f\t%s\t%.3g\t%.3g\t%.3f\t%.3g\n", density[d], on_dense[i].label,
                   one.seconds / (double)one.samples * MILLION,
                   two.seconds / (double)two.samples * MILLION,
                   (double)one.sum.dead / (double)one.samples,
                   one.sum.relative_variance * (double)one.samples);
            fflush(stdout);
        }
        pm_matrix_free(&a);
    }
}

int main(int argc, char **argv)
{
    bench_start();
    densities();
    grids(argc > 1 ? atof(argv[1]) : 2);
    return 0;
}
