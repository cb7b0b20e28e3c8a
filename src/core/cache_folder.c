/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "pm/settings.h"

bool pm_cache_folder(char path[PM_PATH_MAX])
{
    const char *folder = pm_settings_get()->cache_folder;
    int length = folder ? snprintf(path, PM_PATH_MAX, "%s", folder) : -1;
    return length > 0 && length < PM_PATH_MAX - 64;
}

FILE *pm_cache_open(const char *path)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    bool is_file = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    FILE *f = is_file ? fdopen(file, "rb") : NULL;
    if (!f)
        close(file);
    return f;
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

/* ---- removing old files ---- */

typedef struct {
    struct timespec used;
    char name[256];
} entry;

typedef struct {
    entry *of;
    int64_t count, cap;
} entries;

static int by_use(const void *x, const void *y)
{
    const struct timespec *a = &((const entry *)x)->used, *b = &((const entry *)y)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

/* The files of the folder whose names begin with prefix.  A file is left out when its state cannot
 * be read, or when memory ends. */
static void collect(DIR *folder, const char *prefix, entries *e)
{
    for (struct dirent *d; (d = readdir(folder));) {
        struct stat s;
        if (strncmp(d->d_name, prefix, strlen(prefix)) != 0
            || fstatat(dirfd(folder), d->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0
            || !S_ISREG(s.st_mode) || PM_GROW(e->of, e->cap, e->count + 1))
            continue;
        entry *at = &e->of[e->count++];
        at->used = s.st_mtim;
        memcpy(at->name, d->d_name, strlen(d->d_name) + 1);
    }
}

void pm_cache_trim(const char *path, const char *prefix, int most, int kept)
{
    entries e = {0};
    DIR *folder = opendir(path);
    if (!folder)
        return;
    collect(folder, prefix, &e);
    if (e.count > most) {
        qsort(e.of, (size_t)e.count, sizeof *e.of, by_use);
        for (int64_t i = 0; i < e.count - kept; ++i)
            unlinkat(dirfd(folder), e.of[i].name, 0);
    }
    free(e.of);
    closedir(folder);
}
