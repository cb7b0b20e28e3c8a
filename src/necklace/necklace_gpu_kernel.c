/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "necklace/necklace_gpu_kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "gpu/kernel_text.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "sweep/gpu_records.h"

enum {
    CHUNK =
        4, /* beads whose row sums are in a table: 16 sets of odd strides are in different banks */
    FREE = 20,   /* beads of an end that are not given, at least, where words have so many */
    PREFIX = 25, /* beads of a prefix, at most */
    BLOCKS = 4,  /* thread blocks of a multiprocessor, at least: words of 32 bits */
    BLOCKS_WIDE = 2,
    LISTS =
        PM_GPU_THREADS / 32 * 64 * (4 * sizeof(uint32_t) + 1) /* bytes of the lists of all warps */
};

typedef struct {
    pm_gpu_sweep gpu; /* must be first */
    uint64_t m;
    int n, rows, stride, chunks, units, unit[PM_NECKLACE_UNITS], prefix, free_beads, most;
    int64_t prefixes, sets, cells; /* sets: of all chunks; cells: of a thread, for their sums */
    bool is_narrow, has_sides, is_even;
    char *text, *table;
} problem;

bool pm_necklace_gpu_is_narrow(uint64_t m)
{
    return m >> 31 == 0;
}

int pm_necklace_gpu_prefix(const pm_necklace_terms *t)
{
    const int prefix = pm_necklace_prefix(t, FREE);
    return prefix < PREFIX ? prefix : PREFIX;
}

static void free_problem(void *of)
{
    problem *q = of;
    free(q->text);
    free(q->table);
    free(q);
}

static void fold(const void *of, const void *records, int64_t count, pm_sum *sum)
{
    const problem *q = of;
    pm_gpu_fold_residues(records, count, 1, &q->m, 1, sum);
}

uint64_t pm_necklace_gpu_residue(const pm_necklace_terms *t, const pm_sum *sum)
{
    return pm_sum_residue(sum, 0, 0, t->m);
}

/* ---- the text ---- */

static pm_status write_text(void *of, pm_error *err)
{
    problem *q = of;
    const int bits = q->is_narrow ? 32 : 64;
    char list[4 * PM_NECKLACE_UNITS + 1];
    for (int k = 0, length = 0; k < q->units; ++k)
        length += snprintf(list + length, sizeof list - (size_t)length, "%d, ", q->unit[k]);
    const bool is_short = q->chunks * (double)q->m < ldexp(1, bits - 1); /* half, for rounding */
    q->gpu.text = q->text = pm_kernel_text_make(
        "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_TERMS 1\n#define PM_WIDE %d\n"
        "#define PM_CELL %s\n#define PM_FILLS_SHARED\n#define PM_SHARED_CELLS %lld\n"
        "#define PM_BEADS %d\n#define PM_ROWS %d\n#define PM_STRIDE %d\n#define PM_CHUNK %d\n"
        "#define PM_CHUNKS %d\n#define PM_SETS %lld\n#define PM_UNITS %d\n#define PM_UNIT_LIST %s\n"
        "#define PM_HAS_SIDES %d\n#define PM_IS_EVEN %d\n#define PM_MOST %d\n#define PM_FREE %d\n"
        "#define PM_PREFIX %d\n#define PM_PREFIXES %lld\n#define PM_IS_SHORT %d\n"
        "#define PM_WEIGHTS %d\n%s%s%s%s",
        pm_gpu_block_threads(&q->gpu), q->is_narrow ? BLOCKS : BLOCKS_WIDE, !q->is_narrow,
        q->is_narrow ? "unsigned" : "unsigned long long", (long long)q->cells, q->n, q->rows,
        q->stride, CHUNK, q->chunks, (long long)q->sets, q->units, list, q->has_sides, q->is_even,
        q->most, q->free_beads, q->prefix, (long long)q->prefixes, is_short, (q->n + 1) * q->units,
        pm_text_prelude, pm_text_necklace_step, pm_text_necklace, pm_text_block);
    return q->text ? PM_OK : pm_fail_memory(err, "text of a kernel");
}

/* ---- the table ---- */

/* Writes a word of q. */
static void put(const problem *q, char **at, uint64_t x)
{
    const uint32_t narrow = (uint32_t)x;
    if (q->is_narrow)
        memcpy(*at, &narrow, sizeof narrow);
    else
        memcpy(*at, &x, sizeof x);
    *at += q->is_narrow ? sizeof narrow : sizeof x;
}

/* The sum of a row over the columns of some of CHUNK beads, the last ones first. */
static uint64_t chunk_sum(const pm_necklace_terms *t, int chunk, int set, int row)
{
    uint64_t x = 0;
    for (int b = 0; b < CHUNK && chunk * CHUNK + b < t->n; ++b)
        if (set >> b & 1)
            x = (x + t->power[(t->n - 1 - chunk * CHUNK - b) * t->rows + row]) % t->m;
    return x;
}

/* The sets of a chunk: the last one may have fewer beads. */
static int sets_of(const problem *q, int chunk)
{
    const int beads = q->n - chunk * CHUNK;
    return 1 << (beads < CHUNK ? beads : CHUNK);
}

