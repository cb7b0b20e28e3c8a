/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/paired_matrix.h: the input of the elimination: a sparse square matrix whose row i and
 * column i form pair i, with one to four sets of signs of its entries.
 *
 * If it is skew-symmetric, each entry (i, j) that is listed stands also for (j, i) with the opposite
 * sign in every class, which is not listed. */
#ifndef PM_PAIRED_MATRIX_H
#define PM_PAIRED_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

enum { PM_ALL_SIGNS = 15 }; /* the bits of all classes of signs */

typedef struct {
    int32_t n;
    bool is_zero; /* every determinant is 0, and nothing below is set */
    bool is_skew;
    int classes; /* sets of signs, 1 .. 4 */
    int32_t *rowptr, *colind;
    int32_t *source; /* of each entry: the entry of the block that has its value */
    uint8_t *sign;   /* of each entry: bit c is set if it is negative in class c */
} pm_paired_matrix;

void pm_paired_matrix_free(pm_paired_matrix *p);

/* A graph without loops: the neighbours of v are adj[ptr[v]] .. adj[ptr[v + 1] - 1], in no order.
 * Every edge is listed at both ends. */
typedef struct {
    int32_t n;
    int32_t *ptr, *adj;
} pm_adjacency;

/* The graph of the pairs: i and j are neighbours if (i, j) or (j, i) is an entry.
 * Fails: PM_ENOMEM. */
pm_status pm_adjacency_make(const pm_paired_matrix *p, pm_adjacency *out, pm_error *err);
void pm_adjacency_free(pm_adjacency *g);

#endif
