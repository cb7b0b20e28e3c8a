/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/rates.h"

static const struct {
    const char *name, *unit;
} table[] = {
#define PM_RATE_TEXT(id, name, seconds, unit) {name, unit},
    PM_RATE_TABLE(PM_RATE_TEXT)
#undef PM_RATE_TEXT
};

const pm_rates pm_rates_nominal = {{
#define PM_RATE_SECONDS(id, name, seconds, unit) seconds,
    PM_RATE_TABLE(PM_RATE_SECONDS)
#undef PM_RATE_SECONDS
}};

const char *pm_rate_name(pm_rate r)
{
    return table[r].name;
}

const char *pm_rate_unit(pm_rate r)
{
    return table[r].unit;
}
