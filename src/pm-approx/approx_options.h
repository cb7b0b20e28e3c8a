/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_options.h: the options of pm-approx alone. */
#ifndef PM_APPROX_OPTIONS_H
#define PM_APPROX_OPTIONS_H

#include "cli/options.h"
#include "cli/shared.h"
#include "estimate/estimate.h"

typedef struct {
    bool bounds, list;
    int64_t sample; /* matchings to draw; 0: not asked */
    const pm_sampler_method *method;
    pm_sampler_options sampler; /* what is not given: complete -1, others 0 */
    pm_sampler_backend place;
    double exact_within;               /* seconds; below 0: not given */
    double rel_err, level, time_limit; /* 0: not given */
    int64_t samples;
    double epsilon, delta; /* of --guarantee; 0: not given */
    const char *trace, *plot;
    pm_seed seed;
    bool has_max_cost;
} pm_approx_settings;

pm_approx_settings pm_approx_settings_defaults(void);

extern const pm_option pm_options_approx_question[]; /* --bounds --sample --list */
/* --method --backend --gpus --exact-within --states --complete --scale-interval --scale-sweeps */
extern const pm_option pm_options_approx_method[];
/* --rel-err --confidence --samples --runs --time-limit --guarantee */
extern const pm_option pm_options_approx_stop[];
extern const pm_option pm_options_approx_output[]; /* --trace --plot */

/* output: of --output, or NULL; json: --json.
 * Fails: PM_EUSAGE options that exclude each other, or have no meaning. */
pm_status pm_approx_settings_check(const pm_approx_settings *set, const char *output, bool json,
                                   pm_error *err);

/* Without a way to stop: 1 %, or a minute. */
pm_estimate_options pm_approx_settings_estimate(const pm_approx_settings *set);

/* The table that --list prints. */
void pm_approx_list(FILE *f);

#endif
