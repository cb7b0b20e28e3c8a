/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/io.h: reading graphs in many formats, writing graphs and pm streams.
 *
 * Every input, whatever its format, is read as a sequence of the nodes of expressions
 * (pm/expression.h).  An edge list or a Matrix Market file is one PM_NODE_MATRIX; graph6 gives one
 * matrix for each line; a pm stream (pm-stream(5)) gives nested groups. */
#ifndef PM_IO_H
#define PM_IO_H

#include <stdbool.h>
#include <stdio.h>

#include "pm/expression.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* ---- reading ---- */

/* Whether the first line of a table of edges names its columns. */
typedef enum {
    PM_HEADER_AUTO, /* recognise it */
    PM_HEADER_YES,
    PM_HEADER_NO
} pm_header;

typedef struct {
    const char *from; /* name of the format; NULL: recognise it by the content */
    /* Decimals mean themselves, 0.1 is 1/10, and a number may be a quotient such as -3/7; otherwise decimals are rounded to
     * doubles.  Entries may be fractions then (pm/dyadic.h).  Streams with real or complex numbers, which are doubles, are refused,
     * PM_UNABLE; but for parts, whose numbers mean themselves. */
    bool exact;
    bool pattern;   /* give the 0/1 pattern; entries that are written as 0 are left out */
    bool graph;     /* edges join vertices of one set; the two colour classes are found and become
                       * the rows and the columns */
    bool bipartite; /* edges join a row and a column: no warning where the input looks like
                       * the edges of one set; graphs with one set are PM_EDATA; excludes
                       * graph */
    bool
        general; /* graphs on one set of vertices need not be bipartite (pm_node.general); otherwise an odd cycle is
                   * PM_EDATA */
    bool
        general_always; /* with general: graphs on one set of vertices are pm_node.general, bipartite ones too */
    /* With general: what is done with edges that join a vertex to itself.  NULL: they are left out.  "": they are the loops of the
     * graph.  A number: this is the loop of every vertex, in addition.  A graph with loops is pm_node.general.
     * Stays valid while the reader is open. */
    const char *loops;
    /* With general: the vertices will have copies.  Edges that join a vertex to itself are kept on the diagonal, as those between its
     * copies, and every graph on one set of vertices is pm_node.general.  Other graphs are PM_EDATA.  Excludes loops. */
    bool copies;
    bool keep_repeats; /* repetitions of rows and columns are given as pm_node.row_times and
                        * col_times, and periodic graphs by pm_node.period; otherwise they are
                        * written out */
    /* The partial result of a count, in a pm stream, is passed over, and its graphs have their loops; else it is PM_EDATA. */
    bool parts;
    pm_duplicates duplicates;
    /* Of a table of edges (format csv): "LEFT,RIGHT[,WEIGHT]", names or numbers from 1; stays valid while the
     * reader is open; NULL: the first two, or the only three. */
    const char *columns;
    char delimiter; /* of such a table; 0: recognise a comma, semicolon or tab */
    pm_header header;
    /* Of an archive of arrays (format npz): the names of those to read, then NULL; stays valid while the reader
     * is open; NULL: all. */
    const char *const *arrays;
    /* The graphs of an archive are called ARCHIVE:NAME; stays valid while the reader is open; NULL: they are
     * called NAME. */
    const char *archive;
    bool says_memory; /* how much memory reading takes is a note of level 0, not of level 1 */
    /* When *run->stop is not 0, the next line or block of bytes fails with PM_ESTOPPED; run->progress is told
     * the part of the file that was read.  Stays valid while the reader is open; may be NULL. */
    const pm_run *run;
} pm_read_options;

typedef struct pm_reader pm_reader;

/* Opens an input.  path: a file, plain or gzip; NULL or "-": standard input.
 * opt: copied; opt->run must stay valid while the reader is open.
 * *out: closed by the caller with pm_reader_close.
 * Fails: PM_ENOINPUT cannot be opened, PM_EUSAGE unknown format name. */
