/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order/order_options.h: the options of pm-order alone. */
#ifndef PM_ORDER_OPTIONS_H
#define PM_ORDER_OPTIONS_H

#include "cli/options.h"
#include "cli/shared.h"
#include "count/order_methods.h"

typedef struct {
    const pm_order_method *method; /* NULL: not given */
    double effort;                 /* nominal seconds; 0: not given */
    bool stats, all;
    pm_seed seed;
} pm_order_settings;

extern const pm_option pm_options_order[];          /* --method --effort */
extern const pm_option pm_options_order_question[]; /* --stats --all */

/* What --method says, or does not say. */
const pm_order_method *pm_order_settings_method(const pm_order_settings *set);

/* Fails: PM_EUSAGE options that exclude each other, or have no meaning. */
pm_status pm_order_settings_check(const pm_order_settings *set, pm_error *err);

#endif
