/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam.h: the beam: the frontier method with a limited number of states, as a sampler.
 *
 * The room src/beam: beam_plan.h divides the frontier method into steps, one an edge; state_lists.h
 * makes a step; beam_score.h and beam_thin.h reduce the number of states; beam.c draws a sample on
 * the CPU, beam_gpu.c on GPUs.  The room may include bounds, sampler, order and what is below them.
 * Begin with beam_plan.h, then beam.c.
 *
 * Without thinning the steps sum the weights of all states exactly.  Whenever there are more than K
 * states after a vertex they are thinned without bias to about K.  By induction, the expectation of
 * the weight of every state is its exact weight; so the expectation of the weight of the last
 * state, the empty key, is the permanent: one run over all edges is one sample.  The kept states of
 * a level represent all others, so weights vary far less than those of sequential sampling: cv^2
 * falls as 1/K, and is 0 when K is the number of all states.
 *
 * The method is ours.  It is related to stochastic enumeration (Vaisman, Strichman and Gertsbakh
 * 2015), but merges equal states and uses the thinning of Fearnhead and Clifford (2003). */
#ifndef PM_BEAM_H
#define PM_BEAM_H

#include "sampler/sampler.h"

/* Batches have one sample.  is_exact: K states are enough, so nothing is ever thinned.
 * options->states: K.  If it is 0, K is
 *   the largest number of states of the order, when a run then takes at most 2 nominal seconds;
 *   else the number of states for about 0.2 nominal seconds, at least 1000;
 * in both cases halved until a run needs at most a sixteenth of pm_run_memory.
 * Scratch memory: at most 12 K (8 w + 8) bytes, w the words of 64 bits of a key.
 * make fails: PM_UNABLE (entries of too many magnitudes, not enough memory for K), PM_ESTOPPED,
 * PM_ENOMEM. */
extern const pm_sampler_method pm_sampler_beam;

#endif
