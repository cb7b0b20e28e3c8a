/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_levels.h: the hafnian by all levels of hafnian_kernel.h, one after another. */
#ifndef PM_HAFNIAN_LEVELS_H
#define PM_HAFNIAN_LEVELS_H

#include "hafnian/hafnian_kernel.h"
#include "pm/run.h"

/* The kernels of the vector unit. */
const pm_hafnian_kernels *pm_hafnian_kernels_best(void);

/* The arrays for all levels.  {0} is valid. */
typedef struct {
    uint32_t *offset;
    void *cells, *cycles, *counts;
} pm_hafnian_room;

/* For graphs of so many pairs; numbers of at most so many bytes.  Fails: PM_ENOMEM. */
pm_status pm_hafnian_room_make(int pairs, int sheets, size_t bytes, pm_hafnian_room *out,
                               pm_error *err);
void pm_hafnian_room_free(pm_hafnian_room *r);
double pm_hafnian_room_bytes(int pairs, int sheets, size_t bytes);

/* Products of all levels: of paths, and of counts. */
double pm_hafnian_path_products(int pairs, int sheets);
double pm_hafnian_sum_products(const pm_hafnian_kernel *kernel, int pairs);

/* One level after another. */
typedef struct {
    const pm_hafnian_kernel *kernel;
    pm_hafnian_level l; /* the level; the caller sets l.anchor, from 0 on */
    const pm_run *run;
    double done, all; /* products */
} pm_hafnian_levels;
/* l: pairs, sheets, matrices and modulus are set.  room and run are borrowed. */
void pm_hafnian_levels_begin(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                             const pm_hafnian_room *room, const pm_run *run,
                             pm_hafnian_levels *out);
/* The cycles of the level.  Fails: PM_ESTOPPED. */
pm_status pm_hafnian_levels_paths(pm_hafnian_levels *w, pm_error *err);
/* The counts of the sets that hold its anchor, from the cycles.  Fails: PM_ESTOPPED. */
pm_status pm_hafnian_levels_sums(pm_hafnian_levels *w, pm_error *err);

/* All levels.  l: as for pm_hafnian_levels_begin.
 * number: room for a row; the last count is in lane *lane of it.
 * Nothing depends on the number of threads.  Fails: PM_ESTOPPED. */
pm_status pm_hafnian_levels_run(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                                const pm_hafnian_room *room, const pm_run *run, void *number,
                                int *lane, pm_error *err);

#endif
