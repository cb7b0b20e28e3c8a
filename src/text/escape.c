/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/escape.h"

#include <string.h>

#include "pm/alloc.h"

int pm_escape_byte(unsigned char c, char out[4])
{
    static const char hex[] = "0123456789abcdef";
    out[0] = '\\';
    if (c == '\\' || c == ' ') {
        out[1] = c == ' ' ? 's' : '\\';
        return 2;
    }
    if (c < ' ' || c == 0x7f) {
        out[1] = 'x';
        out[2] = hex[c >> 4];
        out[3] = hex[c & 15];
        return 4;
    }
    out[0] = (char)c;
    return 1;
}

char *pm_escape_text(const char *text)
{
    size_t length = strlen(text);
    char *out = pm_alloc_array((int64_t)length + 1, 4);
    if (!out)
        return NULL;
    char *o = out;
    for (size_t i = 0; i < length; ++i)
        if (text[i] == ' ' && i > 0 && i + 1 < length)
            *o++ = ' ';
        else
            o += pm_escape_byte((unsigned char)text[i], o);
    *o = '\0';
    return out;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

pm_unescape_end pm_unescape(char *text, int64_t *length)
{
    const char *s = text, *end = text + *length;
    char *o = text;
    *length = 0;
    while (s < end) {
        if (*s != '\\') {
            *o++ = *s++;
            continue;
        }
        if (++s == end) {
            *length = o - text;
            return PM_UNESCAPE_GOES_ON;
        }
        char c = *s++;
        if (c == '\\') {
            *o++ = '\\';
        } else if (c == 's') {
            *o++ = ' ';
        } else if (c == 'x') {
            int high = s < end ? hex_digit(s[0]) : -1, low = end - s > 1 ? hex_digit(s[1]) : -1;
            if (high < 0 || low < 0 || high + low == 0)
                return PM_UNESCAPE_BAD;
            *o++ = (char)(16 * high + low);
            s += 2;
        } else if (c != 'e') {
            return PM_UNESCAPE_BAD;
        }
    }
    *length = o - text;
    return PM_UNESCAPE_DONE;
}
