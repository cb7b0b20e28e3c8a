/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that the options of pm-approx go together: an option that would be ignored is refused. */
#include "config.h"

#include <string.h>

#include "pm-approx/approx_options.h"

enum { ESTIMATE = 1, BOUNDS = 2, SAMPLE = 4, GUARANTEE = 8, BETHE = 16, COMPARE = 32, ALL = 63 };

typedef struct {
    const char *name;
    bool is_given;
    int questions;  /* those for which it has a meaning */
    unsigned taken; /* PM_TAKES_...: the methods for which it has a meaning; 0: all */
} given;

static const char *question_of(const pm_approx_settings *set, int *question)
{
    *question = set->bounds            ? BOUNDS
                : set->sample          ? SAMPLE
                : set->compare         ? COMPARE
                : set->epsilon > 0     ? GUARANTEE
                : set->method.is_bethe ? BETHE
                                       : ESTIMATE;
    return set->bounds        ? "--bounds"
           : set->sample      ? "--sample"
           : set->compare     ? "--compare"
           : set->epsilon > 0 ? "--guarantee"
                              : "--method=bethe";
}

static pm_status check_option(const given *g, const char *name, int question,
                              const pm_sampler_method *method, pm_error *err)
{
    if (!g->is_given)
        return PM_OK;
    if (!(g->questions & question))
        return question == ESTIMATE
                   ? pm_fail(err, PM_EUSAGE, "%s has no meaning without --guarantee", g->name)
                   : pm_fail(err, PM_EUSAGE, "%s takes no %s", name, g->name);
    if (method && g->taken && !(method->takes & g->taken))
        return pm_fail(err, PM_EUSAGE, "%s has no meaning for --method=%s", g->name, method->name);
    return PM_OK;
}

static pm_status check_options(const pm_approx_settings *set, pm_error *err)
{
    const given options[] = {
        {"--method", set->method.sampler || set->method.is_bethe, ESTIMATE | BETHE, 0},
        {"--rel-err", set->rel_err > 0, ESTIMATE, 0},
        {"--samples", set->samples, ESTIMATE, 0},
        {"--confidence", set->level > 0, ESTIMATE, 0},
        {"--time-limit-each", set->time_limit_each > 0, ESTIMATE | GUARANTEE, 0},
        {"--exact-within", set->exact_within >= 0, ESTIMATE | GUARANTEE | COMPARE, 0},
        {"--backend=cuda", set->backend.backend == PM_BACKEND_CUDA,
         ESTIMATE | BOUNDS | BETHE | COMPARE, 0},
        {"--gpus", set->backend.gpus, ESTIMATE, 0},
        {"--states", set->sampler.states > 0, ESTIMATE, PM_TAKES_STATES},
        {"--complete", set->sampler.complete >= 0, ESTIMATE, PM_TAKES_COMPLETE},
        {"--scale-interval", set->sampler.scale_interval > 0, ESTIMATE, PM_TAKES_SCALINGS},
        {"--scale-sweeps", set->sampler.scale_sweeps > 0, ESTIMATE, PM_TAKES_SCALINGS},
        {"--trace", set->trace, ESTIMATE, 0},
        {"--plot", set->plot, ESTIMATE, 0},
        {"--seed", set->seed.is_given, ALL & ~BOUNDS, 0},
        {"--max-cost", set->has_max_cost, GUARANTEE, 0},
        {"--checkpoint", set->long_run.checkpoint, ESTIMATE | GUARANTEE, 0},
        {"--part", set->long_run.parts, ESTIMATE | GUARANTEE, 0},
        {"--merge", set->long_run.merge, ESTIMATE | GUARANTEE, 0},
    };
    int question;
    const char *name = question_of(set, &question);
    pm_status status = PM_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && !status; ++i)
        status = check_option(&options[i], name, question, set->method.sampler, err);
    return status;
}

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Parts have to agree on the samples that each of them draws, without those of the others. */
static pm_status check_part(const pm_approx_settings *set, pm_error *err)
{
    const pm_long_settings *l = &set->long_run;
    if (!l->parts)
        return PM_OK;
    if (set->epsilon > 0)
        return pm_fail(
            err, PM_EUSAGE,
            "--guarantee takes no --part: the number of samples follows from the samples");
    if (!set->samples)
        return pm_fail(err, PM_EUSAGE,
                       "--part needs a fixed number of samples: --samples=N or --runs=N");
    if (set->rel_err > 0 || set->time_limit_each > 0)
        return pm_fail(
            err, PM_EUSAGE,
            "--part needs a fixed number of samples: no --rel-err, no --time-limit-each");
    if (set->trace || set->plot)
        return pm_fail(err, PM_EUSAGE, "a part has no estimate yet: no --trace, no --plot");
    return PM_OK;
}

pm_status pm_approx_settings_check(const pm_approx_settings *set, const char *output, bool json,
                                   pm_error *err)
{
    if (set->list && (output || json))
        return pm_fail(err, PM_EUSAGE, "--list takes neither --output nor --json");
    if (set->bounds + (set->sample > 0) + (set->compare > 0) + (set->epsilon > 0) > 1)
        return pm_fail(err, PM_EUSAGE,
                       "--bounds, --sample, --compare and --guarantee exclude each other");
    if (set->backend.gpus && set->backend.backend == PM_BACKEND_CPU)
        return pm_fail(err, PM_EUSAGE, "--gpus has no meaning for --backend=cpu");
    if (is_same(set->trace, set->plot) || is_same(set->trace, output) || is_same(set->plot, output))
        return pm_fail(err, PM_EUSAGE, "--output, --trace and --plot must be different files");
    pm_status status = check_options(set, err);
    if (!status)
        status = check_part(set, err);
    return status ? status : pm_long_settings_check(&set->long_run, err);
}
