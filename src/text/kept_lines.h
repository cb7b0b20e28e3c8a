/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/kept_lines.h: lines that a source returns a second time. */
#ifndef PM_KEPT_LINES_H
#define PM_KEPT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

/* Zeroed: no lines. */
typedef struct {
    char *text; /* a NUL after each */
    struct {
        int64_t at, number;
    } * line; /* at: in text */
    int64_t length, cap, count, cap_line;
    int64_t next;  /* the line to be returned next */
    int64_t after; /* number of the last line that was read */
    bool is_open;  /* they are being returned */
} pm_kept_lines;

/* Keeps a copy of a line up to its first NUL.  Fails: PM_ENOMEM. */
pm_status pm_kept_lines_add(pm_kept_lines *k, const char *line, int64_t number, pm_error *err);
/* The next line, with its number; it may be modified, and is valid until a line is added.  After the last one there is none: then
 * *number = k->after, and there are no lines. */
bool pm_kept_lines_next(pm_kept_lines *k, char **line, int64_t *number);
void pm_kept_lines_free(pm_kept_lines *k);

#endif
