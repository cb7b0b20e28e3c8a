/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/float_kind.h: the kinds of inexact numbers in kernels of the Ryser family: real or complex,
 * in double or double-double (quad). */
#ifndef PM_FLOAT_KIND_H
#define PM_FLOAT_KIND_H

typedef enum {
    PM_DENSE_REAL,
    PM_DENSE_COMPLEX,
    PM_DENSE_QUAD,
    PM_DENSE_COMPLEX_QUAD
} pm_dense_kind;

enum { PM_DENSE_KINDS = 4 };

/* The number of doubles that one number takes. */
static inline int pm_dense_components(pm_dense_kind kind)
{
    return kind == PM_DENSE_REAL ? 1 : kind == PM_DENSE_COMPLEX_QUAD ? 4 : 2;
}

#endif
