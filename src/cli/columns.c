/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/columns.h"

#include <stdlib.h>
#include <string.h>

#include "cli/emit.h"

static const char *find_known(const char *const *known, const char *word, size_t length)
{
    for (; *known; ++known)
        if (strlen(*known) == length && memcmp(*known, word, length) == 0)
            return *known;
    return NULL;
}

static pm_status refuse(const char *const *known, const char *word, size_t length, pm_error *err)
{
    char list[512] = "";
    for (const char *const *k = known; *k; ++k) {
        strncat(list, k == known ? "" : ", ", sizeof list - strlen(list) - 1);
        strncat(list, *k, sizeof list - strlen(list) - 1);
    }
    return pm_fail(err, PM_EUSAGE, "--table: '%.*s' is not one of %s", (int)length, word, list);
}

pm_status pm_columns_parse(const char *list, const char *const *known, pm_column_list *out,
                           pm_error *err)
{
    *out = (pm_column_list){0};
    for (const char *word = list;;) {
        size_t length = strcspn(word, ",");
        const char *name = find_known(known, word, length);
        if (!name)
            return refuse(known, word, length, err);
        if (pm_columns_find(out, name) >= 0)
            return pm_fail(err, PM_EUSAGE, "--table: '%s' is given twice", name);
        if (out->count == PM_COLUMNS_MAX)
            return pm_fail(err, PM_EUSAGE, "--table: more than %d columns", PM_COLUMNS_MAX);
        out->name[out->count++] = name;
        if (!word[length])
            return PM_OK;
        word += length + 1;
    }
}

int pm_columns_find(const pm_column_list *c, const char *name)
{
    for (int i = 0; i < c->count; ++i)
        if (strcmp(c->name[i], name) == 0)
            return i;
    return -1;
}

void pm_columns_put_titles(const pm_column_list *c, FILE *f)
{
    for (int i = 0; i < c->count; ++i)
        fprintf(f, "%s%s", i ? "\t" : "# ", c->name[i]);
}

/* ---- a row ---- */

void pm_column_row_free(pm_column_row *row)
{
    for (int i = 0; i < PM_COLUMNS_MAX; ++i)
        free(row->text[i]);
    *row = (pm_column_row){0};
}

void pm_columns_put_row(const pm_column_list *c, pm_column_row *row, FILE *f)
{
    for (int i = 0; i < c->count; ++i) {
        if (i)
            putc('\t', f);
        if (strcmp(c->name[i], "name") == 0)
            putc(PM_COLUMN_NAME, f);
        else
            fputs(row->text[i] ? row->text[i] : "-", f);
    }
    pm_column_row_free(row);
}

void pm_columns_print(FILE *f, const char *row, const char *name)
{
    for (const char *s = row; *s; ++s)
        if (*s == PM_COLUMN_NAME)
            pm_emit_escaped(f, name);
        else
            putc(*s, f);
    putc('\n', f);
}