pm_status pm_reader_open(const char *path, const pm_read_options *opt, pm_reader **out,
                         pm_error *err);

/* The next node; *out is initialised by the caller and is reset first.  PM_NODE_END after the last
 * node and after a failure.  Groups are nested properly, at most PM_DEPTH_MAX deep.
 * Fails: PM_EDATA (message: "name:line: what was expected"), PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_reader_next(pm_reader *r, pm_node *out, pm_error *err);
/* The same as a source of nodes; its name is pm_reader_name.  Valid while the reader is open. */
pm_node_source pm_reader_source(pm_reader *r);

/* The assumptions about the input (sides, sizes, symmetric storage), or "" */
const char *pm_reader_note(const pm_reader *r);
/* The reading that was taken, where another is as likely, and how to ask for the other; or "" */
const char *pm_reader_warning(const pm_reader *r);
/* For messages: the path, or "(standard input)".  Valid while the reader is open. */
const char *pm_reader_name(const pm_reader *r);
/* The name of the format ("edges", "mtx", "pm-stream", "graph6", ...); known after the first
 * node. */
const char *pm_reader_format(const pm_reader *r);
/* True when the format or the head of the input says that there is exactly one graph; known after the
 * first node. */
bool pm_reader_is_one_graph(const pm_reader *r);
/* Closes the reader and sets *r to NULL; *r may be NULL. */
void pm_reader_close(pm_reader **r);

/* Names for pm_read_options.from.  i = 0, 1, ...; NULL after the last one. */
const char *pm_format_name(int i);

/* ---- writing ---- */

/* Writes one Matrix Market file.  comments: lines for the head, without "%", then NULL; or NULL.
 * Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_write_mtx(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err);
/* Writes an edge list with labels, or with numbers from 1 for a side without labels.  It starts
 * with a "# pm-edges ROWS COLS" line unless the labels of a side are integers: after such a line
 * integers are positions.
 * Fails: PM_UNABLE complex weights, labels that an edge list cannot hold; PM_EIO, PM_ENOMEM. */
pm_status pm_write_edges(FILE *f, const pm_matrix *a, const char *const *comments, pm_error *err);

/* The same for a graph on one set of vertices, whose edges are in the upper triangle of a: an edge list that starts with
 * a "# pm-graph VERTICES" line, or a symmetric Matrix Market file with a line "%pm: graph", or "%pm: graph loops" if a has a diagonal
 * (pm-stream(5)).  Fails: as above. */
pm_status pm_write_graph_mtx(FILE *f, const pm_matrix *a, const char *const *comments,
                             pm_error *err);
pm_status pm_write_graph_edges(FILE *f, const pm_matrix *a, const char *const *comments,
                               pm_error *err);

typedef struct pm_writer pm_writer;

/* Begins a pm stream on f.  The caller closes f after the writer.  made_by: the text of a
 * "made-by" line, or NULL.  Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_writer_open(FILE *f, const char *made_by, pm_writer **out, pm_error *err);
/* Real and complex entries are written as numbers that mean themselves, fractions too, for a reader of exact numbers. */
void pm_writer_set_exact(pm_writer *w);
/* Writes any node but PM_NODE_END.  Only an open group can be closed (assert).
 * Fails: PM_EIO, PM_ENOMEM, PM_UNABLE (groups more than PM_DEPTH_MAX deep). */
pm_status pm_writer_put(pm_writer *w, const pm_node *node, pm_error *err);
/* How many nodes have been put, those that failed too. */
int64_t pm_writer_count(const pm_writer *w);
/* Writes the last line of a stream to f, whose writer is gone.  Returns false when that failed. */
bool pm_writer_put_end(FILE *f);
/* Writes the last line, flushes f, frees the writer and sets *w to NULL.  No group is open.
 * Fails: PM_EIO. */
pm_status pm_writer_close(pm_writer **w, pm_error *err);
/* Frees the writer without the last line, so that readers report a cut stream; *w may be NULL. */
void pm_writer_drop(pm_writer **w);

#endif
