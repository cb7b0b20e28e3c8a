/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-decompose/decompose_options.h: the options that only pm-decompose has. */
#ifndef PM_DECOMPOSE_OPTIONS_H
#define PM_DECOMPOSE_OPTIONS_H

#include "cli/options.h"
#include "pm/expand.h"

typedef struct {
    int min_degree, until_n, max_terms; /* 0: not given */
    bool stats;
} pm_decompose_settings;

extern const pm_option pm_options_expansion[]; /* --min-degree --until-n --max-terms */
extern const pm_option pm_options_decompose[]; /* --stats */

/* The options that are given, and defaults for the others. */
pm_expand_options pm_decompose_settings_expansion(const pm_decompose_settings *set);

#endif
