/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/frontier_step.h: the steps of a frontier program (frontier/frontier_program.h) as kernels
 * read them.  The text of the kernels begins with this file, so it includes nothing and uses only
 * types that every compiler knows.
 *
 * A predecessor of a new state has a digit for each step slot.  It is the new digit plus `pass` if
 * v is not matched to the vertex of the slot, and less by `shift` if it is.  Below the slot of the
 * partner, all predecessors that have their partner have the same digits and the same remaining
 * digit sum, which differs by `shift` from that of a predecessor without a partner.  So two sums of
 * offsets from the top down, one without a partner and one with, give the numbers of all
 * predecessors: the sum without down to the slot of the partner, that slot's own offset, and the
 * sum with from there on. */
#ifndef PM_FRONTIER_STEP_H
#define PM_FRONTIER_STEP_H

/* One digit of the upper slots, from the top down.  A slot that is in one layout only has number -1
 * and range 0 in the other. */
typedef struct {
    int new_slot, new_range, old_slot, old_range;
    int pass;        /* old digit less new digit if v is matched to another vertex */
    int can_partner; /* v may be matched to this vertex: the old digit is then `shift` less */
    int weight;      /* of that edge: an entry of the block, or -1 for 1 */
    int unused;      /* aligns the next member */
    /* permutations: what one unit of the digit adds to the old codes; in place, to those of the state itself, too */
    unsigned long long code, own;
} pm_dev_frontier_digit;

/* Old slots first .. last-1 of a permutation; their digits form a code (frontier_permute.c). */
typedef struct {
    int first, last;
    long long codes;
} pm_dev_frontier_chunk;

enum { PM_FRONTIER_CHUNKS = 6, PM_FRONTIER_CHUNK_BITS = 10 };

/* new_below, old_below, spans, list_start and old_range are indices in the table.  The table of a
 * level is `below` of pm_frontier_level; its width is the digit sum + 1.  The table `spans` has the
 * same shape and counts spans: in how many ways the slots from `low` up to q exclusive can have a
 * digit sum, slots below `low` included, that the slots from q up can complete. */
typedef struct {
    long long states; /* of the new level */
    long long new_below, old_below, spans;
    long long digits; /* index of its first digit among those of all steps */
    int ndigits;
    int low; /* slots below `low` are inside a span */
    int new_width, old_width;
    int shift;          /* 1 if v is a row, else -1 */
    int chunk;          /* new states of a thread block */
    int batch;          /* spans whose predecessors a thread block finds at a time */
    int sources;        /* predecessors of a state, at most */
    int is_weighted;    /* some weight is not 1 */
    int in_place;       /* both levels are in one array */
    int is_permutation; /* list_start and what follows are for permutations */
    int nchunks;
    int is_binary; /* the old digits are 0 or 1, so that the sum of those of a code is the number of its ones */
    long long stays; /* in place: a state that is its only predecessor, at this distance, stays; a
                      * permutation swaps states */
    long long list_start; /* [digit sum]: where the codes of a span with this digit sum begin */
    /* The scratch of a permutation has rows of 2^PM_FRONTIER_CHUNK_BITS codes: for each chunk and digit sum `rest` of the
     * slots up to it what a code adds to the number of a state, then for each chunk the digit sums of its codes, then
     * the list. */
    long long list; /* index in the scratch of the codes of all digit vectors of the slots
                           * below `low`, by digit sum and number; in place, those of the states
                           * themselves follow */
    long long list_size;
    long long old_range; /* the ranges of the old slots */
    pm_dev_frontier_chunk chunks[PM_FRONTIER_CHUNKS];
} pm_dev_frontier_step;

#endif
