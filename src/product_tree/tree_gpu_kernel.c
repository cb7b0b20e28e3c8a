/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_gpu_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "pm/alloc.h"
#include "product_tree/tree.h"
#include "product_tree/tree_gpu_text.h"
#include "sweep/gpu_records.h"

enum {
    INNER_MOST = 6, /* columns whose flips are written out, at most */
    WRITTEN_OUT =
        1300,  /* operations written out, at most: more compile slowly and spill registers */
    CHUNK = 4, /* log2 of positions summed in double */
    CHUNK_DQ = 1,
    BLOCKS = 2 /* on a multiprocessor, at least: 255 registers a thread */
};

typedef struct {
    pm_gpu_sweep gpu; /* must be first */
    pm_tree_program program;
    pm_tree_shape shape;
    pm_tree_gpu_source text;
    int32_t *words; /* text.value in words, or NULL */
    double rate;
} problem;

static void free_problem(void *of)
{
    problem *q = of;
    pm_tree_gpu_source_free(&q->text);
    free(q->words);
    pm_tree_program_free(&q->program);
    free(q);
}

/* ---- folding ---- */

static void fold_residues(const problem *q, const int64_t *record, int64_t count, pm_sum *sum)
{
    const pm_tree_program *p = &q->program;
    uint64_t prime[PM_TREE_PRIMES];
    for (int32_t k = 0; k < p->nprimes; ++k)
        prime[k] = (uint64_t)p->prime[k];
    pm_gpu_fold_residues(record, count, p->nterms, prime, p->nprimes, sum);
}

/* A record: re, im (double-doubles); size, sampled, absolute, spread. */
static void fold_inexact(const problem *q, const double *record, int64_t count, pm_sum *sum)
{
    pm_tree_magnitudes m = {0};
    bool is_complex = q->program.field == PM_COMPLEX;
    for (; count > 0; --count, record += 8) {
        pm_dd_add(sum->re, record);
        if (is_complex)
            pm_dd_add(sum->im, record + 2);
        m.size += record[4];
        m.sampled += record[5];
        m.absolute += record[6];
        m.spread += record[7];
    }
    pm_tree_add_magnitudes(&m, q->gpu.flips ? q->gpu.flips + PM_TREE_SAMPLED_LOG2 : 0, sum);
}

static void fold(const void *of, const void *records, int64_t count, pm_sum *sum)
{
    const problem *q = of;
    if (q->program.nprimes)
        fold_residues(q, records, count, sum);
    else
        fold_inexact(q, records, count, sum);
}

/* ---- the sweep ---- */

/* For small trees more positions are written out. */
static int32_t inner_columns(const pm_tree_program *p, int32_t most)
{
    int32_t inner = 3;
    while (inner < INNER_MOST
           && ldexp(p->operations + PM_GPU_TREE_TERM_WORK, inner + 1) <= WRITTEN_OUT)
        ++inner;
    return inner < most ? inner : most;
}

/* Cells of shared memory that a thread may have. */
static int32_t shared_room(const problem *q, const pm_tree_gpu_choice *c, size_t cell)
{
    int64_t left = c->shared - (int64_t)pm_gpu_fixed_shared(&q->gpu);
    if (c->shared == 0)
        return INT32_MAX;
    return left < 0 ? 0 : (int32_t)(left / (pm_gpu_block_threads(&q->gpu) * (int64_t)cell));
}

static pm_tree_shape shape_of(const problem *q, const pm_tree_gpu_choice *c)
{
    pm_tree_shape h = {.flips = q->gpu.flips,
                       .slow = q->gpu.slow,
                       .threads = pm_gpu_block_threads(&q->gpu),
                       .blocks = BLOCKS,
                       .in_turn = c->in_turn,
                       .in_words = c->in_words && c->nprimes};
    h.shared_cells = shared_room(q, c, h.in_words ? sizeof(int32_t) : sizeof(double));
    h.inner = inner_columns(&q->program, c->inner < h.flips ? c->inner : h.flips);
    int32_t chunk = c->precision == PM_DQ ? CHUNK_DQ : CHUNK;
    h.chunk = chunk < h.inner ? chunk : h.inner;
    return h;
}

