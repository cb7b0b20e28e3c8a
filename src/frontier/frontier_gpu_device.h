/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_device.h: a device with a frontier program and its levels, and the launches
 * that run the program on it. */
#ifndef PM_FRONTIER_GPU_DEVICE_H
#define PM_FRONTIER_GPU_DEVICE_H

#include "frontier/frontier_gpu_shares.h"
#include "frontier/frontier_state.h"
#include "gpu/gpu_queue.h"
#include "pm/run.h"

typedef struct {
    const pm_frontier_program *program;
    const pm_flat_program *flat;
    pm_gpu_session *session;
    pm_gpu_array steps, digits, table, scratch, constants;
    pm_gpu_array levels;  /* the array of all levels (frontier_program.h) */
    pm_gpu_array waiting; /* a level that another device has made; not there if it has no bytes */
    double byte_seconds;  /* PM_GPU_LEVEL_BYTE_SECONDS of this device */
    pm_gpu_queue queue;
} pm_frontier_device;

/* Progress of a device: states so far, and of all that it runs. */
typedef struct {
    double done, all;
} pm_frontier_progress;

/* Loads the program and makes room for its levels, for values of rings like this one (equal lanes
 * or parts, with weights or without), and for a level of `waiting` bytes.
 * levels: 0, or the array of all levels, on several devices.
 * f outlives *out.  The caller closes *out with pm_frontier_device_close.
 * Fails: PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
pm_status pm_frontier_device_open(int gpu, const pm_frontier_gpu *f, const pm_ring *ring,
                                  double waiting, pm_gpu_array levels, pm_frontier_device **out,
                                  pm_error *err);
/* d: may be NULL. */
void pm_frontier_device_close(pm_frontier_device *d);

/* The place of level i, with values of so many bytes. */
pm_gpu_array pm_frontier_device_level(const pm_frontier_device *d, int32_t i, int64_t value_bytes);

/* Runs the steps of a piece, as pm_frontier_rank_run does them, and with the same digits.  The level
 * before the first one is that of one state, or the one that waits.
 * pass: if the piece is a whole pass, it goes on from its stored level; levels are stored.
 * Fails: PM_ENODEV, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_frontier_device_run(pm_frontier_device *d, const pm_frontier_piece *piece,
                                 const pm_ring *ring, pm_frontier_pass *pass, const pm_run *run,
                                 pm_frontier_progress *so_far, pm_error *err);

/* Runs all steps on `gpus` devices together, whose levels are in arrays of all of them: each device
 * computes an equal part of the states of every level.  Ends when all devices are ready. */
pm_status pm_frontier_devices_run(pm_frontier_device *const *d, int gpus, const pm_ring *ring,
                                  pm_frontier_pass *pass, const pm_run *run,
                                  pm_frontier_progress *so_far, pm_error *err);

#endif
