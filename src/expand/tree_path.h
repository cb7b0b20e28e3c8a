/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/tree_path.h: the groups of a tree that are open, and the nodes that the sink gets.  A
 * product knows which of its blocks comes next, a sum has its pool.
 *
 * A sum is announced to the sink with its first node, since one node alone takes its place. */
#ifndef PM_TREE_PATH_H
#define PM_TREE_PATH_H

#include "expand/addend.h"
#include "expand/addend_pool.h"
#include "expand/allowance.h"
#include "pm/expand.h"

typedef struct {
    bool is_sum;
    int64_t limit; /* of terms, while this group is open */
    int64_t times; /* of a sum not yet begun */
    bool is_begun; /* the sink knows of it */
    /* product: blocks from `next` on are to come; sum: the factor alone */
    pm_addend addend;
    int64_t next;
    int64_t kinds; /* of different blocks from `next` on */
    int64_t bytes; /* charged for the addend */
    pm_addend_pool pool;
} pm_group;

typedef struct {
    pm_walk walk;   /* calls the visitor */
    pm_field field; /* of the input */
    pm_allowance *allowance;
    pm_groups groups; /* the frames are of type pm_group */
} pm_tree_path;

pm_tree_path pm_path_make(const pm_visitor *visitor, void *context, pm_field field,
                          pm_allowance *allowance);
void pm_path_free(pm_tree_path *p);

/* The innermost open group; NULL when none is open. */
pm_group *pm_path_last(const pm_tree_path *p);
void pm_path_pop(pm_tree_path *p);

/* ---- nodes ---- */

/* a itself, as it came. */
pm_status pm_path_put_given(pm_tree_path *p, const pm_matrix *a, pm_error *err);
/* f, which is changed, times b. */
pm_status pm_path_put_block(pm_tree_path *p, const pm_block *b, pm_fraction *f, int64_t times,
                            pm_error *err);
/* A number, a matrix, or a product that is left open, with this limit.  t is left to be cleared. */
pm_status pm_path_put_addend(pm_tree_path *p, pm_addend *t, int64_t times, int64_t limit,
                             pm_error *err);

/* ---- groups ---- */

/* The sum that block b, taken over, is to become, times f. */
pm_status pm_path_open_sum(pm_tree_path *p, pm_block *b, const pm_fraction *f, int64_t times,
                           int64_t limit, pm_error *err);
/* An addend of the innermost group, a sum, becomes a node; if there is no other, the sum is closed
 * and the node takes its place. */
pm_status pm_path_put_in_sum(pm_tree_path *p, pm_addend *t, pm_error *err);
/* The innermost group, a sum of which nothing waits but a number. */
pm_status pm_path_close_sum(pm_tree_path *p, pm_error *err);

/* *b, *times: the next block of the innermost group, a product, and how often it occurs; *limit: of
 * terms, for it.  The caller frees b.  There is one. */
void pm_path_take_block(pm_tree_path *p, pm_block *b, int64_t *times, int64_t *limit);
pm_status pm_path_close_product(pm_tree_path *p, pm_error *err);

#endif
