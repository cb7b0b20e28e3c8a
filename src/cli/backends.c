/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/backends.h"

#include <stdlib.h>
#include <string.h>

pm_status pm_set_backend(void *field, const char *arg, pm_error *err)
{
    for (pm_backend b = PM_BACKEND_CPU; b <= PM_BACKEND_AUTO; ++b)
        if (strcmp(pm_backend_name(b), arg) == 0) {
            *(pm_backend *)field = b;
            return PM_OK;
        }
    return pm_fail(err, PM_EUSAGE, "'%s' is none of auto, cpu, cuda", arg);
}

pm_status pm_set_gpus(void *field, const char *arg, pm_error *err)
{
    char *end = NULL;
    long v = strcmp(arg, "all") == 0 ? -1 : strtol(arg, &end, 10);
    if (end && (end == arg || *end || v < 1 || v > 64))
        return pm_fail(err, PM_EUSAGE, "'%s' is neither all nor a number from 1 to 64", arg);
    *(int *)field = (int)v;
    return PM_OK;
}
