/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/label_spelling.h: labels that look like numbers, and labels that are one number in two spellings.
 *
 * Labels are compared as text, so "1" and "01" are two vertices.  Where a label map has names, this says
 * which of its labels were perhaps meant as numbers. */
#ifndef PM_LABEL_SPELLING_H
#define PM_LABEL_SPELLING_H

#include "edges/label_map.h"

enum {
    PM_LABEL_NUMBER_LENGTH = 100 /* bytes of a label that looks like a number and is no integer */
};

typedef enum {
    PM_LABEL_INTEGER, /* digits, perhaps after '-', without leading zeros, and not "-0"; any length */
    PM_LABEL_NUMBER, /* a real number written in another way: 01, +1, 2., 1e3, 0x1f */
    PM_LABEL_NAME,   /* any other text, also nan, inf and complex numbers as (1,2) */
    PM_LABEL_KINDS
} pm_label_kind;

pm_label_kind pm_label_kind_of(const char *text, int64_t length);

/* first[kind]: the number of the first label of this kind, or -1. */
void pm_label_kinds_find(const pm_labels *labels, int32_t first[PM_LABEL_KINDS]);

/* A character at the beginning or the end of the label that nobody sees, as a no-break space, a byte order mark (U+FEFF) or a control
 * character, but not a space: its code point; 0: there is none.  text: UTF-8; other bytes are visible. */
uint32_t pm_label_invisible_end(const char *text, int64_t length);

/* Two labels with the same decimal value: pair[1] is the first label of the map for which there is such a label,
 * and pair[0] is that label; both are -1 where there is none.  Numbers of more than 40 decimal digits are not
 * compared, nor are large and small hexadecimal ones (38 digits, exponents of 2 beyond 62).  Fails: PM_ENOMEM. */
pm_status pm_label_find_respelled(const pm_label_map *m, int32_t pair[2], pm_error *err);

#endif
