/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix Market, after Boisvert, Pozo and Remington, NISTIR 5935 (1996).  The entries
 * of a symmetric file may be in either triangle.  Each entry is mirrored, so an entry that is given
 * in both triangles is a duplicate.  The field unsigned-integer, which SciPy writes, is integer without
 * negative numbers. */
#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "edges/edge_runs.h"
#include "io/formats.h"
#include "io/one_set.h"
#include "io/reading_memory.h"
#include "number/dyadic_roots.h"
#include "pm/settings.h"
#include "text/number.h"
#include "text/root_read.h"
#include "text/value_read.h"

enum symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN };

static const char *const layout_names[] = {"coordinate", "array", NULL};
static const char *const field_names[] = {"pattern", "integer",          "real",
                                          "complex", "unsigned-integer", NULL};
static const char *const symmetry_names[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                             NULL};

typedef struct {
    pm_source *s;
    const pm_read_options *opt;
    bool is_array;
    pm_field field;
    bool is_unsigned;
    enum symmetry symmetry;
    int64_t nrows, ncols, entries;
    pm_triples *to;
    pm_edge_runs runs;
} body;

/* ---- banner and sizes ---- */

/* The index in `names` of the next word of *p, in upper or lower case, or -1. */
static int pick(const char **p, const char *const *names)
{
    *p += strspn(*p, " \t");
    size_t length = strcspn(*p, " \t");
    const char *word = *p;
    *p += length;
    for (int k = 0; names[k]; ++k)
        if (strlen(names[k]) == length && strncasecmp(names[k], word, length) == 0)
            return k;
    return -1;
}

static pm_status parse_banner(body *b, const char *banner, pm_error *err)
{
    static const char *const head[] = {"%%MatrixMarket", NULL}, *const object[] = {"matrix", NULL};
    if (pick(&banner, head) < 0 || pick(&banner, object) < 0)
        return pm_source_fail(
            b->s, err,
            "expected a first line '%%%%MatrixMarket matrix coordinate real general' or similar");
    int layout = pick(&banner, layout_names);
    if (layout < 0)
        return pm_source_fail(b->s, err,
                              "expected 'coordinate' or 'array' as the third word of the banner");
    int field = pick(&banner, field_names);
    if (field < 0)
        return pm_source_fail(
            b->s, err,
            "expected 'pattern', 'integer', 'real' or 'complex' as the fourth word of the banner");
    int symmetry = pick(&banner, symmetry_names);
    if (symmetry < 0 || banner[strspn(banner, " \t")])
        return pm_source_fail(b->s, err,
                              "expected 'general', 'symmetric', 'skew-symmetric' or 'hermitian' as "
                              "the last word of the banner");
    b->is_array = layout == 1;
    b->is_unsigned = field > PM_COMPLEX;
    b->field = b->is_unsigned ? PM_INTEGER : (pm_field)field;
    b->symmetry = (enum symmetry)symmetry;
    if (b->field == PM_PATTERN && (b->is_array || b->symmetry == SKEW))
        return pm_source_fail(b->s, err, "expected values: there is no %s pattern",
                              b->is_array ? "array" : "skew-symmetric");
    if (b->symmetry == HERMITIAN && b->field != PM_COMPLEX)
        return pm_source_fail(b->s, err, "expected complex values in a hermitian matrix");
    if (b->opt->graph && !b->opt->pattern && (b->symmetry == SKEW || b->symmetry == HERMITIAN))
        return pm_source_fail(b->s, err,
                              "expected a symmetric or general matrix as a graph on one set of "
                              "vertices: a %s one gives an edge two weights%s",
                              symmetry_names[symmetry], pm_hint_text(PM_HINT_TWO_SIDES));
    return PM_OK;
}

static pm_status parse_size(const body *b, const char *text, int64_t length, int64_t max,
                            int64_t *out, pm_error *err)
{
    char quote[PM_QUOTE];
    if (!pm_size_parse(text, length, out) || *out > max)
        return pm_source_fail(b->s, err, "expected a size from 0 to %" PRId64 ", not %s", max,
                              pm_quote(text, length, quote));
    return PM_OK;
}

static int64_t array_entries(const body *b)
{
    int64_t n = b->nrows;
    switch (b->symmetry) {
    case GENERAL: return b->nrows * b->ncols;
    case SKEW: return n > 0 ? n * (n - 1) / 2 : 0;
    default: return n * (n + 1) / 2;
    }
}

