/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam.h: the frontier programme with a limited number of states.
 *
 * The programme of beam_plan.h sums the weights of all states exactly.  Whenever more than K states
 * are left after a vertex they are thinned without bias to about K (beam_thin.h).  By induction the
 * expectation of the weight of every state is what the exact programme gives it, so that of the
 * last state, the empty key, is the permanent: one run is one sample.  The states of one level stand in for
 * all others, so weights vary far less than those of sequential sampling: cv^2 falls as 1/K, down
 * to 0 when K is all there are.
 *
 * Our own; of the kind of Vaisman, Strichman and Gertsbakh 2015 (stochastic enumeration) with equal
 * states merged and with Fearnhead and Clifford's (2003) thinning. */
#ifndef PM_BEAM_H
#define PM_BEAM_H

#include "sampler/sampler.h"

/* batch 1; is_exact: no thinning can happen.  options->states = K, or 0:
 *   all states the order can need, when a run then takes at most 2 nominal seconds;
 *   else what takes about 0.2 nominal seconds, at least 1000;
 * halved, in both cases, until a run needs at most a sixteenth of pm_run_memory.
 * Scratch: at most 12 K (8 w + 8) bytes for keys of w words of 64 bits.
 * make fails: PM_UNABLE entries of too many magnitudes, no memory for K; PM_ESTOPPED; PM_ENOMEM. */
extern const pm_sampler_method pm_sampler_beam;

/* How many states the order that pm_sampler_beam finds for a and seed needs at most: as many in
 * options->states make it exact.  Infinite where a double ends. */
pm_status pm_beam_states(const pm_matrix *a, uint64_t seed, const pm_run *run, double *states,
                         pm_error *err);

#endif
