/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/landlock.h"

#include <errno.h>
#include <string.h>

#if defined __linux__ && !defined __SANITIZE_ADDRESS__

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/landlock.h, whose older editions lack some of it.  The numbers of the calls are the same on all
 * processors. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { TELL_VERSION = 1, PATH_BENEATH = 1 };
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    LIST_FOLDER = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_FILE = 1 << 8,
    REFER = 1 << 13,    /* version 2: names in other folders */
    TRUNCATE = 1 << 14, /* version 3 */
    OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
    OF_VERSION_1 = (1 << 13) - 1
};
enum { SCOPE_SIGNALS = 1 << 1 }; /* version 6 */

typedef struct {
    uint64_t files, network, scope;
} ruleset_of_version_6;

typedef struct {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) rule;

int pm_landlock_version(const char **why)
{
    long version = syscall(CREATE_RULESET, NULL, 0, TELL_VERSION);
    if (version >= 1)
        return (int)version;
    *why = errno == EOPNOTSUPP ? "Landlock is switched off" : "the kernel has no Landlock";
    return 0;
}

const char *pm_landlock_begin(pm_landlock *l)
{
    const char *why = NULL;
    int version = pm_landlock_version(&why);
    if (version == 0)
        return why;
    l->trouble = 0;
    l->handled = OF_VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0);
    const ruleset_of_version_6 set = {.files = l->handled, .scope = SCOPE_SIGNALS};
    l->ruleset =
        (int)syscall(CREATE_RULESET, &set, version >= 6 ? sizeof set : sizeof set.files, 0);
    return l->ruleset < 0 ? strerror(errno) : NULL;
}

/* Files in memory, as pipes, stay allowed without a rule. */
static void allow(pm_landlock *l, int file, uint64_t what)
{
    const rule r = {.allowed = what & l->handled, .parent = file};
    if (syscall(ADD_RULE, l->ruleset, PATH_BENEATH, &r, 0) != 0 && errno != EBADFD)
        l->trouble = errno;
}

/* Allows of_file for a file, of_folder for a folder; 0: nothing.  Where the path leads to neither, there is no
 * rule; where the system lacks means to find out, there will be no sandbox. */
static void allow_path(pm_landlock *l, const char *path, uint64_t of_file, uint64_t of_folder)
{
    struct stat info;
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        l->trouble = errno;
    if (file < 0)
        return;
    if (fstat(file, &info) == 0) {
        uint64_t what = S_ISDIR(info.st_mode) ? of_folder : of_file;
        if (what)
            allow(l, file, what);
    }
    close(file);
}

void pm_landlock_read(pm_landlock *l, const char *path)
{
    allow_path(l, path, READ_FILE, LIST_FOLDER);
}

void pm_landlock_read_below(pm_landlock *l, const char *path)
{
    allow_path(l, path, READ_FILE, READ_FILE | LIST_FOLDER);
}

void pm_landlock_execute(pm_landlock *l, const char *path)
{
    allow_path(l, path, READ_FILE | EXECUTE, 0);
}

void pm_landlock_write(pm_landlock *l, const char *path)
{
    struct stat info;
    char *real = realpath(path, NULL), folder[PATH_MAX];
    const char *where = real ? real : path, *slash = strrchr(where, '/');
    bool is_device = real && stat(real, &info) == 0 && !S_ISREG(info.st_mode);
    if (is_device)
        allow_path(l, real, WRITE_FILE, 0);
    else if (slash && slash - where + 1 < PATH_MAX) {
        memcpy(folder, where, (size_t)(slash - where + 1));
        folder[slash - where + 1] = '\0';
    } else {
        strcpy(folder, ".");
    }
    if (!is_device)
        allow_path(l, folder, 0, WRITE_FILE | READ_FILE | TRUNCATE | MAKE_FILE | REMOVE_FILE);
    free(real);
}

void pm_landlock_name_in(pm_landlock *l, int folder)
{
    allow(l, folder, MAKE_FILE | REMOVE_FILE);
}

const char *pm_landlock_enter(pm_landlock *l)
{
    const char *why = l->trouble ? strerror(l->trouble) : NULL;
    if (!why
        && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || syscall(RESTRICT_SELF, l->ruleset, 0) != 0))
        why = strerror(errno);
    close(l->ruleset);
    l->ruleset = -1;
    return why;
}

#else

int pm_landlock_version(const char **why)
{
    *why = "only for Linux, and without the address sanitizer, which opens files of its own";
    return 0;
}

const char *pm_landlock_begin(pm_landlock *l)
{
    const char *why;
    (void)l, (void)pm_landlock_version(&why);
    return why;
}

void pm_landlock_read(pm_landlock *l, const char *path)
{
    (void)l, (void)path;
}

void pm_landlock_read_below(pm_landlock *l, const char *path)
{
    (void)l, (void)path;
}

void pm_landlock_execute(pm_landlock *l, const char *path)
{
    (void)l, (void)path;
}

void pm_landlock_write(pm_landlock *l, const char *path)
{
    (void)l, (void)path;
}

void pm_landlock_name_in(pm_landlock *l, int folder)
{
    (void)l, (void)folder;
}

const char *pm_landlock_enter(pm_landlock *l)
{
    (void)l;
    return "";
}

#endif