static pm_status parse_sizes(body *b, char *line, pm_error *err)
{
    const char *form = b->is_array ? "'ROWS COLUMNS'" : "'ROWS COLUMNS ENTRIES'";
    int64_t *const size[] = {&b->nrows, &b->ncols, &b->entries};
    int want = b->is_array ? 2 : 3, got = 0;
    char *field;
    int64_t length;
    while (pm_field_next(&line, &field, &length)) {
        if (got == want)
            return pm_source_fail(b->s, err, "expected the sizes %s and nothing more", form);
        pm_status status =
            parse_size(b, field, length, got < 2 ? INT32_MAX : INT64_MAX, size[got], err);
        if (status)
            return status;
        ++got;
    }
    if (got < want)
        return pm_source_fail(b->s, err, "expected the sizes %s and nothing more", form);
    if (b->nrows != b->ncols && (b->symmetry != GENERAL || b->opt->graph))
        return pm_source_fail(b->s, err, "expected a square matrix, not %" PRId64 " x %" PRId64,
                              b->nrows, b->ncols);
    if (b->is_array)
        b->entries = array_entries(b);
    else if (b->opt->duplicates == PM_DUPLICATES_ERROR && b->entries > b->nrows * b->ncols)
        return pm_source_fail(b->s, err,
                              "expected at most %" PRId64 " entries in a %" PRId64 " x %" PRId64
                              " matrix, not %" PRId64 "%s",
                              b->nrows * b->ncols, b->nrows, b->ncols, b->entries,
                              pm_hint_text(PM_HINT_DUPLICATES));
    return PM_OK;
}

static pm_status read_sizes(body *b,
                            pm_status (*on_comment)(void *context, char *text, pm_error *err),
                            void *context, pm_error *err)
{
    for (;;) {
        char *line;
        int64_t length;
        pm_status status = pm_source_text_line(b->s, &line, &length, err);
        if (status)
            return status;
        if (!line)
            return pm_source_fail(b->s, err,
                                  "the input ends, expected a line with the sizes of the matrix");
        if (*line == '%') {
            if (on_comment && strncmp(line, "%pm:", 4) == 0
                && (status = on_comment(context, line + 4, err)))
                return status;
        } else if (line[strspn(line, " \t")]) {
            return parse_sizes(b, line, err);
        }
    }
}

/* ---- entries ---- */

typedef struct {
    int64_t i, j; /* from 0 */
    pm_dyadic re, im;
} entry;

static void entry_clear(entry *e)
{
    pm_dyadic_clear(&e->re);
    pm_dyadic_clear(&e->im);
}

/* Moves the values out of e. */
static pm_status put(const body *b, entry *e, pm_error *err)
{
    return pm_triples_add(b->to, e->i, e->j, pm_source_line_number(b->s),
                          b->field == PM_PATTERN ? NULL : &e->re,
                          b->field == PM_COMPLEX ? &e->im : NULL, err);
}

/* Entries beside the diagonal have mirror images. */
static bool is_mirrored(const body *b)
{
    return b->symmetry != GENERAL && !b->opt->graph;
}

/* Adds the entry and its mirror image. */
static pm_status put_mirrored(const body *b, entry *e, pm_error *err)
{
    if (!is_mirrored(b) || e->i == e->j)
        return put(b, e, err);
    entry mirror = {.i = e->j, .j = e->i};
    pm_dyadic_set(&mirror.re, &e->re);
    pm_dyadic_set(&mirror.im, &e->im);
    if (b->symmetry == SKEW)
        pm_dyadic_neg(&mirror.re);
    if (b->symmetry == SKEW || b->symmetry == HERMITIAN)
        pm_dyadic_neg(&mirror.im);
    if (b->symmetry == HERMITIAN)
        pm_dyadic_conjugate(&mirror.re);
    pm_status status = put(b, e, err);
    if (!status)
        status = put(b, &mirror, err);
    entry_clear(&mirror);
    return status;
}

static pm_status check_diagonal(const body *b, const entry *e, pm_error *err)
{
    if (e->i == e->j && b->symmetry == SKEW)
        return pm_source_fail(b->s, err,
                              "expected no entry on the diagonal of a skew-symmetric matrix");
    if (e->i == e->j && b->symmetry == HERMITIAN
        && (!pm_dyadic_is_zero(&e->im) || !pm_dyadic_is_real(&e->re)))
        return pm_source_fail(b->s, err, "expected a real diagonal in a hermitian matrix");
    return PM_OK;
}

