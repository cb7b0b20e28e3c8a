/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/scaling_gpu_kernel.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/text_stream.h"
#include "gpu/kernel_text.h"

/* ---- one sample a thread ---- */

bool pm_scaling_thread_applies(const pm_scaling_model *m)
{
    return !m->has_two_sides && !m->lists.rowval && m->lists.n <= PM_MASKS_MAX_ROWS;
}

/* Defines a macro with one PM_LINE(i, sum of the scales of its neighbours) for every line i. */
static void put_sums(FILE *f, const char *name, const int32_t *ptr, const int32_t *ind, int32_t n,
                     char scale)
{
    fprintf(f, "#define %s", name);
    for (int32_t i = 0; i < n; ++i) {
        fprintf(f, " \\\n    PM_LINE(%d, ", (int)i);
        for (int32_t k = ptr[i]; k < ptr[i + 1]; ++k)
            fprintf(f, "%s%c[%d]", k > ptr[i] ? " + " : "", scale, (int)ind[k]);
        fputc(')', f);
    }
    fputc('\n', f);
}

char *pm_scaling_thread_text(const pm_scaling_model *m)
{
    const pm_neighbours *l = &m->lists;
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return NULL;
    FILE *f = pm_text_stream_file(s);
    fprintf(f,
            "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MASKS_UNROLLED PM_N\n"
            "#define PM_IN_SEQUENCE %d\n#define PM_INTERVAL %d\n#define PM_ITERATIONS %d\n"
            "#define PM_BATCH %d\n",
            (int)l->n, m->in_sequence, m->interval, m->iterations, PM_MASKS_BATCH);
    put_sums(f, "PM_COLUMN_SUMS", l->colptr, l->rowind, l->n, 'r');
    put_sums(f, "PM_ROW_SUMS", l->rowptr, l->colind, l->n, 'c');
    fprintf(f, "%s%s%s%s%s%s%s%s%s", pm_text_prelude, pm_text_words, pm_text_philox_block,
            pm_text_sample_sequence, pm_text_lanes, pm_text_thread_launch, pm_text_degree_masks,
            pm_text_scaling_thread, pm_text_thread_samples);
    return pm_text_stream_close(s);
}

pm_thread_launch pm_scaling_thread_launch(const pm_sampler *s)
{
    const pm_scaling_model *m = s->model;
    const pm_neighbours *l = &m->lists;
    pm_thread_launch out = {.block = s->block, .seed = s->seed, .exponent = l->exponent};
    for (int32_t i = 0; i < l->n; ++i)
        for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
            out.row[i] |= UINT64_C(1) << l->colind[k];
            out.column[l->colind[k]] |= UINT64_C(1) << i;
        }
    return out;
}

/* ---- one sample a warp ---- */

static bool has_masks(const pm_scaling_model *m)
{
    return m->lists.n <= 64 && !m->lists.rowval;
}

/* sizeof(pm_dev_warp) in cuda/scaling_warp.cuh */
int64_t pm_scaling_warp_bytes(const pm_scaling_model *m)
{
    int64_t n = m->lists.n, quads = (n + 3) / 4, complete = pm_scaling_complete(m);
    int64_t side = 4 * 4 * quads + 4 * n + 2 * 2 * n;
    int64_t words =
        2 * side + 4 * n + 4 * 32 + (has_masks(m) ? 4 * 16 * quads : 0) + 4 * (complete + 1) + 4;
    return 8 * (INT64_C(1) << complete) + 8 * (complete * complete + 1) + (words + 7) / 8 * 8;
}

char *pm_scaling_warp_text(const pm_scaling_model *m)
{
    return pm_kernel_text_make(
        "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MASKS %d\n#define PM_VALUES %d\n"
        "#define PM_IN_SEQUENCE %d\n#define PM_TWO_SIDES %d\n#define PM_INTERVAL %d\n"
        "#define PM_ITERATIONS %d\n#define PM_COMPLETE %d\n#define PM_WARPS %d\n%s%s%s%s%s%s%s",
        m->lists.n, has_masks(m), m->lists.rowval != NULL, m->in_sequence, m->has_two_sides,
        m->interval, m->iterations, pm_scaling_complete(m),
        pm_warp_samples_warps(pm_scaling_warp_bytes(m)), pm_text_prelude, pm_text_words,
        pm_text_philox_block, pm_text_sample_sequence, pm_text_warp_launch, pm_text_scaling_warp,
        pm_text_warp_samples);
}

/* The nonempty subsets of 0 .. complete-1 as bits, ordered by size. */
static void fill_sets(int complete, uint16_t *sets)
{
    for (int size = 1; size <= complete; ++size)
        for (unsigned set = 1; set < 1u << complete; ++set)
            if (__builtin_popcount(set) == size)
                *sets++ = (uint16_t)set;
}

pm_status pm_scaling_warp_image(const pm_sampler *s, pm_warp_image *out, pm_error *err)
{
    const pm_scaling_model *m = s->model;
    pm_line_lists row = pm_line_lists_of_rows(&m->lists),
                  column = pm_line_lists_of_columns(&m->lists);
    pm_warp_launch *l = &out->launch;
    int complete = pm_scaling_complete(m);
    row.scale = m->matrix.r;
    column.scale = m->matrix.c;
    *out = (pm_warp_image){
        .launch = {.seed = s->seed, .block = s->block, .exponent = m->lists.exponent}};
    pm_warp_image_reserve_lists(&row, &l->row, out);
    pm_warp_image_reserve_lists(&column, &l->column, out);
    l->sets = pm_warp_image_reserve(out, INT64_C(1) << complete, sizeof(uint16_t));
    pm_status status = pm_warp_image_alloc(out, err);
    if (status)
        return status;
    pm_warp_image_fill_lists(&row, &l->row, out);
    pm_warp_image_fill_lists(&column, &l->column, out);
    fill_sets(complete, (uint16_t *)(void *)(out->base + l->sets));
    return PM_OK;
}
