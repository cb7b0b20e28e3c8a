/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-dm/dm_tasks.h: what pm-dm can be asked about a matrix, one file a question, and the stream that
 * it writes when it is asked nothing. */
#ifndef PM_DM_TASKS_H
#define PM_DM_TASKS_H

#include "cli/answers.h"
#include "cli/console.h"
#include "cli/json.h"
#include "cli/mapper.h"
#include "pm/dm.h"
#include "pm/io.h"

/* What an answer is made from. */
typedef struct {
    const pm_matrix *a;
    const pm_dm *d;
    int width; /* characters in a line of the terminal */
} pm_dm_view;

typedef struct {
    pm_layout layout;
    const char *header; /* with PM_LAYOUT_LINES: the names of the columns */
    pm_status (*text)(const pm_dm_view *v, FILE *f, pm_error *err);
    pm_status (*json)(const pm_dm_view *v, pm_json *j, pm_error *err); /* NULL: there is none */
} pm_dm_question;

extern const pm_dm_question pm_dm_blocks;      /* --blocks: sizes */
extern const pm_dm_question pm_dm_coarse;      /* --coarse: the part of every row and column */
extern const pm_dm_question pm_dm_hall;        /* --hall: a violator */
extern const pm_dm_question pm_dm_matching;    /* --matching: a maximum one */
extern const pm_dm_question pm_dm_permutation; /* --permutation: p q r s */
extern const pm_dm_question pm_dm_spy;         /* --spy: the picture in Braille characters */
extern const pm_dm_question pm_dm_stats;       /* --stats */

typedef struct {
    const pm_dm_question *question;
    bool json;
    int width;
} pm_dm_asked;

/* For pm_question.ask, with a pm_dm_asked: an answer for every matrix of the input. */
pm_status pm_dm_ask(const void *asked, pm_reader *r, pm_answers *out, pm_error *err);

/* For pm_mapper.map, with the console: the matrix becomes the product of its blocks. */
pm_status pm_dm_map(void *console, pm_node *e, const pm_map_site *at, pm_error *err);

/* For pm_batch: a picture of the one matrix that there is. */
typedef struct {
    bool is_png; /* else SVG */
    bool is_drawn;
} pm_dm_picture;
pm_status pm_dm_draw(void *picture, pm_batch_input *in, pm_error *err);
pm_status pm_dm_draw_end(void *picture, FILE *to, pm_status first_failure, bool *is_complete,
                         pm_error *err);

#endif
