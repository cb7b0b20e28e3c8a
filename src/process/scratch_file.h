/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/scratch_file.h: a file without a name, for bytes that would take too much memory.
 *
 * It is in the folder that TMPDIR names, or in /var/tmp, or /tmp.  Nothing of it stays however the program ends.  It is opened before
 * the program enters its sandbox, which lets it create no files.  Not thread-safe. */
#ifndef PM_SCRATCH_FILE_H
#define PM_SCRATCH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Zeroed, it is no file. */
typedef struct {
    bool is_open;
    int file;
    int64_t length; /* bytes */
} pm_scratch_file;

/* Where no file can be created, *s is none. */
void pm_scratch_file_open(pm_scratch_file *s);
void pm_scratch_file_close(pm_scratch_file *s);

/* Returns false, with nothing added, where there is no file, or the bytes could not be written. */
bool pm_scratch_file_append(pm_scratch_file *s, const char *bytes, size_t count);

/* Only the first bytes stay.  length: at most s->length. */
void pm_scratch_file_cut(pm_scratch_file *s, int64_t length);

/* Writes the bytes from .. to - 1 to f.  Returns 0, or errno where they cannot be read; failures of f are left to its caller. */
int pm_scratch_file_copy(const pm_scratch_file *s, int64_t from, int64_t to, FILE *f);

#endif
