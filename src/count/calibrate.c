/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates of this machine.  Each rate has a sample matrix whose run is made of its unit of work for
 * the most part; the rate is scaled by measured over predicted seconds of that run. */
#include "config.h"

#include <math.h>
#include <time.h>

#include "core/rng.h"
#include "count/rates.h"

enum { REPEATS = 2 };

typedef struct {
    pm_rate rate;
    const char *algorithm;
    pm_field field;
    pm_precision precision;
    int n;
    double density; /* 0: no random matrix, but a strip of hexagons */
    bool weighted; /* integers other than 1 */
} sample;

static const sample samples[] = {
    {PM_RATE_RANK_UNIT, "frontier-rank", PM_PATTERN, PM_KAHAN, 30, 0.24, false},
    {PM_RATE_RANK_WEIGHTED, "frontier-rank", PM_INTEGER, PM_KAHAN, 27, 0.24, true},
    {PM_RATE_RANK_REAL, "frontier-rank", PM_REAL, PM_KAHAN, 26, 0.22, true},
    {PM_RATE_RANK_COMPLEX, "frontier-rank", PM_COMPLEX, PM_KAHAN, 25, 0.22, true},
    {PM_RATE_HASH, "frontier-hash", PM_PATTERN, PM_KAHAN, 25, 0.22, false},
    {PM_RATE_DENSE_DOUBLE, "ryser", PM_REAL, PM_KAHAN, 26, 1, true},
    {PM_RATE_DENSE_QUAD, "ryser", PM_REAL, PM_QUAD, 20, 1, true},
    {PM_RATE_DENSE_COMPLEX, "ryser", PM_COMPLEX, PM_KAHAN, 23, 1, true},
    {PM_RATE_DENSE_COMPLEX_QUAD, "ryser", PM_COMPLEX, PM_QUAD, 18, 1, true},
    {PM_RATE_DENSE_EXACT, "ryser", PM_PATTERN, PM_KAHAN, 27, 0.5, false},
    {PM_RATE_SPARYSER, "sparyser", PM_PATTERN, PM_KAHAN, 22, 0.2, false},
    {PM_RATE_SKIPPER, "skipper", PM_PATTERN, PM_KAHAN, 32, 0.2, false},
    {PM_RATE_ENUMERATE, "enumerate", PM_PATTERN, PM_KAHAN, 17, 0.3, false},
    {PM_RATE_PLANAR, "planar", PM_PATTERN, PM_KAHAN, 1600, 0, false},
    {PM_RATE_ROOK, "rook", PM_PATTERN, PM_KAHAN, 26, 0.8, false},
    {PM_RATE_PRODUCT_TREE, "product-tree", PM_REAL, PM_KAHAN, 26, 0.3, true},
    {PM_RATE_PRODUCT_TREE_EXACT, "product-tree", PM_PATTERN, PM_KAHAN, 24, 0.3, false},
};

static void set_entry(const sample *s, uint64_t *rng, pm_dyadic *re, pm_dyadic *im)
{
    if (s->field == PM_INTEGER)
        pm_dyadic_set_si(re, 2 + pm_rng_below(rng, 7));
    if (s->field >= PM_REAL)
        pm_dyadic_set_d(re, 0.5 + pm_rng_unit(rng));
    if (s->field == PM_COMPLEX)
        pm_dyadic_set_d(im, 0.5 + pm_rng_unit(rng));
}

static bool is_joined(const sample *s, uint64_t *rng, int i, int j)
{
    if (i == j)
        return true;
    if (s->density > 0)
        return pm_rng_unit(rng) < s->density;
    return j == i + 1 || j == i + (int)sqrt(s->n);
}

/* A matrix with a full diagonal, always the same. */
static pm_status make_matrix(const sample *s, pm_matrix *out, pm_error *err)
{
    pm_status rc = PM_OK;
    uint64_t rng = 1;
    pm_triples t = {.field = s->field, .nrows = s->n, .ncols = s->n};
    for (int i = 0; i < s->n; ++i)
        for (int j = 0; j < s->n && !rc; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (!is_joined(s, &rng, i, j))
                continue;
            set_entry(s, &rng, &re, &im);
            rc = pm_triples_add(&t, i, j, 0, s->field == PM_PATTERN ? NULL : &re,
                                s->field == PM_COMPLEX ? &im : NULL, err);
        }
    if (!rc)
        rc = pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "sample", out, err);
    pm_triples_free(&t);
    return rc;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one count, or of planning it alone; the best of some repeats. */
static pm_status time_count(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                            double *best, double *predicted, pm_error *err)
{
    pm_status rc = PM_OK;
    *best = INFINITY;
    for (int i = 0; i < REPEATS && !rc; ++i) {
        pm_count_report report = {0};
        pm_value v;
        pm_value_init(&v);
        double start = processor_seconds();
        rc = pm_count(a, opt, run, &v, &report, err);
        *best = fmin(*best, processor_seconds() - start);
        *predicted = report.seconds;
        pm_count_report_free(&report);
        pm_value_clear(&v);
    }
    return rc;
}

static pm_status measure(const sample *s, const pm_run *run, pm_rates *rates, pm_error *err)
{
    pm_matrix a = {0};
    double whole = 0, planning = 0, predicted = 1;
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = s->algorithm;
    opt.precision = s->precision;
    opt.rates = rates;
    opt.reduce = (pm_reduce_options){0};
    pm_status rc = make_matrix(s, &a, err);
    if (!rc)
        rc = time_count(&a, &opt, run, &whole, &predicted, err);
    opt.plan_only = true;
    if (!rc)
        rc = time_count(&a, &opt, run, &planning, &predicted, err);
    if (rc == PM_UNABLE) /* not built in: the nominal rate stays */
        rc = PM_OK;
    else if (!rc && whole > planning)
        rates->seconds[s->rate] *= (whole - planning) / predicted;
    pm_matrix_free(&a);
    return rc;
}

pm_status pm_rates_measure(const pm_run *run, pm_rates *out, pm_error *err)
{
    enum { SAMPLES = sizeof samples / sizeof *samples };
    pm_status rc = PM_OK;
    pm_run alone = *run;
    alone.threads = 1;
    alone.max_cost = 0;
    alone.max_memory = 0;
    alone.progress = NULL;
    alone.note = NULL;
    *out = pm_rates_nominal;
    for (int i = 0; i < SAMPLES && !rc; ++i) {
        rc = measure(&samples[i], &alone, out, err);
        pm_run_progress(run, (i + 1.0) / SAMPLES, "measuring this machine");
    }
    return rc;
}
