/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/stack.h"

#include <sys/resource.h>

enum { NEEDED_KIB = 1024 }; /* several times the deepest path */

pm_status pm_stack_ensure(pm_error *err)
{
    const rlim_t needed = (rlim_t)NEEDED_KIB << 10;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= needed)
        return PM_OK;
    rlim_t found = limit.rlim_cur;
    limit.rlim_cur = needed;
    if (setrlimit(RLIMIT_STACK, &limit) == 0)
        return PM_OK;
    return pm_fail(err, PM_ENOMEM, "the stack may take %llu KiB, and %d are needed (ulimit -s)",
                   (unsigned long long)found >> 10, NEEDED_KIB);
}
