/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/long_run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checkpoint/part_stream.h"
#include "cli/common_options.h"
#include "pm/alloc.h"
#include "process/signals.h"

enum { PARTS_MOST = 1 << 20, INPUT_OPTIONS = 32 /* at most */ };

static pm_status set_part(void *field, const char *arg, pm_error *err)
{
    pm_long_settings *set = field;
    char rest;
    if (sscanf(arg, "%d/%d%c", &set->part, &set->parts, &rest) != 2 || set->part < 1
        || set->parts < set->part || set->parts > PARTS_MOST)
        return pm_fail(err, PM_EUSAGE, "'%s' is not I/N with whole numbers 1 <= I <= N <= %d", arg,
                       PARTS_MOST);
    return PM_OK;
}

#define IN_LONG(field) offsetof(pm_long_settings, field)

const pm_option pm_options_long_run[] = {
    {0, "checkpoint", "FILE",
     "go on from FILE if it exists; keep in it what is done, for another run after a stop",
     pm_set_text, IN_LONG(checkpoint)},
    {0, "part", "I/N", "do part I of N of the work and write it as a stream, for --merge", set_part,
     0},
    {0, "merge", NULL, "the inputs are all parts of a run: print its answer", pm_set_flag,
     IN_LONG(merge)},
    {0, "status", "FILE", "print how far the run is that keeps this checkpoint", pm_set_text,
     IN_LONG(status)},
    {0},
};

pm_status pm_long_settings_check(const pm_long_settings *set, pm_error *err)
{
    if ((set->parts > 0) + set->merge + (set->status != NULL) > 1)
        return pm_fail(err, PM_EUSAGE, "--part, --merge and --status exclude each other");
    if (set->checkpoint && (set->merge || set->status))
        return pm_fail(err, PM_EUSAGE, "--checkpoint has no meaning for --merge and --status");
    return PM_OK;
}

/* ---- parts ---- */

typedef struct {
    int parts, count;
    bool *is_there; /* of part i + 1 */
} collection;

static pm_status add_part(collection *c, int part, int parts, const char *path, pm_error *err)
{
    if (!c->parts) {
        c->parts = parts;
        c->is_there = pm_calloc_array(parts, sizeof *c->is_there);
        if (!c->is_there)
            return pm_fail_memory(err, "parts");
    }
    if (parts != c->parts)
        return pm_fail(err, PM_EDATA, "%s: it is a part of %d, and the first one is a part of %d",
                       path, parts, c->parts);
    if (c->is_there[part - 1])
        return pm_fail(err, PM_EDATA, "%s: part %d of %d is there twice", path, part, parts);
    c->is_there[part - 1] = true;
    ++c->count;
    return PM_OK;
}

static pm_status name_missing(const collection *c, pm_error *err)
{
    char list[256];
    size_t used = 0;
    *list = '\0';
    for (int i = 0; i < c->parts && used + 24 < sizeof list; ++i)
        if (!c->is_there[i])
            used +=
                (size_t)snprintf(list + used, sizeof list - used, "%s%d", used ? ", " : "", i + 1);
    return pm_fail(err, PM_EDATA, "missing of %d parts: %s%s", c->parts, list,
                   used + 24 < sizeof list ? "" : ", ...");
}

/* A part is read more than once. */
static pm_status expect_file(const char *path, pm_error *err)
{
    struct stat info;
    if (strcmp(path, "-") == 0)
        return pm_fail(err, PM_EUSAGE, "--merge needs files: standard input cannot be read twice");
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return pm_fail(err, PM_ENOINPUT, "%s: expected a plain file for a part", path);
    return PM_OK;
}

static pm_status read_part(pm_long_run *r, collection *c, const char *path, pm_error *err)
{
    int part, parts;
    pm_status status = expect_file(path, err);
    if (!status)
        status = pm_part_stream_number(path, &part, &parts, err);
    if (!status)
        status = add_part(c, part, parts, path, err);
    return status ? status : pm_part_stream_read(path, &r->head, r->ledger, err);
}

/* Parts are streams: options of the input mean nothing for them. */
static pm_status expect_no_input_options(const pm_invocation *program, pm_error *err)
{
    const char *names[INPUT_OPTIONS + 1] = {NULL};
    pm_ledger_head given;
    for (int i = 0; i < INPUT_OPTIONS && pm_options_input[i].name; ++i)
        names[i] = pm_options_input[i].name;
    pm_status status = pm_ledger_head_make(program, names, NULL, &given, err);
    if (status)
        return status;
    if (*given.options)
        status =
            pm_fail(err, PM_EUSAGE, "--merge reads parts, which hold what was read: not %.300s",
                    given.options);
    pm_ledger_head_free(&given);
    return status;
}

