/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/tree_path.h: the open groups of the expression that an expansion writes, and the nodes
 * that go to the visitor.
 *
 * The visitor gets the node that opens a sum together with the first node inside: a sum with a
 * single node is replaced by this node. */
#ifndef PM_TREE_PATH_H
#define PM_TREE_PATH_H

#include "expand/addend.h"
#include "expand/addend_pool.h"
#include "expand/allowance.h"
#include "pm/expand.h"

typedef struct {
    bool is_sum;
    int64_t limit; /* the most terms of the whole expression while this group is open */
    int64_t times; /* a sum: its repetitions */
    bool is_begun; /* a sum: the visitor has the node that opens it */
    /* product: its blocks, those before `next` are written; sum: only the factor is used */
    pm_addend addend;
    int64_t next;
    int64_t kinds;       /* product: number of different blocks from `next` on */
    int64_t bytes;       /* product: what the addend adds to allowance->bytes */
    pm_addend_pool pool; /* sum: terms that are not yet written */
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
/* Closes the innermost group without writing anything. */
void pm_path_pop(pm_tree_path *p);

/* ---- nodes ---- */

/* Writes the input itself, with the permanent or, of a general graph, the hafnian as its value. */
pm_status pm_path_put_given(pm_tree_path *p, const pm_matrix *a, bool general, pm_error *err);
/* Writes f times the permanent or hafnian of b; f is changed. */
pm_status pm_path_put_block(pm_tree_path *p, const pm_block *b, pm_fraction *f, int64_t times,
                            pm_error *err);
/* Writes t as a number, as a matrix, or opens a product with this limit of terms, whose blocks are
 * not written yet.  The blocks may be moved out of t; the caller clears t. */
pm_status pm_path_put_addend(pm_tree_path *p, pm_addend *t, int64_t times, int64_t limit,
                             pm_error *err);

/* ---- groups ---- */

/* Opens a sum with factor f whose only term is block b.  b is moved out. */
pm_status pm_path_open_sum(pm_tree_path *p, pm_block *b, const pm_fraction *f, int64_t times,
                           int64_t limit, pm_error *err);
/* Writes a term of the innermost group, a sum.  When it is the only term, the sum is closed and is
 * replaced by this term. */
pm_status pm_path_put_in_sum(pm_tree_path *p, pm_addend *t, pm_error *err);
/* Closes the innermost group, a sum whose pool has no term but the number. */
pm_status pm_path_close_sum(pm_tree_path *p, pm_error *err);

/* Takes the next block of the innermost group, a product that has one.  *b: freed by the caller;
 * *times: its number of occurrences; *limit: the limit of terms for it. */
void pm_path_take_block(pm_tree_path *p, pm_block *b, int64_t *times, int64_t *limit);
pm_status pm_path_close_product(pm_tree_path *p, pm_error *err);

#endif
