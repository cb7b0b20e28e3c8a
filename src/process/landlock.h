/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/landlock.h: files that the process gives up (Landlock, landlock(7); Linux 5.13 or newer).
 *
 * pm_landlock_begin, one call for each file that stays allowed, pm_landlock_enter.  From then on the calling
 * thread, the threads and the programs that it starts can open no other files, list no folders, create and remove
 * nothing and execute nothing; on Linux 6.12 or newer they send no signals to processes outside either.  Files that
 * are open stay so.  It cannot be undone. */
#ifndef PM_LANDLOCK_H
#define PM_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int ruleset;      /* a file descriptor */
    uint64_t handled; /* what is given up: LANDLOCK_ACCESS_FS_... */
    int trouble;      /* errno of a rule that could not be made; else 0 */
} pm_landlock;

/* The version of Landlock in the kernel; 0: none.  *why: the reason then. */
int pm_landlock_version(const char **why);

/* Returns NULL, or why the kernel offers no such thing; the other functions must not be called then. */
const char *pm_landlock_begin(pm_landlock *l);

/* A file may be read; a folder may be listed, and nothing in it read.  A path that leads nowhere is passed
 * over, also later, when there is a file. */
void pm_landlock_read(pm_landlock *l, const char *path);
/* The file, or all files in the folder and below, may be read. */
void pm_landlock_read_below(pm_landlock *l, const char *path);
/* The file may be read and executed. */
void pm_landlock_execute(pm_landlock *l, const char *path);
/* The file at this path may be written, or created.  In its folder and below, others may be too: the rules of
 * the kernel are about files that there are. */
void pm_landlock_write(pm_landlock *l, const char *path);
/* Files that are open get names in the folder, a file descriptor, or below, also those of others. */
void pm_landlock_name_in(pm_landlock *l, int folder);

/* Returns NULL, or why nothing has been given up. */
const char *pm_landlock_enter(pm_landlock *l);

#endif
