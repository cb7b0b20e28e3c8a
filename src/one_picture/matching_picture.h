/* SPDX-License-Identifier: GPL-3.0-or-later */
/* one_picture/matching_picture.h: --draw, of the programs that find or draw matchings: a picture of the only graph of the
 * inputs, in place of the answer. */
#ifndef PM_MATCHING_PICTURE_H
#define PM_MATCHING_PICTURE_H

#include "cli/command.h"
#include "pm/expression.h"

typedef struct {
    const char *file;      /* of --draw; NULL: no picture */
    bool superpose;        /* two matchings become their loops */
    const char *positions; /* of --positions, or NULL */
} pm_picture_settings;

extern const pm_option pm_options_picture[];   /* --draw --positions */
extern const pm_option pm_options_superpose[]; /* --superpose */

/* has_matchings: the question is one that has matchings; needs: the option that asks it.
 * frames: the matchings that there will be.
 * The picture becomes common->output.  Fails: PM_EUSAGE options that have no meaning together. */
pm_status pm_picture_check(const pm_picture_settings *set, bool has_matchings, const char *needs,
                           int64_t frames, pm_common_settings *common, pm_error *err);

typedef struct pm_picture pm_picture;

/* Draws the matchings of the graph of a node: pm_picture_begin, and pm_picture_frame for each of them.
 * Messages name the input, which is where. */
typedef pm_status pm_picture_task(const void *context, const pm_node *node, const char *where,
                                  const pm_run *run, pm_picture *p, pm_error *err);

/* The first part of pm_picture_begin, for tasks that take long until then: places for the vertices.  It fails as that
 * does. */
pm_status pm_picture_locate(pm_picture *p, const pm_matrix *a, bool one_set, pm_error *err);

/* one_set: the matrix is symmetric.  frames, edges: how many matchings there will be, and edges in each of them.
 * about: a sentence for who cannot see the picture, ASCII; copied; may be NULL.
 * Where no label is a place, and --positions is not given, igraph makes a layout.
 * Fails: PM_EDATA vertices without places, or in one place; PM_UNABLE no layout, or edges too short; PM_EIO, PM_ENOMEM, PM_ESTOPPED.
 * The message names no input. */
pm_status pm_picture_begin(pm_picture *p, const pm_matrix *a, bool one_set, int64_t frames,
                           int64_t edges, const char *about, pm_error *err);
/* partner: a matching as in picture/figure.h.  Fails: PM_ENOMEM. */
pm_status pm_picture_frame(pm_picture *p, const int32_t *partner, pm_error *err);

/* Draws.  is_whole: a graph in a sum or product is refused (PM_UNABLE).  Returns the exit status; the message of every
 * failure has been printed. */
int pm_picture_run(pm_invocation *program, const pm_picture_settings *set, pm_picture_task *task,
                   const void *context, bool is_whole);

#endif
