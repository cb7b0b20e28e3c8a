/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/checkpoint_file.h: the bytes of a checkpoint, read and written. */
#ifndef PM_CHECKPOINT_FILE_H
#define PM_CHECKPOINT_FILE_H

#include "checkpoint/ledger_head.h"

/* Reads head and ledger, which are empty before.  *is_there: false when there is no such file, or it is
 * empty.  Fails: PM_EDATA, PM_EIO, PM_ENOMEM. */
pm_status pm_checkpoint_read(const char *path, pm_ledger_head *head, pm_ledger *ledger,
                             bool *is_there, pm_error *err);

/* Writes path + ".new", then gives it the name `path`.  When this fails or the machine stops, the older
 * file is as it was.  May be called by another thread than those that compute.
 * Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_checkpoint_write(const char *path, const pm_ledger_head *head, pm_ledger *ledger,
                              pm_error *err);

#endif
