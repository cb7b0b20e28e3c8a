/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "approx/scaling_gpu.h"
#include "pm/alloc.h"

#define LARGE 1e18 /* as in cuda/scalings.cuh */

/* One side of the whole matrix: line i has the places ptr[i] .. ptr[i + 1] - 1. */
typedef struct {
    const int32_t *ptr, *ind;
    const double *value; /* NULL: all entries are 1 */
    const double *scale;
    int32_t n, most; /* lines; entries of one at most */
} side;

static side row_side(const pm_scaling_model *m)
{
    const pm_lists *l = &m->lists;
    return (side){l->rowptr, l->colind, l->rowval, m->whole.r, l->n, l->most_in_row};
}

static side column_side(const pm_scaling_model *m)
{
    const pm_lists *l = &m->lists;
    return (side){l->colptr, l->rowind, l->colval, m->whole.c, l->n, l->most_in_column};
}

static uint64_t carve(int64_t *used, int64_t count, size_t size)
{
    uint64_t at = (uint64_t)*used;
    *used += (count * (int64_t)size + 7) / 8 * 8;
    return at;
}

static void lay(const side *s, pm_scaling_side *out, int64_t *used)
{
    int64_t places = (int64_t)s->n * s->most;
    out->length = carve(used, s->n, sizeof(int32_t));
    out->at = carve(used, places, sizeof(uint16_t));
    out->scale = carve(used, s->n, sizeof(float));
    if (s->value) {
        out->share = carve(used, places, sizeof(float));
        out->value = carve(used, places, sizeof(double));
    } else if (s->n <= 64) {
        out->mask = carve(used, s->n, sizeof(uint64_t));
    }
}

static float single(double scale)
{
    return (float)(scale < 1 / LARGE ? 1 / LARGE : scale > LARGE ? LARGE : scale);
}

static void fill(const side *s, const pm_scaling_side *to, char *base)
{
    int32_t *length = (int32_t *)(void *)(base + to->length);
    uint16_t *at = (uint16_t *)(void *)(base + to->at);
    float *scale = (float *)(void *)(base + to->scale);
    float *share = s->value ? (float *)(void *)(base + to->share) : NULL;
    double *value = s->value ? (double *)(void *)(base + to->value) : NULL;
    uint64_t *mask = !s->value && s->n <= 64 ? (uint64_t *)(void *)(base + to->mask) : NULL;
    for (int32_t i = 0; i < s->n; ++i) {
        length[i] = s->ptr[i + 1] - s->ptr[i];
        scale[i] = single(s->scale[i]);
        for (int32_t t = 0; t < length[i]; ++t) {
            int32_t place = s->ptr[i] + t, slot = t * s->n + i;
            at[slot] = (uint16_t)s->ind[place];
            if (value) {
                value[slot] = s->value[place];
                share[slot] = (float)s->value[place];
            }
            if (mask)
                mask[i] |= UINT64_C(1) << s->ind[place];
        }
    }
}

/* Sets of places, by size, without the empty one. */
static void fill_sets(int complete, uint16_t *sets)
{
    for (int size = 1; size <= complete; ++size)
        for (unsigned set = 1; set < 1u << complete; ++set)
            if (__builtin_popcount(set) == size)
                *sets++ = (uint16_t)set;
}

pm_status pm_scaling_image_make(const pm_sampler *s, pm_scaling_image *out, pm_error *err)
{
    const pm_scaling_model *m = s->model;
    const side row = row_side(m), column = column_side(m);
    pm_scaling_launch *l = &out->launch;
    *out = (pm_scaling_image){
        .launch = {.seed = s->seed, .block = s->block, .exponent = m->lists.exponent}};
    lay(&row, &l->row, &out->bytes);
    lay(&column, &l->column, &out->bytes);
    l->sets = carve(&out->bytes, INT64_C(1) << pm_scaling_complete(m), sizeof(uint16_t));
    out->base = pm_calloc_array(out->bytes, 1);
    if (!out->base)
        return pm_fail_memory(err, "a matrix for a GPU");
    fill(&row, &l->row, out->base);
    fill(&column, &l->column, out->base);
    fill_sets(pm_scaling_complete(m), (uint16_t *)(void *)(out->base + l->sets));
    return PM_OK;
}
