/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/mapper.h: filters from graphs and pm streams to a pm stream.
 *
 * A filter says what becomes of one matrix.  All else passes through: groups, numbers, factors,
 * repetitions, names.  All inputs make one stream, a batch; then nodes outside any group that have
 * no name get that of their input, with ":INDEX" where an input may hold several.  One matrix is in
 * memory at a time, and what it becomes is written at once.
 *
 * So an input that turns out to be bad may be in the stream in part.  Then the stream ends there,
 * without its last line, and readers see that it was cut.  An input that fails before anything of
 * it was written is left out; if there is no other, nothing is written at all. */
#ifndef PM_MAPPER_H
#define PM_MAPPER_H

#include "cli/batch.h"

/* Where a matrix stands. */
typedef struct {
    pm_writer *to;
    int64_t depth;     /* of open groups */
    const char *where; /* "input" or "input:line", for notes */
} pm_map_site;

typedef struct {
    /* Write the one node that the matrix node becomes, with its factor, repetitions and name.
     * Things may be moved out of the node.  Fails: what pm_writer_put fails with, and others. */
    pm_status (*map)(void *context, pm_node *node, const pm_map_site *at, pm_error *err);
    void *context;
    char **argv; /* of the program: its words before the operands go into the stream; or NULL */
    bool names;  /* name the nodes of a single input too */
} pm_mapper;

/* Returns the exit status. */
int pm_map(const pm_batch *b, const pm_mapper *m);

#endif
