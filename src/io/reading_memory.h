/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/reading_memory.h: the memory that reading a graph takes, said before it is taken.
 *
 * Two numbers are predicted: the peak, as well as it can be known, which is only said; and bytes without which the graph cannot be
 * read, whatever else it holds.  Only these refuse an input, so that no input is refused that fits. */
#ifndef PM_READING_MEMORY_H
#define PM_READING_MEMORY_H

#include "io/formats.h"

/* What is known of a graph before it is read. */
typedef struct {
    double entries; /* both halves of a symmetric matrix */
    int values;     /* numbers an entry: 0 for a pattern, 1, or 2 for complex ones */
    double rows, cols;
    bool one_set;     /* the vertices are rows and columns */
    bool is_in_order; /* by rows */
    bool is_mirrored; /* two entries come from one line */
    bool has_sizes;   /* integer labels are positions */
    /* Of the labels that are collected, of rows and of columns or of all: their number, the largest (-1: not all are
     * integers), and the bytes of one. */
    double labels[2], largest[2], bytes[2];
} pm_reading_shape;

/* Bytes at the peak. */
double pm_reading_memory_likely(const pm_reading_shape *x);
/* So many of these bytes are allocated at the same time whatever the labels and the order of the entries are.  Rows and columns
 * count unless nearly all of them are empty: such a matrix is refused for that.  x: 0 for what is not known. */
double pm_reading_memory_least(const pm_reading_shape *x);

/* Says these bytes in a note, where they are at least a MiB.  name: of the input.  how: "about" or "at most". */
void pm_reading_memory_say(const char *name, const pm_read_options *opt, const char *how,
                           double entries, double bytes);

/* The bytes that reading may take from now on; infinite where the process has no bound (pm/memory.h). */
double pm_reading_memory_left(void);
/* PM_UNABLE: `least` bytes for so many entries are more than these. */
pm_status pm_reading_memory_refuse(const pm_source *s, double entries, double least, double left,
                                   pm_error *err);

/* `lines` entries have been announced, of an n x m matrix.  Says the memory that they take.  An input that cannot hold
 * them is bad, whatever it announces: nothing is said then.
 * x: what is known: values, rows, cols, one_set, is_mirrored.
 * *room: entries for which room may be made; 0: none.
 * Fails: PM_UNABLE they need more than is left. */
pm_status pm_reading_memory_announced(const pm_source *s, const pm_read_options *opt,
                                      const pm_reading_shape *x, int64_t lines, int64_t n,
                                      int64_t *room, pm_error *err);

/* ---- lists of edges, whose number is not announced ---- */

/* The first edge of a list has been found.  rows, cols: the sizes of the sides, -1: not announced.
 * *edges: about how many there are; 0: nothing is known of them, as of a pipe, gzip data or a short file.
 * Fails: PM_UNABLE they need more than `left`; as pm_line_sample_count. */
pm_status pm_reading_memory_foresee(const pm_source *s, const pm_read_options *opt, bool one_set,
                                    int64_t rows, int64_t cols, double left, int64_t *edges,
                                    pm_error *err);

/* Looks at the edges that have been read, now and then. */
typedef struct {
    double left;     /* bytes, at the beginning */
    int64_t look_at; /* so many edges are enough for the next look */
    bool is_said;    /* the memory of all edges; pm_reading_memory_foresee found it */
    double said_to;  /* so many edges have the memory that was said, where the input has no size */
} pm_reading_watch;

pm_reading_watch pm_reading_watch_begin(void);
/* now: of the edges that have been read, with their labels so far.  Says the memory for all edges of gzip data; of a pipe, whose
 * length is unknown, that of twice as many edges, and again when there are as many.
 * Fails: PM_UNABLE. */
pm_status pm_reading_watch_look(pm_reading_watch *x, const pm_source *s, const pm_read_options *opt,
                                const pm_reading_shape *now, pm_error *err);

#endif
