/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/float_kind.h: what an inexact number of the Ryser kernels consists of: real or complex, in
 * double or double-double. */
#ifndef PM_FLOAT_KIND_H
#define PM_FLOAT_KIND_H

typedef enum {
    PM_DENSE_REAL,
    PM_DENSE_COMPLEX,
    PM_DENSE_QUAD,
    PM_DENSE_COMPLEX_QUAD
} pm_dense_kind;

enum { PM_DENSE_KINDS = 4 };

/* Doubles of one number. */
static inline int pm_dense_components(pm_dense_kind kind)
{
    return kind == PM_DENSE_REAL ? 1 : kind == PM_DENSE_COMPLEX_QUAD ? 4 : 2;
}

#endif
