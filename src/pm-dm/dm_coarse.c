/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coarse decomposition as a table of all rows and columns with their parts, in the order of the
 * block triangular form. */
#include "config.h"

#include "pm-dm/dm_tasks.h"

typedef struct {
    const char *name;
    int64_t row, row_end, col, col_end; /* places in p and q */
} part;

enum { PARTS = 3 };

static void list_parts(const pm_dm *d, part out[PARTS])
{
    out[0] = (part){"under", 0, d->rr[1], 0, d->cc[2]};
    out[1] = (part){"square", d->rr[1], d->rr[2], d->cc[2], d->cc[3]};
    out[2] = (part){"over", d->rr[2], d->rr[4], d->cc[3], d->cc[4]};
}

static void put_lines(const char *name, const char *side, const pm_labels *l, const int32_t *p,
                      int64_t first, int64_t end, FILE *f)
{
    char number[24];
    for (int64_t k = first; k < end; ++k) {
        fprintf(f, "%s\t%s\t", name, side);
        pm_answers_put_name(f, pm_label(l, p[k], number));
        putc('\n', f);
    }
}

static pm_status text(const pm_dm_view *v, FILE *f, pm_error *err)
{
    part parts[PARTS];
    (void)err;
    list_parts(v->d, parts);
    fputs("# part\tside\tlabel\n", f);
    for (const part *x = parts; x < parts + PARTS; ++x) {
        put_lines(x->name, "row", &v->a->row_labels, v->d->p, x->row, x->row_end, f);
        put_lines(x->name, "column", &v->a->col_labels, v->d->q, x->col, x->col_end, f);
    }
    return PM_OK;
}

static void labels_json(pm_json *j, const char *key, const pm_labels *l, const int32_t *p,
                        int64_t first, int64_t end)
{
    char number[24];
    pm_json_begin(j, key, '[');
    for (int64_t k = first; k < end; ++k)
        pm_json_string(j, NULL, pm_label(l, p[k], number));
    pm_json_end(j, ']');
}

static pm_status json(const pm_dm_view *v, pm_json *j, pm_error *err)
{
    part parts[PARTS];
    (void)err;
    list_parts(v->d, parts);
    for (const part *x = parts; x < parts + PARTS; ++x) {
        pm_json_begin(j, x->name, '{');
        labels_json(j, "rows", &v->a->row_labels, v->d->p, x->row, x->row_end);
        labels_json(j, "columns", &v->a->col_labels, v->d->q, x->col, x->col_end);
        pm_json_end(j, '}');
    }
    return PM_OK;
}

const pm_dm_question pm_dm_coarse = {.layout = PM_LAYOUT_BLOCKS, .text = text, .json = json};
