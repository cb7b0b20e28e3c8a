/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/fill_cycles.h"

#include <stdlib.h>

#include "matrix/find_entry.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "sinkhorn/stochastic_units.h"

enum {
    COLUMNS_MOST = 1 << 15, /* of each side of a search */
    SLOT_BITS = 17,
    SLOTS = 1 << SLOT_BITS, /* four for each */
    FIRST_OCTAVE = 4,       /* entries that become smaller are at least 2^-4, then 2^-8, ... */
    OCTAVES = 4,
    LAST_OCTAVE = 48,
    CHANGES_MOST = 1 << 20,
    VISITS_LEAST = 1 << 22, /* of entries, in all; more in a large matrix: */
    VISITS = 4              /* times its entries */
};

/* A column, and the row by which it was reached from another column of its side, or from row i. */
typedef struct {
    int32_t column, row;
    int32_t from; /* the number of the other column; -1: none */
} step;

typedef struct {
    step *reached;
    int32_t *slot; /* of a table of these columns: their numbers + 1; 0: none */
    int count, next;
} side;

typedef struct {
    int64_t entry, units;
} change;

typedef struct {
    const pm_matrix *a;
    double *x;
    int64_t *ptr; /* the rows of column j are row[ptr[j]] .. row[ptr[j + 1] - 1] */
    int32_t *row;
    /* Columns that have too much after entry (i, j) has grown; and columns from which row i can take. */
    side ahead, back;
    change *changes; /* since the beginning */
    int64_t count;
    int64_t visits; /* that are left */
} search;

static int64_t units_of(double x)
{
    return x <= 0 || x > 1 ? (int64_t)(x * (double)PM_STOCHASTIC_ONE) : pm_stochastic_rounded(x);
}

static int64_t entry(const search *s, int32_t row, int32_t column)
{
    return pm_matrix_find(s->a, row, column);
}

/* ---- columns ---- */

static int32_t *slot_of(const side *s, int32_t column)
{
    uint32_t at = (uint32_t)column * UINT32_C(2654435761) >> (32 - SLOT_BITS);
    while (s->slot[at] && s->reached[s->slot[at] - 1].column != column)
        at = (at + 1) % SLOTS;
    return &s->slot[at];
}

static void reach(side *s, int32_t column, int32_t row, int32_t from)
{
    int32_t *slot = slot_of(s, column);
    if (*slot || s->count == COLUMNS_MOST)
        return;
    s->reached[s->count] = (step){column, row, from};
    *slot = ++s->count;
}

static void forget(side *s)
{
    for (int n = s->count - 1; n >= 0;
         --n) /* the last one first: others may have been put behind it */
        *slot_of(s, s->reached[n].column) = 0;
    s->count = s->next = 0;
}

/* Whether the entries of a row may be looked at; they count. */
static bool looks_at(search *s, int32_t row)
{
    s->visits -= s->a->rowptr[row + 1] - s->a->rowptr[row];
    return s->visits > 0;
}

/* Goes on from the next column of `ahead`. */
static void go_ahead(search *s, double least)
{
    const pm_matrix *a = s->a;
    const int n = s->ahead.next++;
    const int32_t column = s->ahead.reached[n].column;
    for (int64_t p = s->ptr[column]; p < s->ptr[column + 1]; ++p)
        if (looks_at(s, s->row[p]) && s->x[entry(s, s->row[p], column)] >= least)
            for (int64_t k = a->rowptr[s->row[p]]; k < a->rowptr[s->row[p] + 1]; ++k)
                reach(&s->ahead, a->colind[k], s->row[p], n);
}

static void go_back(search *s, int32_t i, double least)
{
    const pm_matrix *a = s->a;
    const int n = s->back.next++;
    const int32_t column = s->back.reached[n].column;
    for (int64_t p = s->ptr[column]; p < s->ptr[column + 1]; ++p)
        if (looks_at(s, s->row[p]) && s->row[p] != i)
            for (int64_t k = a->rowptr[s->row[p]]; k < a->rowptr[s->row[p] + 1]; ++k)
                if (s->x[k] >= least)
                    reach(&s->back, a->colind[k], s->row[p], n);
}

/* A column of both sides, from number `first` of this side on.  Returns its number there; -1: none. */
static int meeting(const side *s, int first, const side *other)
{
    for (int n = first; n < s->count; ++n)
        if (*slot_of(other, s->reached[n].column))
            return n;
    return -1;
}

/* Finds a cycle through the entry in row i and column j, whose entries that become smaller are at least `least`.  Returns the column in which both sides meet; -1: none
 * was found. */
static int32_t find_cycle(search *s, int32_t i, int32_t j, double least)
{
    const pm_matrix *a = s->a;
    reach(&s->ahead, j, -1, -1);
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (s->x[k] >= least)
            reach(&s->back, a->colind[k], i, -1);
    while (s->ahead.next < s->ahead.count && s->back.next < s->back.count && s->visits > 0) {
        const bool is_ahead = s->ahead.count - s->ahead.next <= s->back.count - s->back.next;
        side *own = is_ahead ? &s->ahead : &s->back, *other = is_ahead ? &s->back : &s->ahead;
        const int first = own->count;
        if (is_ahead)
            go_ahead(s, least);
        else
            go_back(s, i, least);
        const int n = meeting(own, first, other);
        if (n >= 0)
            return own->reached[n].column;
    }
    return -1;
}

