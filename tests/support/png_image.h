/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/png_image.h: a PNG file with a palette, taken apart.  All chunks have their checksums. */
#ifndef PM_PNG_IMAGE_H
#define PM_PNG_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t width, height;
    unsigned char palette[256][3], opacity[256]; /* opacity: 255 where the file says nothing */
    unsigned char *rows; /* height times a filter byte and width pixels; freed by the caller */
    char text[1024];     /* of all tEXt chunks: "KEY=VALUE\n" */
} png_image;

/* A file that is not as it should be fails the test. */
png_image png_image_decode(const char *bytes, size_t length);

#endif
