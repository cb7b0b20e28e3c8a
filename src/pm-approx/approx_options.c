/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/whole.h"
#include "estimate/sampler_registry.h"

/* A block of --compare is counted if that takes no longer: there are many of them. */
#define COMPARE_SECONDS 0.05

static pm_status set_method(void *field, const char *arg, pm_error *err)
{
    pm_approx_method *method = field;
    *method = (pm_approx_method){.is_bethe = strcmp(arg, "bethe") == 0};
    if (method->is_bethe || strcmp(arg, "auto") == 0)
        return PM_OK;
    method->sampler = pm_sampler_method_find(arg);
    return method->sampler ? PM_OK
                           : pm_fail(err, PM_EUSAGE, "there is no method '%s' (see --list)", arg);
}

static bool is_number(const char *arg, double *out)
{
    char *end;
    *out = strtod(arg, &end);
    return end != arg && !*end && isfinite(*out);
}

static pm_status set_share(void *field, const char *arg, pm_error *err)
{
    double v;
    if (!is_number(arg, &v) || v <= 0 || v >= 1)
        return pm_fail(err, PM_EUSAGE, "'%s' is not a number between 0 and 1", arg);
    *(double *)field = v;
    return PM_OK;
}

static pm_status set_whole(void *field, const char *arg, pm_error *err)
{
    uint64_t v;
    if (!pm_whole_parse(arg, strlen(arg), &v) || v < 1 || v > UINT64_C(1000000000000000))
        return pm_fail(err, PM_EUSAGE, "'%s' is not a whole number from 1 to 1e15", arg);
    *(int64_t *)field = (int64_t)v;
    return PM_OK;
}

static pm_status set_small(void *field, const char *arg, unsigned least, unsigned most,
                           pm_error *err)
{
    uint64_t v = 0;
    pm_status status = pm_whole_between(arg, least, most, &v, err);
    if (!status)
        *(int *)field = (int)v;
    return status;
}

static pm_status set_steps(void *field, const char *arg, pm_error *err)
{
    return set_small(field, arg, 1, 1000000, err);
}

static pm_status set_sweeps(void *field, const char *arg, pm_error *err)
{
    return set_small(field, arg, 1, 1000, err);
}

static pm_status set_complete(void *field, const char *arg, pm_error *err)
{
    return set_small(field, arg, 0, 20, err);
}

static pm_status set_limit(void *field, const char *arg, pm_error *err)
{
    double v;
    if (!is_number(arg, &v) || v < 0)
        return pm_fail(err, PM_EUSAGE, "'%s' is not a number of seconds, 0 or more", arg);
    *(double *)field = v;
    return PM_OK;
}

static pm_status set_guarantee(void *field, const char *arg, pm_error *err)
{
    double *pair = field;
    char *comma;
    pair[0] = strtod(arg, &comma);
    if (comma == arg || *comma != ',' || !is_number(comma + 1, &pair[1]) || !(pair[0] > 0)
        || pair[0] >= 1 || pair[1] <= 0 || pair[1] >= 1)
        return pm_fail(err, PM_EUSAGE,
                       "'%s' is not two numbers between 0 and 1 with a comma, as 0.1,0.05", arg);
    return PM_OK;
}

static pm_status set_compare(void *field, const char *arg, pm_error *err)
{
    return set_whole(field, arg ? arg : "100", err);
}

#define IN_APPROX(field) offsetof(pm_approx_settings, field)

const pm_option pm_options_approx_question[] = {
    {0, "bounds", NULL, "print proved bounds, without samples", pm_set_flag, IN_APPROX(bounds)},
    {0, "sample", "N", "print N perfect matchings, drawn uniformly (by weight, of weighted graphs)",
     set_whole, IN_APPROX(sample)},
    {0, "compare", "[=N]",
     "compare the count with those of N random graphs with the same degrees (default 100)",
     set_compare, IN_APPROX(compare)},
    {0, "list", NULL, "list the methods", pm_set_flag, IN_APPROX(list)},
    {0},
};

