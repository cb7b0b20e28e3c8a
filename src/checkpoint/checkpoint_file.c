/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/text_stream.h"
#include "pm/alloc.h"

/* Nanoseconds between two tries to get the lock, and how often. */
enum { WAIT = 50000000, WAITS = 30 };

/* ---- the file ---- */

static pm_status fail(pm_error *err, const char *path, int why)
{
    return pm_fail(err, PM_EIO, "%s: cannot be a checkpoint: %s", path, strerror(why));
}

/* A symbolic link to a file leads to it; every other path is as it was given. */
static char *path_of(const char *path)
{
    struct stat info;
    bool is_link = lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
    char *real = is_link ? realpath(path, NULL) : NULL;
    return real ? real : pm_copy_text(path);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static pm_status name_files(const char *path, pm_checkpoint_file *f, pm_error *err)
{
    static const char suffix[] = ".new";
    f->path = path_of(path);
    size_t length = f->path ? strlen(f->path) : 0;
    f->fresh = pm_alloc_array((int64_t)(length + sizeof suffix), 1);
    if (!f->path || !f->fresh)
        return pm_fail_memory(err, "a checkpoint");
    memcpy(f->fresh, f->path, length);
    memcpy(f->fresh + length, suffix, sizeof suffix);
    f->base = base_of(f->path);
    f->fresh_base = base_of(f->fresh);
    return PM_OK;
}

static pm_status open_folder(pm_checkpoint_file *f, pm_error *err)
{
    char *folder = pm_copy_text(f->path);
    if (!folder)
        return pm_fail_memory(err, "a checkpoint");
    folder[f->base - f->path] = '\0';
    const char *name = *folder ? folder : ".";
    f->folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_writable = f->folder >= 0 && access(name, W_OK | X_OK) == 0;
    int why = errno;
    free(folder);
    return is_writable ? PM_OK : fail(err, f->path, why);
}

/* The file descriptor is of the file that has the name now. */
static bool has_name(const pm_checkpoint_file *f)
{
    struct stat opened, named;
    return fstat(f->file, &opened) == 0
           && fstatat(f->folder, f->base, &named, AT_SYMLINK_NOFOLLOW) == 0
           && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Opens and locks the file.  *is_mine: false when another run has it. */
static pm_status try_lock(pm_checkpoint_file *f, bool *is_mine, pm_error *err)
{
    struct stat info;
    const int how = O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    f->file = openat(f->folder, f->base, how, 0666);
    if (f->file < 0)
        return fail(err, f->path, errno);
    if (fstat(f->file, &info) == 0 && !S_ISREG(info.st_mode))
        return pm_fail(err, PM_EIO, "%s: expected a plain file for a checkpoint", f->path);
    bool has_lock = flock(f->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    /* meanwhile another run may have replaced or removed the file */
    *is_mine = has_lock && has_name(f);
    return PM_OK;
}

/* A run that was killed a moment ago may still hold its lock: waits a little. */
static pm_status lock(pm_checkpoint_file *f, pm_error *err)
{
    for (int waits = 0; waits < WAITS; ++waits) {
        bool is_mine = false;
        pm_status status = try_lock(f, &is_mine, err);
        if (status || is_mine)
            return status;
        close(f->file);
        f->file = -1;
        nanosleep(&(struct timespec){0, WAIT}, NULL);
    }
    return pm_fail(err, PM_EIO, "%s: another run has this checkpoint", f->path);
}

static void close_all(pm_checkpoint_file *f)
{
    if (f->file >= 0)
        close(f->file);
    if (f->folder >= 0)
        close(f->folder);
    free(f->path);
    free(f->fresh);
}

pm_status pm_checkpoint_file_open(const char *path, pm_checkpoint_file *out, pm_error *err)
{
    pm_checkpoint_file f = {.folder = -1, .file = -1};
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return pm_fail(err, PM_EIO, "%s: expected a plain file for a checkpoint", path);
    pm_status status = name_files(path, &f, err);
    if (!status)
        status = open_folder(&f, err);
    if (!status)
        status = lock(&f, err);
    if (status)
        close_all(&f);
    else
        *out = f;
    return status;
}

void pm_checkpoint_file_close(pm_checkpoint_file *f, bool is_removed)
{
    struct stat info;
    bool is_empty = fstat(f->file, &info) == 0 && info.st_size == 0;
    if ((is_removed || is_empty) && has_name(f)) {
        (void)unlinkat(f->folder, f->fresh_base, 0); /* of a run that was killed */
        (void)unlinkat(f->folder, f->base, 0);
    }
    close_all(f);
    *f = (pm_checkpoint_file){.folder = -1, .file = -1};
}

/* ---- reading ---- */

static pm_status read_lines(pm_source *s, pm_ledger_head *head, pm_ledger *ledger, pm_error *err)
{
    char *line;
    int64_t length;
    pm_ledger_reader r = pm_ledger_reader_begin(ledger);
    pm_status status;
    while (!(status = pm_source_line(s, &line, &length, err)) && line) {
        bool is_head = false;
        if (!head->options) /* the last line of the head */
            status = pm_ledger_head_line(head, s, line, &is_head, err);
        if (!status && is_head)
            pm_ledger_reader_pass(&r, line, length);
        else if (!status)
            status = pm_ledger_reader_line(&r, s, line, length, err);
        if (status)
            break;
    }
    pm_status ended = pm_ledger_reader_end(&r, s, status ? NULL : err);
    return status ? status : ended;
}

pm_status pm_checkpoint_read(const char *path, pm_ledger_head *head, pm_ledger *ledger,
                             bool *is_there, pm_error *err)
{
    struct stat info;
    pm_source *s = NULL;
    *is_there = false;
    if (stat(path, &info) != 0)
        return errno == ENOENT ? PM_OK : pm_fail(err, PM_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return pm_fail(err, PM_EIO, "%s: expected a plain file for a checkpoint", path);
    if (info.st_size == 0)
        return PM_OK;
    *is_there = true;
    pm_status status = pm_source_open(path, &s, err);
    if (status)
        return status;
    status = read_lines(s, head, ledger, err);
    pm_source_close(&s);
    return status;
}

/* ---- writing ---- */

static char *text_of(const pm_ledger_head *head, pm_ledger *ledger, size_t *size, pm_error *err)
{
    pm_text_stream *s = pm_text_stream_open();
    if (!s) {
        pm_fail_memory(err, "a checkpoint");
        return NULL;
    }
    pm_ledger_writer w = pm_ledger_writer_begin(pm_text_stream_file(s), "");
    pm_ledger_head_write(head, &w);
    pm_status status = pm_ledger_writer_ledger(&w, ledger, err);
    pm_ledger_writer_end(&w);
    char *text = NULL;
    if (status) {
        pm_text_stream_free(s);
    } else {
        text = pm_text_stream_close(s);
        if (!text)
            pm_fail_memory(err, "a checkpoint");
        else
            *size = strlen(text);
    }
    return text;
}

/* Returns 0, or errno. */
static int put_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(file, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        text += n;
        size -= (size_t)n;
    }
    return fsync(file) != 0 ? errno : 0;
}

/* Returns 0, or errno. */
static int replace(pm_checkpoint_file *f, const char *text, size_t size)
{
    const int how = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
    int file = openat(f->folder, f->fresh_base, how, 0666);
    if (file < 0)
        return errno;
    int why = put_all(file, text, size);
    (void)flock(file, LOCK_EX | LOCK_NB);
    if (!why && renameat(f->folder, f->fresh_base, f->folder, f->base) != 0)
        why = errno;
    if (why) {
        (void)unlinkat(f->folder, f->fresh_base, 0);
        close(file);
        return why;
    }
    (void)fsync(f->folder); /* the name; some file systems have no such call */
    close(f->file);
    f->file = file;
    return 0;
}

pm_status pm_checkpoint_write(pm_checkpoint_file *f, const pm_ledger_head *head, pm_ledger *ledger,
                              pm_error *err)
{
    size_t size = 0;
    char *text = text_of(head, ledger, &size, err);
    if (!text)
        return PM_ENOMEM;
    int why = replace(f, text, size);
    free(text);
    return why ? pm_fail(err, PM_EIO, "%s: %s; the checkpoint stays as it was", f->fresh,
                         strerror(why))
               : PM_OK;
}
