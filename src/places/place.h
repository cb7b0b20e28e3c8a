/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places/place.h: a place in the plane, and labels that are places.  x grows to the right, y upwards. */
#ifndef PM_PLACE_H
#define PM_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double x, y;
} pm_place;

/* Larger coordinates are refused: they could not be written. */
#define PM_PLACE_MOST 1e9

enum { PM_PLACE_TEXT = 48 };

/* "X,Y", each with at most four digits after the point.  x, y: at most PM_PLACE_MOST in size.  Returns the length. */
int pm_place_text(pm_place p, char out[PM_PLACE_TEXT]);

/* A decimal number, as -1.5 or 2e3, at most PM_PLACE_MOST in size.  Returns false when the text is anything else. */
bool pm_coordinate_parse(const char *text, int64_t length, double *out);
/* The same for "X,Y". */
bool pm_place_parse(const char *text, int64_t length, pm_place *out);

#endif
