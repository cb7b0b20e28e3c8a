/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/printable.h"

#include <stdbool.h>

int pm_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    int length = s[0] < 0x80   ? 1
                 : s[0] < 0xC2 ? 0
                 : s[0] < 0xE0 ? 2
                 : s[0] < 0xF0 ? 3
                 : s[0] < 0xF5 ? 4
                               : 0;
    unsigned char low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    for (int i = 1; i < length; ++i) {
        if (s[i] < low || s[i] > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

uint32_t pm_utf8_code(const char *s, int length)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)s[0] & first_bits[length];
    for (int i = 1; i < length; ++i)
        code = code << 6 | ((unsigned char)s[i] & 0x3F);
    return code;
}

static bool steers(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F
           || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

int pm_printable_length(const char *s)
{
    int length = pm_utf8_length(s);
    return length && steers(pm_utf8_code(s, length)) ? 0 : length;
}

void pm_put_printable(FILE *f, const char *text)
{
    for (int length; *text; text += length ? length : 1) {
        length = pm_printable_length(text);
        if (length)
            fwrite(text, 1, (size_t)length, f);
        else
            fprintf(f, "\\x%02X", (unsigned char)*text);
    }
}
