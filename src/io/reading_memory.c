/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of what the readers allocate, from the texts of edge_table.c, onesided.c and matrix/triples_sort.c; a test compares them with
 * what is allocated. */
#include "config.h"

#include "io/reading_memory.h"

#include <inttypes.h>
#include <math.h>

#include "core/size.h"
#include "pm/memory.h"
#include "pm/settings.h"
#include "text/line_sample.h"

enum {
    PLACE = 8,         /* pm_coordinates */
    MARK = 16,         /* of pm_text_lines */
    COLUMN = 4,        /* of an entry */
    VALUE = 16,        /* pm_dyadic */
    NUMBER = 8,        /* of an entry, where values move with it */
    START = 8,         /* of a line */
    FEW = 3 << 17,     /* buffers of lines and edges: of short lists, */
    MANY = 35 << 17,   /* and of long ones (edge_runs.c), */
    WEIGHTS = 3 << 20, /* with weights */
    FIRST_LOOK = 1 << 20
};
#define SAID      0x1p20 /* bytes; less is not worth a note */
#define NEXT_LOOK 1.25   /* times as many edges */

/* Arrays that double. */
static double grown(double count)
{
    return count > 16 ? exp2(ceil(log2(count))) : 16;
}

/* Labels of this size are values, edge_table.c, and need no numbers. */
static bool are_values(double entries, double largest)
{
    return largest >= 0 && largest <= fmax(0x1p24, 16 * entries);
}

/* While labels are collected, of one side: a set of values (edges/integer_set.h), or numbers (edges/label_map.c). */
static double label_bytes(double entries, double count, double largest, double bytes)
{
    if (count == 0)
        return 0;
    if (are_values(entries, largest))
        return 0.25 * 1.5 * (largest + 1);
    if (largest >= 0) /* in a hash table, but still integers */
        return 8 * grown(2 * count) + 4 * grown(count);
    return 8 * grown(2 * count) + 1.5 * count * (bytes + 1) + 8 * grown(count);
}

/* Those of the matrix.  Labels 1, 2, ..., n are not kept. */
static double kept_bytes(double count, double largest, double bytes, bool has_sizes)
{
    if (count == 0 || (largest >= 0 && (has_sizes || count > 0.9 * largest)))
        return 0;
    return largest >= 0 ? 4 * count : count * (bytes + 1 + 8);
}

/* From entries to rows; x->rows and x->cols are known. */
static double sorting(const pm_reading_shape *x)
{
    const double wide = x->values ? NUMBER : 0;
    const double by_row =
        x->entries * (PLACE + COLUMN + VALUE * x->values + wide) + START * x->rows;
    const double sorts = x->is_in_order ? 0 : x->entries * (COLUMN + wide) + START * x->cols;
    const double builds =
        x->values ? x->entries * (COLUMN + VALUE * x->values) + START * x->rows : 0;
    return by_row + fmax(sorts, builds);
}

/* The search for the two classes, in onesided.c: the places for messages, both halves and the matrix. */
static double colouring(const pm_reading_shape *x)
{
    const double half = x->entries * (COLUMN + VALUE * x->values) + START * x->rows;
    return x->entries * PLACE + 3 * half + 13 * x->rows;
}

double pm_reading_memory_likely(const pm_reading_shape *x)
{
    double labels = 0, kept = 0, ordering = 0;
    for (int k = 0; k < 2; ++k) {
        labels += label_bytes(x->entries, x->labels[k], x->largest[k], x->bytes[k]);
        kept += kept_bytes(x->labels[k], x->largest[k], x->bytes[k], x->has_sizes);
        if (!are_values(x->entries, x->largest[k]))
            ordering += 8 * x->labels[k]; /* positions, and labels in their order */
    }
    const double marks = x->is_mirrored ? MARK * grown(x->entries / 2) : 0;
    const double entries = x->entries * (PLACE + VALUE * x->values) + marks;
    const double buffers = x->entries < FIRST_LOOK ? FEW : MANY + WEIGHTS * x->values;
    const double most = fmax(entries + labels + buffers, entries + labels + ordering + kept);
    if (!x->one_set)
        return fmax(most, sorting(x) + marks + kept);
    return fmax(fmax(most, sorting(x) + marks + x->entries * PLACE + kept),
                colouring(x) + 2 * kept);
}

double pm_reading_memory_least(const pm_reading_shape *x)
{
    const double of_entry =
        PLACE + COLUMN + VALUE * x->values + (x->values ? NUMBER : 0) + (x->one_set ? PLACE : 0);
    const bool counts_rows = x->rows + x->cols <= 16 * x->entries;
    return of_entry * x->entries + (counts_rows ? START * x->rows : 0);
}

void pm_reading_memory_say(const char *name, const pm_read_options *opt, const char *how,
                           double entries, double bytes)
{
    if (bytes >= SAID)
        pm_run_note(opt->run, opt->says_memory ? 0 : 1, "%s: reading: %s %.3g entries and %s", name,
                    how, entries, pm_size(bytes).s);
}

static void say_likely(const pm_source *s, const pm_read_options *opt, const pm_reading_shape *x)
{
    pm_reading_memory_say(pm_source_name(s), opt, "about", x->entries, pm_reading_memory_likely(x));
}

double pm_reading_memory_left(void)
{
    return pm_memory_limit() ? (double)pm_memory_left() : INFINITY;
}

pm_status pm_reading_memory_refuse(const pm_source *s, double entries, double least, double left,
                                   pm_error *err)
{
    if (least <= left)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s: refused: to read %.0f entries takes at least %s; %s are left%s",
                   pm_source_name(s), entries, pm_size(least).s, pm_size(left).s,
                   pm_hint_text(PM_HINT_MEMORY));
}

