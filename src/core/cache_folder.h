/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/cache_folder.h: the folder for files that can be made again, such as compiled kernels. */
#ifndef PM_CACHE_FOLDER_H
#define PM_CACHE_FOLDER_H

#include <stdbool.h>
#include <stdio.h>

enum { PM_PATH_MAX = 4096 };

/* path = pm_settings.cache_folder; at least 64 bytes of path are left free.
 * Returns false when the setting is not set or is too long. */
bool pm_cache_folder(char path[PM_PATH_MAX]);

/* Opens a file for reading.  NULL when it is none that a cache has written: a symbolic link, which may
 * lead anywhere, a pipe, which would keep the program waiting, or another thing than a regular file. */
FILE *pm_cache_open(const char *path);

/* Creates the folder path, and its parent, where they are missing.  path is absolute.
 * Returns 0, or errno. */
int pm_cache_make(const char *path);

/* When more than `most` regular files of the folder path have names that begin with prefix, deletes
 * the oldest of them, by the time of their last change, until `kept` are left.  Failures are
 * ignored. */
void pm_cache_trim(const char *path, const char *prefix, int most, int kept);

#endif