static pm_status parse_index(const body *b, const char *text, int64_t length, const char *what,
                             int64_t max, int64_t *out, pm_error *err)
{
    char quote[PM_QUOTE];
    if (!pm_size_parse(text, length, out) || *out < 1 || *out > max)
        return pm_source_fail(b->s, err, "expected a %s from 1 to %" PRId64 ", not %s%s", what, max,
                              pm_quote(text, length, quote),
                              *text == '%' ? ": comments are allowed before the line with the "
                                             "sizes only, leave it out"
                                           : "");
    --*out;
    return PM_OK;
}

/* The fields of a line, for messages. */
static const char *form_of(const body *b)
{
    static const char *const forms[2][PM_COMPLEX + 1] = {
        {"'row column'", "'row column value'", "'row column value'", "'row column real imaginary'"},
        {"", "one number", "one number", "two numbers, 'real imaginary',"},
    };
    return forms[b->is_array][b->field];
}

static bool is_blank_line(const char *line)
{
    while (pm_is_blank(*line))
        ++line;
    return !*line;
}

/* The next line that is not blank. */
static pm_status next_line(const body *b, int64_t done, char **line, pm_error *err)
{
    do {
        int64_t ignored;
        pm_status status = pm_source_text_line(b->s, line, &ignored, err);
        if (status)
            return status;
        if (!*line)
            return pm_source_fail(
                b->s, err, "the input ends after %" PRId64 " entries, expected %" PRId64 "%s", done,
                b->entries, pm_source_cut_hint(b->s));
    } while (is_blank_line(*line));
    return PM_OK;
}

/* The line must have exactly `want` fields. */
static pm_status split_line(const body *b, int64_t done, char *line, int want, char *field[],
                            int64_t length[], pm_error *err)
{
    char *extra;
    int64_t ignored;
    int got = 0;
    while (got < want && pm_field_next(&line, &field[got], &length[got]))
        ++got;
    if (got < want || pm_field_next(&line, &extra, &ignored))
        return pm_source_fail(
            b->s, err, "expected %s in a line of %s %s matrix (entry %" PRId64 " of %" PRId64 ")%s",
            form_of(b), b->is_array ? "an array" : "a coordinate", field_names[b->field], done + 1,
            b->entries, got < want ? pm_source_cut_hint(b->s) : "");
    return PM_OK;
}

/* A pattern has up to 1e8 such lines.  Returns false when the line is not two indices in range; its
 * fields tell what it is. */
static bool quick_indices(const body *b, const char *line, entry *e)
{
    int64_t i, j;
    if (!pm_size_pair_parse(line, &i, &j) || i < 1 || i > b->nrows || j < 1 || j > b->ncols)
        return false;
    e->i = i - 1;
    e->j = j - 1;
    return true;
}

/* The parts of a complex number, of which the first one is a sum of roots of unity, as exact streams have it. */
static pm_status read_roots(const body *b, char *const text[2], const int64_t length[2], entry *e,
                            pm_error *err)
{
    pm_scalar root = {.field = PM_INTEGER};
    pm_status status = pm_read_scalar(b->s, text[0], length[0], &root, err);
    if (!status)
        status = pm_read_value(b->s, text[1], length[1], PM_REAL, &e->im, NULL, err);
    if (!status) {
        e->re = root.re;
        pm_dyadic_add(&e->im, &e->im, &root.im);
        root.re = (pm_dyadic){0};
    }
    pm_scalar_clear(&root);
    return status;
}

/* One line: indices (unless an array) and values. */
static pm_status read_entry(const body *b, int64_t done, entry *e, pm_error *err)
{
    static const int values_of[] = {0, 1, 1, 2};
    int indices = b->is_array ? 0 : 2, values = values_of[b->field];
    char *line, *field[4], quote[PM_QUOTE];
    int64_t length[4];
    pm_status status = next_line(b, done, &line, err);
    if (!status && b->field == PM_PATTERN && quick_indices(b, line, e))
        return PM_OK;
    if (!status)
        status = split_line(b, done, line, indices + values, field, length, err);
    if (!status && indices)
        status = parse_index(b, field[0], length[0], "row", b->nrows, &e->i, err);
    if (!status && indices)
        status = parse_index(b, field[1], length[1], "column", b->ncols, &e->j, err);
    if (!status && values >= 1 && b->is_unsigned && *field[indices] == '-')
        return pm_source_fail(b->s, err, "expected a number from 0 in an unsigned matrix, not %s",
                              pm_quote(field[indices], length[indices], quote));
    if (!status && values == 2 && pm_has_root(field[indices], length[indices])) {
        status = read_roots(b, field + indices, length + indices, e, err);
        return status ? status : check_diagonal(b, e, err);
    }
    if (!status && values >= 1)
        status = pm_read_value(b->s, field[indices], length[indices], b->field, &e->re, NULL, err);
    if (!status && values == 2)
        status = pm_read_value(b->s, field[indices + 1], length[indices + 1], b->field, &e->im,
                               NULL, err);
    return status ? status : check_diagonal(b, e, err);
}

