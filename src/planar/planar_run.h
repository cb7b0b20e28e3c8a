/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/planar_run.h: what is known of a planar block, or one that is nearly so, once it is planned. */
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
    bool is_modular; /* one modulus, the one that is asked for */
} pm_planar;

/* chosen->state is a pm_planar; see algorithm/algorithm.h. */
pm_status pm_planar_run(const pm_job *job, const pm_plan *chosen, uint64_t *residues, pm_value *out,
                        pm_error *err);

#endif
