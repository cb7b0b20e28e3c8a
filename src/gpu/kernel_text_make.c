/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu/kernel_text.h"

char *pm_kernel_text_make(const char *format, ...)
{
    char *text = NULL;
    size_t size;
    va_list arguments;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    va_start(arguments, format);
    int printed = vfprintf(f, format, arguments);
    va_end(arguments);
    if (fclose(f) != 0 || printed < 0) {
        free(text);
        return NULL;
    }
    return text;
}
