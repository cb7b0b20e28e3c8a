/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/planar_run.h: the algorithm "planar", for blocks, bipartite and general ones, that are planar,
 * nearly planar or tori: the state of its plan, and its run.
 *
 * Begin here.  planar.c plans, planar_run.c runs.  Below them: determinant_sum.h (the sum of
 * determinants or Pfaffians), splitting.h and deletion.h (nearly planar graphs), kasteleyn_matrix.h,
 * pfaffian_matrix.h and kasteleyn.h (signs), faces.h, patches.h and embedding.h (embeddings), plain_graph.h (the
 * graph).  The room may include elimination, general, algorithm, reduce, dm, matrix, number
 * and core. */
#ifndef PM_PLANAR_RUN_H
#define PM_PLANAR_RUN_H

#include <stdbool.h>

#include "algorithm/algorithm.h"
#include "elimination/determinant_primes.h"
#include "planar/determinant_sum.h"

typedef struct {
    pm_determinant_sum sum;
    pm_integer_entries integers;
    pm_determinant_primes moduli;
    bool is_modular; /* there is one prime: the modulus of the job */
} pm_planar;

/* An upper bound of the bits of the determinants when all weights are 1, with a sign.  They say which class of a weighted torus is
 * subtracted. */
double pm_planar_sign_bits(const pm_job *job, const pm_planar *s);

/* The run of the algorithm, see algorithm/algorithm.h.  chosen->state is a pm_planar. */
pm_status pm_planar_run(const pm_job *job, const pm_plan *chosen, uint64_t *residues, pm_value *out,
                        pm_error *err);

#endif
