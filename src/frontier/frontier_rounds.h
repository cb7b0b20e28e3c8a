/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_rounds.h: the rounds of a step in place.
 *
 * A step that drops slots moves states and keeps their sequence: the j-th new state is the source(j)-th
 * old one, and source(j) - j does not decrease.  Let gap(j) be the place of the old state in the array
 * less that of the new one.  It does not decrease either, so the new states fall into three parts:
 * the first ones move up, the next ones stay, the last ones move down.  Those that move down are taken
 * from the lowest on: states a .. b - 1 with b = a + gap(a) are written below all that is still to be
 * read.  Those that move up are taken from the highest on in the same way.  In one round the states can
 * be moved in any sequence, by any number of threads.  As the gap grows with the number of the states
 * that are passed, there are some ten rounds of large levels.
 *
 * Any other step is one round. */
#ifndef PM_FRONTIER_ROUNDS_H
#define PM_FRONTIER_ROUNDS_H

#include "frontier/frontier_program.h"

typedef struct {
    const pm_frontier_step *step;
    const pm_frontier_level *from, *to;
    int64_t up;   /* new states below this one move up, and have not */
    int64_t down; /* new states from this one on move down, and have not */
} pm_frontier_rounds;

/* The rounds of step i of p. */
pm_frontier_rounds pm_frontier_rounds_of(const pm_frontier_program *p, int32_t i);
/* Sets the new states *begin .. *end - 1 of the next round.  Returns false when there is none. */
bool pm_frontier_rounds_next(pm_frontier_rounds *r, int64_t *begin, int64_t *end);

#endif
