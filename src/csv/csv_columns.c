/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "csv/csv_columns.h"

#include <inttypes.h>
#include <string.h>

#include "text/number.h"

static bool is_repeated(const pm_csv_columns *c, int k)
{
    for (int l = 0; l < k; ++l)
        if (c->column[l].at == c->column[k].at
            && (c->column[k].at >= 0
                || (c->column[l].length == c->column[k].length
                    && memcmp(c->column[l].name, c->column[k].name, (size_t)c->column[k].length)
                           == 0)))
            return true;
    return false;
}

pm_status pm_csv_columns_parse(const char *text, pm_csv_columns *out, pm_error *err)
{
    pm_csv_columns c = {0};
    bool good = true;
    for (const char *p = text; good; ++p) {
        int64_t number = 0, n = (int64_t)strcspn(p, ",");
        good = c.count < 3 && n > 0;
        if (!good)
            break;
        bool is_number = pm_size_parse(p, n, &number);
        c.column[c.count].name = p;
        c.column[c.count].length = n;
        c.column[c.count].at = is_number ? number - 1 : -1;
        good = (!is_number || number > 0) && !is_repeated(&c, c.count);
        ++c.count;
        p += n;
        if (!*p)
            break;
    }
    if (!good || c.count < 2)
        return pm_fail(err, PM_EUSAGE,
                       "expected columns LEFT,RIGHT[,WEIGHT], not '%s': different numbers from 1, "
                       "or names of the header",
                       text);
    *out = c;
    return PM_OK;
}

bool pm_csv_columns_are_named(const pm_csv_columns *c)
{
    for (int k = 0; k < c->count; ++k)
        if (c->column[k].at < 0)
            return true;
    return false;
}

static pm_status find_name(pm_csv_columns *c, int k, const pm_source *s,
                           const pm_csv_record *header, pm_error *err)
{
    int64_t found = -1, length;
    char quote[PM_QUOTE];
    const char *name = pm_quote(c->column[k].name, c->column[k].length, quote);
    for (int64_t f = 0; f < header->count; ++f) {
        const char *text = pm_csv_field(header, f, &length);
        if (length != c->column[k].length || memcmp(text, c->column[k].name, (size_t)length) != 0)
            continue;
        if (found >= 0)
            return pm_source_fail(s, err, "expected one column named %s in the header, found two",
                                  name);
        found = f;
    }
    if (found < 0)
        return pm_source_fail(s, err,
                              "expected a column named %s in the header, found none; lines that "
                              "begin with # are comments",
                              name);
    c->column[k].at = found;
    return PM_OK;
}

pm_status pm_csv_columns_find(pm_csv_columns *c, const pm_source *s, const pm_csv_record *header,
                              pm_error *err)
{
    pm_status status = PM_OK;
    for (int k = 0; k < c->count && !status; ++k) {
        if (c->column[k].at < 0)
            status = find_name(c, k, s, header, err);
        else if (c->column[k].at >= header->count)
            status =
                pm_source_fail(s, err, "expected a column %" PRId64 ", found %" PRId64 " column%s",
                               c->column[k].at + 1, header->count, header->count == 1 ? "" : "s");
        if (!status && is_repeated(c, k))
            status = pm_source_fail(s, err, "expected different columns, found one twice");
    }
    return status;
}
