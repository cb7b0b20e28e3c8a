/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_device.h: running a frontier programme on a GPU, level by level in its memory. */
#ifndef PM_FRONTIER_DEVICE_H
#define PM_FRONTIER_DEVICE_H

#include "frontier/frontier_flat.h"
#include "pm/run.h"

typedef struct pm_frontier_device pm_frontier_device;

/* A device with the programme and room for its levels, for values of rings like this one (as many
 * lanes or parts, weights or none).  p and f outlive it.  Of one thread at a time.
 * Fails: PM_ENODEV, PM_EINTERNAL the kernels do not compile, PM_ENOMEM. */
pm_status pm_frontier_device_open(int device, const pm_frontier_program *p,
                                  const pm_flat_program *f, const pm_ring *ring,
                                  pm_frontier_device **out, pm_error *err);
void pm_frontier_device_close(pm_frontier_device *d); /* NULL is fine */

/* As pm_frontier_rank_run, and with the same digits. */
pm_status pm_frontier_device_run(pm_frontier_device *d, const pm_ring *ring, const pm_run *run,
                                 double done, double share, void *value, pm_error *err);

/* Bytes on the device for values of so many. */
double pm_frontier_device_bytes(const pm_frontier_program *p, const pm_flat_program *f,
                                int64_t value_bytes);

#endif
