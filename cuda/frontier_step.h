/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/frontier_step.h: steps of a frontier programme (frontier/frontier_program.h) as kernels take them.  The
 * kernels' text begins with this file, so it includes nothing, and types are those of any compiler.
 *
 * A branch of frontier_rank.c takes v's partner at one item, and passes all others by.  Once it has
 * its partner, the digits below it, and the digit sum that is left, are those of every other such
 * branch, and differ from those of the branch without a partner by `shift` in the sum.  So two
 * sums of offsets from the top down, one with a partner and one without, give the numbers of all
 * predecessors: those without up to the item, the item's own, those with a partner from there on. */
#ifndef PM_FRONTIER_STEP_H
#define PM_FRONTIER_STEP_H

/* One digit of the upper slots, from the top down; a slot that is in one layout only has no other
 * number there (-1) and range 0. */
typedef struct {
    int new_slot, new_range, old_slot, old_range;
    int pass;                /* old digit, v taking another partner, less the new one */
    int can_pick;            /* v may take this one: its old digit is then `shift` less */
    int weight;              /* of that: an entry of the block, or -1 for 1 */
    int unused;              /* eight bytes come next */
    unsigned long long code; /* permutations: what a unit of the digit adds to the old codes */
} pm_frontier_item;

/* Old slots first .. last-1 of a permutation, as in rank_permute.c: their digits are a code. */
typedef struct {
    int first, last;
    int is_binary, unused; /* all digits are 0 or 1: their sum is the number of ones */
    long long codes;
    long long offset,
        sum; /* where in the scratch its tables begin: [rest * codes + code], [code] */
} pm_frontier_chunk;

enum { PM_FRONTIER_CHUNKS = 6, PM_FRONTIER_CHUNK_BITS = 10 };

/* Places are counted in numbers of the tables.  A table of a level is pm_level's `below`, width =
 * digit sum + 1; `runs` says the same of runs: how many patterns of the slots from `low` up to q
 * exclusive there are with a digit sum, those below included, that the rest can complete. */
typedef struct {
    long long states; /* of the new level */
    long long new_below, old_below, runs;
    long long items; /* the first one's place among all items */
    int nitems, low; /* slots below `low` are a run's */
    int new_width, old_width;
    int shift;
    int chunk;       /* new states of a block */
    int batch;       /* runs whose predecessors a block looks up at once */
    int sources;     /* of a state, at most */
    int is_weighted; /* a weight is not 1 */
    int is_sorted;   /* a permutation; what follows is its own */
    int nchunks;
    long long list_start;      /* table: where the patterns of a run with this digit sum begin */
    long long list, list_size; /* place in the scratch: codes of these patterns */
    long long old_range;       /* table: ranges of the old slots */
    pm_frontier_chunk chunks[PM_FRONTIER_CHUNKS];
} pm_frontier_step;

#endif
