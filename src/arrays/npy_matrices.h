/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/npy_matrices.h: the matrices of a NumPy array: one of 2 dimensions; a batch of as many as the
 * first length says of 3. */
#ifndef PM_NPY_MATRICES_H
#define PM_NPY_MATRICES_H

#include "arrays/npy_head.h"
#include "io/formats.h"

typedef struct {
    pm_byte_source in;
    pm_npy_head head;
    int64_t count, done;  /* matrices */
    int64_t nrows, ncols; /* of each */
    unsigned char *batch; /* all elements, if those of one matrix are not one after another */
} pm_npy_matrices;

/* Reads the head of the array.  *x: zeroed before; freed by the caller, also after a failure.
 * in: copied; its context and name stay in use.
 * Fails: as pm_npy_head_read; PM_EDATA neither 2 nor 3 dimensions, more than 2^31 - 1 rows or columns;
 * PM_UNABLE nearly all rows and columns are empty. */
pm_status pm_npy_matrices_begin(pm_npy_matrices *x, const pm_byte_source *in, pm_error *err);

/* Says once that a batch has no matrix. */
void pm_npy_matrices_note_none(const pm_npy_matrices *x, pm_reading *about);

/* Adds what was found about one of several matrices: a remark that is the first one, after `which`. */
void pm_npy_matrices_note(const pm_reading *found, const char *which, pm_reading *about);

/* The next matrix; x->done < x->count.  about: of a batch, remarks name the matrix.  After the last one the input must end.
 * Fails: PM_EDATA the input is too short or too long, an element is not finite (the message has row
 * and column), or as pm_adjacency_read; PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_npy_matrices_next(pm_npy_matrices *x, const pm_read_options *opt, pm_matrix *out,
                               pm_reading *about, pm_error *err);
void pm_npy_matrices_free(pm_npy_matrices *x);

#endif
