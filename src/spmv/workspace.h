/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/workspace.h: a square matrix and vectors, in the memory where an iteration computes: that of the host, or of
 * a GPU, where they stay until they are asked for.  A GPU has the transpose, too.
 *
 * A device that fails makes all later operations do nothing; pm_workspace_check says so. */
#ifndef PM_WORKSPACE_H
#define PM_WORKSPACE_H

#include <math.h>

#include "cuda/vector_step.h"
#include "pm/run.h"
#include "spmv/csr.h"
#include "spmv/multiply.h"

typedef struct pm_workspace_gpu pm_workspace_gpu;

enum { PM_WORKSPACE_VECTORS = 16 /* at most */ };

/* Not thread-safe. */
typedef struct {
    pm_csr_pair
        x; /* x.a: its values are those of the host, see pm_workspace_fetch; x.t: with a GPU, the starts of its rows */
    double *vector[PM_WORKSPACE_VECTORS + 1]; /* [n] each, on the host; NULL: dropped */
    pm_spmv_part part;                        /* of products with the transpose of a large matrix */
    int sums; /* the vector with its sums: one after the others, or one that is lent */
    int vectors;
    bool is_product; /* the entries are row_i col_j, and not stored */
    int row, col;
    int16_t *shift
        [2]; /* of two vectors of factors, those of the rows and of the columns; NULL: none, see pm_workspace_keep_range */
    int threads;
    pm_workspace_gpu *gpu; /* NULL: the host computes */
} pm_workspace;

enum { PM_ON_HOST = -1 };

/* A matrix with this pattern and values 0.
 * pattern: n x n, must outlive *out; vectors: their number; device: of a GPU, or PM_ON_HOST.
 * The caller frees *out.
 * Memory: 8 bytes for each entry; with a GPU 48 on it, and while it is made 8 in place of these.
 * Fails: PM_ENOMEM; on a GPU PM_UNABLE (more than 2^31 - 1 entries), PM_ENODEV. */
pm_status pm_workspace_make(const pm_matrix *pattern, int vectors, int device, const pm_run *run,
                            pm_workspace *out, pm_error *err);
/* The same, always on the host, for entries x_ij = row_i col_j at the places of the pattern: row and col are numbers of
 * vectors, whose values the caller sets and changes.  A product X x overwrites x, as do differences.  There is nothing to set, fetch or scale.
 * Memory: none for entries. */
pm_status pm_workspace_make_product(const pm_matrix *pattern, int vectors, int row, int col,
                                    const pm_run *run, pm_workspace *out, pm_error *err);
void pm_workspace_free(pm_workspace *w);

/* From here on products with the transpose overwrite this vector, and take no other memory.  It is not x or y of such a product, and
 * is not moved.  On a GPU nothing is to be done: its products do not need it. */
void pm_workspace_lend(pm_workspace *w, int vector);

/* Frees the memory of the vectors from this one on and of products, and takes it again: their values are lost.  On a GPU nothing is to be
 * done.  Fails: PM_ENOMEM. */
void pm_workspace_drop(pm_workspace *w, int from);
pm_status pm_workspace_take(pm_workspace *w, int from, pm_error *err);

/* From here on the entries are rounded to single precision, in half of the memory, and are x.a.narrow; or the other way round.  Nothing to do
 * where they are, or are not stored.  While they are narrow they cannot be set or fetched.  On the host only.
 * Fails: PM_ENOMEM, only pm_workspace_widen; then they are as before. */
void pm_workspace_narrow(pm_workspace *w);
pm_status pm_workspace_widen(pm_workspace *w, pm_error *err);

/* Divides the entries in double precision by the sums of their rows, and with them the numbers of a vector, or none: < 0.  On the host only. */
void pm_workspace_divide_rows(pm_workspace *w, int factors);
/* Divides the entries in double precision by the sums of their columns, of which y becomes the inverse, without a vector of ones.  On the host only. */
void pm_workspace_divide_columns(pm_workspace *w, int y);

/* Frees the entries on the host, which are not stored from then on; the vectors stay. */
void pm_workspace_drop_entries(pm_workspace *w);

/* From here on the host computes: the entries and the first `vectors` vectors are copied to it; the others and those of
 * products have no memory until they are taken.  Nothing to do on the host.
 * Fails: PM_ENOMEM; what the device has failed with. */
pm_status pm_workspace_leave_gpu(pm_workspace *w, int vectors, pm_error *err);

/* Fails: what a device has failed with since it was opened. */
pm_status pm_workspace_check(pm_workspace *w, pm_error *err);

/* ---- the matrix ---- */

