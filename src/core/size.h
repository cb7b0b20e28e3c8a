/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/size.h: numbers of bytes for people. */
#ifndef PM_SIZE_H
#define PM_SIZE_H

typedef struct {
    char s[16];
} pm_size_text;

/* Three digits and the unit, "512 B" or "1.25 GiB"; bytes >= 0, infinity included. */
pm_size_text pm_size(double bytes);

#endif
