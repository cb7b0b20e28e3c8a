/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/beam_step.h: steps of a beam as kernels take them.  The kernels' text holds this file, so
 * it includes nothing, and types are those of any compiler.
 *
 * Both ways of an edge (v, u) (beam/beam_plan.h) change a key by a constant: skipping clears the
 * bits that leave, taking sets those that do not.  The difference of the two constants is
 * bit(v) + bit(u) whoever leaves.  So what an edge makes of a sorted list is the list merged with
 * itself shifted by that sum, without the states that cannot go the way, and with the bits of those
 * who leave cleared: no state need be looked up, and no list of those that skip or take is made. */
#ifndef PM_BEAM_STEP_H
#define PM_BEAM_STEP_H

typedef struct {
    int v_word, u_word; /* of a key, from the most significant one */
    unsigned long long v_mask, u_mask;
    int v_leaves, u_leaves;
    int is_unit, rescales; /* the factor is 1; weights are brought near 1 after it */
    double factor;         /* of those who take */
    long long bound;       /* states before it, at most */
    long long limit;       /* with more states than this after it they are thinned; < 0: never */
    long long open;        /* where its scores begin: what a vertex is worth unmatched, by bit */
    long long clash;       /* where its dead ends begin */
    int nclashes, bytes;   /* bytes of a key that are looked at */
} pm_beam_step;

/* Bit `unmatched` clear and bit `other` as said: a dead end. */
typedef struct {
    unsigned long long unmatched, other; /* masks */
    int unmatched_word, other_word;
    int is_set, unused; /* eight bytes come next */
} pm_beam_conflict_masks;

/* Where a run is.  A kernel of parity p finds in [p] what the ones before it left: how many states,
 * and in which of two lists. */
typedef struct {
    long long n[2], list[2];
    long long exp;                    /* of all weights */
    unsigned long long score, weight; /* the largest ones, their bits */
    double cut;                       /* scores of this and more stay as they are */
    double value;                     /* weight of the last state; 0: none */
    unsigned count[512];              /* scores in buckets of cuda/thin_rule.h */
} pm_beam_run_state;

/* Numbers of states that are known, and what is left over in units of thin_rule.h. */
typedef struct {
    unsigned long long whole, fraction;
} pm_beam_fixed;

enum {
    PM_BEAM_BLOCKS = 1024, /* of a run, at most */
    PM_BEAM_RESCALE = 64   /* edges from one rescaling to the next; octaves that call for it */
};

/* Addresses on the device, of runs side by side. */
typedef struct {
    unsigned long long steps, open, dead; /* of all runs */
    unsigned long long start;             /* [run][step]: beam/beam_thin.h */
    unsigned long long run_states;        /* [run] */
    unsigned long long parts;             /* [run][PM_BEAM_BLOCKS] */
    unsigned long long keys;              /* [run][2][room] */
    unsigned long long weights;           /* [run][3][room]: of two lists; scores */
    long long room;                       /* states of a list */
    long long nsteps;
    double keep;
} pm_beam_buffers;

#endif
