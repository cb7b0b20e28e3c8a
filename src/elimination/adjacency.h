/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/adjacency.h: which pairs an elimination joins from the start. */
#ifndef PM_ADJACENCY_H
#define PM_ADJACENCY_H

#include <stdint.h>

#include "elimination/paired_matrix.h"
#include "pm/status.h"

/* A graph without loops: the neighbours of v are adj[ptr[v]] .. adj[ptr[v + 1] - 1], and v is one of
 * theirs. */
typedef struct {
    int32_t n;
    int32_t *ptr, *adj;
} pm_adjacency;

/* Pairs that share an entry, either way; an entry and its mirror image count once. */
pm_status pm_adjacency_make(const pm_paired_matrix *p, pm_adjacency *out, pm_error *err);
void pm_adjacency_free(pm_adjacency *g);

#endif
