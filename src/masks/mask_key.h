/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_key.h: the digest of a mask program, which says to what program a stored level belongs. */
#ifndef PM_MASK_KEY_H
#define PM_MASK_KEY_H

#include "ledger/ledger.h"
#include "masks/mask_program.h"

/* p: is_zero is not set. */
pm_ledger_key pm_mask_key(const pm_mask_program *p);

#endif