const pm_option pm_options_approx_method[] = {
    {0, "method", "NAME", "auto (default), or a method of --list for every block", set_method,
     IN_APPROX(method)},
    {0, "backend", "WHERE",
     "where to compute: auto (default): on a GPU for long runs; cpu; or cuda: a GPU",
     pm_set_backend, IN_APPROX(backend.backend)},
    {0, "gpus", "N", "use N GPUs, or all; one by default", pm_set_gpus, IN_APPROX(backend.gpus)},
    {0, "exact-within", "SECONDS",
     "count a block if one core is predicted to take no longer"
     " (default 2, planar ones 7.5; with --method 0: never)",
     set_limit, IN_APPROX(exact_within)},
    {0, "states", "K", "beam: states kept", set_whole, IN_APPROX(sampler.states)},
    {0, "complete", "K", "scaling++: count the last K rows exactly, 0 to 20 (default 10)",
     set_complete, IN_APPROX(sampler.complete)},
    {0, "scale-interval", "N",
     "scaling, scaling+, scaling++, blossom+: scale before every Nth row (default 1)", set_steps,
     IN_APPROX(sampler.scale_interval)},
    {0, "scale-sweeps", "N", "scaling, scaling+, scaling++, blossom+: sweeps over rows and columns",
     set_sweeps, IN_APPROX(sampler.scale_sweeps)},
    {0},
};

const pm_option pm_options_approx_stop[] = {
    {0, "rel-err", "E",
     "stop when the interval reaches E times the estimate to either side"
     " (default 0.01, with --time-limit-each=60, when neither these nor --samples are given)",
     set_share, IN_APPROX(rel_err)},
    {0, "confidence", "L", "level of the interval (default 0.95)", set_share, IN_APPROX(level)},
    {0, "samples", "N", "stop after N samples of every block", set_whole, IN_APPROX(samples)},
    {0, "runs", "N", "the same: a sample of beam is called a run", set_whole, IN_APPROX(samples)},
    {0, "guarantee", "E,D",
     "the relative error is above E with probability at most D: a theorem, not statistics; refused"
     " when it is predicted to take longer than --max-cost",
     set_guarantee, IN_APPROX(epsilon)},
    {0},
};

const pm_option pm_options_approx_output[] = {
    {0, "trace", "FILE", "write the running estimate to FILE, a table", pm_set_text,
     IN_APPROX(trace)},
    {0, "plot", "FILE", "draw the running estimate in FILE, an SVG picture", pm_set_text,
     IN_APPROX(plot)},
    {0},
};

pm_approx_settings pm_approx_settings_defaults(void)
{
    return (pm_approx_settings){
        .sampler.complete = -1, .exact_within = -1, .backend.backend = PM_BACKEND_AUTO};
}

pm_estimate_options pm_approx_settings_estimate(const pm_approx_settings *set)
{
    pm_estimate_options o = pm_estimate_defaults();
    if (set->rel_err > 0 || set->samples || set->time_limit_each > 0 || set->epsilon > 0) {
        o.rel_err = set->rel_err;
        o.seconds = set->time_limit_each;
    }
    if (set->compare)
        o.exact_seconds = o.planar_seconds = COMPARE_SECONDS;
    if (set->exact_within >= 0 || set->method.sampler)
        o.exact_seconds = o.planar_seconds = fmax(set->exact_within, 0);
    o.method = set->method.sampler;
    o.sampler = set->sampler;
    o.backend = set->backend;
    if (set->level > 0)
        o.level = set->level;
    o.samples = set->samples;
    o.seed = set->seed.value;
    return o;
}

void pm_approx_list(FILE *f)
{
    const pm_sampler_method *m;
    fputs("# method\tsummary\tsource\ton GPUs, up to\n", f);
    for (int i = 0; (m = pm_sampler_method_at(i)); ++i)
        fprintf(f, "%s\t%s\t%s\t%s\n", m->name, m->summary, m->source,
                m->gpu_limits ? m->gpu_limits : "-");
    fputs(
        "bethe\tno samples: the Bethe approximation with its fluctuations, for graphs of any size\t"
        "Vontobel 2013; Mori, Tanaka 2012\t-\n",
        f);
}
