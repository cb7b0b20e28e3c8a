/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_options.h: the options that only pm-approx has. */
#ifndef PM_APPROX_OPTIONS_H
#define PM_APPROX_OPTIONS_H

#include "checkpoint/long_run.h"
#include "cli/common_options.h"
#include "estimate/estimate.h"

/* Of --method. */
typedef struct {
    const pm_sampler_method *sampler; /* NULL: none or auto */
    bool is_bethe;
} pm_approx_method;

typedef struct {
    bool bounds, list;
    int64_t sample;  /* matchings to draw; 0: not given */
    int64_t compare; /* random graphs; 0: not given */
    pm_approx_method method;
    pm_sampler_options sampler; /* not given: complete -1, others 0 */
    pm_sampler_backend backend;
    double exact_within;                    /* seconds; below 0: not given */
    double rel_err, level, time_limit_each; /* 0: not given */
    int64_t samples;
    double epsilon, delta; /* of --guarantee; 0: not given */
    const char *trace, *plot;
    pm_seed seed;
    bool has_max_cost;
    pm_long_settings long_run;
} pm_approx_settings;

pm_approx_settings pm_approx_settings_defaults(void);

extern const pm_option pm_options_approx_question[]; /* --bounds --sample --compare --list */
/* --method --backend --gpus --exact-within --states --complete --scale-interval --scale-sweeps */
extern const pm_option pm_options_approx_method[];
/* --rel-err --confidence --samples --runs --guarantee */
extern const pm_option pm_options_approx_stop[];
extern const pm_option pm_options_approx_output[]; /* --trace --plot */

/* output: of --output, or NULL; json: whether --json is given.
 * Fails: PM_EUSAGE, options that exclude each other or have no meaning. */
pm_status pm_approx_settings_check(const pm_approx_settings *set, const char *output, bool json,
                                   pm_error *err);

/* When no option says when to stop: at a relative error of 1 %, or after a minute. */
pm_estimate_options pm_approx_settings_estimate(const pm_approx_settings *set);

/* Prints the table of --list. */
void pm_approx_list(FILE *f);

#endif
