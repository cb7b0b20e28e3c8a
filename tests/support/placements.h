/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/placements.h: where the kernels of full matrices can have their row sums and the
 * matrix; the first entry is the choice of the program itself. */
#ifndef PM_TEST_PLACEMENTS_H
#define PM_TEST_PLACEMENTS_H

#include "pm/backend.h"

static const pm_placement placements[] = {{.sums = PM_IN_ANY},
                                          {PM_IN_REGISTERS, PM_IN_SHARED, false},
                                          {PM_IN_REGISTERS, PM_IN_GLOBAL, false},
                                          {PM_IN_SHARED, PM_IN_ANY, false},
                                          {PM_IN_SHARED, PM_IN_CONSTANT, false},
                                          {PM_IN_GLOBAL, PM_IN_ANY, false},
                                          {PM_IN_GLOBAL, PM_IN_SHARED, false},
                                          {PM_IN_REGISTERS, PM_IN_CONSTANT, true},
                                          {PM_IN_SHARED, PM_IN_SHARED, true},
                                          {PM_IN_GLOBAL, PM_IN_ANY, true}};
enum { PLACEMENTS = sizeof placements / sizeof *placements };

#endif
