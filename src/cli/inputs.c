/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pm/alloc.h"
#include "pm/settings.h"

static bool is_dash(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* Options of one format need this format. */
static pm_status check_format(const pm_read_options *read, pm_error *err)
{
    const char *option = read->columns     ? "--columns"
                         : read->delimiter ? "--delimiter"
                         : read->header    ? "--header"
                                           : NULL;
    if (option && !(read->from && strcmp(read->from, "csv") == 0))
        return pm_fail(err, PM_EUSAGE, "%s needs --from=csv", option);
    if (read->arrays && read->from && strcmp(read->from, "npz") != 0)
        return pm_fail(err, PM_EUSAGE, "--array is for npz, not for --from=%s", read->from);
    return PM_OK;
}

pm_status pm_inputs_open(pm_inputs *in, const pm_input_settings *how, char **operand, int count,
                         pm_error *err)
{
    *in = (pm_inputs){.operand = operand, .count = count, .separator = how->null ? '\0' : '\n'};
    if (how->read.graph && how->read.bipartite)
        return pm_fail(err, PM_EUSAGE, "--graph and --bipartite exclude each other");
    if (how->read.loops && how->read.bipartite)
        return pm_fail(err, PM_EUSAGE, "--loops excludes --bipartite");
    if (how->read.loops && !how->read.exact && strchr(how->read.loops, '/'))
        return pm_fail(err, PM_EUSAGE, "--loops: " PM_LOOPS_EXPECTED "%s", how->read.loops,
                       pm_hint_text(PM_HINT_QUOTIENT));
    pm_status bad = check_format(&how->read, err);
    if (bad)
        return bad;
    if (!how->files_from)
        return how->null ? pm_fail(err, PM_EUSAGE, "--null needs --files-from") : PM_OK;
    if (count)
        return pm_fail(err, PM_EUSAGE,
                       "'%s': no file names on the command line together with --files-from",
                       operand[0]);
    bool from_stdin = is_dash(how->files_from);
    in->list_name = from_stdin ? "(standard input)" : how->files_from;
    in->list = from_stdin ? stdin : fopen(how->files_from, "r");
    if (!in->list)
        return pm_fail(err, errno == EINTR ? PM_ESTOPPED : PM_ENOINPUT, "%s: %s", how->files_from,
                       strerror(errno));
    struct stat status;
    if (fstat(fileno(in->list), &status) == 0 && S_ISDIR(status.st_mode))
        return pm_fail(err, PM_ENOINPUT, "%s: %s", in->list_name, strerror(EISDIR));
    return PM_OK;
}

bool pm_inputs_have_stdin(const pm_inputs *in)
{
    bool any = in->list == stdin || (!in->list && in->count == 0);
    for (int i = 0; i < in->count; ++i)
        any |= is_dash(in->operand[i]);
    return any;
}

bool pm_inputs_are_several(const pm_inputs *in)
{
    return in->list || in->count > 1;
}

bool pm_inputs_are_more(const pm_inputs *in)
{
    return in->list || in->next < in->count;
}

/* Reads one name of the list to in->name.  *length: -1 at the end of the list. */
static pm_status read_name(pm_inputs *in, int64_t *length, pm_error *err)
{
    int64_t n = 0;
    int c;
    errno = 0;
    while ((c = getc(in->list)) != EOF && c != in->separator) {
        if (PM_GROW(in->name, in->cap, n + 2))
            return pm_fail_memory(err, "file name");
        in->name[n++] = (char)c;
    }
    if (ferror(in->list))
        return pm_fail(err, errno == EINTR ? PM_ESTOPPED : PM_EIO, "%s: %s", in->list_name,
                       strerror(errno));
    if (n > 1 && in->separator == '\n' && in->name[n - 1] == '\r')
        --n; /* a list from Windows */
    if (n)
        in->name[n] = '\0';
    *length = c == EOF && n == 0 ? -1 : n;
    return PM_OK;
}

static pm_status next_in_list(pm_inputs *in, const char **name, pm_error *err)
{
    int64_t length = 0;
    pm_status status = read_name(in, &length, err);
    if (status || length < 0)
        return status;
    ++in->line;
    if (length == 0)
        return pm_fail(err, PM_EDATA, "%s:%lld: empty file name", in->list_name,
                       (long long)in->line);
    if (strlen(in->name) != (size_t)length)
        return pm_fail(
            err, PM_EDATA,
            "%s:%lld: zero byte in a file name: give --null if the names end with zero bytes",
            in->list_name, (long long)in->line);
    if (is_dash(in->name) && in->list == stdin)
        return pm_fail(err, PM_EDATA,
                       "%s:%lld: '-' cannot be an input here: the list itself is standard input",
                       in->list_name, (long long)in->line);
    *name = in->name;
    return PM_OK;
}

pm_status pm_inputs_next(pm_inputs *in, const char **name, pm_error *err)
{
    *name = NULL;
    if (in->list)
        return next_in_list(in, name, err);
    if (in->next < in->count)
        *name = in->operand[in->next];
    else if (in->count == 0 && in->next == 0)
        *name = "-";
    ++in->next;
    return PM_OK;
}

void pm_inputs_close(pm_inputs *in)
{
    if (in->list && in->list != stdin)
        fclose(in->list);
    free(in->name);
    *in = (pm_inputs){0};
}

char *pm_input_item_name(const char *text, bool with_number, int64_t number)
{
    size_t room = strlen(text) + 24;
    char *out = pm_alloc_array((int64_t)room, 1);
    if (out && with_number)
        snprintf(out, room, "%s:%" PRId64, text, number);
    else if (out)
        strcpy(out, text);
    return out;
}
