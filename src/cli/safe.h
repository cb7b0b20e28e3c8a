/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/safe.h: what --safe stands for: the options that a service gives when strangers choose the
 * input.  It is one list for all programs; each takes the options that it has. */
#ifndef PM_SAFE_H
#define PM_SAFE_H

#include <stddef.h>

#include "cli/options.h"

typedef struct {
    const char *name;  /* of the option, without dashes */
    const char *value; /* its argument */
    const char *with;  /* NULL, or an option: a program that has it takes the limit only with it */
} pm_safe_limit;

extern const pm_safe_limit pm_safe_limits[]; /* ends with a NULL name */

/* The options of the list that are in `groups`, as the help of --safe. */
void pm_safe_describe(const pm_option_group *groups, char *out, size_t room);

#endif
