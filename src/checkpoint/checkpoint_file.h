/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/checkpoint_file.h: the bytes of a checkpoint, read and written, by one run at a time.
 *
 * A run holds a lock on the file, flock(2): a second run with the same checkpoint is refused, since the
 * two would write over each other.  A new file is locked before it replaces the older one, so that the file of this name
 * is always locked.  The lock ends with the process, however it ends.  Where the file system has no locks,
 * there is none. */
#ifndef PM_CHECKPOINT_FILE_H
#define PM_CHECKPOINT_FILE_H

#include "checkpoint/ledger_head.h"

typedef struct {
    char *path, *fresh; /* of the file, no symbolic link; and of the one that replaces it */
    const char *base, *fresh_base; /* their names in the folder */
    int folder; /* a file descriptor: the folder need not be opened in a sandbox */
    int file;   /* the locked file */
} pm_checkpoint_file;

/* Finds the file, and locks it; an empty one is made if there is none.  A symbolic link to a file is
 * followed.
 * Fails: PM_EIO another run has it, it is no plain file, or nothing can be written in its folder;
 * PM_ENOMEM.  Nothing is to be closed then. */
pm_status pm_checkpoint_file_open(const char *path, pm_checkpoint_file *out, pm_error *err);
/* Removes the file, if it is to be removed or empty, and ends the lock. */
void pm_checkpoint_file_close(pm_checkpoint_file *f, bool is_removed);

/* Reads head and ledger, which are empty before.  *is_there: false when there is no such file, or it is
 * empty.  Fails: PM_EDATA, PM_EIO, PM_ENOMEM. */
pm_status pm_checkpoint_read(const char *path, pm_ledger_head *head, pm_ledger *ledger,
                             bool *is_there, pm_error *err);

/* Writes another file, then gives it the name.  When this fails or the machine stops, the older
 * file is as it was.  May be called by another thread than those that compute.
 * Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_checkpoint_write(pm_checkpoint_file *f, const pm_ledger_head *head, pm_ledger *ledger,
                              pm_error *err);

#endif
