/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIMACS graph colouring format (1993): "c" comments, "p edge N M" or "p col N M", then M lines
 * "e U V" with vertices from 1. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/formats.h"
#include "text/number.h"

enum { MAX_FIELDS = 5 };

typedef struct {
    char *field[MAX_FIELDS];
    int64_t length[MAX_FIELDS];
    int count;
} words;

/* Cuts the line into fields, at most MAX_FIELDS: one more than a correct line has. */
static void cut(char *line, words *w)
{
    w->count = 0;
    while (w->count < MAX_FIELDS && pm_field_next(&line, &w->field[w->count], &w->length[w->count]))
        ++w->count;
}

static bool is_word(const words *w, int k, const char *word)
{
    return k < w->count && w->length[k] == (int64_t)strlen(word)
           && memcmp(w->field[k], word, strlen(word)) == 0;
}

static bool is_problem(const words *w)
{
    return is_word(w, 0, "p") && (is_word(w, 1, "edge") || is_word(w, 1, "col"));
}

/* Reads the next line that is neither blank nor a comment; *count is 0 at the end. */
static pm_status next_words(pm_source *s, words *w, pm_error *err)
{
    do {
        char *line;
        int64_t length;
        w->count = 0;
        pm_status status = pm_source_text_line(s, &line, &length, err);
        if (status || !line)
            return status;
        cut(line, w);
    } while (w->count == 0 || is_word(w, 0, "c"));
    return PM_OK;
}

static pm_status read_problem(pm_source *s, int64_t *vertices, int64_t *edges, pm_error *err)
{
    words w;
    pm_status status = next_words(s, &w, err);
    if (status)
        return status;
    if (!is_problem(&w) || w.count != 4 || !pm_size_parse(w.field[2], w.length[2], vertices)
        || !pm_size_parse(w.field[3], w.length[3], edges) || *vertices > INT32_MAX)
        return pm_source_fail(
            s, err, "expected 'p edge N M' or 'p col N M' with N vertices, at most %d, and M edges",
            INT32_MAX);
    return PM_OK;
}

static pm_status read_edges(pm_source *s, pm_onesided *g, int64_t edges, pm_error *err)
{
    for (int64_t done = 0;; ++done) {
        words w;
        int64_t u, v;
        pm_status status = next_words(s, &w, err);
        if (status)
            return status;
        if (w.count == 0 && done == edges)
            return PM_OK;
        if (w.count == 0)
            return pm_source_fail(s, err,
                                  "the input ends after %" PRId64 " edges, expected %" PRId64 "%s",
                                  done, edges, pm_source_cut_hint(s));
        if (done == edges)
            return pm_source_fail(s, err, "expected the end of the input after %" PRId64 " edges",
                                  edges);
        if (w.count != 3 || !is_word(&w, 0, "e") || !pm_size_parse(w.field[1], w.length[1], &u)
            || !pm_size_parse(w.field[2], w.length[2], &v) || u < 1 || v < 1 || u > g->nvertices
            || v > g->nvertices)
            return pm_source_fail(s, err, "expected 'e U V' with vertices from 1 to %" PRId64 "%s",
                                  g->nvertices, w.count < 3 ? pm_source_cut_hint(s) : "");
        status = pm_triples_add(&g->edges, u - 1, v - 1, pm_source_line_number(s), NULL, NULL, err);
        if (status)
            return status;
    }
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    pm_onesided g = {.directions = PM_DIRECTIONS_EQUAL};
    int64_t edges;
    pm_status status = read_problem(s, &g.nvertices, &edges, err);
    if (!status)
        status = read_edges(s, &g, edges, err);
    snprintf(about->note, sizeof about->note, "read as a graph on one set of %" PRId64 " vertices",
             g.nvertices);
    about->one_set = true;
    if (!status)
        status = pm_onesided_matrix(&g, opt, pm_source_name(s), &e->matrix, about, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
    pm_onesided_free(&g);
    return status;
}

/* The first line that is not a comment decides. */
static bool sniff(const char *bytes, int64_t got)
{
    const char *p = bytes, *end = bytes + got;
    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        char line[32];
        size_t n = (size_t)((newline ? newline : end) - p);
        n = n < sizeof line ? n : sizeof line - 1;
        memcpy(line, p, n);
        line[n] = '\0';
        words w;
        cut(line, &w);
        if (w.count && !is_word(&w, 0, "c"))
            return is_problem(&w);
        p = newline ? newline + 1 : end;
    }
    return false;
}

const pm_format pm_format_dimacs = {
    .name = "dimacs", .sniff = sniff, .next = next, .one_graph = true};
