/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_thin.h: thinning, which reduces the number of weighted states without changing the
 * expectation of any weight.
 *
 * Every state has a score s.  With a threshold c, states of score s >= c are kept.  A state of
 * score s < c is kept with probability s/c, and its weight is then multiplied by c/s; so the
 * expectation is the weight before.  Where the score is the weight itself, no unbiased thinning to
 * the same number of states has less variance (Fearnhead and Clifford 2003, section 3; "threshold
 * resampling"). One random number u decides for all states of score below c, by systematic
 * sampling: a state is kept if a multiple of c lies in its part of the running sum u c + s_1 + s_2
 * + ... over these states in the order of the list.  So the number of states that are kept varies
 * by less than one, and of neighbours in the list, which are similar states, about the expected
 * number is kept.
 *
 * Every c gives the right expectation.  It is computed from a histogram of the scores so that about
 * the wanted number of states is kept. */
#ifndef PM_BEAM_THIN_H
#define PM_BEAM_THIN_H

#include "beam/state_lists.h"
#include "cuda/thin_rule.h"

/* Working memory of pm_beam_thin. */
typedef struct {
    unsigned count[PM_THIN_BUCKETS];
    pm_thin_octave octave[PM_THIN_OCTAVES];
} pm_thin_histogram;

/* Keeps at most 1.1 keep + 4 of the states *s; none if all scores are 0; all if there are at most
 * `keep` states.
 * words:  of a key.
 * score:  [s->n], finite and >= 0; must not be s->hi.  s->lo is ignored.
 * offset: pm_beam_thin_offset(u), u uniform in [0, 1).
 * The probability of keeping a state differs from s/c by less than 2^-51 relative plus 2^-61. */
void pm_beam_thin(pm_states *s, int32_t words, int64_t keep, const double *score, uint64_t offset,
                  pm_thin_histogram *h);

/* The largest of x[0 .. n-1], all >= 0; 0 for n = 0. */
double pm_beam_largest(const double *x, int64_t n);

/* u in units of 2^-PM_THIN_FRACTION; u in [0, 1). */
uint64_t pm_beam_thin_offset(double u);

#endif
