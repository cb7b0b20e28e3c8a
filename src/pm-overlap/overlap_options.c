/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-overlap/overlap_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common_options.h"

static pm_status set_side(void *field, const char *arg, pm_error *err)
{
    bool *of_columns = field;
    *of_columns = strcmp(arg, "cols") == 0;
    if (!*of_columns && strcmp(arg, "rows") != 0)
        return pm_fail(err, PM_EUSAGE, "'%s' is not one of rows, cols", arg);
    return PM_OK;
}

static pm_status set_weight(void *field, const char *arg, pm_error *err)
{
    char list[128] = "";
    for (int w = 0; w < PM_OVERLAP_WEIGHTS; ++w) {
        const char *name = pm_overlap_weight_name((pm_overlap_weight)w);
        if (strcmp(name, arg) == 0) {
            *(pm_overlap_weight *)field = (pm_overlap_weight)w;
            return PM_OK;
        }
        strncat(list, w ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, name, sizeof list - strlen(list) - 1);
    }
    return pm_fail(err, PM_EUSAGE, "'%s' is not one of %s", arg, list);
}

static pm_status set_number(void *field, const char *arg, pm_error *err)
{
    char *end;
    double x = strtod(arg, &end);
    if (end == arg || *end || !isfinite(x))
        return pm_fail(err, PM_EUSAGE, "'%s' is not a number", arg);
    *(double *)field = x;
    return PM_OK;
}

#define IN_OVERLAP(field) offsetof(pm_overlap_settings, field)

const pm_option pm_options_overlap[] = {
    {0, "side", "SIDE", "pairs of rows (default) or of cols", set_side, IN_OVERLAP(of_columns)},
    {0, "weight", "NAME", "common (default), jaccard, cosine, overlap, newman or product",
     set_weight, IN_OVERLAP(weight)},
    {0, "at-least", "X", "only pairs with a weight of X or more", set_number, IN_OVERLAP(at_least)},
    {0},
};

const pm_option pm_options_overlap_backend[] = {
    {0, "backend", "WHERE", "auto (default): a GPU for many pairs; cpu; or cuda: a GPU",
     pm_set_backend, IN_OVERLAP(backend)},
    {0},
};

const pm_option pm_options_overlap_question[] = {
    {0, "stats", NULL, "print a line of figures instead of the pairs", pm_set_flag,
     IN_OVERLAP(stats)},
    {0},
};
