/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_thin.h: fewer weighted states with the same expectation.
 *
 * Every state has a score.  Those of score c and more stay as they are; one of score s < c stays
 * with probability s/c, and then its weight is multiplied by c/s: what is expected of every state
 * is its weight.  Where the score is the weight itself this is the thinning of least variance among
 * all that keep as many (Fearnhead and Clifford 2003, section 3; "threshold resampling").  Which of
 * the small ones stay is decided along the list by one random number: at multiples of c of
 * u c + sum of their scores, so that their number varies by less than one and neighbours in the
 * list, which are alike, stand in for each other.
 *
 * Any c gives the right expectation.  It is found from a histogram of scores so that about the
 * number wanted stays. */
#ifndef PM_BEAM_THIN_H
#define PM_BEAM_THIN_H

#include "beam/state_lists.h"
#include "cuda/thin_rule.h"

/* Room to work in. */
typedef struct {
    unsigned count[PM_THIN_BUCKETS];
    pm_thin_octave octave[PM_THIN_OCTAVES];
} pm_thin_histogram;

/* At most 1.1 keep + 4 states stay, none where all scores are 0; as they are if there are no more
 * than keep.  score: one a state, >= 0 and finite; not s->hi.  start: what multiples of c are
 * counted from, of a uniform number.  No low parts.
 * Deviations of the probability from s/c are below 2^-51 relative and 2^-61 absolute. */
void pm_beam_thin(pm_states *s, int32_t words, int64_t keep, const double *score, uint64_t start,
                  pm_thin_histogram *h);

/* The largest of x[0 .. n-1], 0 for none. */
double pm_beam_largest(const double *x, int64_t n);

/* Of u, uniform in [0, 1). */
uint64_t pm_beam_thin_offset(double u);

#endif
