/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process/signals.h"
#include "process/write_failure.h"

static pm_status fail(const pm_output *out, pm_error *err)
{
    return pm_fail(err, errno == ENOMEM ? PM_ENOMEM : PM_EIO, "%s: %s", out->name,
                   errno ? strerror(errno) : "writing failed");
}

static pm_status open_in_place(pm_output *out, pm_error *err)
{
    out->stream = fopen(out->name, "w");
    return out->stream ? PM_OK : fail(out, err);
}

pm_status pm_output_open(pm_output *out, const char *path, pm_error *err)
{
    *out = (pm_output){.stream = stdout, .name = "standard output"};
    if (!path || strcmp(path, "-") == 0)
        return PM_OK;
    out->stream = NULL;
    out->name = path;
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return open_in_place(out, err);
    errno = pm_new_file_open(&out->file, path, &out->stream);
    if (errno == ELOOP)
        return pm_fail(err, PM_EIO, "%s: a symbolic link that leads to no file", path);
    if (errno)
        return fail(out, err);
    pm_signals_catch_pipe(true);
    return PM_OK;
}

bool pm_output_flush(pm_output *out)
{
    errno = 0;
    if (fflush(out->stream) == 0 && !ferror(out->stream))
        return true;
    int why = errno;
    if (!out->error && !why)
        why = pm_write_failure(out->stream);
    if (!out->error)
        out->error = why ? why : EIO;
    return false;
}

/* The file has no name of its own, but may have a temporary one, under which it stays. */
static pm_status fail_naming(pm_output *out, const char *suffix, int why, pm_error *err)
{
    char *where = out->file.temporary[0] ? pm_new_file_path(&out->file, out->file.temporary) : NULL;
    pm_status status = pm_fail(err, PM_EIO, "%s%s: %s%s%s", out->name, suffix, strerror(why),
                               where ? "; the output is in " : "", where ? where : "");
    if (where)
        pm_new_file_keep(&out->file);
    free(where);
    return status;
}

/* Closes the stream.  A file gets its name with this suffix, which is written to `given`. */
static pm_status close_as(pm_output *out, const char *suffix, char given[PM_NAME_ROOM],
                          pm_error *err)
{
    bool good = pm_output_flush(out);
    int why = good && out->file.is_open ? pm_new_file_prepare(&out->file, out->stream, suffix) : 0;
    if (out->stream != stdout) {
        if (fclose(out->stream) != 0 && good) {
            good = false;
            out->error = errno;
        }
        out->stream = NULL;
    }
    errno = out->error;
    if (!good)
        return fail(out, err);
    if (!why && out->file.is_open)
        why = pm_new_file_place(&out->file, suffix, given);
    if (out->file.is_open)
        pm_signals_catch_pipe(false);
    return why ? fail_naming(out, suffix, why, err) : PM_OK;
}

pm_status pm_output_commit(pm_output *out, pm_error *err)
{
    char given[PM_NAME_ROOM];
    if (!out->stream)
        return PM_OK;
    pm_status status = close_as(out, "", given, err);
    pm_output_discard(out);
    return status;
}

pm_status pm_output_keep_partial(pm_output *out, pm_error *err)
{
    char given[PM_NAME_ROOM];
    if (out->error && out->stream != stdout) { /* that of stdout is found when the program ends */
        errno = out->error;
        return fail(out, err);
    }
    if (!out->file.is_open || ftello(out->stream) <= 0)
        return PM_OK;
    pm_status status = close_as(out, ".partial", given, err);
    if (status)
        return status;
    out->partial = pm_new_file_path(&out->file, given);
    return out->partial ? PM_OK : pm_fail_memory(err, "file name");
}

void pm_output_discard(pm_output *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    if (out->file.is_open)
        pm_signals_catch_pipe(false);
    pm_new_file_discard(&out->file);
    free(out->partial);
    *out = (pm_output){0};
}
