/* SPDX-License-Identifier: GPL-3.0-or-later */
/* one_picture/one_picture.h: a picture of the only graph of the inputs, in place of the answers. */
#ifndef PM_ONE_PICTURE_H
#define PM_ONE_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/command.h"
#include "pm/expression.h"

typedef struct {
    const char *option; /* for messages: "--draw" */
    const char *what;   /* what is drawn: "graph" */
    bool is_whole;      /* a graph in a sum or product is refused: PM_UNABLE */
    /* Writes the picture of the graph of a node.  where: its place in the inputs, for messages. */
    pm_status (*draw)(void *context, const pm_node *node, const char *where, FILE *to,
                      const pm_run *run, pm_error *err);
    void *context;
} pm_one_picture;

/* Reads the inputs and draws.  Fails: PM_EUSAGE two graphs; PM_EDATA none.  Returns the exit status; the message of every
 * failure has been printed. */
int pm_one_picture_run(pm_invocation *program, const pm_one_picture *picture);

#endif
