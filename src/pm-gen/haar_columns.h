/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen/haar_columns.h: the first columns of a Haar-random unitary matrix. */
#ifndef PM_HAAR_COLUMNS_H
#define PM_HAAR_COLUMNS_H

#include <complex.h>

#include "pm-gen/family.h"

typedef struct {
    int64_t rows, columns;
    double complex
        *entry; /* column j: entry[j * rows] .. entry[(j + 1) * rows - 1]; freed by the caller */
} pm_haar_columns;

/* Sets u->entry, also on failure; u->rows and u->columns are given.  Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_haar_columns_draw(const pm_family_args *a, pm_haar_columns *u, pm_error *err);

#endif
