/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "places/place_file.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "text/number.h"
#include "text/quote.h"
#include "text/source.h"

enum { MOST_FIELDS = 5 }; /* one more than a line has */

typedef struct {
    char *text[MOST_FIELDS];
    int64_t length[MOST_FIELDS];
    int count;
} fields;

static bool next_between_tabs(char **s, char **field, int64_t *length)
{
    if (!**s)
        return false;
    *field = *s;
    *length = (int64_t)strcspn(*s, "\t");
    *s += *length;
    *s += **s == '\t';
    return true;
}

static void cut(char *line, fields *f)
{
    const bool has_tab = strchr(line, '\t');
    f->count = 0;
    while (f->count < MOST_FIELDS
           && (has_tab ? next_between_tabs : pm_field_next)(&line, &f->text[f->count],
                                                            &f->length[f->count]))
        ++f->count;
}

static pm_status read_coordinate(const pm_source *s, const fields *f, int k, double *out,
                                 pm_error *err)
{
    char quote[PM_QUOTE];
    return pm_coordinate_parse(f->text[k], f->length[k], out)
               ? PM_OK
               : pm_source_fail(s, err, "expected a decimal number up to 1e9, found %s",
                                pm_quote(f->text[k], f->length[k], quote));
}

static pm_status read_side(const pm_source *s, const fields *f, pm_placed_side *out, pm_error *err)
{
    char quote[PM_QUOTE];
    *out = PM_PLACED_ANY;
    if (f->count == 3)
        return PM_OK;
    if (f->count != 4)
        return pm_source_fail(s, err, "expected 'LABEL X Y' or 'row LABEL X Y', found %s%d field%s",
                              f->count == MOST_FIELDS ? "more than " : "",
                              f->count == MOST_FIELDS ? 4 : f->count, f->count == 1 ? "" : "s");
    *out = pm_field_is(f->text[0], f->length[0], "row")      ? PM_PLACED_ROW
           : pm_field_is(f->text[0], f->length[0], "column") ? PM_PLACED_COLUMN
                                                             : PM_PLACED_ANY;
    return *out ? PM_OK
                : pm_source_fail(s, err, "expected 'row' or 'column' before four fields, found %s",
                                 pm_quote(f->text[0], f->length[0], quote));
}

static pm_status read_line(const pm_source *s, char *line, pm_place_file *to, pm_error *err)
{
    fields f;
    pm_placed_side side;
    pm_place place;
    int32_t number;
    char quote[PM_QUOTE];
    cut(line, &f);
    pm_status status = read_side(s, &f, &side, err);
    if (!status)
        status = read_coordinate(s, &f, f.count - 2, &place.x, err);
    if (!status)
        status = read_coordinate(s, &f, f.count - 1, &place.y, err);
    if (status)
        return status;
    const char *label = f.text[f.count - 3];
    const int64_t length = f.length[f.count - 3], before = to->of[side].map.labels.count;
    status = pm_label_number(&to->of[side].map, label, length, &number, err);
    if (status)
        return status;
    if (number < before)
        return pm_source_fail(s, err,
                              "expected one place for each vertex, found a second one for %s",
                              pm_quote(label, length, quote));
    if (PM_GROW(to->of[side].place, to->of[side].cap, before + 1))
        return pm_fail_memory(err, "places");
    to->of[side].place[number] = place;
    return PM_OK;
}

static bool is_passed_over(const char *line)
{
    while (pm_is_blank(*line))
        ++line;
    return !*line || *line == '#';
}

pm_status pm_place_file_read(const char *path, const pm_run *run, pm_place_file *out, pm_error *err)
{
    pm_place_file p = {0};
    pm_source *s = NULL;
    char *line = NULL;
    const char *start;
    int64_t length;
    pm_status status = pm_source_open(path, &s, err);
    if (!status) {
        pm_source_set_run(s, run);
        status = pm_source_peek(s, &start, 3, &length, err); /* passes over a byte order mark */
    }
    while (!status) {
        status = pm_source_line(s, &line, &length, err);
        if (status || !line)
            break;
        if (!is_passed_over(line))
            status = read_line(s, line, &p, err);
    }
    if (!status) {
        *out = p;
        p = (pm_place_file){0};
    }
    pm_source_close(&s);
    pm_place_file_free(&p);
    return status;
}

void pm_place_file_free(pm_place_file *p)
{
    for (int side = 0; side < PM_PLACED_SIDES; ++side) {
        pm_label_map_free(&p->of[side].map);
        free(p->of[side].place);
    }
    *p = (pm_place_file){0};
}

bool pm_place_file_find(const pm_place_file *p, pm_placed_side side, const char *label,
                        pm_place *out)
{
    const pm_placed_side tried[] = {side, PM_PLACED_ANY};
    for (int k = 0; k < 2; ++k) {
        const int32_t number = pm_label_find(&p->of[tried[k]].map, label, (int64_t)strlen(label));
        if (number >= 0) {
            *out = p->of[tried[k]].place[number];
            return true;
        }
    }
    return false;
}
