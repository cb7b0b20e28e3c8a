/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/checkpoint_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text_stream.h"
#include "pm/alloc.h"

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

/* The name in the folder is on the disk when this returns.  A folder that cannot be opened, or of a file
 * system that has no such call, is passed over. */
static void settle_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? pm_copy_text(path) : NULL;
    if (folder)
        folder[slash == path ? 1 : slash - path] = '\0';
    int file = open(folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

/* Returns 0, or errno. */
static int replace(const char *path, const char *new, const char *text, size_t size)
{
    int file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0)
        return errno;
    int why = put_all(file, text, size);
    if (close(file) != 0 && !why)
        why = errno;
    if (!why && rename(new, path) != 0)
        why = errno;
    if (why)
        (void)unlink(new);
    else
        settle_folder(path);
    return why;
}

pm_status pm_checkpoint_write(const char *path, const pm_ledger_head *head, pm_ledger *ledger,
                              pm_error *err)
{
    static const char suffix[] = ".new";
    size_t size = 0, length = strlen(path);
    char *new = pm_alloc_array((int64_t)(length + sizeof suffix), 1);
    char *text = new ? text_of(head, ledger, &size, err) : NULL;
    pm_status status = text ? PM_OK : PM_ENOMEM;
    if (!new)
        pm_fail_memory(err, "a checkpoint");
    if (!status) {
        memcpy(new, path, length);
        memcpy(new + length, suffix, sizeof suffix);
        int why = replace(path, new, text, size);
        if (why)
            status = pm_fail(err, PM_EIO, "%s: %s; the checkpoint is the one of before", new,
                             strerror(why));
    }
    free(text);
    free(new);
    return status;
}
