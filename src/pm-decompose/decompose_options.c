/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-decompose/decompose_options.h"

/* The largest matrix that is expanded when no option of the expansion is given.  The methods whose
 * work depends on the number of rows alone go up to 64 rows, and only they gain by terms with fewer
 * rows: a thousand terms of a cubic graph of 100 rows still have 63 rows.  Below the limit, too,
 * most sparse matrices are counted faster as they are. */
enum { DEFAULT_MAX_N = 64 };

#define IN_DECOMPOSE(field) offsetof(pm_decompose_settings, field)

const pm_option pm_options_expansion[] = {
    {0, "min-degree", "D",
     "expand rows and columns with fewer than D entries (default: 5; 1: none)", pm_set_positive,
     IN_DECOMPOSE(min_degree)},
    {0, "until-n", "N", "leave matrices with N rows or fewer as they are", pm_set_positive,
     IN_DECOMPOSE(until_n)},
    {0, "max-terms", "N", "expand each graph into N terms at most (default: 1000)", pm_set_positive,
     IN_DECOMPOSE(max_terms)},
    {0},
};

const pm_option pm_options_decompose[] = {
    {0, "stats", NULL, "print a line of figures: terms, their sizes, cost before and after",
     pm_set_flag, IN_DECOMPOSE(stats)},
    {0},
};

pm_expand_options pm_decompose_settings_expansion(const pm_decompose_settings *set)
{
    pm_expand_options options = pm_expand_defaults();
    bool is_given = set->min_degree || set->until_n || set->max_terms;
    if (!is_given)
        options.max_n = DEFAULT_MAX_N;
    if (set->min_degree)
        options.min_degree = set->min_degree;
    if (set->until_n)
        options.until_n = set->until_n;
    if (set->max_terms)
        options.max_terms = set->max_terms;
    return options;
}
