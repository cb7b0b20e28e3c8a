/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "one_picture/matching_picture.h"

#include <stdlib.h>
#include <string.h>

#include "cli/filter.h"
#include "io/graph_layout.h"
#include "one_picture/one_picture.h"
#include "picture/drawing.h"
#include "places/graph_places.h"
#include "pm/alloc.h"

/* ---- options ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

static bool is_png(const char *file)
{
    return ends_with(file, ".png");
}

static pm_status set_file(void *field, const char *arg, pm_error *err)
{
    if (!is_png(arg) && !ends_with(arg, ".svg"))
        return pm_fail(err, PM_EUSAGE, "'%s' ends neither in .svg nor in .png", arg);
    return pm_set_text(field, arg, err);
}

#define IN_PICTURE(field) offsetof(pm_picture_settings, field)

const pm_option pm_options_picture[] = {
    {0, "draw", "FILE",
     "draw the matching in FILE.svg or FILE.png instead of printing it (several are frames of "
     "FILE.svg); labels X,Y, as of pm-gen --positions, are the places of the vertices",
     set_file, IN_PICTURE(file)},
    {0, "positions", "FILE", "with --draw: places of the vertices, lines LABEL X Y", pm_set_text,
     IN_PICTURE(positions)},
    {0},
};

const pm_option pm_options_superpose[] = {
    {0, "superpose", NULL, "with --draw and --sample=2: draw the loops of the two matchings",
     pm_set_flag, IN_PICTURE(superpose)},
    {0},
};

/* Fails: PM_EUSAGE not the matchings that such a picture has. */
static pm_status check_frames(const pm_picture_settings *set, int64_t frames, pm_error *err)
{
    enum { MOST_FRAMES = 1000 };
    if (set->superpose && frames != 2)
        return pm_fail(err, PM_EUSAGE, "--superpose needs two matchings: --sample=2");
    if (frames > MOST_FRAMES)
        return pm_fail(err, PM_EUSAGE, "--draw: at most %d matchings in one picture", MOST_FRAMES);
    if (frames > 1 && !set->superpose && is_png(set->file))
        return pm_fail(err, PM_EUSAGE,
                       "--draw: a PNG picture has one matching; FILE.svg has several, as frames");
    return PM_OK;
}

pm_status pm_picture_check(const pm_picture_settings *set, bool has_matchings, const char *needs,
                           int64_t frames, pm_common_settings *common, pm_error *err)
{
    const pm_answer_settings *answer = &common->answer;
    if (!set->file && set->superpose)
        return pm_fail(err, PM_EUSAGE, "--superpose needs --draw");
    if (!set->file)
        return set->positions ? pm_fail(err, PM_EUSAGE, "--positions needs --draw") : PM_OK;
    if (!has_matchings)
        return pm_fail(err, PM_EUSAGE, "--draw needs %s", needs);
    if (common->output || answer->json || answer->column_list || answer->names
        || answer->exit_status)
        return pm_fail(
            err, PM_EUSAGE,
            "--draw writes a picture instead of an answer: no --output, --json, --table, "
            "--with-names or --exit-status");
    common->output = set->file;
    return check_frames(set, frames, err);
}

/* ---- the picture ---- */

static pm_status begin_svg(pm_drawing *d, pm_error *err)
{
    (void)err;
    pm_drawing_svg_begin(d);
    return PM_OK;
}

typedef struct {
    pm_status (*begin)(pm_drawing *d, pm_error *err);
    pm_status (*frame)(pm_drawing *d, const int32_t *partner, pm_error *err);
    pm_status (*loops)(pm_drawing *d, const int32_t *first, const int32_t *second, pm_error *err);
    pm_status (*end)(pm_drawing *d, pm_error *err);
} writer;

static const writer svg = {begin_svg, pm_drawing_svg_frame, pm_drawing_svg_loops,
                           pm_drawing_svg_end},
                    png = {pm_drawing_png_begin, pm_drawing_png_frame, pm_drawing_png_loops,
                           pm_drawing_png_end};

struct pm_picture {
    const pm_picture_settings *set;
    pm_invocation *program;
    pm_picture_task *task;
    const void *context;
    const writer *w;
    pm_place_file file; /* of --positions */
    /* while a graph is drawn: */
    FILE *to;
    pm_place *place;
    pm_figure figure;
    pm_drawing drawing;
    char *about;
    int32_t *first; /* with --superpose: the first of the two matchings */
};

