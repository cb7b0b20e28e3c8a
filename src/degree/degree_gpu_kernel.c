/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/degree_gpu_kernel.h"

#include <string.h>

#include "gpu/kernel_text.h"

/* ---- one sample a thread ---- */

char *pm_degree_thread_text(const pm_degree_model *m)
{
    const pm_degree_masks *g = &m->by_masks;
    return pm_kernel_text_make(
        "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MASKS_UNROLLED PM_N\n"
        "#define PM_IN_SEQUENCE %d\n#define PM_FORCES %d\n#define PM_UNIFORM %d\n"
        "#define PM_BATCH %d\n%s%s%s%s%s%s%s%s%s",
        g->n, g->in_sequence, g->forces, g->is_uniform, PM_MASKS_BATCH, pm_text_prelude,
        pm_text_words, pm_text_philox_block, pm_text_sample_sequence, pm_text_lanes,
        pm_text_thread_launch, pm_text_degree_masks, pm_text_degree_thread, pm_text_thread_samples);
}

pm_thread_launch pm_degree_thread_launch(const pm_sampler *s)
{
    const pm_degree_model *m = s->model;
    size_t n = (size_t)m->lists.n;
    pm_thread_launch l = {.block = s->block,
                          .seed = s->seed,
                          .exponent = m->lists.exponent,
                          .threshold = {0, INT64_MIN}};
    memcpy(l.row, m->mask, n * sizeof *l.row);
    memcpy(l.column, m->mask + n, n * sizeof *l.column);
    memcpy(l.table, m->table, ((size_t)m->lists.max_column_degree + 1) * sizeof *l.table);
    return l;
}

/* ---- one sample a warp ---- */

/* sizeof(pm_dev_warp) in cuda/degree_warp.cuh */
int64_t pm_degree_warp_bytes(const pm_degree_model *m)
{
    int64_t n = m->lists.n, degree = m->lists.max_row_degree;
    int64_t half_words = (2 * (n + degree) + 3) / 4 * 4;
    return 8 * degree + (4 * n + 4 * 32 + half_words + 4 + 7) / 8 * 8;
}

char *pm_degree_warp_text(const pm_degree_model *m)
{
    const pm_degree_lists *g = &m->by_lists;
    return pm_kernel_text_make(
        "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MAX_DEGREE %d\n#define PM_VALUES %d\n"
        "#define PM_IN_SEQUENCE %d\n#define PM_FORCES %d\n#define PM_WARPS %d\n"
        "%s%s%s%s%s%s%s",
        m->lists.n, m->lists.max_row_degree, m->lists.rowval != NULL, g->in_sequence, g->forces,
        pm_warp_samples_warps(pm_degree_warp_bytes(m)), pm_text_prelude, pm_text_words,
        pm_text_philox_block, pm_text_sample_sequence, pm_text_warp_launch, pm_text_degree_warp,
        pm_text_warp_samples);
}

pm_status pm_degree_warp_image(const pm_sampler *s, pm_warp_image *out, pm_error *err)
{
    const pm_degree_model *m = s->model;
    pm_line_lists row = pm_line_lists_of_rows(&m->lists),
                  column = pm_line_lists_of_columns(&m->lists);
    pm_warp_launch *l = &out->launch;
    int64_t table = (int64_t)m->lists.max_column_degree + 1;
    row.integer_entry = m->integer_entries;
    column.value = NULL;
    *out = (pm_warp_image){
        .launch = {.seed = s->seed, .block = s->block, .exponent = m->lists.exponent}};
    pm_warp_image_reserve_lists(&row, &l->row, out);
    pm_warp_image_reserve_lists(&column, &l->column, out);
    l->table = pm_warp_image_reserve(out, table, sizeof *m->table);
    pm_status status = pm_warp_image_alloc(out, err);
    if (status)
        return status;
    pm_warp_image_fill_lists(&row, &l->row, out);
    pm_warp_image_fill_lists(&column, &l->column, out);
    memcpy(out->base + l->table, m->table, (size_t)table * sizeof *m->table);
    return PM_OK;
}
