/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/whole_step.h"
#include "pm/alloc.h"
#include "process/signals.h"

enum { RANDOM_LETTERS = 6 };

/* ---- names ---- */

static size_t longest_name(const pm_new_file *n)
{
    long most = fpathconf(n->folder, _PC_NAME_MAX);
    return most > 0 && most < PM_NAME_ROOM ? (size_t)most : PM_NAME_ROOM - 1;
}

/* out = base and suffix, where base is cut if it must be. */
static void name_with(const pm_new_file *n, const char *suffix, char out[PM_NAME_ROOM])
{
    size_t length = strlen(n->base), end = strlen(suffix), most = longest_name(n);
    if (length + end > most) {
        length = most > end ? most - end : 0;
        while (length > 0 && ((unsigned char)n->base[length] & 0xC0) == 0x80)
            --length;
    }
    memcpy(out, n->base, length);
    memcpy(out + length, suffix, end + 1);
}

/* Returns 0, or errno. */
static int temporary_name(const pm_new_file *n, char out[PM_NAME_ROOM])
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuv"; /* 32 */
    unsigned char random[RANDOM_LETTERS];
    char suffix[RANDOM_LETTERS + 2] = ".";
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return errno;
    for (int i = 0; i < RANDOM_LETTERS; ++i)
        suffix[i + 1] = letters[random[i] % 32];
    suffix[RANDOM_LETTERS + 1] = '\0';
    name_with(n, suffix, out);
    return 0;
}

/* ---- the folder ---- */

