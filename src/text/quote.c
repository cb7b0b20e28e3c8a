/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/quote.h"

#include <string.h>

const char *pm_quote(const char *text, int64_t length, char out[PM_QUOTE])
{
    enum { SHOWN = 40 };
    int64_t n = length < SHOWN ? length : SHOWN, at = 0;
    out[at++] = '\'';
    for (int64_t k = 0; k < n; ++k)
        out[at++] = (unsigned char)text[k] < ' ' || text[k] == 0x7f ? '?' : text[k];
    strcpy(out + at, length > n ? "...'" : "'");
    return out;
}