/* Sets the entries; value[k]: entry k by rows; w->x.a.value itself is allowed. */
void pm_workspace_set(pm_workspace *w, const double *value);
/* Copies the entries from the device to w->x.a.value; nothing to do on the host. */
void pm_workspace_fetch(pm_workspace *w);

/* y = X x, or X^T x.  x, y: numbers of vectors, not the same. */
void pm_workspace_multiply(pm_workspace *w, bool is_transposed, int x, int y);
/* y = X x for x = 1, without a vector of ones: the sums of the rows. */
void pm_workspace_sum_rows(pm_workspace *w, int y);
/* x_ij becomes x_ij (row_i col_j). */
void pm_workspace_scale(pm_workspace *w, int row, int col);
/* y_i = sum over j of x_ij^2 */
void pm_workspace_squares(pm_workspace *w, int y);

/* The factors of entries that are not stored. */
static inline pm_line_products pm_workspace_products(const pm_workspace *w)
{
    return (pm_line_products){w->vector[w->row], w->vector[w->col], w->shift[0], w->shift[1]};
}

/* Moves powers of 2^PM_SHIFT from positive numbers of two vectors to w->shift where they are far from 1, so that later products stay in the
 * range of doubles; row < 0: only of col.  Entries that are not stored are the same products as before.  On a GPU this copies the vectors to
 * the host, and back where they have changed.  Fails: PM_UNABLE a factor is beyond the range of shifts, 2^(+-PM_SHIFT 32767); PM_ENOMEM; PM_ENODEV. */
pm_status pm_workspace_keep_range(pm_workspace *w, int row, int col, pm_error *err);
/* From here on there are no shifts. */
void pm_workspace_drop_shifts(pm_workspace *w);

/* ---- vectors ---- */

/* Copies a vector to the host, or from there. */
void pm_workspace_get(pm_workspace *w, int x, double *to);
void pm_workspace_put(pm_workspace *w, int x, const double *from);
/* y = x; the values of x are lost.  On the host the vectors exchange their memory: where y has not been written,
 * which takes none, x is as if it had not been. */
void pm_workspace_move(pm_workspace *w, int x, int y);

/* y = op(s, x, z, y) for each element; y may be x or z.  What op does not use is ignored. */
void pm_workspace_map(pm_workspace *w, pm_map op, double s, int x, int z, int y);
/* Not a number when a device has failed. */
double pm_workspace_reduce(pm_workspace *w, pm_reduction op, int x, int y);

/* ---- lists of steps ---- */

/* y = X x; the sums of the rows; y_i = the sum over j of x_ij (z_i - x_j); a map; or a reduction of x and y. */
typedef struct {
    enum {
        PM_STEP_MULTIPLY,
        PM_STEP_SUM_ROWS,
        PM_STEP_DIFFERENCES,
        PM_STEP_MAP,
        PM_STEP_REDUCE
    } kind;
    pm_map map;
    pm_reduction reduction;
    double s;
    int x, z, y;
} pm_vector_step;

enum { PM_STEPS_MOST = 6 };

static inline pm_vector_step pm_step_multiply(int x, int y)
{
    return (pm_vector_step){.kind = PM_STEP_MULTIPLY, .x = x, .z = x, .y = y};
}

static inline pm_vector_step pm_step_sum_rows(int y)
{
    return (pm_vector_step){.kind = PM_STEP_SUM_ROWS, .x = y, .z = y, .y = y};
}

/* (diag(X 1) z - X x), without the sums of the rows, and without what their rounding would leave where z and x are nearly one number; on
 * the host only. */
static inline pm_vector_step pm_step_differences(int x, int z, int y)
{
    return (pm_vector_step){.kind = PM_STEP_DIFFERENCES, .x = x, .z = z, .y = y};
}

static inline pm_vector_step pm_step_map(pm_map op, double s, int x, int z, int y)
{
    return (pm_vector_step){.kind = PM_STEP_MAP, .map = op, .s = s, .x = x, .z = z, .y = y};
}

static inline pm_vector_step pm_step_reduce(pm_reduction op, int x, int y)
{
    return (pm_vector_step){.kind = PM_STEP_REDUCE, .reduction = op, .x = x, .z = y, .y = y};
}

/* The same as one step after the other, with less traffic of memory: the host does all steps for some elements, then for the next
 * ones.  A product, the sums, or the differences are the first step, and no later one changes its x or z.
 * steps: 1 .. PM_STEPS_MOST; result: those of the reductions, one after the other. */
void pm_workspace_run(pm_workspace *w, const pm_vector_step *step, int steps, double *result);

#endif
