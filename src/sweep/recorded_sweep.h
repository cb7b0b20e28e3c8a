/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/recorded_sweep.h: the sweep whose sums a ledger has, on any device.
 *
 * A recorded sum belongs to no device, but to a plan: the orientation, the primes, and what else the terms and their
 * indices follow from.  The plan is recorded as numbers.  A run that goes on, on whatever device, prepares the sweep
 * that these describe.  Where there is no plan yet, the method that begins makes it.  The host makes it for a method that
 * cannot describe its choice, and for parts that any device may do.
 *
 * The task is always that of the method of the CPU, the host: its indices, its pieces and its numbers.  A method for
 * GPUs sums ranges of them (sweep/shared_sweep.h). */
#ifndef PM_RECORDED_SWEEP_H
#define PM_RECORDED_SWEEP_H

#include "sweep/ryser_setup.h"

typedef struct {
    pm_ledger_plan plan;
    pm_ryser_setup w;              /* of the host */
    void *choice;                  /* of the host */
    const pm_sweep_method *device; /* NULL: the host sums */
    void *device_choice;
} pm_recorded_sweep;

/* As the sums of the method are recorded: those of its host, or its own. */
const pm_sweep_method *pm_recorded_method(const pm_sweep_method *method);
/* Whether the sums of such a method have plans; others are recorded as they are. */
bool pm_recorded_method_has_plans(const pm_sweep_method *method);

/* Finds the plan that the scope of the job has for the sums of the method, or makes and records it.
 * x: how this run would compute, with the choice.  out: the caller calls pm_recorded_sweep_free, also after a failure.
 * Fails: PM_UNABLE the sums of this method are recorded as they are, or a part of the family cannot follow the plan of
 * another, with the reason; PM_ENODEV, PM_ENOMEM. */
pm_status pm_recorded_sweep_find(const pm_ryser_setup *x, const void *choice,
                                 pm_recorded_sweep *out, pm_error *err);
void pm_recorded_sweep_free(pm_recorded_sweep *r);
/* Only records the plan, where there is none and the sums have plans.  No device is asked.  Fails: PM_ENOMEM. */
pm_status pm_recorded_sweep_note(const pm_ryser_setup *x, const void *choice, pm_error *err);

/* Prepares the sweep.  q: the square of r->w.  prime: `count` primes, as r->w says.
 * Fails: as above. */
pm_status pm_recorded_sweep_prepare(const pm_recorded_sweep *r, const pm_square *q,
                                    const uint64_t *prime, int count, pm_sweep *out, pm_error *err);
/* What defines it within its job. */
pm_ledger_key pm_recorded_sweep_key(const pm_recorded_sweep *r, const uint64_t *prime, int count);
/* 2^shift * sum modulo prime k of `count` primes. */
uint64_t pm_recorded_sweep_residue(const pm_recorded_sweep *r, const pm_sweep *s, const pm_sum *sum,
                                   int count, int k);
/* The seconds that devices took for it. */
double pm_recorded_sweep_seconds(const pm_recorded_sweep *r, const pm_sweep *s);

#endif
