/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers/exact_node.h: nodes of exact numbers for what computes with integers: the denominators go into the factor. */
#ifndef PM_EXACT_NODE_H
#define PM_EXACT_NODE_H

#include "pm/expression.h"

/* A real matrix becomes one of integers, a complex one has integer parts, and the factor of the node becomes a fraction.
 * node: a matrix without roots of unity and without copies.  kind: the matchings that are counted.
 * where: named in messages.
 * Fails: PM_UNABLE what does not fit into memory; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_exact_node_make_integers(pm_node *node, pm_matching_kind kind, const char *where,
                                      const pm_run *run, pm_error *err);

#endif
