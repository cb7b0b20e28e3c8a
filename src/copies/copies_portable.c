/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of copies_problem.h for any machine. */
#include "config.h"

#define PM_LANES 2
#include "copies/copies_body.h"
#include "copies/walks_body.h"

PM_COPIES_TABLE(pm_copies_portable);
PM_WALKS_TABLE(pm_walks_portable);
