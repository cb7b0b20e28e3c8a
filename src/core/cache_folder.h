/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/cache_folder.h: where files are kept that can be made again. */
#ifndef PM_CACHE_FOLDER_H
#define PM_CACHE_FOLDER_H

#include <stdbool.h>

enum { PM_PATH_MAX = 4096 };

/* path = $XDG_CACHE_HOME/pmkit, else ~/.cache/pmkit; with room for 64 characters more.
 * False when neither variable names a folder. */
bool pm_cache_folder(char path[PM_PATH_MAX]);

/* The folder and the one that it lies in are made where they are missing.
 * Returns 0, or errno. */
int pm_cache_make(const char *path);

/* Where more than `most` files of the folder begin so, the latest `kept` of them stay, by the time of
 * their last change. */
void pm_cache_trim(const char *path, const char *prefix, int most, int kept);

#endif
