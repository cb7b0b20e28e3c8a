/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the factors of the first GPU.  Each family of kernels has a sample matrix, of a size
 * that is predicted to take some tenths of a second.  The factor is the measured over the predicted
 * seconds of its run. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "algorithm/gpu_plan.h"
#include "calibration/calibrate.h"
#include "calibration/sample.h"
#include "core/clock.h"
#include "pm/count.h"

enum { REPEATS = 2, LEAST = 16, STEP = 2 };
#define SAMPLE_SECONDS 0.3  /* predicted, at most */
#define SHORTEST_START 0.01 /* seconds, if compiling took less than predicted */

typedef struct {
    pm_gpu_rate rate;
    pm_sample sample; /* n: the largest size */
} measurement;

static const measurement measurements[] = {
    {PM_GPU_RATE_RYSER, {"ryser", PM_REAL, PM_KAHAN, 38, 1, true, false}},
    {PM_GPU_RATE_RYSER_EXACT, {"ryser", PM_PATTERN, PM_KAHAN, 38, 0.5, false, false}},
    {PM_GPU_RATE_REPEATED, {"repeated", PM_COMPLEX, PM_QUAD, 38, 1, true, false}},
    {PM_GPU_RATE_REPEATED_EXACT, {"repeated", PM_PATTERN, PM_KAHAN, 38, 0.5, false, false}},
    {PM_GPU_RATE_TREE, {"product-tree", PM_REAL, PM_KAHAN, 42, 0.3, true, false}},
    {PM_GPU_RATE_TREE_EXACT, {"product-tree", PM_PATTERN, PM_KAHAN, 42, 0.3, false, false}},
    {PM_GPU_RATE_FRONTIER, {"frontier", PM_REAL, PM_KAHAN, 40, 0.15, true, false}},
    {PM_GPU_RATE_FRONTIER_EXACT, {"frontier", PM_PATTERN, PM_KAHAN, 44, 0.15, false, false}},
};

static pm_count_options options_for(const pm_sample *s, const pm_rates *rates)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = s->algorithm;
    o.backend = PM_BACKEND_CUDA;
    o.precision = s->precision;
    o.rates = rates;
    o.reduce = (pm_reduce_options){0};
    return o;
}

/* Counts a (makes its plan, with plan_only); *out: what was predicted and measured. */
static pm_status count(const pm_matrix *a, const pm_count_options *o, const pm_run *run,
                       pm_block_report *out, pm_error *err)
{
    pm_value v;
    pm_count_report report = {0};
    pm_value_init(&v);
    pm_status status = pm_count(a, o, run, &v, &report, err);
    if (!status)
        *out = report.blocks[0];
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return status;
}

/* *out: seconds that nominal rates predict for the device, without its start. */
static pm_status predict(const pm_sample *s, const pm_run *run, pm_matrix *a, double *out,
                         pm_error *err)
{
    pm_block_report r;
    int devices;
    pm_count_options o = options_for(s, &pm_rates_nominal);
    o.plan_only = true;
    pm_matrix_free(a);
    pm_status status = pm_gpu_count(&devices, err);
    if (!status)
        status = pm_sample_matrix(s, 1, a, err);
    if (!status)
        status = count(a, &o, run, &r, err);
    if (!status)
        *out = r.seconds - pm_gpu_nominal_start(devices);
    return status;
}

/* *out: the largest sample that is predicted to take at most SAMPLE_SECONDS, or the smallest one.
 * Sizes are tried from below, since planning a large one takes long. */
static pm_status choose(const pm_sample *s, const pm_run *run, pm_matrix *out, double *predicted,
                        pm_error *err)
{
    pm_sample sized = *s;
    pm_status status = PM_OK;
    double seconds = 0;
    for (sized.n = LEAST; sized.n <= s->n && seconds < SAMPLE_SECONDS && !status; sized.n += STEP)
        status = predict(&sized, run, out, &seconds, err);
    sized.n -= STEP;
    if (!status && seconds > SAMPLE_SECONDS && sized.n > LEAST) {
        sized.n -= STEP;
        status = predict(&sized, run, out, &seconds, err);
    }
    *predicted = seconds;
    return status;
}

static pm_status measure(const measurement *m, const pm_run *run, double *out, pm_error *err)
{
    pm_matrix a = {0};
    double predicted, best = INFINITY;
    pm_count_options o = options_for(&m->sample, &pm_rates_nominal);
    pm_status status = choose(&m->sample, run, &a, &predicted, err);
    for (int i = 0; i < REPEATS && !status; ++i) {
        pm_block_report r;
        status = count(&a, &o, run, &r, err);
        if (!status)
            best = fmin(best, r.device_seconds);
    }
    if (!status && predicted > 0 && best > 0)
        *out = best / predicted;
    pm_matrix_free(&a);
    return status == PM_UNABLE ? PM_OK : status;
}

/* *out: seconds of a small count without the device's work, and without those that compiling its
 * kernel is predicted to take.  Each call draws another matrix, so that its kernel is not in a
 * cache. */
static pm_status measure_start(const pm_run *run, double *out, pm_error *err)
{
    const pm_sample s = {"product-tree", PM_PATTERN, PM_KAHAN, 24, 0.3, false, false};
    pm_matrix a = {0};
    pm_block_report r;
    pm_count_options o = options_for(&s, &pm_rates_nominal);
    pm_status status = pm_sample_matrix(&s, (uint64_t)time(NULL), &a, err);
    double begun = pm_clock();
    if (!status)
        status = count(&a, &o, run, &r, err);
    if (!status)
        *out = fmax(SHORTEST_START, pm_clock() - begun - r.device_seconds - r.planning_seconds);
    pm_matrix_free(&a);
    return status;
}

pm_status pm_rates_measure_gpu(const pm_run *run, pm_rates *out, pm_error *err)
{
    enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };
    pm_gpu_info info;
    double rate[PM_GPU_RATES];
    pm_run alone = *run;
    alone.max_cost = 0;
    alone.max_memory = 0;
    alone.progress = NULL;
    alone.note = NULL;
    memcpy(rate, pm_rates_nominal.gpu, sizeof rate);
    pm_status status = measure_start(&alone, &rate[PM_GPU_RATE_START], err);
    if (!status)
        status = pm_gpu_get_info(0, &info, err);
    for (int i = 0; i < MEASUREMENTS && !status; ++i) {
        status = measure(&measurements[i], &alone, &rate[measurements[i].rate], err);
        pm_run_progress(run, (i + 1.0) / MEASUREMENTS, "measuring the GPU");
    }
    if (status)
        return status;
    memcpy(out->gpu, rate, sizeof rate);
    pm_gpu_name(&info, out->gpu_name);
    return PM_OK;
}
