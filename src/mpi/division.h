/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/division.h: how many indices of a task a rank gets at a time.
 *
 * A range takes about half a second by the measured rate of the rank, so that the messages cost little.  Towards
 * the end it takes half of the time that all ranks need for the rest (guided self-scheduling: Polychronopoulos
 * and Kuck 1987), so that ranks of different speeds finish together. */
#ifndef PM_DIVISION_H
#define PM_DIVISION_H

#include <stdint.h>

#include "pm/status.h"

typedef struct {
    double since;  /* when the measurement began: seconds of core/clock.h; 0: not yet */
    uint64_t done; /* indices since then */
    double rate;   /* indices a second; 0: not known */
} pm_division_rank;

typedef struct {
    int ranks;
    pm_division_rank *rank;
    double rate; /* of all ranks together */
} pm_division;

/* Fails: PM_ENOMEM. */
pm_status pm_division_make(int ranks, pm_division *out, pm_error *err);
void pm_division_free(pm_division *d);
/* A task begins: no rate is known. */
void pm_division_begin(pm_division *d);
/* The rank has done so many indices more, at this time. */
void pm_division_note(pm_division *d, int rank, uint64_t indices, double now);
/* What the rank gets of the `left` indices: a multiple of unit, which may be more than what is left. */
uint64_t pm_division_size(const pm_division *d, int rank, uint64_t left, uint64_t unit);

#endif
