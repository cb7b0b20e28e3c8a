/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/warp_samples_gpu_kernel.h"

#include "pm/alloc.h"

#define LARGE 1e18 /* as in cuda/scaling_warp.cuh */

pm_line_lists pm_line_lists_of_rows(const pm_neighbours *l)
{
    return (pm_line_lists){.ptr = l->rowptr,
                           .ind = l->colind,
                           .value = l->rowval,
                           .n = l->n,
                           .max_length = l->max_row_degree};
}

pm_line_lists pm_line_lists_of_columns(const pm_neighbours *l)
{
    return (pm_line_lists){.ptr = l->colptr,
                           .ind = l->rowind,
                           .value = l->colval,
                           .n = l->n,
                           .max_length = l->max_column_degree};
}

uint64_t pm_warp_image_reserve(pm_warp_image *image, int64_t count, size_t size)
{
    uint64_t offset = (uint64_t)image->bytes;
    image->bytes += (count * (int64_t)size + 7) / 8 * 8;
    return offset;
}

void pm_warp_image_reserve_lists(const pm_line_lists *s, pm_list_offsets *out, pm_warp_image *image)
{
    int64_t size = (int64_t)s->n * s->max_length;
    out->length = pm_warp_image_reserve(image, s->n, sizeof(int32_t));
    out->neighbour = pm_warp_image_reserve(image, size, sizeof(uint16_t));
    if (s->value)
        out->value = pm_warp_image_reserve(image, size, sizeof(double));
    if (s->integer_entry)
        out->integer_entry = pm_warp_image_reserve(image, size, sizeof(uint32_t));
    if (s->scale)
        out->scale = pm_warp_image_reserve(image, s->n, sizeof(float));
    if (s->scale && s->value)
        out->single_value = pm_warp_image_reserve(image, size, sizeof(float));
    if (!s->value && s->n <= 64)
        out->mask = pm_warp_image_reserve(image, s->n, sizeof(uint64_t));
}

pm_status pm_warp_image_alloc(pm_warp_image *image, pm_error *err)
{
    image->base = pm_calloc_array(image->bytes, 1);
    return image->base ? PM_OK : pm_fail_memory(err, "a matrix for a GPU");
}

static float to_single(double scale)
{
    return (float)(scale < 1 / LARGE ? 1 / LARGE : scale > LARGE ? LARGE : scale);
}

static void *array_at(const pm_warp_image *image, uint64_t offset)
{
    return image->base + offset;
}

void pm_warp_image_fill_lists(const pm_line_lists *s, const pm_list_offsets *to,
                              pm_warp_image *image)
{
    int32_t *length = array_at(image, to->length);
    uint16_t *neighbour = array_at(image, to->neighbour);
    float *scale = array_at(image, to->scale), *single_value = array_at(image, to->single_value);
    double *value = array_at(image, to->value);
    uint32_t *integer_entry = array_at(image, to->integer_entry);
    uint64_t *mask = array_at(image, to->mask);
    for (int32_t i = 0; i < s->n; ++i) {
        length[i] = s->ptr[i + 1] - s->ptr[i];
        if (s->scale)
            scale[i] = to_single(s->scale[i]);
        for (int32_t t = 0; t < length[i]; ++t) {
            int32_t k = s->ptr[i] + t, index = t * s->n + i;
            neighbour[index] = (uint16_t)s->ind[k];
            if (s->value)
                value[index] = s->value[k];
            if (s->value && s->scale)
                single_value[index] = (float)s->value[k];
            if (s->integer_entry)
                integer_entry[index] = s->integer_entry[k];
            if (!s->value && s->n <= 64)
                mask[i] |= UINT64_C(1) << s->ind[k];
        }
    }
}
