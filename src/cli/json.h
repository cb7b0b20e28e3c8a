/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/json.h: JSON on one line, written as it comes.  Start from {.f = file}. */
#ifndef PM_JSON_H
#define PM_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *f;
    bool needs_comma;
} pm_json;

/* An object or an array, bracket '{' or '['; key: NULL at the top and inside an array, here and
 * below. */
void pm_json_begin(pm_json *j, const char *key, char bracket);
void pm_json_end(pm_json *j, char bracket); /* '}' or ']' */

/* Bytes that are no UTF-8 (file names may hold them) become U+FFFD; text NULL: null. */
void pm_json_string(pm_json *j, const char *key, const char *text);
void pm_json_int(pm_json *j, const char *key, int64_t value);
/* Whole numbers in full, others to six digits; null for infinities and NaN. */
void pm_json_double(pm_json *j, const char *key, double value);
/* So many digits after the point; null as above. */
void pm_json_decimal(pm_json *j, const char *key, double value, int digits);
void pm_json_bool(pm_json *j, const char *key, bool value);

#endif
