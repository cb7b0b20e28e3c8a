/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/label_sets.h"

#include <inttypes.h>

static const char *name_of(const pm_labels *labels, int64_t i, char number[24])
{
    const char *label = pm_label(labels, i, number);
    if (*label)
        return label;
    snprintf(number, 24, "#%" PRId64, i + 1);
    return number;
}

void pm_label_set_print(const int32_t *set, int64_t n, const pm_labels *labels, int64_t most,
                        FILE *f)
{
    char number[24];
    putc('{', f);
    for (int64_t i = 0; i < n && (most < 0 || i < most); ++i)
        fprintf(f, "%s%s", i ? ", " : "", name_of(labels, set[i], number));
    if (most >= 0 && n > most)
        fprintf(f, ", ... (%" PRId64 " in all)", n);
    putc('}', f);
}

void pm_label_set_put(const int32_t *set, int64_t n, const pm_labels *labels, const char *key,
                      pm_json *j)
{
    char number[24];
    pm_json_begin(j, key, '[');
    for (int64_t i = 0; i < n; ++i)
        pm_json_string(j, NULL, name_of(labels, set[i], number));
    pm_json_end(j, ']');
}
