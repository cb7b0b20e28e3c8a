/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/shared_sweep.h: a sweep of the CPU whose ranges are summed by devices.
 *
 * Where a method for GPUs has a `host` (sweep/ryser_driver.h), both have the same term at the same
 * index, up to a power of two.  A shared sweep looks like the host's: the same indices, pieces and
 * numbers; so its task in a ledger is that of the host, and either goes on with what the other has
 * done.
 *
 * Integers that the host sums modulo primes: devices sum modulo the same primes.
 * Integers that it sums as they are: devices sum modulo primes.  Terms cancel, so a part of a sum may be much larger than the
 * permanent; there are so many primes that their product exceeds twice the sum of all |terms|.  So the
 * sum of any range follows from its residues.  Where they do not fit one sweep of the device, each
 * range is swept several times; so it is where the device takes large entries modulo each prime.
 * Real and complex numbers: the device may round the entries to other units than the host.  Then the sums of both differ by
 * a power of two, and its sums are multiplied by it, without rounding.  The spread bounds what is lost in either, and the
 * other error is bounded with the larger rounding of both.
 *
 * What begins or ends within a thread block is summed by the host. */
#ifndef PM_SHARED_SWEEP_H
#define PM_SHARED_SWEEP_H

#include "sweep/ryser_setup.h"

typedef struct {
    const pm_ryser_setup *device; /* its method, for GPUs, in the orientation of the host */
    const void *choice;           /* of this method */
    const uint64_t *prime;        /* of the host, `primes` of them; 0: it has none */
    int primes;
    int width; /* the most primes of a sweep of the device */
    int64_t
        unit; /* inexact: log2 of what the sum of the host is a multiple of, but for the factor of the square */
} pm_shared_plan;

/* host: a sweep of the CPU; *out owns it from now on, and it becomes {0}.  bits: integers without primes: log2 of a bound of
 * the sum of its |terms|.
 * Fails: PM_UNABLE the sweeps do not have the same indices, or their units are far apart; as the prepare functions of the method. */
pm_status pm_shared_sweep_make(const pm_shared_plan *p, pm_sweep *host, double bits, pm_sweep *out,
                               pm_error *err);

/* Seconds that the devices took in the last run, without compiling and loading. */
double pm_shared_sweep_seconds(const pm_sweep *s);

/* The sweep of the host; it belongs to s. */
const pm_sweep *pm_shared_sweep_host(const pm_sweep *s);

#endif
