/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --spy: an answer for each matrix, in Braille characters; with a file one picture, of the only
 * matrix. */
#include "config.h"

#include "one_picture/one_picture.h"
#include "picture/spy.h"
#include "pm-dm/dm_tasks.h"

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    return pm_spy_braille(v->a, v->d, v->width, e->f, err);
}

const pm_dm_question pm_dm_spy = {.layout = PM_LAYOUT_BLOCKS, .is_picture = true, .put = put};

/* context: whether the file is PNG; else SVG. */
static pm_status draw(void *context, const pm_node *node, const char *where, FILE *to,
                      const pm_run *run, pm_error *err)
{
    const bool *is_png = context;
    const pm_matrix *a = &node->matrix;
    pm_dm d = {0};
    (void)where;
    pm_status status = pm_dm_decompose(a, run, &d, err);
    if (!status)
        status = *is_png ? pm_spy_png(a, &d, to, err) : pm_spy_svg(a, &d, to, err);
    pm_dm_free(&d);
    return status;
}

int pm_dm_draw(pm_invocation *program, bool is_png)
{
    const pm_one_picture picture = {
        .option = "--spy=FILE", .what = "matrix", .draw = draw, .context = &is_png};
    return pm_one_picture_run(program, &picture);
}
