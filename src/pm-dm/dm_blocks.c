/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pm-dm/dm_tasks.h"

static const char *part_of(const pm_dm *d, int64_t b)
{
    return b < d->square_first ? "under" : b < d->square_last ? "square" : "over";
}

static pm_status text(const pm_dm_view *v, FILE *f, pm_error *err)
{
    const pm_dm *d = v->d;
    int64_t *nnz;
    pm_status s = pm_dm_count_entries(v->a, d, &nnz, err);
    if (s != PM_OK)
        return s;
    fputs("# block\tpart\trows\tcols\tnnz\n", f);
    for (int64_t b = 0; b < d->nblocks; ++b)
        fprintf(f, "%" PRId64 "\t%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", b + 1, part_of(d, b),
                d->r[b + 1] - d->r[b], d->s[b + 1] - d->s[b], nnz[b]);
    free(nnz);
    return PM_OK;
}

static pm_status json(const pm_dm_view *v, pm_json *j, pm_error *err)
{
    const pm_dm *d = v->d;
    int64_t *nnz;
    pm_status s = pm_dm_count_entries(v->a, d, &nnz, err);
    if (s != PM_OK)
        return s;
    pm_json_begin(j, "blocks", '[');
    for (int64_t b = 0; b < d->nblocks; ++b) {
        pm_json_begin(j, NULL, '{');
        pm_json_string(j, "part", part_of(d, b));
        pm_json_int(j, "rows", d->r[b + 1] - d->r[b]);
        pm_json_int(j, "cols", d->s[b + 1] - d->s[b]);
        pm_json_int(j, "nnz", nnz[b]);
        pm_json_end(j, '}');
    }
    pm_json_end(j, ']');
    free(nnz);
    return PM_OK;
}

const pm_dm_question pm_dm_blocks = {.layout = PM_LAYOUT_BLOCKS, .text = text, .json = json};
