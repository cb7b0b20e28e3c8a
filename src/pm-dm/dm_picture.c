/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --spy: an answer for each matrix, in Braille characters; with a file one picture, of the only
 * matrix. */
#include "config.h"

#include "cli/graph_limit.h"
#include "picture/spy.h"
#include "pm-dm/dm_tasks.h"

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    return pm_spy_braille(v->a, v->d, v->width, e->f, err);
}

const pm_dm_question pm_dm_spy = {.layout = PM_LAYOUT_BLOCKS, .is_picture = true, .put = put};

static pm_status draw(pm_dm_picture *x, const pm_filter_input *in, const pm_node *node,
                      pm_error *err)
{
    const pm_matrix *a = &node->matrix;
    const pm_graph_limit limit =
        pm_graph_limit_begin(&x->program->run, x->program->common->run.time_limit_each);
    pm_dm d = {0};
    if (x->is_drawn)
        return pm_fail(err, PM_EUSAGE, "%s: expected one matrix for --spy=FILE, found a second one",
                       pm_reader_name(in->reader));
    pm_status status = pm_dm_decompose(a, &limit.run, &d, err);
    if (pm_graph_limit_passed(&limit, status, pm_reader_name(in->reader), node->line, err))
        pm_console_error(&x->program->console, err->msg);
    if (!status)
        status = x->is_png ? pm_spy_png(a, &d, in->to, err) : pm_spy_svg(a, &d, in->to, err);
    x->is_drawn = !status;
    pm_dm_free(&d);
    return status;
}

pm_status pm_dm_draw(void *picture, pm_filter_input *in, pm_error *err)
{
    pm_node e;
    pm_node_init(&e);
    pm_status status;
    while ((status = pm_reader_next(in->reader, &e, err)) == PM_OK && e.kind != PM_NODE_END) {
        in->graphs += e.kind == PM_NODE_MATRIX;
        if (e.kind == PM_NODE_MATRIX)
            status = draw(picture, in, &e, err);
        if (status)
            break;
    }
    pm_node_clear(&e);
    in->end_here = status != PM_OK;
    return status;
}

pm_status pm_dm_draw_end(void *picture, FILE *to, pm_status first_failure, bool *is_complete,
                         pm_error *err)
{
    const pm_dm_picture *x = picture;
    (void)to;
    *is_complete = x->is_drawn && first_failure == PM_OK;
    if (!x->is_drawn && first_failure == PM_OK)
        return pm_fail(err, PM_EDATA, "no matrix to draw a picture of");
    return PM_OK;
}
