/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/pfaffian_matrix.h: the skew-symmetric matrix of a graph on one set of vertices, whose
 * Pfaffian is the hafnian if it is planar.
 *
 * Its signs are Kasteleyn signs (planar/kasteleyn.h), so in the plane the terms of all perfect
 * matchings have one sign.  It is made + by negating all entries at one vertex if the term of a
 * perfect matching that was found before has the sign -.  On a torus this is done for each of the
 * four classes of signs, with the same matching. */
#ifndef PM_PFAFFIAN_MATRIX_H
#define PM_PFAFFIAN_MATRIX_H

#include "elimination/paired_matrix.h"
#include "planar/plain_graph.h"
#include "pm/run.h"
#include "pm/status.h"

/* w: of a general block.  Pair v is vertex v; out->is_skew is set.  The caller frees out.
 * out->is_zero is set if the graph has no perfect matching.
 * Fails: PM_UNABLE neither planar nor a recognised torus, with the reason; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_pfaffian_matrix_make(const pm_plain_graph *w, const pm_run *run, pm_paired_matrix *out,
                                  pm_error *err);

#endif
