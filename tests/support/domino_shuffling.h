/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/domino_shuffling.h: random perfect matchings of Aztec diamonds without determinants.
 *
 * The Aztec diamond of order n has n x n squares, whose sides are its edges: square (R, C) has the edges (2R, 2C),
 * (2R, 2C + 1), (2R + 1, 2C) and (2R + 1, 2C + 1) of a 2n x 2n array, the first and the last of them opposite each
 * other.  Edge (r, c) joins row vertex ((r + 1) / 2, c / 2) to column vertex (r / 2, (c + 1) / 2).
 *
 * From order n to n + 1 the array gets a margin of one edge, so that its squares are those between the old ones.  In
 * each of them two dominoes that face each other vanish, and one alone moves to the opposite side.  Then each square
 * without any covered vertex gets two new ones, in either direction.
 *
 * Source: Elkies, Kuperberg, Larsen and Propp 1992; with weights Propp 2003 (generalized domino shuffling), whose
 * chances are computed from order n down: a square a b / c d of weights becomes d c / b a over a d + b c, and the
 * margin goes. */
#ifndef PM_TEST_DOMINO_SHUFFLING_H
#define PM_TEST_DOMINO_SHUFFLING_H

#include <stdint.h>

/* chance[k][R k + C]: of the edges (2R, 2C) and (2R + 1, 2C + 1) in a new square of order k; chance: NULL: 1/2. */
typedef struct {
    int order;
    double **chance;
} domino_shuffling;

/* weight: of the edges, [4 n n], > 0; NULL: all are 1.  Rounded to double precision. */
void domino_shuffling_make(int order, const double *weight, domino_shuffling *out);
void domino_shuffling_free(domino_shuffling *s);

/* edge: [4 n n], 1 where the edge is in the matching, else 0. */
void domino_shuffling_draw(const domino_shuffling *s, uint64_t *rng, uint8_t *edge);

#endif
