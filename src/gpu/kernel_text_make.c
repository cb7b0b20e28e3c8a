/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>

#include "gpu/kernel_text.h"

#include "core/text_stream.h"

char *pm_kernel_text_make(const char *format, ...)
{
    va_list arguments;
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return NULL;
    va_start(arguments, format);
    int printed = vfprintf(pm_text_stream_file(s), format, arguments);
    va_end(arguments);
    if (printed >= 0)
        return pm_text_stream_close(s);
    pm_text_stream_free(s);
    return NULL;
}
