/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequential estimators on one core: seconds a sample, squared coefficient of variation cv^2,
 * and the seconds to a standard error of 1 %, which are seconds * cv^2 * 10^4.
 *
 * Baseline of the ratios: scaling+ with a scaling every step, five sweeps, as published.  Where k
 * is above 0.7 cv^2 is too small, the tail was not met.  Limit: per step, look+ and its like touch
 * the entries of one row and column and compare the rows left; a sweep of a scaling reads all
 * entries that are left twice, some 10^9 a second.
 *
 * Arguments, if any: the names of the graphs to be measured. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "estimate/guarantee.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "sampler/moments.h"
#include "sampler/weight.h"
#include "support/graphs.h"

static const double budget = 0.5; /* seconds a row */
enum { LEAST = 10 /* samples */, LARGEST_OF_BEAM = 1000 };

typedef struct {
    const char *label, *method;
    pm_sampler_options options;
} contender;

static const contender contenders[] = {
    {"scaling+ 1,5", "scaling+", {.scale_interval = 1, .scale_sweeps = 5}},
    {"scaling+ 5,5", "scaling+", {.scale_interval = 5, .scale_sweeps = 5}},
    {"scaling 1,5", "scaling", {.scale_interval = 1, .scale_sweeps = 5}},
    {"rasmussen", "rasmussen", {0}},
    {"rasmussen+", "rasmussen+", {0}},
    {"look+", "look+", {0}},
    {"hub+", "hub+", {0}},
    {"hub++", "hub++", {0}},
    {"scaling++ 2", "scaling++", {.scale_sweeps = 2, .complete = -1}},
    {"scaling++ 5", "scaling++", {.scale_sweeps = 5, .complete = -1}},
    {"beam 1e4", "beam", {.states = 10000}},
    {"beam 1e5", "beam", {.states = 100000}},
};

/* Seconds to 1 %, or 0 when nothing was met. */
static double measure(const char *graph, const pm_matrix *a, const contender *c, double baseline)
{
    pm_error err;
    pm_sampler s;
    pm_run run = {.threads = 1};
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    must(pm_sampler_make(pm_sampler_method_find(c->method), a, &c->options, 1, 0, &run, &s, &err),
         &err);
    pm_moments_clear(m);
    double start = processor_seconds(), spent = 0;
    for (int64_t more = s.batch; spent < budget || m->count < LEAST;
         more = spent < budget / 8 ? m->count : m->count / 4) {
        more = more > s.batch ? (more + s.batch - 1) / s.batch * s.batch : s.batch;
        must(pm_moments_draw(&s, (uint64_t)m->count, more, &run, m, &err), &err);
        spent = processor_seconds() - start;
        if (s.is_exact)
            break;
    }
    pm_sample_summary sum;
    pm_moments_summary(m, &sum);
    double each = spent / (double)m->count;
    double cv2 = s.is_exact ? 0 : sum.relative_variance * (double)m->count;
    double to_one = each * cv2 * 1e4;
    printf("%s\t%s\t%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%.2f\t%.3f\t%.6f\n", graph, c->label, each,
           s.seconds, cv2, to_one, baseline > 0 ? baseline / to_one : 1, sum.tail_k,
           (double)sum.dead / (double)sum.count, pm_weight_log2(sum.mean) * log(2));
    fflush(stdout);
    pm_sampler_free(&s);
    free(m);
    return to_one;
}

/* grid N, regular N of degree 4, ones N; dense N of a density, with a seed that leaves matchings.
 * */
static const struct {
    const char *name;
    char family;
    int n;
    double density;
} graphs[] = {
    {"grid8", 'g', 8, 0},       {"grid12", 'g', 12, 0},        {"grid16", 'g', 16, 0},
    {"grid20", 'g', 20, 0},     {"grid24", 'g', 24, 0},        {"grid32", 'g', 32, 0},
    {"regular50", 'r', 50, 0},  {"regular100", 'r', 100, 0},   {"regular200", 'r', 200, 0},
    {"dense40.2", 'd', 40, .2}, {"dense40.3", 'd', 40, .3},    {"dense40.4", 'd', 40, .4},
    {"dense40.8", 'd', 40, .8}, {"regular4096", 'r', 4096, 0}, {"dense4096", 'd', 4096, .01},
};

static void make_graph(size_t i, pm_matrix *a)
{
    if (graphs[i].family == 'g')
        grid_graph(graphs[i].n, graphs[i].n, a);
    else if (graphs[i].family == 'r')
        regular_graph(graphs[i].n, 4, 1, a);
    else
        dense_graph(graphs[i].n, graphs[i].density, 2, a);
}

/* A beam takes seconds a run where frontiers are wide. */
static bool is_tried(const contender *c, size_t graph)
{
    if (strcmp(c->method, "beam"))
        return true;
    return graphs[graph].n <= LARGEST_OF_BEAM
           && (c->options.states < 100000 || graphs[graph].family == 'g');
}

/* Certified results: bound / estimate, samples and seconds predicted and used. */
static void certify(const char *graph, const pm_matrix *a, const char *method, double epsilon,
                    double delta)
{
    pm_error err;
    pm_sampler s;
    pm_sampler_options o = {0};
    pm_run run = {.threads = 1, .max_cost = 60};
    pm_guarantee_plan plan;
    pm_certified out = {0};
    must(pm_sampler_make(pm_sampler_method_find(method), a, &o, 1, 0, &run, &s, &err), &err);
    double start = processor_seconds();
    pm_status status = pm_guarantee_prepare(&s, epsilon, delta, &run, &plan, &err);
    if (status == PM_OK)
        status = pm_guarantee_run(&s, &plan, &run, &out, &err);
    if (status == PM_OK)
        printf("# %s\t%s\tguarantee %g,%g by %s\t%.3g\t%.3g\t%.3g\t%.3g\t%.3g\t%.6f\n", graph,
               method, epsilon, delta, plan.by_mean ? "mean" : "gamma", 1 / plan.mean, plan.samples,
               (double)out.samples, plan.seconds, processor_seconds() - start,
               pm_weight_log2(out.estimate) * log(2));
    else
        printf("# %s\t%s\tguarantee %g,%g: %s\n", graph, method, epsilon, delta, err.msg);
    fflush(stdout);
    pm_sampler_free(&s);
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    bool found = argc < 2;
    for (int i = 1; i < argc; ++i)
        found = found || !strcmp(argv[i], name);
    return found;
}

int main(int argc, char **argv)
{
    bench_start();
    puts("# a guarantee: bound/estimate, samples predicted and used, seconds predicted and used, "
         "ln");
    puts("# graph\tmethod\tseconds\tpredicted\tcv^2\tto 1 %\tbaseline/this\tk\tdead\tln");
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; ++g) {
        if (!is_wanted(graphs[g].name, argc, argv))
            continue;
        pm_matrix a;
        make_graph(g, &a);
        double baseline = 0;
        for (size_t i = 0; i < sizeof contenders / sizeof *contenders; ++i) {
            if (!is_tried(&contenders[i], g))
                continue;
            double t = measure(graphs[g].name, &a, &contenders[i], baseline);
            baseline = i == 0 ? t : baseline;
        }
        if (graphs[g].n <= 40) {
            certify(graphs[g].name, &a, "hub+", 0.1, 0.05);
            certify(graphs[g].name, &a, "hub++", 0.1, 0.05);
            certify(graphs[g].name, &a, "hub+", 0.01, 0.05);
            certify(graphs[g].name, &a, "hub++", 0.01, 0.05);
        }
        pm_matrix_free(&a);
    }
    return 0;
}
