/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats that igraph reads.  The igraph library takes long to load and may abort the process, so
 * the commands do not link it.  The helper program pm-igraph-read reads the text from its standard
 * input and writes a plain graph, or one line on standard error and an exit status.
 *
 *   input --lines--> [ pm-igraph-read FORMAT ] --graph--> pm_onesided
 *
 * The graph that it writes:
 *   pm-onesided VERTICES EDGES FIELD TYPED LABELLED    FIELD a name of a pm_field, then 0 or 1
 *   [TYPE] [LABEL]     a line for every vertex if TYPED or LABELLED; labels as in text/escape.h
 *   U V [WEIGHT]       a line for every edge, vertices from 1
 *   end */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/formats.h"
#include "io/helper_process.h"
#include "pm/alloc.h"
#include "text/escape.h"
#include "text/number.h"

/* ---- the helper process ---- */

/* Sends the whole input, in pieces of about 64 KiB. */
static pm_status feed(pm_helper *h, pm_source *s, pm_error *err)
{
    enum { PIECE = 1 << 16 };
    char *piece = NULL;
    int64_t cap = 0, have = 0;
    pm_status status;
    for (;;) {
        char *line;
        int64_t length;
        status = pm_source_line(s, &line, &length, err);
        if (status || !line)
            break;
        if (have + length + 1 > PIECE) {
            if (!pm_helper_send(h, piece, have))
                break;
            have = 0;
        }
        if (PM_GROW(piece, cap, have + length + 1)) {
            status = pm_fail_memory(err, "input of a helper program");
            break;
        }
        memcpy(piece + have, line, (size_t)length);
        piece[have + length] = '\n';
        have += length + 1;
    }
    /* a helper that stopped reading has written the reason */
    if (!status)
        pm_helper_send(h, piece, have);
    free(piece);
    pm_helper_no_more(h);
    return status;
}

/* ---- the graph that it writes ---- */

enum { MAX_FIELDS = 6 };

typedef struct {
    pm_source *s;
    char *line;
    char *field[MAX_FIELDS];
    int64_t length[MAX_FIELDS];
    int count;
    pm_onesided *g;
    int64_t nedges, typed, labelled;
} answer;

static pm_status fail_answer(const answer *a, pm_error *err)
{
    return pm_fail_internal(err,
                            "%s: line %" PRId64 " of the output of pm-igraph-read has an error",
                            pm_source_name(a->s), pm_source_line_number(a->s));
}

static pm_status next_line(answer *a, pm_error *err)
{
    int64_t length;
    pm_status status = pm_source_line(a->s, &a->line, &length, err);
    if (status)
        return status;
    return a->line ? PM_OK : fail_answer(a, err);
}

/* Reads the next line, which must have exactly `want` fields. */
static pm_status next_fields(answer *a, int want, pm_error *err)
{
    pm_status status = next_line(a, err);
    if (status)
        return status;
    char *rest = a->line;
    for (a->count = 0; a->count < MAX_FIELDS; ++a->count)
        if (!pm_field_next(&rest, &a->field[a->count], &a->length[a->count]))
            break;
    return a->count == want ? PM_OK : fail_answer(a, err);
}

static bool field_size(const answer *a, int k, int64_t max, int64_t *out)
{
    return pm_size_parse(a->field[k], a->length[k], out) && *out <= max;
}

static pm_status read_head(answer *a, pm_error *err)
{
    pm_status status = next_fields(a, 6, err);
    if (status)
        return status;
    pm_field f = PM_PATTERN;
    while (f < PM_COMPLEX && strncmp(a->field[3], pm_field_name(f), strlen(pm_field_name(f))) != 0)
        ++f;
    a->g->edges.field = f;
    bool good = strncmp(a->field[0], "pm-onesided ", 12) == 0 && f != PM_COMPLEX
                && field_size(a, 1, INT32_MAX, &a->g->nvertices)
                && field_size(a, 2, INT64_MAX, &a->nedges) && field_size(a, 4, 1, &a->typed)
                && field_size(a, 5, 1, &a->labelled);
    return good ? PM_OK : fail_answer(a, err);
}

static pm_status read_vertices(answer *a, pm_error *err)
{
    pm_onesided *g = a->g;
    if (a->typed && !(g->type = pm_alloc_array(g->nvertices, sizeof *g->type)))
        return pm_fail_memory(err, "types of vertices");
    for (int64_t v = 0; v < g->nvertices && (a->typed || a->labelled); ++v) {
        pm_status status = next_line(a, err);
        if (status)
            return status;
        char *label = a->line;
        if (a->typed) {
            if ((*label != '0' && *label != '1') || (label[1] && label[1] != ' '))
                return fail_answer(a, err);
            g->type[v] = (signed char)(*label - '0');
            label += label[1] ? 2 : 1;
        }
        if (!a->labelled)
            continue;
        int64_t length = (int64_t)strlen(label);
        if (pm_unescape(label, &length) != PM_UNESCAPE_DONE)
            return fail_answer(a, err);
        status = pm_labels_append(&g->labels, label, length, err);
        if (status)
            return status;
    }
    return PM_OK;
}

