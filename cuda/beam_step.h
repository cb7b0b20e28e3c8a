/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/beam_step.h: the data of the beam's kernels (cuda/beam.cuh): steps, states of runs, buffers.
 * The text of the kernels contains this file, so it includes nothing and uses types of any
 * compiler.
 *
 * One step is one edge (v, u) of beam/beam_plan.h.  Both transitions of a state change its key by a
 * constant: skipping the edge clears the bits of the vertices that leave the frontier, taking it
 * sets the bits of those that stay.  The two constants differ by bit(v) + bit(u) in either case.
 * So the states after an edge are the merge of the sorted list with the same list shifted by that
 * sum, where states without the transition are left out and the bits of vertices that leave are
 * cleared.  No key has to be searched for, and no list of skipped or taken states is stored. */
#ifndef PM_BEAM_STEP_H
#define PM_BEAM_STEP_H

typedef struct {
    int v_word, u_word; /* words of a key that hold the bits; 0 is the most significant one */
    unsigned long long v_mask, u_mask;
    int v_leaves, u_leaves;   /* v, u leaves the frontier after the edge */
    int is_unit, rescales;    /* factor is 1; the weights are rescaled after the step */
    double factor;            /* of the weights of states that take the edge */
    long long bound;          /* states before the step, at most */
    long long limit;          /* states are thinned if there are more after the step; < 0: never */
    long long first_factor;   /* index of its factors in pm_beam_buffers.factors */
    long long first_conflict; /* index of its conflicts in pm_beam_buffers.conflicts */
    int nconflicts, bytes;    /* its conflicts; bytes of a key that can differ from 0 */
} pm_beam_step;

/* A state is a dead end if bit `unmatched` of its key is 0 and bit `other` is equal to is_set
 * (pm_beam_conflict of beam/beam_score.h).  Bits as masks and words. */
typedef struct {
    unsigned long long unmatched, other;
    int unmatched_word, other_word;
    int is_set;
    int unused; /* pads to a multiple of eight bytes */
} pm_beam_conflict_masks;

/* The state of one run.  A kernel with parity p reads n[p] and list[p], which the kernels before it
 * wrote, and may write n[1 - p] and list[1 - p]. */
typedef struct {
    long long n[2], list[2];          /* number of states; which of the two lists holds them */
    long long exp;                    /* all weights are multiplied by 2^exp */
    unsigned long long score, weight; /* the largest score, the largest weight: bits of a double */
    double cut;                       /* threshold of the thinning */
    double value;                     /* result: the weight of the last state; 0: there is none */
    unsigned count[512];              /* histogram of scores: buckets of cuda/thin_rule.h */
} pm_beam_run_state;

/* A number of states in fixed point: whole + fraction 2^-PM_THIN_FRACTION. */
typedef struct {
    unsigned long long whole, fraction;
} pm_beam_fixed;

enum {
    PM_BEAM_BLOCKS = 1024, /* thread blocks of a run, at most */
    /* Weights are rescaled every PM_BEAM_RESCALE edges if the largest is not between
     * 2^-PM_BEAM_RESCALE and 2^PM_BEAM_RESCALE. */
    PM_BEAM_RESCALE = 64
};

/* Addresses of arrays in the memory of the device, for several runs at a time. */
typedef struct {
    unsigned long long steps;        /* pm_beam_step[nsteps], for all runs */
    unsigned long long factors;      /* double[], for all runs: beam/beam_gpu_kernel.h */
    unsigned long long conflicts;    /* pm_beam_conflict_masks[], for all runs */
    unsigned long long thin_offsets; /* unsigned long long[run][step]: beam/beam_thin.h */
    unsigned long long run_states;   /* pm_beam_run_state[run] */
    unsigned long long parts;        /* pm_beam_fixed[run][PM_BEAM_BLOCKS] */
    unsigned long long keys;         /* unsigned long long[run][2][room][words]: two lists */
    unsigned long long weights;      /* double[run][3][room]: of the two lists; scores */
    long long room;                  /* states of a list, at most */
    long long nsteps;
    double keep; /* states that a thinning keeps, about */
} pm_beam_buffers;

#endif
