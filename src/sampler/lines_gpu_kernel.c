/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/lines_gpu_kernel.h"

#include "pm/alloc.h"

#define LARGE 1e18 /* as in cuda/scalings.cuh */

pm_lines pm_lines_of_rows(const pm_neighbours *l)
{
    return (pm_lines){.ptr = l->rowptr,
                      .ind = l->colind,
                      .value = l->rowval,
                      .n = l->n,
                      .most = l->max_row_degree};
}

pm_lines pm_lines_of_columns(const pm_neighbours *l)
{
    return (pm_lines){.ptr = l->colptr,
                      .ind = l->rowind,
                      .value = l->colval,
                      .n = l->n,
                      .most = l->max_column_degree};
}

uint64_t pm_lines_carve(pm_lines_image *image, int64_t count, size_t size)
{
    uint64_t at = (uint64_t)image->bytes;
    image->bytes += (count * (int64_t)size + 7) / 8 * 8;
    return at;
}

void pm_lines_lay(const pm_lines *s, pm_lines_side *out, pm_lines_image *image)
{
    int64_t places = (int64_t)s->n * s->most;
    out->length = pm_lines_carve(image, s->n, sizeof(int32_t));
    out->at = pm_lines_carve(image, places, sizeof(uint16_t));
    if (s->value)
        out->value = pm_lines_carve(image, places, sizeof(double));
    if (s->part)
        out->part = pm_lines_carve(image, places, sizeof(uint32_t));
    if (s->scale)
        out->scale = pm_lines_carve(image, s->n, sizeof(float));
    if (s->scale && s->value)
        out->share = pm_lines_carve(image, places, sizeof(float));
    if (!s->value && s->n <= 64)
        out->mask = pm_lines_carve(image, s->n, sizeof(uint64_t));
}

pm_status pm_lines_alloc(pm_lines_image *image, pm_error *err)
{
    image->base = pm_calloc_array(image->bytes, 1);
    return image->base ? PM_OK : pm_fail_memory(err, "a matrix for a GPU");
}

static float single(double scale)
{
    return (float)(scale < 1 / LARGE ? 1 / LARGE : scale > LARGE ? LARGE : scale);
}

static void *place(const pm_lines_image *image, uint64_t at)
{
    return image->base + at;
}

void pm_lines_fill(const pm_lines *s, const pm_lines_side *to, pm_lines_image *image)
{
    int32_t *length = place(image, to->length);
    uint16_t *at = place(image, to->at);
    float *scale = place(image, to->scale), *share = place(image, to->share);
    double *value = place(image, to->value);
    uint32_t *part = place(image, to->part);
    uint64_t *mask = place(image, to->mask);
    for (int32_t i = 0; i < s->n; ++i) {
        length[i] = s->ptr[i + 1] - s->ptr[i];
        if (s->scale)
            scale[i] = single(s->scale[i]);
        for (int32_t t = 0; t < length[i]; ++t) {
            int32_t k = s->ptr[i] + t, slot = t * s->n + i;
            at[slot] = (uint16_t)s->ind[k];
            if (s->value)
                value[slot] = s->value[k];
            if (s->value && s->scale)
                share[slot] = (float)s->value[k];
            if (s->part)
                part[slot] = s->part[k];
            if (!s->value && s->n <= 64)
                mask[i] |= UINT64_C(1) << s->ind[k];
        }
    }
}
