/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats, and the recognition of the format of an input. */
#include "config.h"

#include "pm/io.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "io/unread.h"
#include "pm/alloc.h"
#include "pm/settings.h"

enum { SNIFFED = 1 << 14 }; /* bytes by which a format is recognised */

#define ENTRY(id) &pm_format_##id,
static const pm_format *const formats[] = {PM_FORMATS(ENTRY) NULL};
enum { NFORMATS = sizeof formats / sizeof *formats - 1 };

const pm_format *pm_format_at(int i)
{
    return i >= 0 && i < NFORMATS ? formats[i] : NULL;
}

const pm_format *pm_format_find(const char *name)
{
    for (int i = 0; i < NFORMATS; ++i)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

const char *pm_format_name(int i)
{
    const pm_format *f = pm_format_at(i);
    return f ? f->name : NULL;
}

struct pm_reader {
    pm_source *source;
    pm_read_options opt;
    const pm_format *format;
    void *state;
    bool begun, ended;
    pm_reading about;
};

/* ---- opening ---- */

pm_status pm_reader_open(const char *path, const pm_read_options *opt, pm_reader **out,
                         pm_error *err)
{
    const pm_format *format = opt->from ? pm_format_find(opt->from) : NULL;
    if (opt->from && !format)
        return pm_fail(err, PM_EUSAGE, "there is no format '%s'", opt->from);
    if (opt->graph && opt->bipartite)
        return pm_fail(err, PM_EUSAGE,
                       "expected either one set of vertices or two sides, not both");
    pm_reader *r = pm_calloc_array(1, sizeof *r);
    if (!r)
        return pm_fail_memory(err, "reader");
    r->opt = *opt;
    if (opt->parts)
        r->opt.loops = NULL;
    r->opt.from = format ? format->name : NULL; /* the caller's string may become invalid */
    r->format = format;
    pm_status status = pm_source_open(path, &r->source, err);
    if (status) {
        pm_reader_close(&r);
        return status;
    }
    pm_source_set_run(r->source, opt->run);
    pm_source_set_exact(r->source, opt->exact);
    *out = r;
    return PM_OK;
}

void pm_reader_close(pm_reader **r)
{
    if (!*r)
        return;
    if ((*r)->format && (*r)->format->close)
        (*r)->format->close(&(*r)->state);
    pm_source_close(&(*r)->source);
    free(*r);
    *r = NULL;
}

void pm_reading_add_note(pm_reading *about, const char *text)
{
    size_t used = strlen(about->note);
    snprintf(about->note + used, sizeof about->note - used, "%s%s", used ? "; " : "", text);
}

/* ---- the first node ---- */

/* None of the formats has such bytes at its beginning; a zero byte after text is told with its line. */
static pm_status fail_unknown(const pm_reader *r, const char *bytes, int64_t got, pm_error *err)
{
    const char *name = pm_source_name(r->source), *zero = memchr(bytes, '\0', (size_t)got);
    int64_t line = 1;
    if (!zero || !pm_format_edges.sniff(bytes, zero - bytes))
        return pm_fail(err, PM_EDATA, "%s:1: expected a graph in a known format%s", name,
                       pm_hint_text(PM_HINT_FORMAT));
    for (const char *p = bytes; p < zero; ++p)
        line += *p == '\n';
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": " PM_ZERO_BYTE, name, line);
}

static pm_status recognise(pm_reader *r, pm_error *err)
{
    const char *bytes;
    int64_t got;
    pm_status status = pm_source_peek(r->source, &bytes, SNIFFED, &got, err);
    if (status)
        return status;
    if (got == 0)
        return pm_fail(
            err, PM_EDATA, "%s:1: empty input: expected a graph (that without vertices is %s)",
            pm_source_name(r->source), r->opt.graph ? "'?' in graph6" : "'# pm-edges 0 0'");
    if (r->format)
        return PM_OK;
    for (int k = 0; k < NFORMATS && !r->format; ++k)
        if (formats[k]->sniff && formats[k]->sniff(bytes, got))
            r->format = formats[k];
    /* an edge list is any text */
    bool is_text = !r->format || r->format == &pm_format_edges;
    const char *unread = is_text ? pm_unread_name(bytes, got) : NULL;
    if (unread) {
        r->format = NULL;
        return pm_fail(err, PM_EDATA, "%s:1: expected a graph in a known format, found %s",
                       pm_source_name(r->source), unread);
    }
    return r->format ? PM_OK : fail_unknown(r, bytes, got, err);
}

/* ---- nodes ---- */

pm_status pm_reader_next(pm_reader *r, pm_node *out, pm_error *err)
{
    pm_node_reset(out);
    if (r->ended)
        return PM_OK;
    pm_status status = PM_OK;
    if (!r->begun)
        status = recognise(r, err);
    r->begun = true;
    if (!status && r->opt.arrays && !r->format->has_arrays)
        status = pm_fail(err, PM_EDATA,
                         "%s: expected an archive of arrays (npz), from which arrays are chosen by "
                         "name, found the format %s",
                         pm_source_name(r->source), r->format->name);
    if (!status)
        status = r->format->next(r->source, &r->opt, &r->state, out, &r->about, err);
    if (!status && r->opt.bipartite && (r->about.one_set || out->one_set))
        status =
            pm_fail(err, PM_EDATA,
                    "%s: expected edges between two sides, found a graph on one set of "
                    "vertices (format %s)%s",
                    pm_source_name(r->source), r->format->name, pm_hint_text(PM_HINT_SIDES_FOUND));
    if (!status && (r->opt.loops || r->opt.copies) && out->kind == PM_NODE_MATRIX
        && !r->about.one_set && !r->opt.graph)
        status =
            pm_fail(err, PM_EDATA,
                    "%s: expected a graph on one set of vertices for %s, found rows and columns%s",
                    pm_source_name(r->source), r->opt.copies ? "copies of vertices" : "loops",
                    pm_hint_text(PM_HINT_ONE_SET_WANTED));
    if (!status && r->opt.pattern && !r->about.general) /* a pattern already, but for its loops */
        pm_matrix_make_pattern(&out->matrix);
    if (out->kind == PM_NODE_MATRIX) {
        out->one_set |= r->about.one_set || r->opt.graph;
        out->general |= r->about.general;
    }
    /* no node follows after a failure */
    r->ended = status || out->kind == PM_NODE_END || r->format->one_graph;
    return status;
}

static pm_status next_of_source(void *context, pm_node *out, pm_error *err)
{
    return pm_reader_next(context, out, err);
}

pm_node_source pm_reader_source(pm_reader *r)
{
    return (pm_node_source){next_of_source, r, pm_reader_name(r)};
}

/* ---- for messages ---- */

const char *pm_reader_note(const pm_reader *r)
{
    return r->about.note;
}

const char *pm_reader_warning(const pm_reader *r)
{
    return r->about.warning;
}

const char *pm_reader_name(const pm_reader *r)
{
    return pm_source_name(r->source);
}

const char *pm_reader_format(const pm_reader *r)
{
    return r->format ? r->format->name : "";
}

bool pm_reader_is_one_graph(const pm_reader *r)
{
    return r->format && (r->format->one_graph || r->about.one_graph);
}
