/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_device.h: runs of a beam in the memory of one device. */
#ifndef PM_BEAM_DEVICE_H
#define PM_BEAM_DEVICE_H

#include "beam/beam_flat.h"
#include "pm/run.h"

typedef struct pm_beam_device pm_beam_device;

/* Room for `runs` side by side.  f outlives it.  Of one thread at a time.
 * Fails: PM_ENODEV, PM_EINTERNAL, PM_ENOMEM (of the host or the device). */
pm_status pm_beam_device_open(int device, const pm_beam_flat *f, int runs, pm_beam_device **out,
                              pm_error *err);
void pm_beam_device_close(pm_beam_device *d); /* NULL is fine */

/* Weights of samples from .. from + count - 1, count at most `runs`.
 * Fails: PM_ESTOPPED, PM_EINTERNAL, PM_ENOMEM. */
pm_status pm_beam_device_draw(pm_beam_device *d, const pm_sampler *s, uint64_t from, int count,
                              const pm_run *run, pm_weight *out, pm_error *err);

#endif
