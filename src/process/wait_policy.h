/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/wait_policy.h: OpenMP threads that wait sleep. */
#ifndef PM_WAIT_POLICY_H
#define PM_WAIT_POLICY_H

/* Sets OMP_WAIT_POLICY to "passive" before the OpenMP library reads it, unless the user has set it or
 * GOMP_SPINCOUNT.  May execute the program again, with the arguments argv; so it is called before
 * anything else.  When that is not possible, the program goes on with the default. */
void pm_wait_policy_set(char **argv);

#endif
