/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/formats.h: the table of formats that the reader knows, and what each of them provides.  A new
 * format is its file with a constant pm_format_ID, one line here and one in the man page. */
#ifndef PM_FORMATS_H
#define PM_FORMATS_H

#include "pm/io.h"
#include "text/scalar.h"
#include "text/source.h"

/* What a format says about its reading of an input.  Zeroed: nothing. */
typedef struct {
    char note[256];    /* what was assumed; shown on request */
    char warning[512]; /* another reading is as likely: the one that was taken, and what to type for
                        * the other */
    bool one_set;      /* the sides of its graphs are colour classes that were found */
    bool general;      /* the graph that was read last is as pm_node.general says */
    bool one_graph;    /* the input turned out to be one graph, where the format allows several */
} pm_reading;

/* Appends to the note, after "; " if there is one. */
void pm_reading_add_note(pm_reading *about, const char *text);

typedef struct {
    const char *name;
    /* True when the first bytes look like this format.  NULL: the format is used only when it is
     * named. */
    bool (*sniff)(const char *bytes, int64_t got);
    /* Reads the next node.  *e: initialised and reset.  *state: NULL before the first call; the
     * format may keep its own data there.  about: zeroed before the first call. */
    pm_status (*next)(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err);
    void (*close)(void **state); /* frees *state; may be NULL */
    bool one_graph;    /* an input is always one graph: next is called once, the reader adds
                     * PM_NODE_END */
    bool has_arrays;   /* it looks at pm_read_options.arrays */
    bool needs_helper; /* the helper program of pm_helper_path reads it */
} pm_format;

/* In the order in which they are tried.  edges accepts any text, so the formats after it are read
 * only when they are named.  graph6 reads sparse6 too; graphml, gml, pajek, ncol and lgl are read
 * by the igraph helper program (io/foreign.c); dense, npy and npz are in arrays/. */
#define PM_FORMATS(X)                                                                              \
    X(stream)                                                                                      \
    X(mtx)                                                                                         \
    X(graph6)                                                                                      \
    X(dimacs)                                                                                      \
    X(graphml)                                                                                     \
    X(gml)                                                                                         \
    X(pajek)                                                                                       \
    X(npy)                                                                                         \
    X(npz)                                                                                         \
    X(edges)                                                                                       \
    X(dense)                                                                                       \
    X(csv)                                                                                         \
    X(ncol)                                                                                        \
    X(lgl)

#define PM_DECLARE(id) extern const pm_format pm_format_##id;
PM_FORMATS(PM_DECLARE)
#undef PM_DECLARE

/* i = 0, 1, ...; NULL after the last one. */
const pm_format *pm_format_at(int i);
/* NULL when there is none of this name. */
const pm_format *pm_format_find(const char *name);

/* The path of pm-igraph-read, freed by the caller; NULL when memory ends.  (io/foreign.c) */
char *pm_helper_path(void);

/* Reads the body of a Matrix Market file, whose banner line has been read already.  Used by
 * pm_format_mtx and pm_format_stream.  For comment lines that start with "%pm:", on_comment is
 * called with the text after "%pm:"; other comments are skipped.  Exactly the announced number of
 * entries is read. */
pm_status pm_mtx_body(pm_source *s, const char *banner, const pm_read_options *opt,
                      pm_status (*on_comment)(void *context, char *text, pm_error *err),
                      void *context, pm_matrix *out, pm_reading *about, pm_error *err);

/* The "%pm:" lines in the head of one matrix (pm-stream(5)).  Used by pm_format_stream and
 * pm_format_mtx: set source, version and opt and zero the rest; call pm_mtx_body with
 * pm_stream_head_line and this struct as its context; then call pm_stream_head_finish, and in any
 * case pm_stream_head_free.
 * (io/stream_head.c) */
typedef struct {
    pm_labels labels;
    int64_t line; /* number of the last text line with labels; 0: none */
} pm_stream_labels;

/* Numbers of a head line, for each row or column. */
typedef struct {
    int64_t *value; /* NULL where only the count matters */
    int64_t count, cap;
    int64_t line; /* number of the last text line with them; 0: none */
} pm_stream_numbers;

/* Loops of the vertices (io/stream_vertices.c). */
typedef struct {
    pm_scalar *value;
    int64_t count, cap;
    int64_t line; /* number of the last text line with them; 0: none */
} pm_stream_loops;

/* The lines of version 2 (io/stream_extras.c). */
typedef struct {
    pm_matching_kind matchings;
    bool has_count;
    pm_stream_numbers row_times, col_times;   /* how often each row and column is repeated */
    pm_stream_numbers row_places, col_places; /* only counted: two for each row and column */
    int64_t graph_line;                       /* 0: no line "graph" */
    bool has_loops;                           /* it ends with "loops" */
    pm_stream_numbers vertex_times;           /* of a graph */
    pm_stream_loops vertex_loops;
} pm_stream_extras;

typedef struct {
    const pm_source *source;
    int version; /* of the stream, 1 to 3 */
    const pm_read_options *opt;
    pm_stream_labels rows, cols;
    pm_stream_extras extras;
    int32_t *order; /* row i as i, column j as -1 - j: the sizes are not known yet */
    int64_t order_len, order_cap, order_line;
    char *name;
    char *part; /* the beginning of a label that continues in the next line */
    int64_t part_len, part_cap;
    const pm_stream_labels *part_of; /* the side of that label; NULL: no label continues */
} pm_stream_head;

