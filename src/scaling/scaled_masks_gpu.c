/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/scaled_masks_gpu.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/kernel_text.h"

bool pm_scaled_masks_has(const pm_scaling_model *m)
{
    return !m->has_two_sides && !m->lists.rowval && m->lists.n <= PM_MASKS_MOST;
}

/* Of every line the sum over its neighbours. */
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

char *pm_scaled_masks_text(const pm_scaling_model *m)
{
    char *text = NULL;
    size_t size;
    const pm_lists *l = &m->lists;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f,
            "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MASKS_UNROLLED PM_N\n"
            "#define PM_IN_SEQUENCE %d\n#define PM_INTERVAL %d\n#define PM_SWEEPS %d\n"
            "#define PM_BATCH %d\n",
            (int)l->n, m->in_sequence, m->interval, m->sweeps, PM_MASKS_BATCH);
    put_sums(f, "PM_COLUMN_SUMS", l->colptr, l->rowind, l->n, 'r');
    put_sums(f, "PM_ROW_SUMS", l->rowptr, l->colind, l->n, 'c');
    fprintf(f, "%s%s%s%s%s%s%s%s%s", pm_text_prelude, pm_text_words, pm_text_philox_block,
            pm_text_sample_sequence, pm_text_lanes, pm_text_samples_launch, pm_text_degree_masks,
            pm_text_scaled_masks, pm_text_samples);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

pm_samples_launch pm_scaled_masks_launch(const pm_sampler *s)
{
    const pm_scaling_model *m = s->model;
    const pm_lists *l = &m->lists;
    pm_samples_launch out = {.block = s->block, .seed = s->seed, .exponent = l->exponent};
    for (int32_t i = 0; i < l->n; ++i)
        for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
            out.row[i] |= UINT64_C(1) << l->colind[k];
            out.column[l->colind[k]] |= UINT64_C(1) << i;
        }
    return out;
}

static pm_status open_devices(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                              pm_error *err)
{
    (void)run;
    const pm_samples_launch launch = pm_scaled_masks_launch(s);
    char *text = pm_scaled_masks_text(s->model);
    pm_status rc =
        text ? pm_mask_gpu_open(s, text, &launch, gpus, out, err) : pm_fail_memory(err, "a kernel");
    free(text);
    return rc;
}

const pm_sampler_gpu pm_scaled_masks_gpu = {
    .open = open_devices, .close = pm_mask_gpu_close, .sum = pm_mask_gpu_sum, .is_single = true};
