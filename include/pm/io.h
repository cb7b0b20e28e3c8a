/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/io.h: reading graphs in many formats, writing graphs and pm streams.
 *
 * Every input, whatever its format, is read as a sequence of the nodes of expressions
 * (pm/expression.h).  An edge list or a Matrix Market file is one PM_NODE_MATRIX; graph6 gives one
 * matrix for each line; a pm stream (pm-stream(5)) gives nested groups. */
#ifndef PM_IO_H
#define PM_IO_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "pm/expression.h"
#include "pm/matrix.h"
#include "pm/status.h"

/* ---- reading ---- */

typedef struct {
    const char *from; /* format name to force, or NULL: by content */
    bool pattern;     /* take the 0/1 pattern, explicit zeros dropped first */
    bool graph;       /* read edges as those of a one-sided graph; find the colour classes */
    pm_duplicates duplicates;
    const volatile sig_atomic_t *stop; /* nonzero: a read that is interrupted is not taken up
                                        * again (PM_ESTOPPED); may be NULL */
} pm_read_options;

typedef struct pm_reader pm_reader;

/* path: a file, plain or gzip; NULL or "-": standard input.
 * Fails: PM_ENOINPUT cannot be opened, PM_EUSAGE unknown format name. */
pm_status pm_reader_open(const char *path, const pm_read_options *opt, pm_reader **out,
                         pm_error *err);

/* The next node; *out is initialised by the caller and is reset first.  PM_NODE_END after the last
 * node and after a failure.  Groups are nested properly, at most PM_DEPTH_MAX deep.
 * Fails: PM_EDATA (message: "name:line: what was expected"), PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_reader_next(pm_reader *r, pm_node *out, pm_error *err);
/* The same as a source of nodes; its name is pm_reader_name.  Valid while the reader is open. */
pm_node_source pm_reader_source(pm_reader *r);

/* What was assumed about the input (sides, sizes, symmetric storage), or "" */
const char *pm_reader_note(const pm_reader *r);
/* For messages: the path, or "(standard input)" */
const char *pm_reader_name(const pm_reader *r);
/* "edges", "mtx", "pm-stream", "graph6", ... known after the first event */
const char *pm_reader_format(const pm_reader *r);
/* Whether the format holds one graph an input; known after the first event */
bool pm_reader_is_one_graph(const pm_reader *r);
void pm_reader_close(pm_reader **r);

/* Names for pm_read_options.from.  i = 0, 1, ...; NULL after the last one. */
const char *pm_format_name(int i);

/* ---- writing ---- */

/* One Matrix Market file.  comments: NULL or lines without "%", for the head. */
pm_status pm_write_mtx(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err);
/* Edge list with 1-based numbers or labels, and a "# pm-edges ROWS COLS" line unless the labels of
 * a side are integers (which would be positions under it).
 * Fails: PM_UNABLE (complex weights; labels that an edge list cannot hold). */
pm_status pm_write_edges(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err);

typedef struct pm_writer pm_writer;

/* A pm stream on f (not closed by the writer).  made_by: provenance line or NULL. */
pm_status pm_writer_open(FILE *f, const char *made_by, pm_writer **out, pm_error *err);
/* Writes any node but PM_NODE_END.  Only an open group can be closed (assert).
 * Fails: PM_EIO, PM_ENOMEM, PM_UNABLE (groups more than PM_DEPTH_MAX deep). */
pm_status pm_writer_put(pm_writer *w, const pm_node *node, pm_error *err);
/* Writes the last line and frees the writer. */
pm_status pm_writer_close(pm_writer **w, pm_error *err);
/* Frees the writer without the last line: readers see that the stream was cut. */
void pm_writer_drop(pm_writer **w);

#endif
