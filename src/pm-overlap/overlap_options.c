/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-overlap/overlap_options.h"

#include <math.h>
#include <stdlib.h>

#include "cli/common_options.h"
#include "cli/words.h"

static pm_status set_side(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"rows", "cols", NULL};
    int side;
    pm_status status = pm_word_among(arg, words, &side, err);
    if (!status)
        *(bool *)field = side == 1;
    return status;
}

static const char *weight_at(int k)
{
    return k < PM_OVERLAP_WEIGHTS ? pm_overlap_weight_name((pm_overlap_weight)k) : NULL;
}

static pm_status set_weight(void *field, const char *arg, pm_error *err)
{
    int weight;
    pm_status status = pm_word_find(arg, weight_at, &weight, err);
    if (!status)
        *(pm_overlap_weight *)field = (pm_overlap_weight)weight;
    return status;
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
    {0, "weight", "NAME",
     "common (default): the number of common neighbours; or jaccard, cosine, overlap, newman or "
     "product",
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
