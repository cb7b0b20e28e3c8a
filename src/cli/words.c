/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/words.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 512 };

/* "a, b, c" as far as there is room. */
static void add_to_list(const char *word, char list[ROOM])
{
    const size_t length = strlen(list);
    snprintf(list + length, ROOM - length, "%s%s", length > 0 ? ", " : "", word);
}

static pm_status refuse(const char *arg, const char *list, pm_error *err)
{
    return pm_fail(err, PM_EUSAGE, "'%s' is not one of %s", arg, list);
}

pm_status pm_word_find(const char *arg, pm_word_at *word, int *out, pm_error *err)
{
    char list[ROOM] = "";
    const char *name;
    for (*out = 0; (name = word(*out)); ++*out) {
        if (strcmp(name, arg) == 0)
            return PM_OK;
        add_to_list(name, list);
    }
    return refuse(arg, list, err);
}

pm_status pm_word_among(const char *arg, const char *const *words, int *out, pm_error *err)
{
    char list[ROOM] = "";
    for (*out = 0; words[*out]; ++*out) {
        if (strcmp(words[*out], arg) == 0)
            return PM_OK;
        add_to_list(words[*out], list);
    }
    return refuse(arg, list, err);
}
