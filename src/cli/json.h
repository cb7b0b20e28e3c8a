/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/json.h: writes JSON on one line, without building it in memory.  Start from {.f = file}. */
#ifndef PM_JSON_H
#define PM_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *f;
    bool needs_comma;
} pm_json;

/* In all functions key is NULL for an element of an array, and for the outermost value. */

/* bracket: '{' begins an object, '[' an array. */
void pm_json_begin(pm_json *j, const char *key, char bracket);
/* bracket: '}' or ']' */
void pm_json_end(pm_json *j, char bracket);

/* text NULL: null.  Bytes that are not UTF-8 (file names may hold them) become U+FFFD. */
void pm_json_string(pm_json *j, const char *key, const char *text);
void pm_json_int(pm_json *j, const char *key, int64_t value);
/* Whole numbers (pm_json_is_whole) in full, others with 6 significant digits; infinities and NaN
 * are null. */
void pm_json_double(pm_json *j, const char *key, double value);
/* The same with 15 significant digits. */
void pm_json_precise(pm_json *j, const char *key, double value);
/* `digits` digits after the point; infinities and NaN are null. */
void pm_json_decimal(pm_json *j, const char *key, double value, int digits);
void pm_json_bool(pm_json *j, const char *key, bool value);

/* A whole number below 10^15 in size. */
bool pm_json_is_whole(double value);

#endif
