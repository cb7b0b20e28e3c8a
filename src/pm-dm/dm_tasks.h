/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-dm/dm_tasks.h: what pm-dm does with a matrix.  It answers a question about the decomposition
 * (one file for each question), draws a picture, or writes a stream of the blocks.  For a graph that is not bipartite the
 * decomposition is that of Gallai and Edmonds. */
#ifndef PM_DM_TASKS_H
#define PM_DM_TASKS_H

#include "batch/query.h"
#include "cli/mapper.h"
#include "general/elementary.h"
#include "general/gallai_edmonds.h"
#include "one_picture/matching_picture.h"
#include "pm/dm.h"

/* ---- questions ---- */

/* What an answer is made from. */
typedef struct {
    const pm_matrix *a;
    const pm_dm *d;
    int width; /* characters in a line of the terminal */
} pm_dm_view;

/* The same of a graph on one set of vertices that is not bipartite. */
typedef struct {
    const pm_matrix *a; /* its adjacency matrix */
    const pm_gallai_edmonds *g;
    const pm_elementary *c; /* the parts of the vertices of C, for a question that needs them */
} pm_dm_general_view;

typedef struct {
    pm_layout layout;
    bool is_picture; /* it has no JSON */
    pm_status (*put)(const pm_dm_view *v, pm_emitter *e, pm_error *err);
    /* For a graph on one set of vertices that is not bipartite.  NULL: such graphs are refused. */
    pm_status (*put_general)(const pm_dm_general_view *v, pm_emitter *e, pm_error *err);
    bool needs_parts; /* put_general: v->c */
} pm_dm_question;

extern const pm_dm_question pm_dm_blocks;      /* --blocks: their sizes */
extern const pm_dm_question pm_dm_coarse;      /* --coarse: the part of every row and column */
extern const pm_dm_question pm_dm_degrees;     /* --degrees: how many vertices have each degree */
extern const pm_dm_question pm_dm_hall;        /* --hall: a Hall violator */
extern const pm_dm_question pm_dm_matching;    /* --matching: a maximum matching */
extern const pm_dm_question pm_dm_permutation; /* --permutation: the vectors of dmperm */
extern const pm_dm_question pm_dm_spy;         /* --spy: a picture in Braille characters */
extern const pm_dm_question pm_dm_stats;       /* --stats */

typedef struct {
    const pm_dm_question *question;
    int width;
    pm_invocation *program;
} pm_dm_query;

/* For pm_query.read, with a pm_dm_query: an answer for every matrix of the input. */
pm_status pm_dm_answer(const void *query, pm_reader *r, pm_answers *out, pm_error *err);

/* ---- the stream ---- */

/* For pm_mapper.map, with the console: the matrix becomes the product of its blocks. */
pm_status pm_dm_map(void *console, pm_node *e, const pm_map_target *at, pm_error *err);

/* ---- a picture in a file ---- */

/* The only matrix of the inputs as a picture, PNG or SVG.  Returns the exit status. */
int pm_dm_draw(pm_invocation *program, bool is_png);
pm_picture_task pm_dm_draw_matching; /* a maximum matching; no context */

#endif
