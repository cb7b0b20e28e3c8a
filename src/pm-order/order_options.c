/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-order/order_options.h"

#include "cli/words.h"
#include "network/switching.h"

#define IN_ORDER(field) offsetof(pm_order_settings, field)

static const char *method_at(int k)
{
    const pm_order_method *m = pm_order_method_at(k);
    return m ? m->name : NULL;
}

static pm_status set_method(void *field, const char *arg, pm_error *err)
{
    int method;
    pm_status status = pm_word_find(arg, method_at, &method, err);
    if (!status)
        *(const pm_order_method **)field = pm_order_method_at(method);
    return status;
}

static pm_status set_switches(void *field, const char *arg, pm_error *err)
{
    if (arg)
        return pm_set_positive(field, arg, err);
    *(int *)field = PM_SWITCHES_OF_EDGE;
    return PM_OK;
}

const pm_option pm_options_order[] = {
    {0, "method", "NAME", "frontier (default), sort, skip, permanent, elimination, rcm or none",
     set_method, IN_ORDER(method)},
    {0, "effort", "SECONDS",
     "search for about this long, measured in operations (frontier, elimination)", pm_set_seconds,
     IN_ORDER(effort)},
    {0, "scale", NULL,
     "no order: scale rows and columns by powers of two, so that their sums are near 1",
     pm_set_flag, IN_ORDER(scale)},
    {0, "switch", "[=N]",
     "no order: a random graph with the same degrees, by N switches of each edge (default 10)",
     set_switches, IN_ORDER(switches)},
    {0},
};

const pm_option pm_options_order_question[] = {
    {0, "stats", NULL, "print what the order predicts instead of the stream", pm_set_flag,
     IN_ORDER(stats)},
    {0, "all", NULL, "print what the orders of all methods predict", pm_set_flag, IN_ORDER(all)},
    {0, "factors", NULL, "print the factors with which all rows and columns sum to 1", pm_set_flag,
     IN_ORDER(factors)},
    {0},
};

const pm_order_method *pm_order_settings_method(const pm_order_settings *set)
{
    return set->method ? set->method : pm_order_method_at(0);
}

pm_status pm_order_settings_check(const pm_order_settings *set, pm_error *err)
{
    const pm_order_method *m = pm_order_settings_method(set);
    if (set->all && (set->stats || set->method))
        return pm_fail(err, PM_EUSAGE, "--all excludes --method and --stats");
    if (set->factors && (set->stats || set->all))
        return pm_fail(err, PM_EUSAGE, "--factors excludes --stats and --all");
    if (set->scale && (set->stats || set->all || set->factors))
        return pm_fail(err, PM_EUSAGE, "--scale excludes --stats, --all and --factors");
    if (set->switches && (set->scale || set->stats || set->all || set->factors))
        return pm_fail(err, PM_EUSAGE, "--switch excludes --scale, --stats, --all and --factors");
    if (set->switches && (set->method || set->effort > 0))
        return pm_fail(err, PM_EUSAGE, "--switch finds no order: it takes no --method or --effort");
    if ((set->scale || set->factors) && (set->method || set->effort > 0 || set->seed.is_given))
        return pm_fail(err, PM_EUSAGE,
                       "--%s finds no order: it takes no --method, --effort or --seed",
                       set->scale ? "scale" : "factors");
    if (set->effort > 0 && !set->all && !m->search)
        return pm_fail(err, PM_EUSAGE, "--effort: the method '%s' does not search", m->name);
    if (set->seed.is_given && !set->switches && !set->all && !set->stats && !m->search)
        return pm_fail(err, PM_EUSAGE, "--seed: the method '%s' draws no random numbers", m->name);
    return PM_OK;
}
