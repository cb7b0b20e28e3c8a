/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the rates of one core.  Each rate has a sample matrix, and most of the run that counts
 * it is made of the rate's unit of work.  The rate is multiplied by the measured seconds of that
 * run over the predicted ones. */
#include "config.h"

#include <math.h>
#include <time.h>

#include "calibration/calibrate.h"
#include "calibration/sample.h"
#include "pm/count.h"

enum { REPEATS = 2 };

typedef struct {
    pm_rate rate;
    pm_sample sample;
} measurement;

static const measurement measurements[] = {
    {PM_RATE_RANK_UNIT, {"frontier-rank", PM_PATTERN, PM_KAHAN, 30, 0.24, false, false}},
    {PM_RATE_RANK_WEIGHTED, {"frontier-rank", PM_INTEGER, PM_KAHAN, 27, 0.24, true, false}},
    {PM_RATE_RANK_REAL, {"frontier-rank", PM_REAL, PM_KAHAN, 26, 0.22, true, false}},
    {PM_RATE_RANK_COMPLEX, {"frontier-rank", PM_COMPLEX, PM_KAHAN, 25, 0.22, true, false}},
    {PM_RATE_HASH, {"frontier-hash", PM_PATTERN, PM_KAHAN, 25, 0.22, false, false}},
    {PM_RATE_GLYNN_EXACT, {"glynn", PM_PATTERN, PM_KAHAN, 19, 0.5, false, false}},
    {PM_RATE_GLYNN_REAL, {"glynn", PM_REAL, PM_KAHAN, 18, 1, true, false}},
    {PM_RATE_GLYNN_COMPLEX, {"glynn", PM_COMPLEX, PM_KAHAN, 17, 1, true, false}},
    {PM_RATE_DENSE_DOUBLE, {"ryser", PM_REAL, PM_KAHAN, 26, 1, true, false}},
    {PM_RATE_DENSE_QUAD, {"ryser", PM_REAL, PM_QUAD, 20, 1, true, false}},
    {PM_RATE_DENSE_COMPLEX, {"ryser", PM_COMPLEX, PM_KAHAN, 23, 1, true, false}},
    {PM_RATE_DENSE_COMPLEX_QUAD, {"ryser", PM_COMPLEX, PM_QUAD, 18, 1, true, false}},
    {PM_RATE_DENSE_SINGLE, {"ryser", PM_REAL, PM_SINGLE, 27, 1, true, false}},
    {PM_RATE_DENSE_COMPLEX_SINGLE, {"ryser", PM_COMPLEX, PM_SINGLE, 24, 1, true, false}},
    {PM_RATE_DENSE_EXACT, {"ryser", PM_PATTERN, PM_KAHAN, 27, 0.5, false, false}},
    {PM_RATE_SPARYSER, {"sparyser", PM_PATTERN, PM_KAHAN, 22, 0.2, false, false}},
    {PM_RATE_SKIPPER, {"skipper", PM_PATTERN, PM_KAHAN, 32, 0.2, false, false}},
    {PM_RATE_ENUMERATE, {"enumerate", PM_PATTERN, PM_KAHAN, 17, 0.3, false, false}},
    {PM_RATE_PLANAR, {"planar", PM_PATTERN, PM_KAHAN, 1600, 0, false, false}},
    {PM_RATE_ROOK, {"rook", PM_PATTERN, PM_KAHAN, 26, 0.8, false, false}},
    {PM_RATE_PRODUCT_TREE, {"product-tree", PM_REAL, PM_KAHAN, 26, 0.3, true, false}},
    {PM_RATE_PRODUCT_TREE_EXACT, {"product-tree", PM_PATTERN, PM_KAHAN, 24, 0.3, false, false}},
    {PM_RATE_REPEATED, {"repeated", PM_COMPLEX, PM_KAHAN, 22, 1, true, false}},
    {PM_RATE_HAFNIAN, {"hafnian", PM_PATTERN, PM_KAHAN, 32, 0.9, false, true}},
    {PM_RATE_HAFNIAN_REAL, {"hafnian", PM_REAL, PM_KAHAN, 28, 0.9, true, true}},
};

_Static_assert(sizeof measurements / sizeof *measurements == PM_RATES, "each rate has a sample");

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* *best: seconds of one count (of its planning, with plan_only), the least of REPEATS runs. */
static pm_status time_count(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                            double *best, double *predicted, pm_error *err)
{
    pm_status status = PM_OK;
    *best = INFINITY;
    for (int i = 0; i < REPEATS && !status; ++i) {
        pm_count_report report = {0};
        pm_value v;
        pm_value_init(&v);
        double start = processor_seconds();
        status = pm_count(a, opt, run, &v, &report, err);
        *best = fmin(*best, processor_seconds() - start);
        *predicted = report.seconds;
        pm_count_report_free(&report);
        pm_value_clear(&v);
    }
    return status;
}

static pm_status measure(const measurement *m, const pm_run *run, pm_rates *rates, pm_error *err)
{
    const pm_sample *s = &m->sample;
    pm_matrix a = {0};
    double whole = 0, planning = 0, predicted = 1;
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = s->algorithm;
    opt.precision = s->precision;
    opt.rates = rates;
    opt.general = s->general;
    opt.reduce = (pm_reduce_options){0};
    pm_status status = pm_sample_matrix(s, 1, &a, err);
    if (!status)
        status = time_count(&a, &opt, run, &whole, &predicted, err);
    opt.plan_only = true;
    if (!status)
        status = time_count(&a, &opt, run, &planning, &predicted, err);
    if (status == PM_UNABLE) /* the algorithm was left out of this build: the rate stays nominal */
        status = PM_OK;
    else if (!status && whole > planning)
        rates->seconds[m->rate] *= (whole - planning) / predicted;
    pm_matrix_free(&a);
    return status;
}

pm_status pm_rates_measure(const pm_run *run, pm_rates *out, pm_error *err)
{
    enum { SAMPLES = sizeof measurements / sizeof *measurements };
    pm_status status = PM_OK;
    pm_run alone = *run;
    alone.threads = 1;
    alone.max_cost = 0;
    alone.max_memory = 0;
    alone.progress = NULL;
    alone.note = NULL;
    *out = *pm_rates_nominal_of(pm_isa_best());
    for (int i = 0; i < SAMPLES && !status; ++i) {
        status = measure(&measurements[i], &alone, out, err);
        pm_run_progress(run, (i + 1.0) / SAMPLES, "measuring this machine");
    }
    return status;
}
