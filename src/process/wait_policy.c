/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By default, OpenMP threads that wait do so in a busy loop, on a processor that another thread may
 * need when other programs run too: a count of 0.3 s took 11 to 17 s beside two busy processes, and
 * 1.3 s with threads that sleep.  The OpenMP library reads OMP_WAIT_POLICY before main. */
#include "config.h"

#include "process/wait_policy.h"

#include <stdbool.h>
#include <stdlib.h>

/* False when the user has decided, or when there is no memory. */
static bool set_passive(void)
{
    return !getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT")
           && setenv("OMP_WAIT_POLICY", "passive", 1) == 0;
}

#ifdef PM_OPENMP_STATIC

/* Constructors with a priority run before those of the libraries that are linked statically. */
__attribute__((constructor(101))) static void set_early(void)
{
    set_passive();
}

void pm_wait_policy_set(char **argv)
{
    (void)argv;
}

#else

#include <unistd.h>

#include "process/environment.h"

/* A shared library has read the variable; executing the program again takes a millisecond. */
void pm_wait_policy_set(char **argv)
{
    /* the path instead of the link, so that the process keeps its name */
    char self[PM_ENVIRONMENT_PATH_MAX];
    if (set_passive() && pm_environment_own_path(self))
        execv(self, argv);
}

#endif