/* Entries that are not mirrored. */
static pm_status add_places(const body *b, const pm_edge_run *run, pm_error *err)
{
    enum { AMONG = 512 };
    const pm_integer_edge *edge = run->of.edge;
    const pm_dyadic *weight = run->of.weight;
    pm_coordinates at[AMONG];
    pm_status status = PM_OK;
    for (int64_t from = 0; from < run->count && !status; from += AMONG) {
        const int64_t count = run->count - from < AMONG ? run->count - from : AMONG;
        for (int64_t k = 0; k < count; ++k)
            at[k] = (pm_coordinates){edge[from + k].end[0] - 1, edge[from + k].end[1] - 1};
        status = pm_triples_add_many(b->to, at, weight ? weight + from : NULL, count,
                                     run->line + from, err);
    }
    return status;
}

static pm_status add_run(void *context, const pm_edge_run *run, pm_error *err)
{
    const body *b = context;
    pm_status status = PM_OK;
    if (!is_mirrored(b))
        return add_places(b, run, err);
    for (int64_t k = 0; k < run->count && !status; ++k) {
        const int32_t *end = run->of.edge[k].end;
        const pm_coordinates at = {end[0] - 1, end[1] - 1}, mirror = {at.col, at.row};
        const pm_dyadic *weight = run->of.weight ? &run->of.weight[k] : NULL;
        status = pm_triples_add_many(b->to, &at, weight, 1, run->line + k, err);
        if (!status && at.row != at.col)
            status = pm_triples_add_many(b->to, &mirror, weight, 1, run->line + k, err);
    }
    return status;
}

/* Their lines are those of edges/edge_run.h, and no other rule holds for their values. */
static bool has_runs(const body *b)
{
    return b->field != PM_COMPLEX && !b->is_unsigned
           && (b->symmetry == GENERAL || b->symmetry == SYMMETRIC);
}

/* The entries of the lines that follow, up to the first that is not two indices in range and perhaps a value, with one
 * blank between them. */
static pm_status read_runs(body *b, int64_t *done, pm_error *err)
{
    b->runs.lines = b->entries - *done;
    const pm_edge_adder adder = {.add = add_run, .context = b};
    int64_t taken;
    pm_status status = pm_edge_runs_read(&b->runs, *done, &adder, b->opt->run, &taken, err);
    *done += taken;
    return status;
}

static pm_status read_coordinates(body *b, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t done = 0; done < b->entries && !status; ++done) {
        entry e = {0};
        if (has_runs(b))
            status = read_runs(b, &done, err);
        if (status || done == b->entries)
            return status;
        status = read_entry(b, done, &e, err);
        if (!status)
            status = put_mirrored(b, &e, err);
        entry_clear(&e);
    }
    return status;
}

/* Says and checks the memory that the announced entries take, and makes room for them. */
static pm_status foresee(const body *b, pm_error *err)
{
    const pm_reading_shape shape = {.values = b->field == PM_PATTERN   ? 0
                                              : b->field == PM_COMPLEX ? 2
                                                                       : 1,
                                    .rows = (double)b->nrows,
                                    .cols = (double)b->ncols,
                                    .one_set = b->opt->graph,
                                    .is_mirrored = is_mirrored(b)};
    int64_t room = 0;
    pm_status status = b->is_array ? PM_OK
                                   : pm_reading_memory_announced(b->s, b->opt, &shape, b->entries,
                                                                 b->nrows, &room, err);
    if (!status)
        pm_triples_reserve(b->to, room);
    return status;
}

/* An array file: column after column; for a symmetric matrix the lower triangle.  Zeros are not
 * entries. */
