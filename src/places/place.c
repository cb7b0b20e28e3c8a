/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "places/place.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a number with four digits after the point, without zeros at the end. */
static int put_coordinate(double x, char *out, size_t room)
{
    const int64_t scaled = llround(fabs(x) * 10000);
    int length = snprintf(out, room, "%s%" PRId64 ".%04d", x < 0 && scaled ? "-" : "",
                          scaled / 10000, (int)(scaled % 10000));
    while (out[length - 1] == '0')
        --length;
    if (out[length - 1] == '.')
        --length;
    out[length] = 0;
    return length;
}

int pm_place_text(pm_place p, char out[PM_PLACE_TEXT])
{
    int length = put_coordinate(p.x, out, PM_PLACE_TEXT / 2);
    out[length++] = ',';
    return length + put_coordinate(p.y, out + length, PM_PLACE_TEXT / 2 - 1);
}

bool pm_coordinate_parse(const char *text, int64_t length, double *out)
{
    enum { MOST = 40 };
    char copy[MOST + 1], *end;
    if (length < 1 || length > MOST)
        return false;
    memcpy(copy, text, (size_t)length);
    copy[length] = 0;
    if (strspn(copy, "0123456789.+-eE") != (size_t)length)
        return false;
    *out = strtod(copy, &end);
    return !*end && fabs(*out) <= PM_PLACE_MOST;
}

bool pm_place_parse(const char *text, int64_t length, pm_place *out)
{
    const char *comma = memchr(text, ',', (size_t)length);
    return comma && pm_coordinate_parse(text, comma - text, &out->x)
           && pm_coordinate_parse(comma + 1, length - (comma - text) - 1, &out->y);
}
