/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/io.h: graphs in, events out.
 *
 * Every input, whatever its format, is read as a sequence of events.  An edge list or Matrix
 * Market file is one PM_EV_MATRIX; graph6 gives one a line; a pm stream (pm-stream(5)) gives
 * nested groups.  The expression tree is never held in memory: whoever needs a tree (the
 * evaluator of pm-count, the mappers of the other filters) keeps the path from the root, so sums
 * of millions of terms pass through in the memory of one term. */
#ifndef PM_IO_H
#define PM_IO_H

#include <gmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* ---- events ---- */

typedef enum {
    PM_EV_MATRIX,  /* a leaf: the permanent of `matrix` */
    PM_EV_FACTOR,  /* a leaf: the number `factor` alone */
    PM_EV_PRODUCT, /* opens a group */
    PM_EV_SUM,     /* opens a group */
    PM_EV_CLOSE,   /* closes the innermost group */
    PM_EV_EOF      /* the input ended where it may; nothing follows */
} pm_event_kind;

/* Exact number that multiplies a node; complex ones have an imaginary part.
 * field: what the value becomes by it: PM_INTEGER for integers and rationals, PM_REAL for hex
 * floats, PM_COMPLEX. */
typedef struct {
    pm_field field;
    mpq_t re, im;
} pm_factor;

void pm_factor_init(pm_factor *f); /* 1, PM_INTEGER */
void pm_factor_clear(pm_factor *f);

typedef struct {
    pm_event_kind kind;
    pm_factor factor;  /* of the node or leaf; 1 unless given */
    mpz_t times;       /* repeats the node: power in a product and at the top, multiple in a sum */
    pm_matrix matrix;  /* PM_EV_MATRIX */
    int32_t *order;    /* mixed vertex order given for the matrix (pm/matrix.h), or NULL */
    int64_t order_len; /* its length */
    char *name;        /* label of the node, or NULL */
    int64_t line;      /* where it begins, for messages */
} pm_event;

void pm_event_init(pm_event *e);
void pm_event_clear(pm_event *e); /* releases; may be called again */
void pm_event_reset(pm_event *e); /* as after pm_event_init */

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

/* The next event; *e is initialised by the caller and reset first.  After PM_EV_EOF no more.
 * Fails: PM_EDATA (message: "name:line: what was expected"), PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_reader_next(pm_reader *r, pm_event *e, pm_error *err);

/* What was assumed about the input (sides, sizes, symmetric storage), or "" */
const char *pm_reader_note(const pm_reader *r);
/* For messages: the path, or "(standard input)" */
const char *pm_reader_name(const pm_reader *r);
/* "edges", "mtx", "pm-stream", "graph6", ... known after the first event */
const char *pm_reader_format(const pm_reader *r);
/* Whether the format holds one graph an input; known after the first event */
bool pm_reader_is_one_graph(const pm_reader *r);
void pm_reader_close(pm_reader **r);

/* Names that --from takes, NULL-terminated. */
extern const char *const pm_format_names[];

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
/* Any event but PM_EV_EOF; the writer checks nesting (assert).
 * Fails: PM_EIO, PM_ENOMEM, PM_UNABLE (groups more than 1000 deep). */
pm_status pm_writer_put(pm_writer *w, const pm_event *e, pm_error *err);
/* Writes the last line and frees the writer. */
pm_status pm_writer_close(pm_writer **w, pm_error *err);
/* Frees the writer without the last line: readers see that the stream was cut. */
void pm_writer_drop(pm_writer **w);

#endif
