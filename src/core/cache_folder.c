/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/cache_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool pm_cache_folder(char path[PM_PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache && cache[0] == '/')
        length = snprintf(path, PM_PATH_MAX, "%s/pmkit", cache);
    else if (home && home[0])
        length = snprintf(path, PM_PATH_MAX, "%s/.cache/pmkit", home);
    return length > 0 && length < PM_PATH_MAX - 64;
}

static int make(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
}

int pm_cache_make(const char *path)
{
    char parent[PM_PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    int why = make(parent);
    return why ? why : make(path);
}
