/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_block.h: counting a block with multiplicities as it is. */
#ifndef PM_COUNT_BLOCK_H
#define PM_COUNT_BLOCK_H

#include "pm/count.h"

/* The value of the block; *b is freed.  report: NULL, or set on success.  Fails: as pm_count. */
pm_status pm_count_one_block(pm_block *b, pm_field field, const pm_count_options *opt,
                             const pm_run *run, pm_value *out, pm_count_report *report,
                             pm_error *err);

#endif