static pm_status lay_out(pm_picture *p, const pm_matrix *a, bool one_set, pm_error *err)
{
    const int64_t n = a->nrows + (one_set ? 0 : a->ncols);
    double(*xy)[2] = pm_alloc_array(n, sizeof *xy);
    p->place = pm_alloc_array(n, sizeof *p->place);
    pm_status status = xy && p->place ? pm_graph_layout(a, one_set, &p->program->run, xy, err)
                                      : pm_fail_memory(err, "places");
    for (int64_t v = 0; v < n && !status; ++v)
        p->place[v] = (pm_place){xy[v][0], xy[v][1]};
    free(xy);
    if (status == PM_UNABLE) {
        const pm_error why = *err;
        return pm_fail(err, status,
                       "no label is a place X,Y, as those of pm-gen --positions, there is no "
                       "--positions=FILE, and %s",
                       why.msg);
    }
    return status;
}

pm_status pm_picture_locate(pm_picture *p, const pm_matrix *a, bool one_set, pm_error *err)
{
    pm_error why = {.msg = ""};
    if (p->place)
        return PM_OK;
    pm_status status =
        p->set->positions || pm_graph_has_places(a)
            ? pm_graph_places(a, one_set, p->set->positions ? &p->file : NULL, &p->place, &why)
            : lay_out(p, a, one_set, &why);
    if (!status)
        status = pm_figure_make(a, one_set, p->place, &p->figure, &why);
    if (status)
        return pm_fail_after(&why, err, status, "%s%s", why.msg,
                             status != PM_EDATA || p->set->positions
                                 ? ""
                                 : "; --positions=FILE gives places, and pm-gen --positions does");
    return PM_OK;
}

pm_status pm_picture_begin(pm_picture *p, const pm_matrix *a, bool one_set, int64_t frames,
                           int64_t edges, const char *about, pm_error *err)
{
    pm_status status = pm_picture_locate(p, a, one_set, err);
    if (status)
        return status;
    p->about = about ? pm_copy_text(about) : NULL;
    if (about && !p->about)
        return pm_fail_memory(err, "a picture");
    p->drawing = (pm_drawing){
        .figure = &p->figure, .frames = frames, .edges = edges, .about = p->about, .f = p->to};
    if (!p->set->superpose)
        return p->w->begin(&p->drawing, err);
    p->figure.kind = PM_FIGURE_BONDS;
    p->drawing.frames = 1;
    return PM_OK;
}

static pm_status draw_loops(pm_picture *p, const int32_t *second, pm_error *err)
{
    pm_loops loops = {0};
    pm_status status =
        pm_loops_find(p->figure.a->nrows, p->figure.one_set, p->first, second, &loops, err);
    p->drawing.loops = &loops;
    if (!status)
        status = p->w->begin(&p->drawing, err);
    if (!status)
        status = p->w->loops(&p->drawing, p->first, second, err);
    if (!status)
        status = p->w->end(&p->drawing, err);
    p->drawing.loops = NULL;
    pm_loops_free(&loops);
    return status;
}

pm_status pm_picture_frame(pm_picture *p, const int32_t *partner, pm_error *err)
{
    if (!p->set->superpose)
        return p->w->frame(&p->drawing, partner, err);
    if (p->first)
        return draw_loops(p, partner, err);
    p->first = pm_copy(partner, (size_t)p->figure.a->nrows * sizeof *partner);
    return p->first || p->figure.a->nrows == 0 ? PM_OK : pm_fail_memory(err, "a matching");
}

static pm_status draw(void *picture, const pm_node *node, const char *where, FILE *to,
                      const pm_run *run, pm_error *err)
{
    pm_picture *p = picture;
    p->to = to;
    pm_status status = p->task(p->context, node, where, run, p, err);
    if (!status && !p->set->superpose)
        status = p->w->end(&p->drawing, err);
    pm_drawing_png_drop(&p->drawing);
    free(p->place);
    free(p->about);
    free(p->first);
    p->place = NULL;
    p->about = NULL;
    p->first = NULL;
    return status;
}

int pm_picture_run(pm_invocation *program, const pm_picture_settings *set, pm_picture_task *task,
                   const void *context, bool is_whole)
{
    pm_picture p = {.set = set,
                    .program = program,
                    .task = task,
                    .context = context,
                    .w = is_png(set->file) ? &png : &svg};
    const pm_one_picture one = {
        .option = "--draw", .what = "graph", .is_whole = is_whole, .draw = draw, .context = &p};
    pm_error err;
    pm_status status =
        set->positions ? pm_place_file_read(set->positions, &program->run, &p.file, &err) : PM_OK;
    if (status)
        pm_console_error(&program->console, err.msg);
    program->may_lay_out = !set->positions;
    const int exit_status = status ? pm_exit_status(status) : pm_one_picture_run(program, &one);
    pm_place_file_free(&p.file);
    return exit_status;
}
