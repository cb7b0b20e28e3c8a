/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/number.h: parses the numbers and the fields of a text line. */
#ifndef PM_NUMBER_H
#define PM_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"

typedef enum {
    PM_NUMBER_INTEGER, /* decimal digits with an optional sign, any length */
    PM_NUMBER_REAL,    /* decimal with point or exponent: rounded to the nearest double;
                          hex float: exact, any length and exponent */
    PM_NUMBER_LONG,    /* a number whose digits do not fit into memory */
    PM_NUMBER_FAR, /* an exact decimal with an exponent beyond PM_DECIMAL_EXPONENT_MAX, or hex float beyond
                          PM_HEX_EXPONENT_MAX */
    PM_NUMBER_ORDER, /* a root of unity whose order is too large (text/root_read.h) */
    PM_NUMBER_BAD,   /* not a number, or NaN or infinity */
    PM_NUMBER_RANGE  /* a decimal beyond the range of a double */
} pm_number_kind;

/* Parses text[0 .. length-1], all of which must be the number.  *out is set for the first two
 * kinds. */
pm_number_kind pm_number_parse(const char *text, int64_t length, pm_dyadic *out);

/* exact: decimals mean themselves, and so do quotients such as -3/7: a number with a / and a decimal integer that is not 0.
 * They have the kind PM_NUMBER_REAL, and *out may be a fraction.  Otherwise the same as above. */
pm_number_kind pm_number_parse_as(const char *text, int64_t length, bool exact, pm_dyadic *out);
#define PM_DECIMAL_EXPONENT_MAX 100000 /* after the e of an exact decimal */
#define PM_HEX_EXPONENT_MAX                                                                        \
    (1 << 22) /* after the p of an exact hex float: its fraction has a million digits */

/* A byte between the fields of a line. */
static inline bool pm_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Parses a decimal integer in 0 .. INT64_MAX; returns false when the text is anything else. */
bool pm_size_parse(const char *text, int64_t length, int64_t *out);

/* Parses a line of exactly two decimal integers of one to nine digits with blanks between them, as
 * nearly all lines of large inputs are.  Returns false when the line is anything else. */
bool pm_size_pair_parse(const char *line, int64_t *first, int64_t *second);

/* Fields are separated by blanks.  *field, *length: the next field; *s: the text after it.
 * Returns false when there is none. */
bool pm_field_next(char **s, char **field, int64_t *length);
/* The field is this word. */
bool pm_field_is(const char *field, int64_t length, const char *word);

#endif