static pm_status read_parts(pm_invocation *program, const char *const *names, pm_long_run *r,
                            pm_error *err)
{
    collection c = {0};
    pm_ledger_head own = {0};
    pm_status status = expect_no_input_options(program, err);
    for (int i = 0; i < program->operand_count && !status; ++i)
        status = read_part(r, &c, program->operand[i], err);
    if (!status && c.count < c.parts)
        status = name_missing(&c, err);
    free(c.is_there);
    if (!status)
        status = pm_ledger_head_make(program, names, NULL, &own, err);
    if (!status && (*own.options || strcmp(own.program, r->head.program) != 0))
        status = *own.options
                     ? pm_fail(err, PM_EUSAGE, "--merge takes the options of the parts, not %.300s",
                               own.options)
                     : pm_ledger_head_check(&r->head, &own, program->operand[0], err);
    pm_ledger_head_free(&own);
    if (status)
        return status;
    status = pm_ledger_head_apply(&r->head, program->groups, program->operand[0], err);
    program->operand_count = 1;
    pm_ledger_seal(r->ledger);
    return status;
}

/* ---- a run ---- */

/* The name of a file in its folder. */
static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool find_folder(const char *path, struct stat *out)
{
    char folder[PATH_MAX] = ".";
    const size_t length = (size_t)(base_of(path) - path);
    if (length >= sizeof folder)
        return false;
    if (length > 0) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    return stat(folder, out) == 0;
}

static bool share_folder(const char *path, const char *other)
{
    struct stat a, b;
    return find_folder(path, &a) && find_folder(other, &b) && a.st_dev == b.st_dev
           && a.st_ino == b.st_ino;
}

/* Whether the output would be the checkpoint, or one of the files beside it. */
static bool is_of_checkpoint(const char *output, const char *checkpoint)
{
    const char *base = base_of(checkpoint), *rest = base_of(output);
    const size_t length = strlen(base);
    if (strncmp(rest, base, length) != 0 || !share_folder(output, checkpoint))
        return false;
    rest += length;
    return !*rest || strcmp(rest, ".new") == 0 || strcmp(rest, ".level") == 0
           || strncmp(rest, ".level.", 7) == 0;
}

pm_status pm_long_run_open(pm_invocation *program, const pm_long_settings *set,
                           const char *const *names, pm_long_run *out, pm_error *err)
{
    *out = (pm_long_run){.settings = set};
    pm_ranks *ranks = set->merge ? NULL : program->ranks; /* nothing is left to divide */
    if (!set->checkpoint && !set->parts && !set->merge && !ranks)
        return PM_OK;
    if (set->merge && program->operand_count == 0)
        return pm_fail(err, PM_EUSAGE, "--merge needs the files of all parts");
    if (set->checkpoint && program->output && is_of_checkpoint(program->output, set->checkpoint))
        return pm_fail(err, PM_EUSAGE, "--output=%s is a file of --checkpoint=%s", program->output,
                       set->checkpoint);
    pm_status status = pm_ledger_make(&out->ledger, err);
    if (status)
        return status;
    const char *least = getenv("PM_LEDGER_SECONDS"); /* for tests */
    if (least)
        pm_ledger_set_least(out->ledger, strtod(least, NULL));
    if (set->merge)
        return read_parts(program, names, out, err);
    if (set->parts)
        pm_ledger_set_part(out->ledger, set->part, set->parts);
    status = pm_ledger_head_make(program, names, NULL, &out->head, err);
    if (!status)
        status = pm_ledger_head_make(program, names, "part", &out->kept, err);
    out->files[0] = set->checkpoint;
    program->later = out->files;
    if (!status && set->checkpoint && ranks && !pm_ranks_prints(ranks))
        pm_signals_keep_checkpoint(true); /* rank 0 gets what is done here before a stop */
    else if (!status && set->checkpoint)
        status = pm_checkpoint_open(set->checkpoint, &out->kept, out->ledger, &program->console,
                                    &out->checkpoint, err);
    return status || !ranks ? status : pm_ranks_share_ledger(ranks, out->ledger, err);
}

pm_status pm_long_run_begin_item(const pm_long_run *r, const pm_ledger_key *key, pm_error *err)
{
    pm_error why;
    pm_status status = pm_ledger_add_item(r->ledger, key, &why);
    if (status == PM_EDATA && r->checkpoint)
        pm_checkpoint_leave(r->checkpoint);
    if (status)
        return pm_fail(err, status, "%s%s%s", r->checkpoint ? r->settings->checkpoint : "",
                       r->checkpoint ? ": " : "", why.msg);
    return r->checkpoint ? pm_checkpoint_start(r->checkpoint, err) : PM_OK;
}

int pm_long_run_report(pm_invocation *program, const pm_long_settings *set)
{
    pm_error err;
    pm_status status = pm_checkpoint_report(set->status, &program->console, stdout, &err);
    if (status)
        pm_console_error(&program->console, err.msg);
    return pm_exit_status(status);
}

int pm_long_run_stop(pm_long_run *r, int status)
{
    return pm_checkpoint_stop(r->checkpoint, status);
}

void pm_long_run_close(pm_long_run *r, int status)
{
    pm_checkpoint_close(r->checkpoint, status);
    pm_ledger_free(r->ledger);
    pm_ledger_head_free(&r->head);
    pm_ledger_head_free(&r->kept);
    *r = (pm_long_run){0};
}
