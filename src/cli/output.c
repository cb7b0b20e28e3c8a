/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/signals.h"
#include "pm/alloc.h"

static pm_status fail(const pm_output *out, pm_error *err)
{
    return pm_fail(err, PM_EIO, "%s: %s", out->name, errno ? strerror(errno) : "writing failed");
}

static pm_status open_in_place(pm_output *out, pm_error *err)
{
    out->stream = fopen(out->name, "w");
    return out->stream ? PM_OK : fail(out, err);
}

/* Opens a temporary file in the folder of path, with the permissions that a new file would get. */
static pm_status open_beside(pm_output *out, const char *path, pm_error *err)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(path);
    out->path = pm_alloc_array((int64_t)length + 1, 1);
    out->temporary = pm_alloc_array((int64_t)(length + sizeof suffix), 1);
    if (!out->path || !out->temporary)
        return pm_fail_memory(err, "file name");
    memcpy(out->path, path, length + 1);
    memcpy(out->temporary, path, length);
    memcpy(out->temporary + length, suffix, sizeof suffix);

    int fd = mkstemp(out->temporary);
    if (fd < 0) {
        pm_status status = fail(out, err);
        free(out->temporary);
        out->temporary = NULL;
        return status;
    }
    pm_signals_remove_file(out->temporary);
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) == 0)
        out->stream = fdopen(fd, "w");
    if (!out->stream) {
        pm_status status = fail(out, err);
        close(fd);
        return status;
    }
    return PM_OK;
}

pm_status pm_output_open(pm_output *out, const char *path, pm_error *err)
{
    *out = (pm_output){.stream = stdout, .name = "standard output"};
    if (!path || strcmp(path, "-") == 0)
        return PM_OK;
    out->stream = NULL;
    out->name = path;
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode))
        return open_in_place(out, err);
    char *target =
        exists ? realpath(path, NULL) : NULL; /* the file that a symbolic link leads to */
    pm_status status = open_beside(out, target ? target : path, err);
    free(target);
    if (status)
        pm_output_discard(out);
    return status;
}

bool pm_output_flush(pm_output *out)
{
    errno = 0;
    if (fflush(out->stream) == 0 && !ferror(out->stream))
        return true;
    if (!out->error)
        out->error = errno ? errno : EIO;
    return false;
}

static pm_status fail_rename(const pm_output *out, const char *path, pm_error *err)
{
    return pm_fail(err, PM_EIO, "%s: %s; the output is in %s", path, strerror(errno),
                   out->temporary);
}

/* Closes the file and gives it the name `path`. */
static pm_status close_as(pm_output *out, const char *path, pm_error *err)
{
    bool good = pm_output_flush(out);
    if (out->stream != stdout) {
        if (fclose(out->stream) != 0 && good) {
            good = false;
            out->error = errno;
        }
        out->stream = NULL;
    }
    errno = good ? 0 : out->error;
    bool is_named = !out->temporary || (good && rename(out->temporary, path) == 0);
    pm_status status = !good ? fail(out, err) : is_named ? PM_OK : fail_rename(out, path, err);
    if (good) { /* without its name the file stays too */
        pm_signals_remove_file(NULL);
        free(out->temporary);
        out->temporary = NULL;
    }
    return status;
}

pm_status pm_output_commit(pm_output *out, pm_error *err)
{
    if (!out->stream)
        return PM_OK;
    pm_status status = close_as(out, out->path, err);
    pm_output_discard(out);
    return status;
}

pm_status pm_output_keep_partial(pm_output *out, pm_error *err)
{
    static const char suffix[] = ".partial";
    if (!out->temporary || ftello(out->stream) <= 0)
        return PM_OK;
    size_t length = strlen(out->path);
    char *partial = pm_alloc_array((int64_t)(length + sizeof suffix), 1);
    if (!partial)
        return pm_fail_memory(err, "file name");
    memcpy(partial, out->path, length);
    memcpy(partial + length, suffix, sizeof suffix);
    pm_status status = close_as(out, partial, err);
    if (!status)
        out->partial = partial;
    else
        free(partial);
    return status;
}

void pm_output_discard(pm_output *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    if (out->temporary) {
        pm_signals_remove_file(NULL);
        unlink(out->temporary);
    }
    free(out->temporary);
    free(out->path);
    free(out->partial);
    *out = (pm_output){0};
}
