/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_entries.h: the entries of a block as the coefficients of hafnian_kernel.h. */
#ifndef PM_HAFNIAN_ENTRIES_H
#define PM_HAFNIAN_ENTRIES_H

#include "hafnian/hafnian_kernel.h"
#include "pm/matrix.h"
#include "pm/value.h"

/* Vertices 0 .. n - 1, where n is even: after the vertices of the block there may be one more, which is always alone. */
typedef struct {
    const pm_matrix *a;
    int n;
    bool has_loops;
    bool is_plain;  /* all entries are integers that a plain level takes */
    int64_t *entry; /* n x n: the number of an entry of a, or one of these */
} pm_hafnian_entries;

enum { PM_HAFNIAN_NONE = -1, PM_HAFNIAN_ONE = -2 };

/* False when a has an odd number of rows and no loop, so that a vertex is left over. */
bool pm_hafnian_is_possible(const pm_matrix *a);
bool pm_hafnian_has_loops(const pm_matrix *a);

/* a: symmetric, with an even number of rows or with a loop; at most 2 PM_HAFNIAN_PAIRS rows.  Borrowed.
 * Fails: PM_ENOMEM. */
pm_status pm_hafnian_entries_find(const pm_matrix *a, pm_hafnian_entries *out, pm_error *err);
void pm_hafnian_entries_free(pm_hafnian_entries *e);

/* How pairs, sheets and stride of a level follow. */
void pm_hafnian_level_shape(const pm_hafnian_entries *e, pm_hafnian_level *l);

/* Sets the two matrices of a level, modulo l->modulus, odd.  step, close: room for l->stride^2 numbers each.
 * The hafnian is the last count times *factor. */
void pm_hafnian_residues(const pm_hafnian_entries *e, pm_hafnian_level *l, uint64_t *step,
                         uint64_t *close, uint64_t *factor);

typedef struct {
    int64_t shift;      /* the hafnian is the last count times 2^shift */
    bool is_positive;   /* no entry is negative or complex */
    bool may_underflow; /* a matching may have a weight below 2^-600 */
    bool is_zero;       /* there is no perfect matching; not found out unless may_underflow */
} pm_hafnian_scale;

/* The same for real and complex entries: rows and columns are multiplied by powers of two, so that no entry exceeds 1.
 * numbers: doubles of a coefficient, 2 or 4.  sizes: room for l->stride^2 doubles, or NULL: bounds of the absolute values.
 * l->is_plain is set.
 * Fails: PM_ENOMEM. */
pm_status pm_hafnian_floats(const pm_hafnian_entries *e, pm_hafnian_level *l, int numbers,
                            double *step, double *sizes, pm_hafnian_scale *scale, pm_error *err);

#endif
