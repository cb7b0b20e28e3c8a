/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/kasteleyn.h: Kasteleyn signs: signs of the entries for which the permanent is a
 * determinant, and the hafnian a Pfaffian.
 *
 * The sign of an entry directs its edge: from the vertex of its row to that of its column if it is
 * positive, else back.  Choose the signs such that an odd number of the edges along the walk of
 * every face have the direction of the walk.  In the plane all perfect matchings then have the same
 * sign in the Pfaffian of the skew-symmetric matrix whose entry (i, j) is the weight of the edge if
 * it leads from i to j, and minus that if it leads back.  So the hafnian is +-Pf, with the sign of
 * any one matching, whatever the weights are (Kasteleyn 1967).  An edge with the same face on both
 * sides is passed in both directions, so it counts once.
 * (A walk around a cycle with v vertices inside has, by Euler's formula, v + 1 edges in its
 * direction modulo 2, and v is even if the cycle alternates in two matchings.)
 *
 * In a bipartite graph this says: a face whose walk has length l has (l/2 + 1) mod 2 negative signs
 * along its walk, modulo 2; and per(A) = +-det of the signed matrix.
 *
 * On a surface with h handles there are 4^h classes of such signs, and the permanent is a linear
 * combination of their determinants, the hafnian one of their Pfaffians (Galluccio and Loebl 1999;
 * Tesler 2000).  For one torus let D_0 .. D_3 be the determinants or Pfaffians, each with the sign of
 * the same matching.  The permanent or hafnian is half the sum of three of them less half the fourth, the smallest; "smallest" is decided by the numbers
 * of matchings, that is, with all weights 1.
 * (There are four classes of matchings, by their homology relative to that matching.  In three of
 * the determinants one class is negative; in the smallest all classes but that of the matching
 * itself are.) */
#ifndef PM_KASTELEYN_H
#define PM_KASTELEYN_H

#include <stdint.h>

#include "planar/faces.h"
#include "pm/status.h"

enum { PM_KASTELEYN_CLASSES_MAX = 4 };

/* sign: nnz entries, the caller's; bit c of sign[k] is set if entry k of d is negative in class c.
 * *classes: set to 1 (plane) or 4 (torus).
 * Every component of d must have an even number of vertices.  Every face is checked in every class.
 * Cost: linear.
 * Fails: PM_UNABLE more than one handle; PM_ENOMEM; PM_EINTERNAL a face has the wrong signs. */
pm_status pm_kasteleyn_signs(const pm_drawn_graph *d, const pm_faces *f, uint8_t *sign,
                             int *classes, pm_error *err);

/* The same for an embedding of d in the plane, or, if it has none, on a torus (planar/embedding.h).
 * Fails: PM_UNABLE neither planar nor a recognised torus, with the reason; PM_ENOMEM. */
pm_status pm_kasteleyn_draw(const pm_drawn_graph *d, uint8_t *sign, int *classes, pm_error *err);

#endif
