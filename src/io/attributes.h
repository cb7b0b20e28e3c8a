/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/attributes.h: the attributes of an edge as networkx writes them, a dictionary of Python or
 * JSON: {'weight': 2.5, "colour": "red"}. */
#ifndef PM_ATTRIBUTES_H
#define PM_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *weight; /* the text of the attribute "weight", in the text that was read; NULL */
    int64_t length;
    bool has_others; /* there are attributes of other names */
} pm_attributes;

/* Reads text, which begins with '{' and ends with a NUL byte.  Returns false when it is not a
 * dictionary, or has two weights. */
bool pm_attributes_read(const char *text, pm_attributes *out);

#endif
