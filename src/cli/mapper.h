/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/mapper.h: a filter that writes a pm stream.
 *
 * A mapper replaces every matrix by one node.  All else is copied: groups, numbers, factors,
 * repetitions and names.  All inputs make one stream.  When there are several, items without a name
 * get the name of their input, with ":INDEX" (from 1) if the format may hold several graphs.  One
 * matrix is in memory at a time, and what it becomes is written at once.
 *
 * So a part of an input may be in the stream already when the input turns out to be bad.  Then the
 * stream ends there, without its last line, which shows readers that it was cut.  A file (--output) is
 * not written then; its graphs that are whole are a stream in FILE.partial, also after a signal and at
 * a limit of time.  An input that
 * fails before any part of it was written is left out; if there is no other input, nothing is
 * written.  A graph that reaches its limit of time (--time-limit-each) before any part of it was
 * written is left out as well; the other graphs are written. */
#ifndef PM_MAPPER_H
#define PM_MAPPER_H

#include "cli/filter.h"

/* Where the node goes that a matrix becomes. */
typedef struct {
    pm_writer *to;
    int64_t depth;     /* the number of groups around it */
    const char *where; /* "input" or "input:line", for notes */
    const pm_run *run; /* with the deadline of --time-limit-each */
    bool exact;        /* of the mapper */
} pm_map_target;

typedef struct {
    /* Writes the one node, or the one group, that the matrix node becomes, with its factor,
     * repetitions and name.  May move things out of the node.
     * Fails: what pm_writer_put fails with, and others. */
    pm_status (*map)(void *context, pm_node *node, const pm_map_target *at, pm_error *err);
    void *context;
    bool exact; /* decimals and quotients mean themselves, in the inputs and in the stream */
} pm_mapper;

/* Maps all inputs.  Returns the exit status.  The stream has the words of the command before the
 * operands, unless --no-version is given; --with-names names the items of a single input too. */
int pm_map(pm_invocation *program, const pm_mapper *m);

#endif
