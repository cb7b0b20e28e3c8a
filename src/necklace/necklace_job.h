/* SPDX-License-Identifier: GPL-3.0-or-later */
/* necklace/necklace_job.h: jobs whose blocks have a cyclic symmetry modulo each of their moduli, on the CPU or on GPUs. */
#ifndef PM_NECKLACE_JOB_H
#define PM_NECKLACE_JOB_H

#include "algorithm/algorithm.h"
#include "necklace/necklace_terms.h"

/* Checks that the block has the symmetry modulo all moduli, at least one.  most: rows that can be counted.  *out: of the first modulus;
 * freed by the caller after success.
 * Fails: PM_UNABLE; PM_ENOMEM. */
pm_status pm_necklace_check(const pm_job *job, int most, pm_necklace_terms *out, pm_error *err);

/* *out: the sum of these terms, with factor and full. */
typedef pm_status pm_necklace_counter(const pm_job *job, const pm_necklace_terms *t,
                                      const pm_run *run, uint64_t *out, pm_error *err);
/* The residues of a job, one after another, and what is done with each.  Fails: PM_UNABLE; as the counter. */
pm_status pm_necklace_residues(const pm_job *job, pm_necklace_counter *count, uint64_t *residues,
                               pm_error *err);

#endif
