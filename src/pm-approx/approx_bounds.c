/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of every item of an input that hold for certain. */
#include "config.h"

#include <math.h>

#include "cli/json.h"
#include "estimate/item_bounds.h"
#include "pm-approx/approx_item.h"
#include "pm-approx/approx_tasks.h"

static const struct {
    const char *name;
    size_t offset;
    bool is_upper;
} columns[] = {
    {"lower_log10", offsetof(pm_bounds, lower), false},
    {"upper_log10", offsetof(pm_bounds, upper), true},
    {"schrijver", offsetof(pm_bounds, schrijver), false},
    {"gurvits", offsetof(pm_bounds, gurvits), false},
    {"van_der_waerden", offsetof(pm_bounds, van_der_waerden), false},
    {"bregman", offsetof(pm_bounds, bregman), true},
    {"bregman_scaled", offsetof(pm_bounds, bregman_scaled), true},
    {"huber", offsetof(pm_bounds, huber), true},
    {"bethe", offsetof(pm_bounds, bethe), true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

const char pm_approx_bounds_header[] =
    "# lower_log10\tupper_log10\tschrijver\tgurvits\tvan_der_waerden\tbregman\tbregman_scaled"
    "\thuber\tbethe";

/* Outwards, so that what is printed is a bound too. */
double pm_approx_outwards(double log10, bool is_upper)
{
    if (!isfinite(log10) || log10 == 0)
        return log10;
    double slack = 1e-11 * fabs(log10), unit = 1e-6; /* 10^-PM_APPROX_BOUND_DIGITS */
    return is_upper ? ceil((log10 + slack) / unit) * unit : floor((log10 - slack) / unit) * unit;
}

static void put(const pm_bounds *b, bool json, FILE *f)
{
    pm_json j = {.f = f};
    for (int c = 0; c < COLUMNS; ++c) {
        double x = pm_approx_outwards(*(const double *)((const char *)b + columns[c].offset),
                                      columns[c].is_upper);
        if (json)
            pm_json_decimal(&j, columns[c].name, x, PM_APPROX_BOUND_DIGITS);
        else if (isfinite(x))
            fprintf(f, "%s%.*f", c ? "\t" : "", PM_APPROX_BOUND_DIGITS, x);
        else
            fprintf(f, "%s%s", c ? "\t" : "", x < 0 ? "-inf" : "inf");
    }
}

static pm_status answer(const pm_approx_context *c, pm_approx_item *it, pm_answers *out,
                        pm_error *err)
{
    pm_bounds b;
    pm_status s = pm_item_bounds_make(&it->x, &b, err);
    if (s != PM_OK)
        return s;
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    put(&b, c->json, f);
    return pm_answers_end(out, it->x.name, b.upper == -INFINITY, err);
}

pm_status pm_approx_bounds(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_approx_items(context, r, answer, out, err);
}
