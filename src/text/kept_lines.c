/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/kept_lines.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_kept_lines_add(pm_kept_lines *k, const char *line, int64_t number, pm_error *err)
{
    int64_t n = (int64_t)strlen(line) + 1;
    if (PM_GROW(k->text, k->cap, k->length + n) || PM_GROW(k->line, k->cap_line, k->count + 1))
        return pm_fail_memory(err, "lines that wait for others");
    memcpy(k->text + k->length, line, (size_t)n);
    k->line[k->count].at = k->length;
    k->line[k->count++].number = number;
    k->length += n;
    return PM_OK;
}

bool pm_kept_lines_next(pm_kept_lines *k, char **line, int64_t *number)
{
    if (k->next == k->count) {
        *number = k->after;
        k->length = k->count = k->next = 0;
        k->is_open = false;
        return false;
    }
    *line = k->text + k->line[k->next].at;
    *number = k->line[k->next++].number;
    return true;
}

void pm_kept_lines_free(pm_kept_lines *k)
{
    free(k->text);
    free(k->line);
    *k = (pm_kept_lines){0};
}
