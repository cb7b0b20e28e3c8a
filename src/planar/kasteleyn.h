/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/kasteleyn.h: signs that make a permanent a determinant.
 *
 * Let every face whose walk has length l carry (l / 2 + 1) mod 2 negative signs along it, modulo 2.
 * In the plane all perfect matchings then have the same sign in the determinant of the signed
 * matrix, whatever the weights are; so per(A) = +-det, with the sign of any one matching.
 * (Kasteleyn 1967.  An edge on both sides of which is the same face counts twice.  Inside a cycle
 * of length l with v vertices within, the signs of the faces multiply to (-1)^(l/2 + 1 + v) by
 * Euler's formula, and v is even if the cycle alternates in a matching.)
 *
 * On a surface with h handles there are 4^h classes of such signs, and the permanent is a sum over
 * them (Galluccio and Loebl 1999; Tesler 2000).  On one torus: let D_0 .. D_3 be the determinants,
 * each with the sign of one and the same matching; half their sum without the smallest one, less
 * half the smallest, where "smallest" is that of the numbers of matchings, all weights 1.
 * (Four classes of matchings by their homology to the first; in three D one class is negative, in
 * the fourth, the smallest, all but that of the first one are.) */
#ifndef PM_KASTELEYN_H
#define PM_KASTELEYN_H

#include <stdint.h>

#include "planar/faces.h"
#include "pm/matrix.h"
#include "pm/status.h"

enum { PM_KASTELEYN_CLASSES_MAX = 4 }; /* classes of signs */

/* sign[k]: bit c is set where the entry k of a is negative in class c; nnz entries, the caller's.
 * *classes: 1 or 4.  Every component of a has an even number of vertices.  Every face of every
 * class is checked.
 * Cost: linear.
 * Fails: PM_UNABLE more than one handle; PM_ENOMEM; PM_EINTERNAL a face is wrong. */
pm_status pm_kasteleyn_signs(const pm_matrix *a, const pm_faces *f, uint8_t *sign, int *classes,
                             pm_error *err);

#endif