/* Reads one line.  text: the line after "%pm:", modified.  Fails: PM_EDATA, PM_ENOMEM. */
pm_status pm_stream_head_line(void *head, char *text, pm_error *err);
/* Checks labels and order against the sizes of e->matrix, and moves them and the name into *e.
 * Fails: PM_EDATA they do not fit, or both *e and the head have a name; PM_UNABLE, PM_ENOMEM. */
pm_status pm_stream_head_finish(pm_stream_head *head, pm_node *e, pm_error *err);
void pm_stream_head_free(pm_stream_head *head);

/* The line begins a matrix. */
bool pm_stream_is_banner(const char *line);
/* For a stream that ends before its last line: PM_EDATA. */
pm_status pm_stream_fail_cut(const pm_source *s, pm_error *err);

/* Reads the three matrices and the end of a period (pm/period.h) of this length into *e, and writes it out unless
 * opt->keep_repeats.  kind: "strip" or "ring".  (io/stream_period.c)
 * Fails: PM_EDATA, PM_ENOMEM; PM_UNABLE too large to be written out. */
pm_status pm_stream_period(pm_source *s, const pm_read_options *opt, const char *kind,
                           int64_t length, pm_node *e, pm_reading *about, pm_error *err);

/* A line of version 2 in the head of a matrix.  *is_known: false when `word` begins no such line.
 * rest: the line after the word, modified.
 * Fails: PM_EDATA; PM_UNABLE a line that is not read yet; PM_ENOMEM. */
pm_status pm_stream_extras_line(pm_stream_head *head, const char *word, int64_t length, char *rest,
                                bool *is_known, pm_error *err);
/* For a matrix whose "%pm:" lines are not read: those that change the value are refused.  head: a pm_stream_head; text: the line
 * after "%pm:", modified.  Fails: PM_EDATA. */
pm_status pm_stream_extras_refuse(void *head, char *text, pm_error *err);
/* Checks the numbers against the sizes of e->matrix, repeats its rows and columns or moves the
 * repetitions into *e, and sets e->matchings.  Fails: PM_EDATA, PM_UNABLE, PM_ENOMEM. */
pm_status pm_stream_extras_finish(pm_stream_head *head, pm_node *e, pm_error *err);
void pm_stream_extras_free(pm_stream_extras *extras);

/* The line "graph" in the head of a matrix; rest: the line after the word.  Fails: PM_EDATA. */
pm_status pm_stream_graph_line(pm_stream_head *head, char *rest, pm_error *err);
/* For a head with this line: checks the matrix, and makes *e a graph on one set of vertices, with rows and columns where it is
 * bipartite, as pm_onesided_matrix does.
 * Fails: PM_EDATA, PM_UNABLE, PM_ENOMEM. */
pm_status pm_stream_graph_finish(pm_stream_head *head, pm_node *e, pm_error *err);

/* The line "vertex-loops", of which there may be several.  Fails: PM_EDATA, PM_ENOMEM. */
pm_status pm_stream_vertex_loops_line(pm_stream_head *head, char *rest, pm_error *err);
/* For a head with a line vertex-times, whose numbers are right: makes *e a general graph with multiplicities, or with opt->keep_repeats
 * unset the one with its copies.  Fails: PM_EDATA, PM_UNABLE, PM_ENOMEM. */
pm_status pm_stream_vertices_finish(pm_stream_head *head, pm_node *e, pm_error *err);
void pm_stream_loops_free(pm_stream_loops *x);

enum {
    PM_STREAM_LINE_MAX = 1000, /* bytes of a "%pm:" line in the head of a matrix */
};

/* Decodes TEXT of the grammar in pm-stream(5): removes the blanks at both ends and decodes escapes.
 * text is modified.  *out: freed by the caller with free().  Fails: PM_EDATA, PM_ENOMEM. */
pm_status pm_stream_text(const pm_source *s, char *text, char **out, pm_error *err);

/* An edge that is given twice, as a b and as b a. */
typedef enum {
    PM_DIRECTIONS_ONE,   /* is a duplicate */
    PM_DIRECTIONS_EQUAL, /* is one edge, unless duplicates are added; the weights must be equal */
    PM_DIRECTIONS_ANY    /* the same, and the weights do not matter */
} pm_directions;

/* An undirected graph on one set of nvertices vertices. */
typedef struct {
    int64_t nvertices;
    pm_triples edges; /* the ends of an edge are its row and its column */
    pm_matrix *
        symmetric; /* NULL, or the adjacency matrix in place of the edges; its values are moved out */
    pm_labels labels;  /* of the vertices; count may be 0 */
    signed char *type; /* of each vertex: 0 left side, 1 right side; or NULL */
    pm_directions directions;
    signed char
        *side; /* NULL, or room for each vertex: set to 0 for a row and 1 for a column of the
                        * result, unless it is the adjacency matrix; the caller frees it */
} pm_onesided;

/* The graph as a matrix.  The two sides are the colour classes of each component: the class of its
 * smallest vertex is on the left, unless `type` names the sides.  With opt->general a graph that has an odd cycle, or loops that are kept, is
 * its symmetric adjacency matrix instead; sets about->general.  g: the edges, or values, are moved out.
 * name: of the input, for messages.
 * Fails: PM_UNABLE not bipartite (the message names an odd cycle); PM_EDATA `type` does not fit; PM_ENOMEM. */
pm_status pm_onesided_matrix(pm_onesided *g, const pm_read_options *opt, const char *name,
                             pm_matrix *out, pm_reading *about, pm_error *err);
void pm_onesided_free(pm_onesided *g);

#endif
