/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen/request.h: one graph to write: a family, its arguments, weights and a format. */
#ifndef PM_REQUEST_H
#define PM_REQUEST_H

#include <stdio.h>

#include "cli/common_options.h"
#include "cli/console.h"
#include "pm-gen/family.h"
#include "pm-gen/weights.h"
#include "pm/io.h"

typedef enum { PM_GRAPH_DEFAULT, PM_GRAPH_EDGES, PM_GRAPH_MTX } pm_graph_format;

typedef struct {
    char **word; /* the family and its arguments */
    int count;   /* at least 1 */
    pm_weights weights;
    bool nonsingular;
    bool positions; /* the labels are the places of the vertices */
    pm_seed seed;
    uint64_t length; /* of a strip or ring; 0: not given */
    pm_graph_format
        format;      /* PM_GRAPH_DEFAULT: not given, an edge list; with complex weights mtx */
    bool no_version; /* leave the version out of the comments */
} pm_request;

/* Writes the graph to f, a strip or ring as a pm stream, with a comment that is the command to write the same graph again.
 * run: checked until the writing begins, so that no part of a graph is written; then a limit of
 *     time (--time-limit) is taken back.
 * Fails: PM_EUSAGE and PM_ESTOPPED (nothing was written), PM_UNABLE, PM_ENOMEM, PM_EIO. */
pm_status pm_request_write(const pm_request *r, const pm_run *run, FILE *f, pm_console *console,
                           pm_error *err);

#endif