/* ---- a cycle ---- */

/* The entries that become smaller, one after the other; and those that grow. */
typedef void visit(search *s, int64_t smaller, int64_t larger, void *context);

static void walk(search *s, int32_t i, int32_t j, int32_t met, visit *each, void *context)
{
    for (int n = *slot_of(&s->ahead, met) - 1; s->ahead.reached[n].from >= 0;) {
        const step *at = &s->ahead.reached[n];
        n = at->from;
        each(s, entry(s, at->row, s->ahead.reached[n].column), entry(s, at->row, at->column),
             context);
    }
    int n = *slot_of(&s->back, met) - 1;
    while (s->back.reached[n].from >= 0) {
        const step *at = &s->back.reached[n];
        n = at->from;
        each(s, entry(s, at->row, at->column), entry(s, at->row, s->back.reached[n].column),
             context);
    }
    each(s, entry(s, i, s->back.reached[n].column), entry(s, i, j), context);
}

/* *context: what the cycle may carry, at most: half of an entry that becomes smaller; none grows above 2, where doubles are no multiples of a
 * unit any more. */
static void limit(search *s, int64_t smaller, int64_t larger, void *context)
{
    int64_t *room = context;
    const int64_t half = units_of(s->x[smaller]) / 2,
                  left = 2 * PM_STOCHASTIC_ONE - units_of(s->x[larger]),
                  least = half < left ? half : left;
    *room = least < *room ? least : *room;
}

static void add(search *s, int64_t k, int64_t units)
{
    s->x[k] = pm_stochastic_multiple(units_of(s->x[k]) + units);
    s->changes[s->count++] = (change){k, units};
}

static void move(search *s, int64_t smaller, int64_t larger, void *context)
{
    const int64_t *units = context;
    if (s->count > CHANGES_MOST - 2)
        return;
    add(s, smaller, -*units);
    add(s, larger, *units);
}

static void take_back(search *s)
{
    while (s->count > 0) {
        const change *c = &s->changes[--s->count];
        s->x[c->entry] = pm_stochastic_multiple(units_of(s->x[c->entry]) - c->units);
    }
}

/* ---- all entries ---- */

/* Fills entry k, in row i.  Returns whether it is full. */
static bool fill(search *s, const pm_run *run, int64_t k, int32_t i)
{
    const int32_t j = s->a->colind[k];
    int octave = FIRST_OCTAVE;
    while (octave <= LAST_OCTAVE && units_of(s->x[k]) < 1) {
        int64_t units = 0;
        const int32_t met = find_cycle(s, i, j, 1 / (double)(INT64_C(1) << octave));
        if (met >= 0) {
            units = 1 - units_of(s->x[k]);
            walk(s, i, j, met, limit, &units);
        }
        if (units > 0)
            walk(s, i, j, met, move, &units);
        else
            octave += OCTAVES;
        forget(&s->ahead);
        forget(&s->back);
        if (s->visits <= 0 || s->count > CHANGES_MOST - 2 || pm_run_stopped(run))
            return false;
    }
    return octave <= LAST_OCTAVE;
}

static pm_status fill_all(search *s, const pm_run *run, bool *found, pm_error *err)
{
    const pm_matrix *a = s->a;
    *found = true;
    for (int64_t i = 0; i < a->nrows && *found; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1] && *found; ++k)
            if (!(s->x[k] > 0))
                *found = fill(s, run, k, (int32_t)i);
    if (!*found)
        take_back(s);
    return !*found && pm_run_stopped(run)
               ? pm_fail(err, PM_ESTOPPED, "stopped during Sinkhorn's scaling")
               : PM_OK;
}

static bool side_init(side *s)
{
    *s = (side){.reached = pm_alloc_array(COLUMNS_MOST, sizeof *s->reached),
                .slot = pm_calloc_array(SLOTS, sizeof *s->slot)};
    return s->reached && s->slot;
}

static void side_free(side *s)
{
    free(s->reached);
    free(s->slot);
}

pm_status pm_fill_cycles(const pm_matrix *a, double *x, int threads, const pm_run *run, bool *found,
                         pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    search s = {.a = a,
                .x = x,
                .ptr = pm_alloc_array(a->ncols + 1, sizeof *s.ptr),
                .row = pm_alloc_array(nnz, sizeof *s.row),
                .changes = pm_alloc_array(CHANGES_MOST, sizeof *s.changes),
                .visits = VISITS * nnz > VISITS_LEAST ? VISITS * nnz : VISITS_LEAST};
    const bool has_sides = side_init(&s.ahead) & side_init(&s.back);
    pm_status status = has_sides && s.ptr && s.row && s.changes
                           ? PM_OK
                           : pm_fail_memory(err, "doubly stochastic matrix");
    if (!status) {
        pm_transposed_make(a->nrows, a->ncols, a->rowptr, a->colind, threads, s.ptr, s.row, NULL);
        status = fill_all(&s, run, found, err);
    }
    side_free(&s.ahead);
    side_free(&s.back);
    free(s.ptr);
    free(s.row);
    free(s.changes);
    return status;
}