static pm_status read_edges(answer *a, pm_error *err)
{
    pm_triples *to = &a->g->edges;
    bool weighted = to->field != PM_PATTERN;
    for (int64_t k = 0; k < a->nedges; ++k) {
        int64_t u, v;
        pm_dyadic weight = {0};
        pm_status status = next_fields(a, 2 + weighted, err);
        if (status)
            return status;
        if (!field_size(a, 0, a->g->nvertices, &u) || !field_size(a, 1, a->g->nvertices, &v)
            || u < 1 || v < 1
            || (weighted && pm_number_parse(a->field[2], a->length[2], &weight) > PM_NUMBER_REAL))
            return fail_answer(a, err);
        status = pm_triples_add(to, u - 1, v - 1, 0, weighted ? &weight : NULL, NULL, err);
        pm_dyadic_clear(&weight);
        if (status)
            return status;
    }
    pm_status status = next_line(a, err);
    return status ? status : strcmp(a->line, "end") == 0 ? PM_OK : fail_answer(a, err);
}

static pm_status read_answer(const pm_helper *h, const char *name, pm_onesided *g, pm_error *err)
{
    answer a = {.g = g};
    pm_status status = pm_source_open_fd(h->from, name, &a.s, err);
    if (!status)
        status = read_head(&a, err);
    if (!status)
        status = read_vertices(&a, err);
    if (!status)
        status = read_edges(&a, err);
    pm_source_close(&a.s);
    return status;
}

/* ---- the whole ---- */

static pm_status read_foreign(const char *format, pm_source *s, const pm_read_options *opt,
                              pm_node *e, pm_reading *about, pm_error *err)
{
    pm_helper h = PM_HELPER_NONE;
    pm_onesided g = {.directions = opt->pattern ? PM_DIRECTIONS_ANY : PM_DIRECTIONS_EQUAL};
    pm_error end_err;
    const char *name = pm_source_name(s);
    pm_status status = pm_helper_start(&h, name, format, err);
    if (status)
        goto done;
    status = feed(&h, s, err);
    pm_status answered = status ? PM_OK : read_answer(&h, name, &g, err);
    pm_status ended = pm_helper_finish(&h, name, about->note, sizeof about->note, &end_err);
    if (!status)
        status = answered;
    /* when both failed, the message of the helper explains more */
    if (ended && (!status || status == PM_EINTERNAL))
        status = pm_fail(err, ended, "%s", end_err.msg);
    if (status)
        goto done;
    if (!*about->note)
        snprintf(about->note, sizeof about->note,
                 "read as a graph on one set of %" PRId64 " vertices", g.nvertices);
    about->one_set = !g.type;
    status = pm_onesided_matrix(&g, opt, name, &e->matrix, about, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
done:
    pm_helper_free(&h);
    pm_onesided_free(&g);
    return status;
}

/* ---- the formats ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips blanks and lines that start with mark. */
static const char *skip_comments(const char *p, const char *end, char mark)
{
    while (p < end && (is_blank(*p) || *p == mark)) {
        const char *newline = *p == mark ? memchr(p, '\n', (size_t)(end - p)) : p;
        p = newline ? newline + 1 : end;
    }
    return p;
}

static bool starts_with(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && strncasecmp(p, word, n) == 0;
}

static bool sniff_graphml(const char *bytes, int64_t got)
{
    const char *end = bytes + got, *p = skip_comments(bytes, end, '\n');
    return p < end && *p == '<' && memmem(p, (size_t)(end - p), "<graphml", 8);
}

/* Key-value pairs; one of them is "graph [". */
static bool sniff_gml(const char *bytes, int64_t got)
{
    const char *end = bytes + got, *p = skip_comments(bytes, end, '#');
    if (p == end || !((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')))
        return false;
    for (const char *word = p; word < end; ++word) {
        if (!starts_with(word, end, "graph") || (word > p && !is_blank(word[-1])))
            continue;
        const char *open = skip_comments(word + 5, end, '#');
        const char *inside = open < end && *open == '[' ? skip_comments(open + 1, end, '#') : end;
        if (inside < end && *inside != '{') /* which Mathematica writes */
            return true;
    }
    return false;
}

static bool sniff_pajek(const char *bytes, int64_t got)
{
    const char *end = bytes + got, *p = skip_comments(bytes, end, '%');
    return starts_with(p, end, "*vertices") || starts_with(p, end, "*network");
}

#define FOREIGN(format, how)                                                                       \
    static pm_status next_##format(pm_source *s, const pm_read_options *opt, void **state,         \
                                   pm_node *e, pm_reading *about, pm_error *err)                   \
    {                                                                                              \
        (void)state;                                                                               \
        return read_foreign(#format, s, opt, e, about, err);                                       \
    }                                                                                              \
    const pm_format pm_format_##format = {.name = #format,                                         \
                                          .sniff = how,                                            \
                                          .next = next_##format,                                   \
                                          .one_graph = true,                                       \
                                          .needs_helper = true};

FOREIGN(graphml, sniff_graphml)
FOREIGN(gml, sniff_gml)
FOREIGN(pajek, sniff_pajek)
FOREIGN(ncol, NULL)
FOREIGN(lgl, NULL)
