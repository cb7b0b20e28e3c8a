/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "picture/drawing.h"

/* Colours that the colour-blind can tell apart, on light and dark. */
static const char *const colours[PM_DRAWING_COLOURS] = {
    "3b7dd8", "f0a02c", "2a9d76", "d9534a", "7cc4ea", "b07cc6", "e8d44d", "a0703c", "8a8f98"};
/* Lozenges are the sides of boxes: light from the left. */
static const char *const sides_of_boxes[3] = {"6c55a5", "e07b39", "f6cd6b"};

const char *pm_drawing_colour(const pm_drawing *d, int colour)
{
    return d->figure->kind == PM_FIGURE_LOZENGES && colour < 3 ? sides_of_boxes[colour]
                                                               : colours[colour];
}

int pm_drawing_colour_of(const pm_drawing *d, int64_t i, const pm_shape *s)
{
    if (!d->loops)
        return s->colour;
    return d->loops->of[i] < 0 ? PM_DRAWING_GREY : d->loops->of[i] % PM_FIGURE_DIRECTIONS;
}
