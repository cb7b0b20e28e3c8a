/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/size.h"

#include <stdio.h>

pm_size_text pm_size(double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    enum { LARGEST = sizeof units / sizeof *units - 1 };
    int unit = 0;
    for (; bytes >= 999.5 && unit < LARGEST; ++unit)
        bytes /= 1024;
    pm_size_text text;
    snprintf(text.s, sizeof text.s, "%.3g %s", bytes, units[unit]);
    return text;
}
