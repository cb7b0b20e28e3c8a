/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/drawing.h: pictures of matchings of a drawn graph, coloured by the directions of the edges. */
#ifndef PM_DRAWING_H
#define PM_DRAWING_H

#include <stdint.h>
#include <stdio.h>

#include "picture/figure.h"
#include "picture/loops.h"

typedef struct {
    const pm_figure *figure; /* owned by the caller */
    int64_t frames;    /* matchings, at least 1: those after the first one are shown in turn */
    int64_t edges;     /* of each of them */
    const char *about; /* a sentence, ASCII without < and &; or NULL */
    /* NULL; or of two perfect matchings of a bipartite graph, which are drawn on each other with
     * pm_drawing_..._loops in place of a frame, as bonds.  Then frames is 1. */
    const pm_loops *loops;
    FILE *f;
    int64_t drawn;            /* frames; 0 at first */
    struct pm_canvas *canvas; /* of PNG */
} pm_drawing;

/* Numbers of colours: directions, or loops; and of edges that both matchings have. */
enum { PM_DRAWING_GREY = PM_FIGURE_DIRECTIONS, PM_DRAWING_COLOURS };

/* A colour as "rrggbb". */
const char *pm_drawing_colour(const pm_drawing *d, int colour);
/* The colour of a shape of row i. */
int pm_drawing_colour_of(const pm_drawing *d, int64_t i, const pm_shape *s);

/* For those who cannot see the picture: a line of ASCII each. */
void pm_drawing_put_title(const pm_drawing *d, FILE *f);
void pm_drawing_put_description(const pm_drawing *d, FILE *f);

/* An SVG file: begin, every frame, end.  Its colours fit light and dark backgrounds.  The failures of the file are
 * reported by the end: PM_EIO. */
void pm_drawing_svg_begin(pm_drawing *d);
/* partner: a matching as in picture/figure.h. */
pm_status pm_drawing_svg_frame(pm_drawing *d, const int32_t *partner, pm_error *err);
/* The two matchings of d->loops. */
pm_status pm_drawing_svg_loops(pm_drawing *d, const int32_t *first, const int32_t *second,
                               pm_error *err);
pm_status pm_drawing_svg_end(pm_drawing *d, pm_error *err);

/* The same as a PNG file, with a transparent background, of one frame.  It is written by the end;
 * pm_drawing_png_drop follows, also after a failure.
 * Fails: PM_UNABLE too large; PM_ENOMEM, PM_EIO. */
pm_status pm_drawing_png_begin(pm_drawing *d, pm_error *err);
pm_status pm_drawing_png_frame(pm_drawing *d, const int32_t *partner, pm_error *err);
pm_status pm_drawing_png_loops(pm_drawing *d, const int32_t *first, const int32_t *second,
                               pm_error *err);
pm_status pm_drawing_png_end(pm_drawing *d, pm_error *err);
/* Frees the canvas, if there is one. */
void pm_drawing_png_drop(pm_drawing *d);

#endif
