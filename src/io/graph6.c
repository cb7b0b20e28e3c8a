/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph6 and sparse6, after McKay's formats.txt.  Each line is a graph.  Each byte holds six bits:
 * its code less 63 ('?').  The number of vertices comes first.
 *   graph6:  the upper triangle of the adjacency matrix, column after column, padded with zeros.
 *   sparse6: a ':' first; then groups of one bit b and k bits x, where k bits hold n - 1.  For
 *            each group: v += b; then, if x > v, v = x, else {x, v} is an edge.  Bits after the
 *            last complete group are padding. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/formats.h"

static const char graph6_head[] = ">>graph6<<", sparse6_head[] = ">>sparse6<<";

/* ---- bits ---- */

typedef struct {
    const char *text;
    int64_t count, at; /* bits */
} bits;

static int next_bit(bits *b)
{
    int byte = b->text[b->at / 6] - 63, bit = byte >> (5 - b->at % 6) & 1;
    ++b->at;
    return bit;
}

static int64_t next_bits(bits *b, int k)
{
    int64_t v = 0;
    while (k-- > 0)
        v = 2 * v + next_bit(b);
    return v;
}

static bool is_code(const char *text, int64_t length)
{
    for (int64_t k = 0; k < length; ++k)
        if (text[k] < 63 || text[k] > 126)
            return false;
    return true;
}

/* Reads the number of vertices.  Returns its length in bytes; 0 when bytes are missing. */
static int vertex_count(const char *text, int64_t length, int64_t *n)
{
    int marks = length > 0 && text[0] == '~' ? length > 1 && text[1] == '~' ? 2 : 1 : 0;
    int digits = marks == 0 ? 1 : marks == 1 ? 3 : 6;
    if (marks + digits > length)
        return 0;
    bits b = {.text = text + marks};
    *n = next_bits(&b, 6 * digits);
    return marks + digits;
}

/* Bytes of the triangle of n vertices; n below 2^31. */
static int64_t triangle_bytes(int64_t n)
{
    int64_t pairs = n > 0 ? n * (n - 1) / 2 : 0;
    return pairs / 6 + (pairs % 6 != 0);
}

/* ---- the two codes ---- */

static pm_status read_triangle(const pm_source *s, const char *code, int64_t length, pm_onesided *g,
                               pm_error *err)
{
    if (length != triangle_bytes(g->nvertices))
        return pm_source_fail(s, err,
                              "expected %" PRId64 " bytes after the %" PRId64
                              " vertices of a graph6 line, not %" PRId64,
                              triangle_bytes(g->nvertices), g->nvertices, length);
    bits b = {.text = code, .count = 6 * length};
    for (int64_t v = 1; v < g->nvertices; ++v) {
        pm_status status = pm_source_check_stop(s, err);
        for (int64_t u = 0; u < v && !status; ++u)
            if (next_bit(&b))
                status = pm_triples_add(&g->edges, u, v, 0, NULL, NULL, err);
        if (status)
            return status;
    }
    while (b.at < b.count)
        if (next_bit(&b))
            return pm_source_fail(s, err, "expected zero bits at the end of a graph6 line");
    return PM_OK;
}

static pm_status read_increments(const pm_source *s, const char *code, int64_t length,
                                 pm_onesided *g, pm_error *err)
{
    int64_t n = g->nvertices, v = 0, used = 0;
    int k = n > 1 ? 64 - __builtin_clzll((uint64_t)(n - 1)) : 0;
    bits b = {.text = code, .count = 6 * length};
    while (b.count - b.at >= k + 1) {
        v += next_bit(&b);
        int64_t x = next_bits(&b, k);
        if (v >= n || x >= n)
            break;
        used = b.at;
        if (x > v) {
            v = x;
            continue;
        }
        pm_status status = pm_triples_add(&g->edges, x, v, 0, NULL, NULL, err);
        if (!status)
            status = pm_source_check_stop(s, err);
        if (status)
            return status;
    }
    if (b.count - used >= 6)
        return pm_source_fail(
            s, err, "expected edges between %" PRId64 " vertices up to the end of the sparse6 line",
            n);
    return PM_OK;
}

/* ---- lines ---- */

static pm_status read_graph(const pm_source *s, char *line, int64_t length, pm_onesided *g,
                            pm_error *err)
{
    bool sparse = *line == ':';
    if (*line == ';' || *line == '&')
        return pm_source_fail(s, err, "expected graph6 or sparse6, not %s",
                              *line == ';' ? "incremental sparse6" : "digraph6");
    line += sparse;
    length -= sparse;
    if (!is_code(line, length))
        return pm_source_fail(s, err, "expected bytes from '?' to '~' in a %s line",
                              sparse ? "sparse6" : "graph6");
    int used = vertex_count(line, length, &g->nvertices);
    if (!used)
        return pm_source_fail(s, err, "expected the number of vertices, found the end of the line");
    if (g->nvertices > INT32_MAX)
        return pm_source_fail(s, err, "expected at most %d vertices, not %" PRId64, INT32_MAX,
                              g->nvertices);
    return sparse ? read_increments(s, line + used, length - used, g, err)
                  : read_triangle(s, line + used, length - used, g, err);
}

/* The next line that is not blank, without the header that the first line may begin with; NULL at
 * the end. */
static pm_status next_code(pm_source *s, char **line, int64_t *length, pm_error *err)
{
    do {
        pm_status status = pm_source_line(s, line, length, err);
        if (status || !*line)
            return status;
        if (pm_source_line_number(s) == 1)
            for (int k = 0; k < 2; ++k) {
                const char *head = k ? sparse6_head : graph6_head;
                int64_t n = (int64_t)strlen(head);
                if (strncmp(*line, head, (size_t)n) == 0) {
                    *line += n;
                    *length -= n;
                }
            }
    } while (*length == 0);
    return PM_OK;
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    pm_onesided g = {0};
    char *line, name[512];
    int64_t length;
    pm_status status = next_code(s, &line, &length, err);
    if (status)
        return status;
    if (!line) {
        e->kind = PM_NODE_END;
        return PM_OK;
    }
    e->kind = PM_NODE_MATRIX;
    e->line = pm_source_line_number(s);
    status = read_graph(s, line, length, &g, err);
    snprintf(name, sizeof name, "%s:%" PRId64, pm_source_name(s), e->line);
    snprintf(about->note, sizeof about->note,
             "read as graphs on one set of vertices, counted from 1");
    about->one_set = true;
    if (!status)
        status = pm_onesided_matrix(&g, opt, name, &e->matrix, about, err);
    pm_onesided_free(&g);
    return status;
}

static bool sniff(const char *bytes, int64_t got)
{
    if (got >= 2 && memcmp(bytes, ">>", 2) == 0)
        return (got >= 10 && memcmp(bytes, graph6_head, 10) == 0)
               || (got >= 11 && memcmp(bytes, sparse6_head, 11) == 0);
    const char *newline = memchr(bytes, '\n', (size_t)got);
    int64_t length = newline ? newline - bytes : got, n;
    if (length > 0 && bytes[length - 1] == '\r')
        --length;
    bool sparse = length > 1 && *bytes == ':';
    if (sparse)
        return is_code(bytes + 1, length - 1);
    if (!is_code(bytes, length))
        return false;
    int used = vertex_count(bytes, length, &n);
    return used && n <= INT32_MAX
           && (newline ? length - used == triangle_bytes(n) : length - used <= triangle_bytes(n));
}

const pm_format pm_format_graph6 = {.name = "graph6", .sniff = sniff, .next = next};
