/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bounds_work.h: what the bounds of one matrix (bounds.h) share while they are computed: the matrix, its scaling, and how logarithms
 * are rounded.  For this room only. */
#ifndef PM_BOUNDS_WORK_H
#define PM_BOUNDS_WORK_H

#include "bounds/bounds.h"
#include "bounds/rounded_sum.h"
#include "sampler/scaled_entries.h"
#include "sinkhorn/sinkhorn.h"

enum { PM_BOUNDS_SIMILAR = 16 };

/* A matrix, its entries, and work arrays.  Large graphs need most of their memory here, so there is one number for each entry, in
 * the workspace of the scaling: its probability, the scaled entry, then that of B.  Beside it there are messages, and at
 * the end the pattern of the transpose. */
typedef struct {
    const pm_matrix *a;
    pm_scaled_entries entries; /* value is NULL for a pattern */
    pm_sinkhorn scaling;
    const double *b; /* a doubly stochastic matrix B, multiples of 2^-52: 1 - b is exact */
    const double *
        v; /* for each column, of the upper bound by Bethe's functional (functional_bounds.h); or NULL */
    const pm_run *run;
    int threads;
    bool
        is_similar; /* none of `entries` is more than PM_BOUNDS_SIMILAR times as large as another */
    pm_bethe_point *point; /* not NULL: only the best bounds are wanted, and this */
} pm_bounds_work;

/* a and run must outlive *w.  device: as in pm_workspace_make.  The caller frees *w, also when this fails.  Fails: PM_ENOMEM, PM_ENODEV,
 * PM_UNABLE the magnitudes of the entries differ too much. */
pm_status pm_bounds_work_make(const pm_matrix *a, int device, const pm_run *run,
                              pm_bethe_point *point, pm_bounds_work *w, pm_error *err);
void pm_bounds_work_free(pm_bounds_work *w);

/* Whether a bound is wanted in little time: in that of an estimate of a large graph. */
static inline bool pm_bounds_is_hasty(const pm_bounds_work *w)
{
    return w->point && pm_matrix_nnz(w->a) >= PM_BOUNDS_LARGE;
}

static inline double pm_bounds_entry(const pm_bounds_work *w, int64_t k)
{
    return w->entries.value ? w->entries.value[k][0] : 1;
}

/* Adds the logarithm of the factor 2^exp that has been taken from the entries. */
void pm_bounds_add_exponent(const pm_bounds_work *w, pm_rounded_sum *s);

/* log10 of the number whose natural logarithm is the sum, rounded down and up. */
double pm_bounds_low(const pm_rounded_sum *s);
double pm_bounds_high(const pm_rounded_sum *s);

#endif