/* ---- Matrix Market ---- */

/* As far as it can be known before they are read. */
static bool are_in_order(const pm_source *s)
{
    pm_line_sample sample;
    return pm_line_sample_take(s, &sample) && sample.is_ascending;
}

pm_status pm_reading_memory_announced(const pm_source *s, const pm_read_options *opt,
                                      const pm_reading_shape *x, int64_t lines, int64_t n,
                                      int64_t *room, pm_error *err)
{
    const int64_t shortest = 4 + 2 * x->values; /* "1 1\n" */
    const int64_t most = pm_source_most_left(s) / shortest + 1;
    const bool is_doubled = x->is_mirrored && lines < INT64_MAX / 2;
    const int64_t entries = is_doubled ? 2 * lines - (n < lines ? n : lines) : lines;
    pm_reading_shape shape = *x;
    *room = 0;
    if (lines > most)
        return PM_OK;
    shape.entries = (double)entries;
    shape.is_mirrored = is_doubled;
    /* a sample takes a millisecond: not for each of thousands of small matrices of a stream */
    if (pm_reading_memory_likely(&shape) >= SAID)
        shape.is_in_order = !x->is_mirrored && are_in_order(s);
    say_likely(s, opt, &shape);
    if (opt->duplicates != PM_DUPLICATES_ERROR) /* all may be on the diagonal */
        shape.entries = (double)lines;
    pm_status status = pm_reading_memory_refuse(s, shape.entries, pm_reading_memory_least(&shape),
                                                pm_reading_memory_left(), err);
    if (!status && most < INT64_MAX / shortest)
        *room = is_doubled ? 2 * lines : lines;
    return status;
}

/* ---- lists of edges ---- */

static double smaller(double estimate, double size)
{
    return size < 0 ? estimate : fmin(estimate, size);
}

static pm_reading_shape shape_of(const pm_line_sample *sample, bool one_set, int64_t rows,
                                 int64_t cols)
{
    const pm_line_field *f = sample->field;
    pm_reading_shape x = {
        .entries = sample->lines,
        .values = sample->has_more,
        .one_set = one_set,
        .is_in_order = sample->is_ascending,
        .has_sizes = rows >= 0,
        .labels = {smaller(f[0].distinct, (double)rows), smaller(f[1].distinct, (double)cols)},
        .largest = {f[0].largest, f[1].largest},
        .bytes = {f[0].bytes, f[1].bytes}};
    if (one_set) { /* most vertices may be at both ends of edges, or none */
        const bool are_integers = x.largest[0] >= 0 && x.largest[1] >= 0;
        const double all = x.labels[0] + x.labels[1];
        x.largest[0] = are_integers ? fmax(x.largest[0], x.largest[1]) : -1;
        x.labels[0] = are_integers ? fmin(all, x.largest[0] + 1) : all;
        x.labels[0] = smaller(x.labels[0], (double)rows);
        x.labels[1] = 0;
    }
    x.rows = rows < 0 ? x.labels[0] : (double)rows;
    x.cols = one_set ? x.rows : cols < 0 ? x.labels[1] : (double)cols;
    return x;
}

pm_status pm_reading_memory_foresee(const pm_source *s, const pm_read_options *opt, bool one_set,
                                    int64_t rows, int64_t cols, double left, int64_t *edges,
                                    pm_error *err)
{
    pm_line_sample sample;
    *edges = 0;
    if (!pm_line_sample_take(s, &sample))
        return PM_OK;
    const pm_reading_shape shape = shape_of(&sample, one_set, rows, cols);
    const double likely = pm_reading_memory_likely(&shape);
    *edges = (int64_t)sample.lines;
    say_likely(s, opt, &shape);
    if (likely <= left)
        return PM_OK;
    int64_t lines = 0;
    pm_status status = pm_line_sample_count(s, &lines, err);
    ++lines; /* that of the first edge has been taken */
    const pm_reading_shape sure = {.entries = (double)lines,
                                   .rows = rows > 0 ? (double)rows : 0,
                                   .cols = cols > 0 ? (double)cols : 0,
                                   .one_set = one_set};
    return status ? status
                  : pm_reading_memory_refuse(s, (double)lines, pm_reading_memory_least(&sure), left,
                                             err);
}

pm_reading_watch pm_reading_watch_begin(void)
{
    return (pm_reading_watch){.left = pm_reading_memory_left(), .look_at = FIRST_LOOK};
}

pm_status pm_reading_watch_look(pm_reading_watch *x, const pm_source *s, const pm_read_options *opt,
                                const pm_reading_shape *now, pm_error *err)
{
    const double part = pm_source_part_read(s);
    pm_reading_shape ahead = *now; /* as if there came no new labels */
    if (!x->is_said && part > 0) {
        ahead.entries /= part;
        say_likely(s, opt, &ahead);
        x->is_said = true;
    } else if (!x->is_said && now->entries >= x->said_to) {
        ahead.entries = x->said_to = 2 * now->entries;
        pm_run_note(opt->run, opt->says_memory ? 0 : 1,
                    "%s: reading: %.3g entries so far; %.3g take about %s", pm_source_name(s),
                    now->entries, ahead.entries, pm_size(pm_reading_memory_likely(&ahead)).s);
    }
    x->look_at = (int64_t)(now->entries * NEXT_LOOK);
    if (x->said_to > now->entries && x->said_to < (double)x->look_at)
        x->look_at = (int64_t)x->said_to;
    return pm_reading_memory_refuse(s, now->entries, pm_reading_memory_least(now), x->left, err);
}
