/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A file system may have no files without names: then the name is removed at once. */
static int open_named(const char *folder)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/pmkit.XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return -1;
    const int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

static int open_in(const char *folder)
{
    if (!folder || !*folder)
        return -1;
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return file >= 0 ? file : open_named(folder);
}

void pm_scratch_file_open(pm_scratch_file *s)
{
    const char *const folder[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int file = -1;
    for (size_t k = 0; k < sizeof folder / sizeof *folder && file < 0; ++k)
        file = open_in(folder[k]);
    *s = (pm_scratch_file){.is_open = file >= 0, .file = file};
}

void pm_scratch_file_close(pm_scratch_file *s)
{
    if (s->is_open)
        close(s->file);
    *s = (pm_scratch_file){0};
}

bool pm_scratch_file_append(pm_scratch_file *s, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t some = s->is_open ? pwrite(s->file, bytes + done, count - done,
                                                 (off_t)(s->length + (int64_t)done))
                                        : -1;
        if (some < 0 && s->is_open && errno == EINTR)
            continue;
        if (some <= 0) {
            pm_scratch_file_cut(s, s->length);
            return false;
        }
        done += (size_t)some;
    }
    s->length += (int64_t)count;
    return true;
}

void pm_scratch_file_cut(pm_scratch_file *s, int64_t length)
{
    s->length = length;
    if (s->is_open && ftruncate(s->file, (off_t)length) != 0)
        return; /* the room is not given back; what is behind `length` is overwritten */
}

int pm_scratch_file_copy(const pm_scratch_file *s, int64_t from, int64_t to, FILE *f)
{
    char bytes[1 << 16];
    while (from < to && !ferror(f)) {
        const size_t most = to - from < (int64_t)sizeof bytes ? (size_t)(to - from) : sizeof bytes;
        const ssize_t some = pread(s->file, bytes, most, (off_t)from);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return some ? errno : EIO;
        fwrite(bytes, 1, (size_t)some, f);
        from += some;
    }
    return 0;
}
