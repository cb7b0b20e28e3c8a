/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/closed_walks.h: random walks in a bipartite graph that never turn back, and how often they close. */
#ifndef PM_CLOSED_WALKS_H
#define PM_CLOSED_WALKS_H

#include "pm/run.h"
#include "spmv/csr.h"

/* From an entry (i, j) a walk goes to another entry of column j, then to another one of that row, and so on, each
 * with a probability proportional to its weight in that line. */
typedef struct {
    pm_csr_pair before; /* the weights as prefix sums within lines */
    int32_t *row;       /* of each entry */
} pm_closed_walks;

/* in_row, in_col: [nnz], the weights in rows and in columns; each line sums to 1.
 * a: lines of two entries or more, ascending; must outlive *out, which the caller frees.  run: its threads; NULL: one.
 * Fails: PM_ENOMEM. */
pm_status pm_closed_walks_make(const pm_matrix *a, const double *in_row, const double *in_col,
                               const pm_run *run, pm_closed_walks *out, pm_error *err);
void pm_closed_walks_free(pm_closed_walks *w);

enum { PM_CLOSED_WALKS_LENGTHS = 8 };

/* Walks from random entries, all with the same probability.  hits[l], l < lengths <= PM_CLOSED_WALKS_LENGTHS: how many
 * are at the entry where they began after 2 l + 4 steps.  The number of threads changes nothing.
 * Fails: PM_ESTOPPED. */
pm_status pm_closed_walks_count(const pm_closed_walks *w, int64_t walks, int lengths, uint64_t seed,
                                const pm_run *run, int64_t *hits, pm_error *err);

/* The share of walks that are at the entry where they began after 2 l + 4 steps, and its standard error. */
typedef struct {
    double value, error;
} pm_closed_share;

/* share: [lengths].  By walks, one for each entry, at least 60,000 and at most 2,000,000, fewer where many of them close, or where all errors are
 * at most `tolerance` (0: none); otherwise of length 4, and of all lengths in
 * small graphs, exactly where that takes about as long.  in_row, in_col, lengths, failures: as above. */
pm_status pm_closed_shares_make(const pm_matrix *a, const double *in_row, const double *in_col,
                                int lengths, double tolerance, uint64_t seed, const pm_run *run,
                                pm_closed_share *share, pm_error *err);

#endif
