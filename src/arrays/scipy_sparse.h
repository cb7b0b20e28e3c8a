/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/scipy_sparse.h: the sparse matrix in a file of scipy.sparse.save_npz. */
#ifndef PM_SCIPY_SPARSE_H
#define PM_SCIPY_SPARSE_H

#include "arrays/zip_archive.h"
#include "io/formats.h"

/* Whether the arrays are those of one sparse matrix: one is called "format". */
bool pm_scipy_sparse_is(const pm_zip_archive *z);

/* The matrix: csr, csc, coo, bsr or dia.  Entries that are stored several times are duplicates; stored
 * zeros are no entries.
 * Fails: PM_EDATA the arrays do not fit together, an entry is not finite, duplicates, or as
 * pm_adjacency_read; PM_UNABLE, PM_ENOMEM. */
pm_status pm_scipy_sparse_read(const pm_zip_archive *z, const pm_read_options *opt, pm_matrix *out,
                               pm_reading *about, pm_error *err);

#endif
