/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cache_folder.h"
#include "pm/alloc.h"

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

/* Whatever cannot be looked at or remembered stays. */
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
