/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/degree_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/kernel_text.h"

char *pm_degree_gpu_text(const pm_degree_model *m)
{
    char *text = NULL;
    size_t size;
    const pm_degree_masks *g = &m->by_masks;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f,
            "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MASKS_UNROLLED PM_N\n"
            "#define PM_IN_SEQUENCE %d\n#define PM_FORCES %d\n#define PM_UNIFORM %d\n"
            "#define PM_BATCH %d\n%s%s%s%s%s%s%s%s%s",
            g->n, g->in_sequence, g->forces, g->is_uniform, PM_MASKS_BATCH, pm_text_prelude,
            pm_text_words, pm_text_philox_block, pm_text_sample_sequence, pm_text_lanes,
            pm_text_samples_launch, pm_text_degree_masks, pm_text_degrees, pm_text_samples);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

pm_samples_launch pm_degree_gpu_launch(const pm_sampler *s)
{
    const pm_degree_model *m = s->model;
    size_t n = (size_t)m->lists.n;
    pm_samples_launch l = {
        .block = s->block, .seed = s->seed, .exponent = m->lists.exponent, .least = {0, INT64_MIN}};
    memcpy(l.row, m->mask, n * sizeof *l.row);
    memcpy(l.column, m->mask + n, n * sizeof *l.column);
    memcpy(l.table, m->table, ((size_t)m->lists.most_in_column + 1) * sizeof *l.table);
    return l;
}

static pm_status open_devices(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                              pm_error *err)
{
    (void)run;
    const pm_degree_model *m = s->model;
    const pm_samples_launch launch = pm_degree_gpu_launch(s);
    char *text = pm_degree_gpu_text(m);
    pm_status rc =
        text ? pm_mask_gpu_open(s, text, &launch, gpus, out, err) : pm_fail_memory(err, "a kernel");
    free(text);
    return rc;
}

const pm_sampler_gpu pm_degree_gpu = {
    .open = open_devices, .close = pm_mask_gpu_close, .sum = pm_mask_gpu_sum};
