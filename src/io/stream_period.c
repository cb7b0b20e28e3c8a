/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A periodic graph in a pm stream: three matrices between "begin strip" or "begin ring" and "end". */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "pm/alloc.h"
#include "text/number.h"

static const char *const names[] = {"the entries of a part in its own columns",
                                    "its entries in the columns of the next part",
                                    "its entries in the columns of the part before"};

/* The next line that is not empty and no comment. */
static pm_status next_line(pm_source *s, char **line, pm_error *err)
{
    pm_status status;
    bool is_empty;
    do {
        char *rest, *text;
        int64_t length;
        status = pm_source_text_line(s, line, &length, err);
        if (status)
            return status;
        if (!*line)
            return pm_stream_fail_cut(s, err);
        rest = *line;
        is_empty = (**line == '%' && strncmp(*line, "%pm:", 4) != 0 && !pm_stream_is_banner(*line))
                   || !pm_field_next(&rest, &text, &length);
    } while (is_empty);
    return PM_OK;
}

/* Labels, orders and repetitions have no meaning in a part. */
static pm_status read_head_line(void *context, char *text, pm_error *err)
{
    const pm_source *s = context;
    char *word, quote[PM_QUOTE];
    int64_t length;
    if (pm_field_next(&text, &word, &length) && pm_field_is(word, length, "made-by"))
        return PM_OK;
    return pm_source_fail(s, err,
                          "expected a matrix of a period without lines '%%pm: WORD', not %s",
                          pm_quote(word, length, quote));
}

static pm_status read_matrix(pm_source *s, const pm_read_options *opt, const char *what,
                             pm_matrix *out, pm_reading *about, pm_error *err)
{
    char *line, quote[PM_QUOTE];
    pm_status status = next_line(s, &line, err);
    if (status)
        return status;
    if (!pm_stream_is_banner(line))
        return pm_source_fail(s, err, "expected the banner of a matrix, %s, not %s", what,
                              pm_quote(line, (int64_t)strlen(line), quote));
    status = pm_mtx_body(s, line, opt, read_head_line, s, out, about, err);
    *about->note = *about->warning = '\0';
    return status;
}

static pm_status read_end(pm_source *s, pm_error *err)
{
    char *line, *rest, *word, quote[PM_QUOTE];
    int64_t length = 0;
    pm_status status = next_line(s, &line, err);
    if (status)
        return status;
    rest = line + 4;
    if (strncmp(line, "%pm:", 4) == 0 && pm_field_next(&rest, &word, &length)
        && pm_field_is(word, length, "end") && !pm_field_next(&rest, &word, &length))
        return PM_OK;
    return pm_source_fail(s, err,
                          "expected '%%pm: end' after the three matrices of a period, not %s",
                          pm_quote(line, (int64_t)strlen(line), quote));
}

static pm_status read_parts(pm_source *s, const pm_read_options *opt, pm_node *e, pm_reading *about,
                            pm_error *err)
{
    pm_matrix *const all[] = {&e->matrix, &e->period->next, &e->period->before};
    pm_status status = PM_OK;
    for (int k = 0; k < 3 && !status; ++k) {
        status = read_matrix(s, opt, names[k], all[k], about, err);
        if (!status && (all[k]->nrows != all[0]->nrows || all[k]->ncols != all[0]->ncols))
            status = pm_source_fail(s, err,
                                    "expected %" PRId64 " rows and %" PRId64
                                    " columns as in the first matrix of the period, found %" PRId64
                                    " and %" PRId64,
                                    all[0]->nrows, all[0]->ncols, all[k]->nrows, all[k]->ncols);
    }
    return status ? status : read_end(s, err);
}

pm_status pm_stream_period(pm_source *s, const pm_read_options *opt, const char *kind,
                           int64_t length, pm_node *e, pm_reading *about, pm_error *err)
{
    pm_error why;
    e->kind = PM_NODE_MATRIX;
    e->period = pm_calloc_array(1, sizeof *e->period);
    if (!e->period)
        return pm_fail_memory(err, "a period");
    e->period->length = length;
    e->period->is_ring = strcmp(kind, "ring") == 0;
    pm_status status = read_parts(s, opt, e, about, err);
    /* entries that meet are one entry of a pattern */
    const bool meets = opt->pattern && e->period->is_ring && length <= 2;
    if (status || (opt->keep_repeats && !meets))
        return status;
    status = pm_node_write_out(e, &why);
    return status ? pm_fail(err, status, "%s:%" PRId64 ": %s", pm_source_name(s), e->line, why.msg)
                  : PM_OK;
}
