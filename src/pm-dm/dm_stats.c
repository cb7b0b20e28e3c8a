/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pm-dm/dm_tasks.h"

/* The columns of the table, which are the keys of the object too. */
#define FIGURES(FIRST, NEXT)                                                                       \
    FIRST(rows)                                                                                    \
    NEXT(cols)                                                                                     \
    NEXT(nnz)                                                                                      \
    NEXT(kept)                                                                                     \
    NEXT(dropped)                                                                                  \
    NEXT(rank)                                                                                     \
    NEXT(blocks)                                                                                   \
    NEXT(single)                                                                                   \
    NEXT(largest)                                                                                  \
    NEXT(largest_nnz)                                                                              \
    NEXT(under_rows)                                                                               \
    NEXT(under_cols)                                                                               \
    NEXT(square)                                                                                   \
    NEXT(over_rows)                                                                                \
    NEXT(over_cols)

#define MEMBER(name) int64_t name;
typedef struct {
    FIGURES(MEMBER, MEMBER)
} figures;

static pm_status measure(const pm_dm_view *v, figures *x, pm_error *err)
{
    const pm_dm *d = v->d;
    int64_t *nnz;
    pm_status s = pm_dm_count_entries(v->a, d, &nnz, err);
    if (s != PM_OK)
        return s;
    *x = (figures){
        .rows = d->nrows,
        .cols = d->ncols,
        .nnz = pm_matrix_nnz(v->a),
        .rank = d->rank,
        .blocks = d->square_last - d->square_first,
        .under_rows = d->rr[1],
        .under_cols = d->cc[2],
        .square = d->rr[2] - d->rr[1],
        .over_rows = d->rr[4] - d->rr[2],
        .over_cols = d->cc[4] - d->cc[3],
    };
    for (int64_t b = d->square_first; b < d->square_last; ++b) {
        int64_t n = d->r[b + 1] - d->r[b];
        x->single += n == 1;
        if (pm_dm_has_perfect_matching(d))
            x->kept += nnz[b];
        if (n > x->largest || (n == x->largest && nnz[b] > x->largest_nnz)) {
            x->largest = n;
            x->largest_nnz = nnz[b];
        }
    }
    x->dropped = x->nnz - x->kept;
    free(nnz);
    return PM_OK;
}

static pm_status text(const pm_dm_view *v, FILE *f, pm_error *err)
{
    figures x;
    pm_status s = measure(v, &x, err);
    if (s != PM_OK)
        return s;
#define PRINT_FIRST(name) fprintf(f, "%" PRId64, x.name);
#define PRINT_NEXT(name)  fprintf(f, "\t%" PRId64, x.name);
    FIGURES(PRINT_FIRST, PRINT_NEXT)
    return PM_OK;
}

static pm_status json(const pm_dm_view *v, pm_json *j, pm_error *err)
{
    figures x;
    pm_status s = measure(v, &x, err);
    if (s != PM_OK)
        return s;
    pm_json_string(j, "field", pm_field_name(v->a->field));
#define PRINT_JSON(name) pm_json_int(j, #name, x.name);
    FIGURES(PRINT_JSON, PRINT_JSON)
    return PM_OK;
}

#define FIRST_COLUMN(name) "# " #name
#define NEXT_COLUMN(name)  "\t" #name

const pm_dm_question pm_dm_stats = {
    .layout = PM_LAYOUT_LINES,
    .header = FIGURES(FIRST_COLUMN, NEXT_COLUMN),
    .text = text,
    .json = json,
};
