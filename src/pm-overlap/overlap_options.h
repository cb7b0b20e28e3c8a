/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-overlap/overlap_options.h: the options that only pm-overlap has. */
#ifndef PM_OVERLAP_OPTIONS_H
#define PM_OVERLAP_OPTIONS_H

#include "cli/options.h"
#include "spgemm/overlap.h"

typedef struct {
    bool of_columns;
    pm_overlap_weight weight;
    double at_least; /* -infinity: all pairs */
    bool stats;
    pm_backend backend;
} pm_overlap_settings;

extern const pm_option pm_options_overlap[];
extern const pm_option pm_options_overlap_question[];
extern const pm_option pm_options_overlap_backend[];

#endif
