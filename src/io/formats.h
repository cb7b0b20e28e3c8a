/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/formats.h: what the reader asks of each format.  One file a format. */
#ifndef PM_FORMATS_H
#define PM_FORMATS_H

#include "pm/io.h"
#include "source.h"

/* A format is a const struct in the table of io/reader.c. */
typedef struct {
    const char *name;
    /* True when the first bytes look like this format; NULL: only with --from. */
    bool (*sniff)(const char *bytes, int64_t got);
    /* One event after another; state starts NULL, is the format's own, and is released by close
     * (may be NULL).  note: 256 bytes for what was assumed. */
    pm_status (*next)(pm_source *s, const pm_read_options *opt, void **state, pm_event *e,
                      char *note, pm_error *err);
    void (*close)(void **state);
} pm_format;

extern const pm_format pm_format_stream;  /* io/stream_read.c */
extern const pm_format pm_format_mtx;     /* io/mtx_read.c */
extern const pm_format pm_format_edges;   /* io/edges_read.c */
extern const pm_format pm_format_graph6;  /* io/graph6.c, sparse6 too */
extern const pm_format pm_format_dimacs;  /* io/dimacs.c */
extern const pm_format pm_format_foreign; /* io/foreign.c: GraphML, GML, Pajek, NCOL, LGL through
                                             the igraph helper program */

/* The body of a Matrix Market file after its banner line (already read): shared by
 * pm_format_mtx and pm_format_stream.  Comment lines that start with "%pm:" are handed to
 * on_comment (the text after "%pm:"); other comments are skipped.  Reads exactly the announced
 * entries and stops after the last one. */
pm_status pm_mtx_body(pm_source *s, const char *banner, const pm_read_options *opt,
                      pm_status (*on_comment)(void *context, char *text, pm_error *err),
                      void *context, pm_matrix *out, char *note, pm_error *err);

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
