/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/field.h: the kinds of numbers that entries and answers are, from narrow to wide. */
#ifndef PM_FIELD_H
#define PM_FIELD_H

typedef enum {
    PM_PATTERN, /* every entry is 1 */
    PM_INTEGER,
    PM_REAL,
    PM_COMPLEX
} pm_field;

/* "pattern", "integer", "real" or "complex". */
const char *pm_field_name(pm_field f);

#endif
