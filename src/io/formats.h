/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/formats.h: the table of formats that the reader knows, and what each of them provides.  A new
 * format is its file with a constant pm_format_ID, one line here and one in the man pages. */
#ifndef PM_FORMATS_H
#define PM_FORMATS_H

#include "io/source.h"
#include "pm/io.h"

typedef struct {
    const char *name;
    /* True when the first bytes look like this format; NULL: only with --from. */
    bool (*sniff)(const char *bytes, int64_t got);
    /* One event after another; state starts NULL, is the format's own, and is released by close
     * (may be NULL).  note: 256 bytes for what was assumed. */
    pm_status (*next)(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      char *note, pm_error *err);
    void (*close)(void **state);
    bool one_graph; /* the input is one graph: next is called once, the reader adds PM_NODE_END */
} pm_format;

/* In the order in which they are tried.  edges takes any text, so that those after it are read only
 * with --from.  graph6 reads sparse6 too; graphml, gml, pajek, ncol and lgl are read by the igraph
 * helper program (io/foreign.c). */
#define PM_FORMATS(X)                                                                              \
    X(stream)                                                                                      \
    X(mtx)                                                                                         \
    X(graph6)                                                                                      \
    X(dimacs)                                                                                      \
    X(graphml)                                                                                     \
    X(gml)                                                                                         \
    X(pajek)                                                                                       \
    X(edges)                                                                                       \
    X(ncol)                                                                                        \
    X(lgl)

#define PM_DECLARE(id) extern const pm_format pm_format_##id;
PM_FORMATS(PM_DECLARE)
#undef PM_DECLARE

/* i = 0, 1, ...; NULL after the last one. */
const pm_format *pm_format_at(int i);
/* NULL when there is none of this name. */
const pm_format *pm_format_find(const char *name);

/* A value in the line just read, of PM_INTEGER or PM_REAL; *is_integer may be NULL. */
pm_status pm_read_value(const pm_source *s, const char *text, int64_t length, pm_field field,
                        pm_dyadic *out, bool *is_integer, pm_error *err);

/* The input has nothing but blank lines left; else PM_EDATA, what names what came before. */
pm_status pm_read_end(pm_source *s, const char *what, pm_error *err);

/* The body of a Matrix Market file after its banner line (already read): shared by
 * pm_format_mtx and pm_format_stream.  Comment lines that start with "%pm:" are handed to
 * on_comment (the text after "%pm:"); other comments are skipped.  Reads exactly the announced
 * entries and stops after the last one. */
pm_status pm_mtx_body(pm_source *s, const char *banner, const pm_read_options *opt,
                      pm_status (*on_comment)(void *context, char *text, pm_error *err),
                      void *context, pm_matrix *out, char *note, pm_error *err);

/* What the "%pm:" lines in the head of one matrix say (pm-stream(5)): shared by pm_format_stream
 * and pm_format_mtx.  Set source, zero the rest, give pm_stream_head_line with the struct as its
 * context to pm_mtx_body, then finish; free in any case.  (io/stream_head.c) */
typedef struct {
    pm_labels labels;
    int64_t cap_pool, cap_offset;
    int64_t line; /* of the last line that gave labels */
} pm_stream_labels;

typedef struct {
    const pm_source *source;
    pm_stream_labels rows, cols;
    int32_t *order; /* row i as i, column j as -1 - j: the sizes are not known yet */
    int64_t order_len, order_cap, order_line;
    char *name;
    char *part; /* first bytes of a label that goes on in the next line, or NULL */
    int64_t part_len, part_cap;
    const pm_stream_labels *part_of; /* the side it belongs to, or NULL */
} pm_stream_head;

/* text: what follows "%pm:"; modified.  Fails: PM_EDATA, PM_ENOMEM. */
pm_status pm_stream_head_line(void *head, char *text, pm_error *err);
/* Check labels and order against the sizes of e->matrix and move them and the name into e.
 * An event that has a name already and a head that gives one: PM_EDATA. */
pm_status pm_stream_head_finish(pm_stream_head *head, pm_node *e, pm_error *err);
void pm_stream_head_free(pm_stream_head *head);

enum {
    PM_STREAM_LINE_MAX = 1000, /* bytes of a "%pm:" line in the head of a matrix */
};

/* TEXT of the grammar: without the blanks at both ends, escapes decoded; modifies text.
 * *out is for free(). */
pm_status pm_stream_text(const pm_source *s, char *text, char **out, pm_error *err);

/* An undirected one-sided graph on nvertices vertices (edges u[k], v[k], weights optional in re,
 * labels optional) as a matrix: the colour classes of each component, the class of the smallest
 * vertex on the left, or `type` (0 left, 1 right) where given.  Not bipartite: PM_EDATA with an
 * odd cycle in the message. */
typedef struct {
    int64_t nvertices;
    pm_triples edges; /* row = u, col = v */
    pm_labels labels;
    signed char *type; /* nvertices entries or NULL */
} pm_onesided;

pm_status pm_onesided_matrix(pm_onesided *g, pm_duplicates how, const char *name, pm_matrix *out,
                             pm_error *err);
void pm_onesided_free(pm_onesided *g);

#endif
