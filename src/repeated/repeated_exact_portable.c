/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel of repeated_exact.h for any processor. */
#include "config.h"

#define PM_LANES 2
#include "repeated/repeated_exact_body.h"

PM_REPEATED_EXACT_RANGE(pm_repeated_exact_portable)