static int open_folder(pm_new_file *n, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char *folder = slash ? pm_copy_text(path) : NULL;
    if (slash && !folder)
        return ENOMEM;
    if (folder)
        folder[slash == path ? 1 : slash - path] = '\0';
    n->folder = open(folder ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int why = n->folder < 0 ? errno : 0;
    free(folder);
    if (why)
        return why;
    if (!*base)
        return EISDIR;
    if (strlen(base) > longest_name(n))
        return ENAMETOOLONG;
    memcpy(n->base, base, strlen(base) + 1);
    return 0;
}

/* ---- the older file ---- */

static bool has_access_list(int file)
{
    return fgetxattr(file, "system.posix_acl_access", NULL, 0) > 0;
}

/* Gives the new file what the older one has.  Returns false when that cannot be done. */
static bool take_over(int new, int older)
{
    struct stat was, is;
    if (fstat(older, &was) != 0 || fstat(new, &is) != 0 || was.st_nlink > 1
        || has_access_list(older))
        return false;
    if ((was.st_uid != is.st_uid || was.st_gid != is.st_gid)
        && fchown(new, was.st_uid, was.st_gid) != 0)
        return false;
    return fchmod(new, was.st_mode & 0777) == 0;
}

/* ---- opening ---- */

/* Returns -1 where there are no files without names, or they could not get one. */
static int open_unnamed(const pm_new_file *n)
{
    char path[48];
    int file = openat(n->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (access(path, F_OK) == 0)
        return file;
    close(file);
    errno = EOPNOTSUPP;
    return -1;
}

static int open_named(pm_new_file *n)
{
    for (int attempt = 0; attempt < 100; ++attempt) {
        int why = temporary_name(n, n->temporary);
        if (why) {
            errno = why;
            break;
        }
        pm_whole_step_begin();
        int file = openat(n->folder, n->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        why = errno;
        if (file >= 0)
            pm_signals_remove_file(n->folder, n->temporary);
        pm_whole_step_end();
        if (file >= 0)
            return file;
        errno = why;
        if (why != EEXIST)
            break;
    }
    n->temporary[0] = '\0';
    return -1;
}

/* A file elsewhere, for a folder in which nothing can be created; in memory if it must be. */
static int open_elsewhere(void)
{
    FILE *f = tmpfile();
    if (!f)
        return memfd_create("output", MFD_CLOEXEC);
    int file = fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
    int why = errno;
    fclose(f);
    errno = why;
    return file;
}

static int open_file(pm_new_file *n)
{
    int file = open_unnamed(n);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        file = open_named(n);
    if (file < 0 && n->older >= 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
        return open_elsewhere();
    if (file >= 0 && n->older >= 0 && take_over(file, n->older)) {
        close(n->older);
        n->older = -1;
    }
    return file;
}

static int open_at(pm_new_file *n, bool exists, FILE **stream)
{
    if (exists) {
        n->older = open(n->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
        if (n->older < 0)
            return errno;
    }
    int why = open_folder(n, n->path);
    if (why)
        return why;
    int file = open_file(n);
    if (file < 0)
        return errno;
    *stream = fdopen(file, "w+");
    if (*stream)
        return 0;
    why = errno;
    close(file);
    return why;
}

int pm_new_file_open(pm_new_file *n, const char *path, FILE **stream)
{
    struct stat link, info;
    *n = (pm_new_file){.folder = -1, .older = -1};
    *stream = NULL;
    bool exists = stat(path, &info) == 0;
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    if (is_link && !exists)
        return ELOOP;
    n->path = is_link ? realpath(path, NULL) : pm_copy_text(path);
    if (!n->path)
        return is_link ? errno : ENOMEM;
    n->is_open = true;
    int why = open_at(n, exists, stream);
    if (why)
        pm_new_file_discard(n);
    return why;
}

/* ---- giving the name ---- */

/* Gives the file a temporary name if it has none. */
static int show(pm_new_file *n, int file)
{
    char path[48];
    int why = n->temporary[0] ? 0 : EEXIST;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int attempt = 0; attempt < 100 && why == EEXIST; ++attempt) {
        why = temporary_name(n, n->temporary);
        if (!why && linkat(AT_FDCWD, path, n->folder, n->temporary, AT_SYMLINK_FOLLOW) != 0)
            why = errno;
    }
    if (!why)
        pm_signals_remove_file(n->folder, n->temporary);
    else
        n->temporary[0] = '\0';
    return why == EXDEV ? EACCES : why; /* of open_elsewhere, since the folder does not allow it */
}

static int write_all(int to, const char *bytes, ssize_t count)
{
    while (count > 0) {
        ssize_t written = write(to, bytes, (size_t)count);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            count -= written;
        }
    }
    return 0;
}

/* Takes the blocks that the content needs beyond those that the older file has, and changes no byte of it.
 * Returns 0, also where the file system cannot do it, or errno. */
static int reserve(int file, off_t size)
{
    struct stat was;
    int failed, why = 0;
    if (size == 0)
        return 0;
    do
        failed = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size);
    while (failed && errno == EINTR);
    if (failed && errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL && errno != ENODEV)
        why = errno;
    if (why && fstat(file, &was) == 0 && ftruncate(file, was.st_size) != 0)
        return errno; /* the blocks behind the end could not be given back */
    return why;
}

/* Makes the older file a copy.  It is as it was when there is no room for the content. */
static int copy(const pm_new_file *n, int from)
{
    char piece[1 << 14];
    struct stat content;
    off_t at = 0;
    int why = fstat(from, &content) == 0 ? reserve(n->older, content.st_size) : errno;
    while (!why) {
        ssize_t count = pread(from, piece, sizeof piece, at);
        if (count == 0)
            break;
        if (count < 0) {
            why = errno == EINTR ? 0 : errno;
            continue;
        }
        why = write_all(n->older, piece, count);
        at += count;
    }
    return !why && ftruncate(n->older, at) != 0 ? errno : why;
}

/* No signal may end the program while the file has a temporary name or the older file is cut. */
static void set_placing(pm_new_file *n, bool is_placing)
{
    if (n->is_placing == is_placing)
        return;
    n->is_placing = is_placing;
    if (is_placing)
        pm_whole_step_begin();
    else
        pm_whole_step_end();
}

int pm_new_file_prepare(pm_new_file *n, FILE *stream, const char *suffix)
{
    set_placing(n, true);
    if (n->older < 0 || *suffix)
        return show(n, fileno(stream));
    int why = copy(n, fileno(stream));
    int closed = close(n->older);
    n->older = -1;
    n->is_copied = !why && closed == 0;
    if (n->is_copied)
        return 0;
    why = why ? why : errno;
    (void)show(n, fileno(stream)); /* without a name the message names no file */
    return why;
}

int pm_new_file_place(pm_new_file *n, const char *suffix, char given[PM_NAME_ROOM])
{
    name_with(n, suffix, given);
    if (!n->is_copied && renameat(n->folder, n->temporary, n->folder, given) != 0)
        return errno;
    pm_new_file_keep(n);
    return 0;
}

char *pm_new_file_path(const pm_new_file *n, const char *name)
{
    const char *slash = strrchr(n->path, '/');
    int folder = slash ? (int)(slash + 1 - n->path) : 0;
    size_t room = (size_t)folder + strlen(name) + 1;
    char *path = pm_alloc_array((int64_t)room, 1);
    if (path)
        snprintf(path, room, "%.*s%s", folder, n->path, name);
    return path;
}

void pm_new_file_keep(pm_new_file *n)
{
    pm_signals_remove_file(-1, NULL);
    if (n->is_copied && n->temporary[0])
        (void)unlinkat(n->folder, n->temporary, 0); /* the copy is whole */
    n->temporary[0] = '\0';
    set_placing(n, false);
}

void pm_new_file_discard(pm_new_file *n)
{
    if (!n->is_open)
        return;
    if (n->temporary[0]) {
        pm_signals_remove_file(-1, NULL);
        unlinkat(n->folder, n->temporary, 0);
    }
    set_placing(n, false);
    if (n->older >= 0)
        close(n->older);
    if (n->folder >= 0)
        close(n->folder);
    free(n->path);
    *n = (pm_new_file){0};
}
