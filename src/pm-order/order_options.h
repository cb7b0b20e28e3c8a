/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order/order_options.h: the options that only pm-order has. */
#ifndef PM_ORDER_OPTIONS_H
#define PM_ORDER_OPTIONS_H

#include "cli/common_options.h"
#include "planner/order_methods.h"

typedef struct {
    const pm_order_method *method; /* NULL: not given */
    double effort;                 /* nominal seconds; 0: not given */
    bool stats, all, factors, scale;
    int switches; /* of each edge; 0: not given */
    pm_seed seed;
} pm_order_settings;

extern const pm_option pm_options_order[];          /* --method --effort --scale --switch */
extern const pm_option pm_options_order_question[]; /* --stats --all --factors */

/* The method that is given, or the default. */
const pm_order_method *pm_order_settings_method(const pm_order_settings *set);

/* Fails: PM_EUSAGE, options that exclude each other or have no meaning for the method. */
pm_status pm_order_settings_check(const pm_order_settings *set, pm_error *err);

#endif
