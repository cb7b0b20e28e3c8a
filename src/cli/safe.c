/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/safe.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* pmkit(7) says why. */
const pm_safe_limit pm_safe_limits[] = {
    {"backend", "cpu", NULL},        {"threads", "1", NULL},     {"max-memory", "1G", NULL},
    {"max-cost", "60", "guarantee"}, {"time-limit", "60", NULL}, {0},
};

/* name: may be NULL, which no program has. */
static bool is_in(const pm_option_group *groups, const char *name)
{
    for (const pm_option_group *g = groups; name && g->options; ++g)
        for (const pm_option *o = g->options; o->name; ++o)
            if (strcmp(o->name, name) == 0)
                return true;
    return false;
}

void pm_safe_describe(const pm_option_group *groups, char *out, size_t room)
{
    size_t used =
        (size_t)snprintf(out, room, "limits for inputs of strangers, where not given otherwise:");
    for (const pm_safe_limit *l = pm_safe_limits; l->name; ++l)
        if (used < room && is_in(groups, l->name))
            used += (size_t)snprintf(out + used, room - used, " --%s=%s%s%s%s", l->name, l->value,
                                     is_in(groups, l->with) ? " (with --" : "",
                                     is_in(groups, l->with) ? l->with : "",
                                     is_in(groups, l->with) ? ")" : "");
}
