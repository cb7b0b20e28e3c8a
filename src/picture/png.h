/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/png.h: writes a picture in Portable Network Graphics (ISO/IEC 15948), with a palette. */
#ifndef PM_PNG_H
#define PM_PNG_H

#include <stdint.h>
#include <stdio.h>

#include "pm/status.h"

typedef struct {
    int32_t width, height;             /* from 1 */
    const unsigned char *pixels;       /* width * height indices of colours, row after row */
    int ncolours;                      /* 1 .. 256 */
    const unsigned char (*palette)[3]; /* red, green, blue */
    const unsigned char *opacity;      /* of the colours, 0 .. 255; NULL: all are opaque */
    const char *title, *description;   /* in ASCII; or NULL */
} pm_png;

/* Fails: PM_ENOMEM, PM_EIO. */
pm_status pm_png_write(FILE *f, const pm_png *p, pm_error *err);

#endif
