/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/size.h: numbers of bytes as text, for messages. */
#ifndef PM_SIZE_H
#define PM_SIZE_H

typedef struct {
    char s[16];
} pm_size_text;

/* Three digits and a unit, such as "512 B" or "1.25 GiB".  bytes >= 0; may be infinite. */
pm_size_text pm_size(double bytes);

#endif
