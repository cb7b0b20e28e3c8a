/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/part_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "text/escape.h"

#define PREFIX "%pm: part "
#define FIRST  "%pm: stream 1\n"

pm_status pm_part_stream_write(FILE *to, const char *made_by, int part, int parts,
                               const pm_ledger_head *head, pm_ledger *ledger, const char *graphs,
                               pm_error *err)
{
    char *text = made_by ? pm_escape_text(made_by) : NULL;
    if (made_by && !text)
        return pm_fail_memory(err, "a stream");
    fputs("%pm: stream 2\n", to);
    if (text)
        fprintf(to, "%%pm: made-by %s\n", text);
    free(text);
    pm_ledger_writer w = pm_ledger_writer_begin(to, PREFIX);
    pm_ledger_writer_line(&w, "%d of %d", part, parts);
    pm_ledger_head_write(head, &w);
    pm_status status = pm_ledger_writer_ledger(&w, ledger, err);
    pm_ledger_writer_end(&w);
    if (status)
        return status;
    if (strncmp(graphs, FIRST, strlen(FIRST)) == 0)
        graphs += strlen(FIRST);
    fputs(graphs, to);
    fputs("%pm: eof\n", to);
    errno = 0;
    return ferror(to) ? pm_fail(err, PM_EIO, "%s", errno ? strerror(errno) : "writing failed")
                      : PM_OK;
}

/* ---- reading ---- */

/* The next line of the part, after the prefix; *line is NULL at the end of the file.
 * *has_eof: set at the last line of the stream. */
static pm_status next_line(pm_source *s, char **line, int64_t *length, bool *has_eof, pm_error *err)
{
    const size_t prefix = strlen(PREFIX);
    pm_status status;
    while (!(status = pm_source_line(s, line, length, err)) && *line) {
        if (strncmp(*line, PREFIX, prefix) == 0) {
            *line += prefix;
            *length -= (int64_t)prefix;
            return PM_OK;
        }
        *has_eof |= strcmp(*line, "%pm: eof") == 0;
    }
    return status;
}

static pm_status read_number(const pm_source *s, const char *line, int *part, int *parts,
                             pm_error *err)
{
    char rest;
    if (!line)
        return pm_fail(err, PM_EDATA, "%s: expected the output of --part, found no part in it",
                       pm_source_name(s));
    if (sscanf(line, "%d of %d%c", part, parts, &rest) != 2 || *part < 1 || *part > *parts)
        return pm_source_fail(s, err, "expected '%%pm: part I of N': the file is damaged");
    return PM_OK;
}

pm_status pm_part_stream_number(const char *path, int *part, int *parts, pm_error *err)
{
    char *line;
    int64_t length;
    bool has_eof = false;
    pm_source *s = NULL;
    pm_status status = pm_source_open(path, &s, err);
    if (status)
        return status;
    status = next_line(s, &line, &length, &has_eof, err);
    if (!status)
        status = read_number(s, line, part, parts, err);
    pm_source_close(&s);
    return status;
}

typedef struct {
    const char *path;
    pm_ledger_head head;      /* of the file */
    pm_ledger_head *expected; /* {0} for the first part */
    pm_ledger_reader reader;
    bool has_number;
} reading;

static pm_status end_head(reading *x, pm_error *err)
{
    if (x->expected->options)
        return pm_ledger_head_check(&x->head, x->expected, x->path, err);
    *x->expected = x->head;
    x->head = (pm_ledger_head){0};
    return PM_OK;
}

static pm_status read_line(reading *x, const pm_source *s, char *line, int64_t length,
                           bool *is_in_head, pm_error *err)
{
    bool is_head = !x->has_number;
    pm_status status = PM_OK;
    if (x->has_number && *is_in_head)
        status = pm_ledger_head_line(&x->head, s, line, &is_head, err);
    x->has_number = true;
    if (status)
        return status;
    if (!is_head)
        return pm_ledger_reader_line(&x->reader, s, line, length, err);
    pm_ledger_reader_pass(&x->reader, line, length);
    if (!x->head.options)
        return PM_OK;
    *is_in_head = false; /* that was its last line */
    return end_head(x, err);
}

static pm_status read_lines(pm_source *s, reading *x, pm_error *err)
{
    char *line;
    int64_t length;
    bool has_eof = false, is_in_head = true;
    pm_status status;
    while (!(status = next_line(s, &line, &length, &has_eof, err)) && line) {
        status = read_line(x, s, line, length, &is_in_head, err);
        if (status)
            return status;
    }
    if (!status && !has_eof)
        return pm_source_fail(s, err, "expected '%%pm: eof': the file was cut");
    return status;
}

pm_status pm_part_stream_read(const char *path, pm_ledger_head *head, pm_ledger *ledger,
                              pm_error *err)
{
    pm_source *s = NULL;
    reading x = {.path = path, .expected = head, .reader = pm_ledger_reader_begin(ledger)};
    pm_status status = pm_source_open(path, &s, err);
    if (status)
        return status;
    status = read_lines(s, &x, err);
    pm_status ended = pm_ledger_reader_end(&x.reader, s, status ? NULL : err);
    pm_ledger_head_free(&x.head);
    pm_source_close(&s);
    return status ? status : ended;
}
