/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/planar_matching.h: random perfect matchings of graphs in the plane and on tori, bipartite or not, each with
 * probability exactly proportional to its weight.
 *
 * The weighted count of a planar graph is a determinant (planar/kasteleyn.h), and so is that of the graph without the
 * ends of an edge, a cofactor.  The vertices of a separator are matched one after another: a vertex gets a neighbour
 * with probability weight of the edge times cofactor, over the determinant.  These are integers, found modulo as many
 * primes as they need (elimination/root_inverse.h), and are compared with a random integer below the determinant, so no
 * probability is rounded.  Then the graph falls apart, and its parts are drawn in the same way.
 *
 * Of a graph with odd cycles determinants and cofactors are Pfaffians, of a skew-symmetric matrix of all vertices.
 *
 * On a torus the count is half the sum of three determinants less half of a fourth (planar/kasteleyn.h), and so is a
 * cofactor.  Some of these matrices are singular: see elimination/root_inverse.h.  Of the parts at most one is not
 * planar, since two graphs in a torus that do not meet cannot both hold cycles of two kinds.  A planar part gets
 * Kasteleyn signs of its own.
 * Source: Colbourn, Myrvold and Neufeld 1996; Wilson 1997 (separators). */
#ifndef PM_PLANAR_MATCHING_H
#define PM_PLANAR_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct pm_planar_matching pm_planar_matching;

/* a: square, with a perfect matching, entries > 0; must outlive *out.
 * is_general: a is symmetric with an empty diagonal, a graph on one set of vertices.
 * block: number of the block; blocks of a graph have different random sequences.
 * Cost: that of the count (planar/planar.c).
 * Fails: PM_UNABLE neither planar nor a recognised torus, or built without libplanarity or METIS, or weights that
 * differ too much in size; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_planar_matching_make(const pm_matrix *a, bool is_general, uint64_t seed,
                                  uint32_t block, const pm_run *run, pm_planar_matching **out,
                                  pm_error *err);
void pm_planar_matching_free(pm_planar_matching *m); /* NULL is allowed */

/* col_of[i] = column that is matched to row i, or vertex that is matched to vertex i, in matching number `sample`, a
 * function of seed, block and sample only, as long as the memory is enough.  Different matchings are independent.
 * Memory: up to a half of pm_run_memory(run) for inverses, or one for the match of one vertex.  If it is little,
 * separators are drawn in more steps, so the same seed gives other matchings.
 * Fails: PM_UNABLE numbers of too many bits; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_planar_matching_draw(const pm_planar_matching *m, uint64_t sample, const pm_run *run,
                                  int32_t *col_of, pm_error *err);

#endif
