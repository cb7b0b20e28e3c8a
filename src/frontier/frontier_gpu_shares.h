/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_shares.h: how the values of a count (residues, or one inexact number) are
 * divided into passes over a frontier program, and the passes among devices.
 *
 * The steps of a pass follow each other, so two devices cannot run it at the same time.  But one
 * device can begin it and another one end it.  McNaughton's rule (Management Science 6, 1959): lay
 * the passes on a line, one after the other, and cut the line into equal pieces, one for each
 * device.  A pass is not longer than a piece, so a cut pass has its first steps on a device g and
 * its last steps on device g + 1.  Device g runs those first steps before everything else, and
 * device g + 1 runs the last steps after everything else; as both parts together are not longer
 * than a piece, the first part ends before the second one begins.
 *
 *     five passes on four devices       device 0 | 1a . . . . . . 0 |
 *     (the line, cut at 1.25, 2.5,      device 1 | 2a 2a . . . . . 1b|
 *     3.75)                             device 2 | 3a 3a 3a . . . 2b |
 *                                       device 3 | 4 . . . . . 3b 3b |
 *
 * The level at the cut goes to device g + 1 and waits there in an array of its own. */
#ifndef PM_FRONTIER_GPU_SHARES_H
#define PM_FRONTIER_GPU_SHARES_H

#include <stdbool.h>

#include "frontier/frontier_gpu_kernel.h"
#include "frontier/frontier_plan.h"
#include "gpu/gpu.h"

typedef struct {
    int bits;         /* of a residue's word: 64, or 32 (algorithm/narrow_moduli.h) */
    int width;        /* values of one pass */
    int passes, gpus; /* devices 0 .. gpus - 1 run passes */
    /* If is_cut, passes >= gpus, and cut[g] is the number of steps of the cut pass that device g
     * runs, for g < gpus - 1.  Otherwise device g runs the passes g, g + gpus, ... */
    bool is_cut;
    int32_t cut[PM_GPU_MAX];
    /* All devices run each pass together, and every level is spread over their memory: for levels
     * that no device has room for. */
    bool is_spread;
} pm_frontier_shares;

/* Steps first .. last - 1 of a pass. */
typedef struct {
    int pass;
    int32_t first, last;
} pm_frontier_piece;

/* The program of a block, as devices run it, and what is known of the devices. */
typedef struct {
    pm_frontier_setup setup;
    pm_flat_program flat;
    pm_frontier_shares planned;
    int gpus; /* devices that may be used */
    bool has_compiler, can_spread;
    double scale; /* factor of the nominal seconds on these devices */
} pm_frontier_gpu;

/* Residues with words of so many bits, or one inexact number.  0: residues cannot have such
 * words. */
int pm_frontier_gpu_values(const pm_job *job, int bits);
/* Nominal seconds of a transition of one value, where `weighted` of the weights are not 1. */
double pm_frontier_gpu_transition(const pm_job *job, int bits, double weighted);
/* Whether kernels for so many values are precompiled, or a compiler is there. */
bool pm_frontier_gpu_is_runnable(const pm_job *job, bool has_compiler, int bits, int values);
/* The text of the kernels; the caller frees it.  NULL when memory runs out. */
char *pm_frontier_gpu_text(const pm_job *job, int bits, int values);

/* Bytes of `values` residues with words of `bits` bits, or of one inexact number. */
int pm_frontier_gpu_value_bytes(const pm_job *job, int bits, int values);
/* Bytes of the widest passes that devices can share. */
double pm_frontier_gpu_wanted(const pm_job *job, const pm_frontier_gpu *f);
/* Bytes on a device; the level that waits on device `gpu`, or on the device where it takes most. */
double pm_frontier_gpu_bytes(const pm_job *job, const pm_frontier_gpu *f,
                             const pm_frontier_shares *s);
double pm_frontier_gpu_waiting(const pm_job *job, const pm_frontier_gpu *f,
                               const pm_frontier_shares *s, int gpu);

/* Predicted seconds until the last device is ready. */
double pm_frontier_gpu_seconds(const pm_job *job, const pm_frontier_gpu *f,
                               const pm_frontier_shares *s);

/* Sets the division with the fewest predicted seconds that `allowed` bytes on each device permit.
 * Half as many bits a word permit twice as many states, but more primes are needed, and every pass
 * finds its way through the states again; so words of 32 bits are used where words of 64 bits do not
 * fit, and where they save a tenth of the time and more than their compilation takes.  Levels are
 * spread over all devices only if they do not fit into one.
 * Returns false, with the narrowest pass of all in *out, if not even that fits. */
bool pm_frontier_gpu_share(const pm_job *job, const pm_frontier_gpu *f, double allowed,
                           pm_frontier_shares *out);

/* The pieces of a device, where levels are not spread, in the order in which it runs them.  The first one is of a pass that
 * device gpu + 1 ends if its `last` is less than nsteps; the last one of a pass that device gpu - 1
 * began if its `first` is more than 0.  The caller frees *out.
 * Returns their number, -1 when memory runs out. */
int pm_frontier_gpu_pieces(const pm_frontier_shares *s, int32_t nsteps, int gpu,
                           pm_frontier_piece **out);

#endif
