/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/aztec_diamonds.h: Aztec diamonds, and whether two samples of their perfect matchings have one
 * distribution.  Edges are numbered as in support/domino_shuffling.h. */
#ifndef PM_TEST_AZTEC_DIAMONDS_H
#define PM_TEST_AZTEC_DIAMONDS_H

#include <stdint.h>

#include "pm/matrix.h"

/* n (n + 1) rows and columns.  weight: of the edges, [4 n n], whole numbers > 0; NULL: a pattern. */
void aztec_diamond(int n, const double *weight, pm_matrix *out);

/* The edges of a matching, [4 n n] of 0 and 1. */
void aztec_edges(int n, const int32_t *col_of, uint8_t *edge);
/* The same matching as columns of the rows, [n (n + 1)]. */
void aztec_columns(int n, const uint8_t *edge, int32_t *col_of);

/* What is compared of some matchings. */
typedef struct {
    int order, draws, most;
    int32_t *edge;  /* [4 order order]: how many matchings have it */
    int32_t *value; /* [statistics][most]: of each matching */
} aztec_sample;

/* most: the number of matchings, at most. */
void aztec_sample_make(int order, int most, aztec_sample *out); /* freed by the caller */
/* The test fails if the edges are no perfect matching. */
void aztec_sample_add(aztec_sample *s, const uint8_t *edge);
void aztec_sample_free(aztec_sample *s);

/* A false alarm once in 1 / AZTEC_CHANCE for each event; see the events in the source. */
#define AZTEC_CHANCE 1e-11

/* Two samples of independent matchings.  The test fails if they have not been drawn from the same distribution; where
 * both have, it fails once in 1 / (AZTEC_CHANCE aztec_events(order)) or less often.  Returns the least probability of
 * all events. */
double aztec_compare(const aztec_sample *x, const aztec_sample *y);
int64_t aztec_events(int order);

/* A sample by domino shuffling; weight: NULL, or [4 order order].  *out: freed by the caller. */
void aztec_shuffled(int order, const double *weight, int draws, uint64_t *rng, aztec_sample *out);

/* Compares `draws` matchings by determinants (matchings/planar_matching.h) with so many by domino shuffling. */
void aztec_compare_planar(int order, const double *weight, int draws, int shuffled, uint64_t rng);

#endif