static pm_status read_array(const body *b, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t done = 0;
    for (int64_t j = 0; j < b->ncols && done < b->entries && !status; ++j)
        for (int64_t i = b->symmetry == GENERAL ? 0 : j + (b->symmetry == SKEW);
             i < b->nrows && !status; ++i, ++done) {
            entry e = {.i = i, .j = j};
            status = read_entry(b, done, &e, err);
            if (!status && !(pm_dyadic_is_zero(&e.re) && pm_dyadic_is_zero(&e.im)))
                status = put_mirrored(b, &e, err);
            entry_clear(&e);
        }
    return status;
}

/* ---- the whole ---- */

pm_status pm_mtx_body(pm_source *s, const char *banner, const pm_read_options *opt,
                      pm_status (*on_comment)(void *context, char *text, pm_error *err),
                      void *context, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_onesided graph = {0};
    pm_triples *edges = &graph.edges;
    body b = {.s = s, .opt = opt, .to = edges};
    pm_status status = parse_banner(&b, banner, err);
    if (!status)
        status = read_sizes(&b, on_comment, context, err);
    if (status)
        goto done;
    *edges = (pm_triples){.field = b.field, .nrows = b.nrows, .ncols = b.ncols};
    graph.nvertices = b.nrows;
    if (b.symmetry == GENERAL)
        graph.directions = opt->pattern ? PM_DIRECTIONS_ANY : PM_DIRECTIONS_EQUAL;
    b.runs = (pm_edge_runs){
        .source = s,
        .form = {' ', b.field != PM_PATTERN, b.field == PM_INTEGER || pm_source_is_exact(s)},
        .least = 1,
        .most = {(int32_t)b.nrows, (int32_t)b.ncols}};
    status = foresee(&b, err);
    if (status)
        goto done;
    status = b.is_array ? read_array(&b, err) : read_coordinates(&b, err);
    pm_edge_runs_free(&b.runs);
    pm_triples_shrink(edges);
    if (!status)
        status = pm_triples_check_exponents(edges, pm_source_name(s), err);
    if (status)
        goto done;
    pm_one_set_note(edges, b.symmetry == GENERAL ? NULL : symmetry_names[b.symmetry], opt, about);
    status = opt->graph
                 ? pm_onesided_matrix(&graph, opt, pm_source_name(s), out, about, err)
                 : pm_matrix_from_triples(edges, opt->duplicates, pm_source_name(s), out, err);
    if (!status && (b.symmetry == GENERAL || b.symmetry == SYMMETRIC))
        pm_one_set_doubt(out, b.symmetry == GENERAL, opt, about);
done:
    pm_onesided_free(&graph);
    return status;
}

static bool sniff(const char *bytes, int64_t got)
{
    static const char head[] = "%%MatrixMarket";
    return got >= (int64_t)strlen(head) && strncasecmp(bytes, head, strlen(head)) == 0;
}

/* A file with a line "%pm: graph", as pm-gen writes it. */
static pm_status say_graph(const pm_stream_head *head, const pm_node *e, const pm_read_options *opt,
                           pm_reading *about, pm_error *err)
{
    about->one_set = true;
    snprintf(about->note, sizeof about->note,
             "read as a graph on one set of %" PRId64 " vertices, as a line %%pm: graph says",
             e->general ? e->matrix.nrows : e->matrix.nrows + e->matrix.ncols);
    if (!opt->loops && !(opt->copies && head->extras.has_loops))
        return PM_OK;
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": this line says whether the graph has loops%s",
                   pm_source_name(head->source), head->extras.graph_line,
                   pm_hint_text(PM_HINT_LOOPS_SAID));
}

/* A matrix that was cut out of a pm stream keeps its labels and order, unless it is read as a
 * one-sided graph; then no line may change its value. */
static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    pm_stream_head head = {.source = s, .version = 2, .opt = opt};
    char *banner;
    int64_t length;
    pm_status status = pm_source_text_line(s, &banner, &length, err);
    if (!status && !banner)
        status = pm_source_fail(s, err, "the input ends, expected a Matrix Market banner");
    if (!status)
        status =
            pm_mtx_body(s, banner, opt, opt->graph ? pm_stream_extras_refuse : pm_stream_head_line,
                        &head, &e->matrix, about, err);
    if (head.extras.graph_line)
        about->warning[0] = '\0';
    if (!status)
        status = pm_read_end(s, "the announced entries", err);
    if (!status && !opt->graph)
        status = pm_stream_head_finish(&head, e, err);
    if (!status && head.extras.graph_line)
        status = say_graph(&head, e, opt, about, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
    pm_stream_head_free(&head);
    return status;
}

const pm_format pm_format_mtx = {.name = "mtx", .sniff = sniff, .next = next, .one_graph = true};
