/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/dense_gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "sweep/dense_float_entries.h"
#include "sweep/kernel_text.h"

/* Measured: more columns written out, or fewer blocks on a multiprocessor, make kernels slower. */
enum { INNER = 4, BLOCKS = 3, BLOCKS_LARGE = 2, LARGE = 44 };
#define REACHED 0.9 /* of a device's rate */

typedef struct {
    pm_gpu_sweep gpu; /* first */
    int32_t n;        /* rows */
    double scale;     /* S of sweep.h; 0: there is no spread */
    double *table;    /* as cuda/dense.cuh has it */
    char *text;
} problem;

static void free_problem(void *of)
{
    problem *q = of;
    free(q->text);
    free(q->table);
    free(q);
}

double pm_dense_gpu_seconds(int32_t n, double double_rate)
{
    return ldexp(1, n - 1) * (2 * n + 2) / (double_rate * REACHED);
}

/* ---- folding ---- */

static void fold(const void *of, const void *records, int64_t count, pm_sum *sum)
{
    const problem *q = of;
    double spread = 0;
    for (const double *r = records; count > 0; --count, r += 8) {
        pm_dd_add(sum->re, r);
        sum->absolute += r[4];
        spread += r[7];
    }
    if (q->scale > 0)
        sum->spread += ldexp(spread, q->gpu.flips) / q->scale;
}

/* ---- the table ---- */

static double entry_at(const problem *q, const double *entry, int32_t i, int32_t j)
{
    return entry[(int64_t)i * q->n + j];
}

/* Columns that flip or are slow, all but the last; sums of all; what they are raised by. */
static void fill_table(problem *q, const double *entry, const double *inexact)
{
    double *t = q->table;
    for (int32_t j = 0; j < q->n - 1; ++j)
        for (int32_t i = 0; i < q->n; ++i)
            *t++ = 2 * entry_at(q, entry, i, j);
    for (int32_t i = 0; i < q->n; ++i) {
        for (int32_t j = 0; j < q->n; ++j)
            t[i] += entry_at(q, entry, i, j);
        t[q->n + i] = q->scale * inexact[i];
    }
}

/* S e_i about 2^-28 of the largest row sum, S no more than 2^900. */
static double scale_of(const problem *q, const double *inexact)
{
    double most = 0;
    int top;
    for (int32_t i = 0; i < q->n; ++i)
        most = fmax(most, inexact[i]);
    if (most == 0)
        return 0;
    frexp(most, &top);
    return ldexp(1, top < -28 ? top > -928 ? -28 - top : 900 : 0);
}

/* *shift: the permanent of the square's integers is 2^shift times that of the table's. */
static pm_status make_table(const pm_square *s, problem *q, int64_t *shift)
{
    double inexact[PM_SQUARE_MAX] = {0};
    int64_t rows = q->n + 1;
    double *entry = pm_calloc_array((int64_t)q->n * q->n, sizeof *entry);
    q->table = pm_calloc_array(rows * q->n, sizeof *q->table);
    pm_status rc = entry && q->table ? PM_OK : PM_ENOMEM;
    if (!rc) {
        *shift = pm_dense_float_entries(s, PM_DENSE_REAL, q->n, entry, inexact);
        q->scale = scale_of(q, inexact);
        fill_table(q, entry, inexact);
        q->gpu.table = "pm_table";
        q->gpu.values = q->table;
        q->gpu.values_size = (size_t)(rows * q->n) * sizeof(double);
    }
    free(entry);
    return rc;
}

/* ---- the text ---- */

static pm_status write_text(void *of, pm_error *err)
{
    problem *q = of;
    size_t size;
    FILE *f = open_memstream(&q->text, &size);
    if (!f)
        return pm_fail_memory(err, "text of a kernel");
    int inner = q->gpu.flips < INNER ? q->gpu.flips : INNER;
    fprintf(f,
            "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_TERMS 0\n#define PM_COLD 0\n"
            "#define PM_N %d\n#define PM_INNER %d\n#define PM_FLIPS %d\n#define PM_SLOW %d\n"
            "#define PM_SPREAD %d\n",
            pm_gpu_block(&q->gpu), q->n <= LARGE ? BLOCKS : BLOCKS_LARGE, (int)q->n, inner,
            (int)q->gpu.flips, (int)q->gpu.slow, q->scale > 0);
    fprintf(f, "%s%s%s", pm_text_prelude, pm_text_dense, pm_text_block);
    if (fclose(f) != 0)
        return pm_fail_memory(err, "text of a kernel");
    q->gpu.text = q->text;
    return PM_OK;
}

/* ---- the sweep ---- */

/* In units of 2^-53 of the sum of |terms|: n - 1 multiplications, the sum in double of the terms
 * that are written out, compensated sums of these, the sums of threads; and what `absolute` loses
 * (see dense_float.c). */
static double rounding_of(int32_t n)
{
    return 1.25 * 0x1p-53 * (n - 1 + (1 << INNER) + 4);
}

pm_status pm_dense_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    const pm_dense_gpu_choice *c = choice;
    int64_t shift = 0;
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "ryser");
    q->n = s->n;
    int32_t outer = q->n - 1;
    q->gpu.gpus = c->gpus;
    q->gpu.flips = pm_gpu_flips(outer, c->slow);
    q->gpu.slow = outer - q->gpu.flips;
    q->gpu.record = 8 * sizeof(double);
    q->gpu.fold = fold;
    q->gpu.piece_seconds =
        ldexp(pm_dense_gpu_seconds(q->n, c->double_rate) * pm_gpu_block(&q->gpu), -q->gpu.slow);
    q->gpu.write = write_text;
    if (make_table(s, q, &shift)) {
        free_problem(q);
        return pm_fail_memory(err, "ryser");
    }
    *out = (pm_sweep){.what = "ryser",
                      .rounding = rounding_of(q->n),
                      .sampled = q->scale > 0 && q->gpu.flips > 0,
                      .shift = shift - (q->n - 1),
                      .problem = q,
                      .free_problem = free_problem};
    pm_gpu_sweep_shape(&q->gpu, out);
    return PM_OK;
}
