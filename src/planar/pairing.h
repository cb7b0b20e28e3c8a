/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/pairing.h: the signed matrix of a planar graph, its rows and columns paired by a perfect
 * matching: its determinant is the permanent.
 *
 * Row i and column i are the ends of the edge of the matching at row i of the graph, and their entry
 * is positive; the term of that matching, and so every term, has its own sign in the determinant.
 *
 * Where weights are positive, so are all principal minors: what is left of a planar graph when
 * pairs are taken out keeps its signs right, since no cycle separates the ends of a pair, and the
 * minor is the weighted count of the rest, which has the rest of the matching.  Every order of
 * elimination along the diagonal therefore has pivots that are not 0. */
#ifndef PM_PAIRING_H
#define PM_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/kasteleyn.h"
#include "planar/written.h"
#include "pm/status.h"

typedef struct {
    int32_t n;
    bool is_zero; /* no perfect matching: the permanent is 0, and nothing below is set */
    int classes;  /* of signs: 1 in the plane, 4 on a torus (planar/kasteleyn.h) */
    int32_t *rowptr, *colind;
    int32_t *source; /* of each entry: the entry of the block */
    uint8_t *sign;   /* of each entry: bit c is set where it is negative in class c */
} pm_pairing;

/* Fails: PM_UNABLE neither planar nor a torus that is recognised, with the reason; PM_ENOMEM. */
pm_status pm_pairing_make(const pm_written *w, pm_pairing *out, pm_error *err);
void pm_pairing_free(pm_pairing *p);

#endif
