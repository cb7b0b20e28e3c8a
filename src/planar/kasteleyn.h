/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/kasteleyn.h: Kasteleyn signs: signs of the entries for which the permanent is a
 * determinant.
 *
 * Choose the signs such that every face whose walk has length l has (l/2 + 1) mod 2 negative signs
 * along its walk, modulo 2.  In the plane all perfect matchings then have the same sign in the
 * determinant of the signed matrix, whatever the weights are, so per(A) = +-det, with the sign of
 * any one matching (Kasteleyn 1967).  An edge with the same face on both sides counts twice.
 * (Inside a cycle of length l around v vertices, the signs of the faces multiply to
 * (-1)^(l/2 + 1 + v) by Euler's formula, and v is even if the cycle alternates in a matching.)
 *
 * On a surface with h handles there are 4^h classes of such signs, and the permanent is a linear
 * combination of their determinants (Galluccio and Loebl 1999; Tesler 2000).  For one torus let
 * D_0 .. D_3 be the determinants, each with the sign of the same matching.  The permanent is half
 * the sum of three of them less half the fourth, the smallest; "smallest" is decided by the numbers
 * of matchings, that is, with all weights 1.
 * (There are four classes of matchings, by their homology relative to that matching.  In three of
 * the determinants one class is negative; in the smallest all classes but that of the matching
 * itself are.) */
#ifndef PM_KASTELEYN_H
#define PM_KASTELEYN_H

#include <stdint.h>

#include "planar/faces.h"
#include "pm/matrix.h"
#include "pm/status.h"

enum { PM_KASTELEYN_CLASSES_MAX = 4 };

/* sign: nnz entries, the caller's; bit c of sign[k] is set if entry k of a is negative in class c.
 * *classes: set to 1 (plane) or 4 (torus).
 * Every component of a must have an even number of vertices.  Every face is checked in every class.
 * Cost: linear.
 * Fails: PM_UNABLE more than one handle; PM_ENOMEM; PM_EINTERNAL a face has the wrong signs. */
pm_status pm_kasteleyn_signs(const pm_matrix *a, const pm_faces *f, uint8_t *sign, int *classes,
                             pm_error *err);

#endif
