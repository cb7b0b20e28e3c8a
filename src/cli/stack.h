/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/stack.h: room for the tiles of the kernels, which stand on the stack. */
#ifndef PM_STACK_H
#define PM_STACK_H

#include "pm/status.h"

/* Call first in main of a program that counts.  Lifts a limit below what the kernels need; fails
 * with PM_ENOMEM where that is not allowed. */
pm_status pm_stack_ensure(pm_error *err);

#endif