static void put_words(const problem *q, const pm_necklace_terms *t, char *at)
{
    /* 2^32 or 2^64; a term takes a product for each row and one more */
    const uint64_t m = t->m, radix = ((q->is_narrow ? UINT32_MAX : UINT64_MAX) % m + 1) % m;
    const uint64_t form = pm_mod_pow(radix, (uint64_t)t->rows + 1, m);
    for (int k = 0; k < (q->n + 1) * q->units; ++k)
        put(q, &at, pm_mod_mul(t->weight[k], form, m));
    for (uint64_t k = 0; k <= 2 * (uint64_t)q->n; ++k)
        put(q, &at, k % m);
    for (int c = 0; c < q->chunks; ++c)
        for (int set = 0; set < sets_of(q, c); ++set)
            for (int i = 0; i < q->stride; ++i)
                put(q, &at, i < q->rows ? chunk_sum(t, c, set, i) : 0);
}

/* pm_necklace_data of cuda/necklace.cuh. */
static pm_status set_table(const pm_necklace_terms *t, problem *q, pm_error *err)
{
    const int64_t word = q->is_narrow ? sizeof(uint32_t) : sizeof(uint64_t);
    const int64_t words = (int64_t)(q->n + 1) * q->units + 2 * q->n + 1 + q->sets * q->stride;
    const int64_t head = (2 + q->prefixes) * (int64_t)sizeof(uint64_t);
    uint64_t inverse = pm_montgomery_inverse(t->m), prefix = 0;
    q->table = pm_alloc_array(head + words * word, 1);
    if (!q->table)
        return pm_fail_memory(err, "necklaces");
    memcpy(q->table, &t->m, sizeof t->m);
    memcpy(q->table + sizeof t->m, &inverse, sizeof inverse);
    for (int64_t k = 0; k < q->prefixes; ++k) {
        memcpy(q->table + (2 + k) * (int64_t)sizeof prefix, &prefix, sizeof prefix);
        pm_necklace_next(&prefix, q->prefix);
    }
    put_words(q, t, q->table + head);
    q->gpu.table = "pm_table";
    q->gpu.values = q->table;
    q->gpu.values_size = (size_t)(head + words * word);
    return PM_OK;
}

/* ---- the sweep ---- */

static void set_shape(const pm_necklace_terms *t, int prefix, problem *q)
{
    q->m = t->m;
    q->n = t->n;
    q->rows = t->rows;
    q->stride = t->rows | 1;
    q->chunks = (t->n + CHUNK - 1) / CHUNK;
    q->units = t->units;
    memcpy(q->unit, t->unit, sizeof q->unit);
    q->has_sides = t->has_sides;
    q->is_even = t->is_even;
    q->most = t->most;
    q->prefix = prefix;
    q->free_beads = pm_necklace_free(t, prefix);
    q->prefixes = (int64_t)pm_necklace_prefixes(prefix);
    q->is_narrow = pm_necklace_gpu_is_narrow(t->m);
    q->sets = ((q->chunks - 1) << CHUNK) + sets_of(q, q->chunks - 1);
    q->cells = (q->sets * q->stride + PM_GPU_THREADS - 1) / PM_GPU_THREADS;
}

pm_status pm_necklace_gpu_prepare(const pm_necklace_terms *t, int prefix, int gpus, pm_sweep *out,
                                  pm_error *err)
{
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "necklaces");
    set_shape(t, prefix, q);
    q->gpu = (pm_gpu_sweep){.write = write_text,
                            .gpus = gpus,
                            .record = pm_gpu_record(1),
                            .shared = (size_t)(q->cells * PM_GPU_THREADS)
                                      * (q->is_narrow ? sizeof(uint32_t) : sizeof(uint64_t)),
                            .fold = fold};
    *out = (pm_sweep){.what = "necklaces", .limbs = 2, .problem = q, .free_problem = free_problem};
    pm_gpu_sweep_shape_segments((uint64_t)q->prefixes * PM_GPU_THREADS, &q->gpu, out);
    pm_status status = set_table(t, q, err);
    if (status)
        pm_sweep_free(out);
    return status;
}

pm_status pm_necklace_gpu_fits(const pm_gpu_target *target, const pm_sweep *s, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    if (g->shared + LISTS + pm_gpu_fixed_shared(g) > (size_t)target->shared)
        return pm_fail(
            err, PM_UNABLE,
            "necklace: a thread block needs %zu bytes of shared memory, the GPU has %lld",
            g->shared + LISTS + pm_gpu_fixed_shared(g), (long long)target->shared);
    return PM_OK;
}

double pm_necklace_gpu_work(const pm_necklace_terms *t)
{
    const double chunks = (t->n + CHUNK - 1.) / CHUNK;
    const double row = pm_necklace_gpu_is_narrow(t->m)
                           ? PM_GPU_NECKLACE_ROW_WORK + PM_GPU_NECKLACE_SUM_WORK * chunks
                           : PM_GPU_NECKLACE_WIDE_ROW_WORK + PM_GPU_NECKLACE_WIDE_SUM_WORK * chunks;
    const double word = PM_GPU_NECKLACE_WORD_WORK + PM_GPU_NECKLACE_UNIT_WORK * t->units;
    return pm_necklace_candidates(t, pm_necklace_gpu_prefix(t)) * word
           + pm_necklace_count(t) * t->rows * row;
}