static double seconds_of(const problem *q)
{
    const pm_tree_program *p = &q->program;
    double terms = ldexp(1, q->gpu.flips + q->gpu.slow), segments = ldexp(1, q->gpu.slow);
    double work = terms * (p->operations + PM_GPU_TREE_TERM_WORK)
                  + segments * PM_GPU_TREE_INPUT_WORK * p->plan.ninputs;
    return work / (q->rate * PM_GPU_TREE_REACHED);
}

static pm_status put_words(problem *q, pm_error *err)
{
    q->words = pm_alloc_array(q->text.nvalues, sizeof *q->words);
    if (!q->words)
        return pm_fail_memory(err, "text of a kernel");
    for (int64_t k = 0; k < q->text.nvalues; ++k)
        q->words[k] = (int32_t)q->text.value[k];
    q->gpu.values = q->words;
    return PM_OK;
}

static pm_status write_text(void *of, pm_error *err)
{
    problem *q = of;
    pm_status status = pm_tree_gpu_text(&q->program, &q->shape, &q->text, err);
    if (status)
        return status;
    q->gpu.text = q->text.text;
    size_t cell = q->shape.in_words ? sizeof *q->words : sizeof *q->text.value;
    q->gpu.shared = (size_t)q->text.shared_cells * (size_t)q->shape.threads * cell;
    q->gpu.table = q->text.nvalues ? "pm_value" : NULL;
    q->gpu.values = q->text.value;
    q->gpu.values_size = (size_t)q->text.nvalues * cell;
    return q->shape.in_words ? put_words(q, err) : PM_OK;
}

pm_status pm_tree_gpu_sweep(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    const pm_tree_gpu_choice *c = choice;
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, c->name);
    pm_status status = pm_tree_program_make(c->plan, s, c->prime, c->nprimes, &q->program, err);
    int32_t outer = pm_tree_outer(c->plan);
    q->gpu.gpus = c->gpus;
    q->gpu.flips = pm_gpu_flips(outer, c->slow, q->program.operations + PM_GPU_TREE_TERM_WORK);
    if (q->gpu.flips > c->plan->flips)
        q->gpu.flips = c->plan->flips;
    q->gpu.slow = outer - q->gpu.flips;
    q->gpu.record = pm_gpu_record(c->nprimes ? q->program.nterms : 0);
    q->gpu.fold = fold;
    q->rate = c->rate;
    q->gpu.write = write_text;
    q->shape = shape_of(q, c);
    if (status) {
        free_problem(q);
        return status;
    }
    *out = (pm_sweep){.what = c->name,
                      .limbs = 2 * c->nprimes,
                      .rounding = pm_tree_rounding(&q->program, 1 << q->shape.chunk),
                      .sampled = !c->nprimes && q->gpu.flips > 0,
                      .shift = q->program.shift,
                      .problem = q,
                      .free_problem = free_problem};
    pm_gpu_sweep_shape(&q->gpu, out);
    return PM_OK;
}

uint64_t pm_tree_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k)
{
    const problem *q = s->problem;
    return pm_sum_residue(sum, k, q->program.shift + q->text.shift_of[k],
                          (uint64_t)q->program.prime[k]);
}

double pm_tree_gpu_operations(const pm_sweep *s)
{
    return ((const problem *)s->problem)->program.operations * (double)s->count;
}

double pm_tree_gpu_seconds(const pm_sweep *s)
{
    return seconds_of(s->problem);
}

double pm_tree_gpu_compile_seconds(const pm_sweep *s)
{
    const problem *q = s->problem;
    return q->program.operations
           * (q->shape.in_words ? PM_GPU_TREE_COMPILE_WORDS_SECONDS : PM_GPU_TREE_COMPILE_SECONDS);
}
