/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/degree_lines_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/kernel_text.h"

/* sizeof pm_warp in cuda/degree_lines.cuh */
int64_t pm_degree_warp_bytes_of(const pm_degree_model *m)
{
    int64_t n = m->lists.n, most = m->lists.most_in_row;
    int64_t half_words = (2 * (n + most) + 3) / 4 * 4;
    return 8 * most + (4 * n + 4 * 32 + half_words + 4 + 7) / 8 * 8;
}

char *pm_degree_lines_text(const pm_degree_model *m)
{
    char *text = NULL;
    size_t size;
    const pm_degree_lists *g = &m->by_lists;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f,
            "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MOST %d\n#define PM_VALUES %d\n"
            "#define PM_IN_SEQUENCE %d\n#define PM_FORCES %d\n#define PM_WARPS %d\n"
            "%s%s%s%s%s%s%s",
            m->lists.n, m->lists.most_in_row, m->lists.rowval != NULL, g->in_sequence, g->forces,
            pm_lines_warps(pm_degree_warp_bytes_of(m)), pm_text_prelude, pm_text_words,
            pm_text_philox_block, pm_text_sample_sequence, pm_text_lines_launch,
            pm_text_degree_lines, pm_text_warps);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static pm_status make_image(const pm_sampler *s, pm_lines_image *out, pm_error *err)
{
    const pm_degree_model *m = s->model;
    pm_lines row = pm_lines_of_rows(&m->lists), column = pm_lines_of_columns(&m->lists);
    pm_lines_launch *l = &out->launch;
    int64_t table = (int64_t)m->lists.most_in_column + 1;
    row.part = m->parts;
    column.value = NULL;
    *out = (pm_lines_image){
        .launch = {.seed = s->seed, .block = s->block, .exponent = m->lists.exponent}};
    pm_lines_lay(&row, &l->row, out);
    pm_lines_lay(&column, &l->column, out);
    l->table = pm_lines_carve(out, table, sizeof *m->table);
    pm_status rc = pm_lines_alloc(out, err);
    if (rc)
        return rc;
    pm_lines_fill(&row, &l->row, out);
    pm_lines_fill(&column, &l->column, out);
    memcpy(out->base + l->table, m->table, (size_t)table * sizeof *m->table);
    return PM_OK;
}

static pm_status open_devices(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                              pm_error *err)
{
    (void)run;
    const pm_degree_model *m = s->model;
    pm_lines_image image = {0};
    if (m->lists.n > PM_LINES_MOST)
        return pm_fail(err, PM_UNABLE, "the kernel of %s takes up to %d rows", s->method->name,
                       PM_LINES_MOST);
    pm_status rc = make_image(s, &image, err);
    return rc ? rc
              : pm_lines_gpu_open(s, pm_degree_lines_text(m), &image, pm_degree_warp_bytes_of(m),
                                  gpus, out, err);
}

const pm_sampler_gpu pm_degree_lines_gpu = {.open = open_devices,
                                            .close = pm_lines_gpu_close,
                                            .draw = pm_lines_gpu_draw,
                                            .most = pm_lines_gpu_most};
