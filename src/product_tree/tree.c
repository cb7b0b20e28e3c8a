/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "pm/alloc.h"
#include "sweep/gpu_sweep.h"

enum {
    SAMPLED_IN_FULL = 12, /* log2 of the number of terms */
    STRIDE_MAX = 10,
    CHUNK = 16, /* positions; summing them in double adds about as much rounding as a product */
    CHUNK_RESIDUES = 1 << 12, /* sums of residues below 2^50 stay below 2^63 */
    VECTOR = 64               /* bytes that cells are aligned to */
};

typedef struct {
    pm_tree_program program;
    pm_tree_run run;
    const pm_tree_kernels *kernels;
} problem;

static void free_problem(void *p)
{
    pm_tree_program_free(&((problem *)p)->program);
    free(p);
}

/* ---- lanes ---- */

/* Sets the inputs of one lane at a position of the Gray code. */
static void set_lane(const pm_tree_program *p, uint64_t position, int32_t lane, double *re,
                     double *im)
{
    const pm_tree_plan *t = &p->plan;
    uint64_t minus = position ^ position >> 1;
    memcpy(re, p->re, (size_t)t->ninputs * sizeof *re);
    memcpy(im, p->im, (size_t)t->ninputs * sizeof *im);
    minus |= (uint64_t)lane << t->flips;
    for (int32_t j = 0; j < t->flips + t->slow; ++j)
        for (int32_t k = p->action[j].first_update; minus >> j & 1 && k < p->action[j].end_update;
             ++k) {
            re[p->update[k].cell] -= p->update[k].re;
            im[p->update[k].cell] -= p->update[k].im;
        }
}

static void set_group(const pm_tree_program *p, uint64_t position, int32_t first, int32_t width,
                      double *cell)
{
    double re[PM_TREE_INPUTS], im[PM_TREE_INPUTS];
    int32_t parts = p->field == PM_COMPLEX ? 2 : 1;
    for (int32_t i = 0; i < width; ++i) {
        /* lanes beyond 2^slow repeat the first one; they are not summed */
        int32_t lane = first + i < 1 << p->plan.slow ? first + i : 0;
        set_lane(p, position, lane, re, im);
        for (int32_t c = 0; c < p->plan.ninputs; ++c) {
            cell[(int64_t)c * parts * width + i] = re[c];
            if (parts == 2)
                cell[((int64_t)c * parts + 1) * width + i] = im[c];
        }
    }
}

void pm_tree_add_magnitudes(const pm_tree_magnitudes *m, int32_t stride, pm_sum *sum)
{
    double scale = ldexp(1, stride), ratio = m->sampled > 0 ? m->size / m->sampled : 0;
    if (stride && ratio > scale)
        scale = ratio;
    sum->absolute += scale * m->absolute;
    sum->spread += scale * m->spread;
}

/* Adds the lanes in their order. */
static void add_lanes(const pm_tree_program *p, const pm_tree_group *g, int32_t first,
                      int32_t width, pm_tree_magnitudes *m, pm_sum *sum)
{
    for (int32_t i = 0; i < width && first + i < 1 << p->plan.slow; ++i) {
        int minus = __builtin_parity((unsigned)(first + i));
        double sign = minus ? -1 : 1;
        double re[2] = {sign * g->high[0][i], sign * g->low[0][i]};
        double im[2] = {sign * g->high[1][i], sign * g->low[1][i]};
        for (int32_t k = 0; k < p->nprimes; ++k) {
            __int128 total = g->total[p->nterms > 1 ? k : 0][i];
            pm_sum_add_residue(sum, k, minus ? -total : total, (uint64_t)p->prime[k]);
        }
        pm_fast_two_sum(re[0], re[1], &re[0], &re[1]);
        pm_fast_two_sum(im[0], im[1], &im[0], &im[1]);
        pm_dd_add(sum->re, re);
        pm_dd_add(sum->im, im);
        m->size += g->size[i];
        m->sampled += g->sampled[i];
        m->absolute += g->absolute[i];
        m->spread += g->spread[i];
    }
}

static double *align(double *p)
{
    return (double *)(((uintptr_t)p + VECTOR - 1) / VECTOR * VECTOR);
}

static void run_groups(const problem *q, uint64_t first, uint64_t end, double *cell,
                       double *scratch, pm_sum *sum)
{
    const pm_tree_program *p = &q->program;
    const pm_tree_kernels *k = q->kernels;
    pm_tree_magnitudes m = {0};
    first >>= p->plan.slow;
    end >>= p->plan.slow;
    for (int32_t i = 0; i < 1 << p->plan.slow; i += k->width) {
        pm_tree_group g = {.cell = cell, .scratch = scratch};
        set_group(p, first, i, k->width, cell);
        (p->nprimes               ? k->residues
         : p->field == PM_COMPLEX ? k->complex
                                  : k->real)(&q->run, first, end, &g);
        add_lanes(p, &g, i, k->width, &m, sum);
    }
    pm_tree_add_magnitudes(&m, q->run.stride, sum);
}

/* Allocates the cells of a group, with at most two parts, and as many for magnitudes. */
static void range(const void *of, uint64_t first, uint64_t end, pm_sum *sum)
{
    const problem *q = of;
    int64_t cells = (int64_t)q->program.ncells * 2 * q->kernels->width;
    double *room = pm_alloc_array(2 * cells + VECTOR / (int64_t)sizeof(double), sizeof *room);
    if (room)
        run_groups(q, first, end, align(room), align(room) + cells, sum);
    else
        sum->failed = true;
    free(room);
}

/* ---- the sweep ---- */

/* A term is a sum of products of n row sums.  Each product has at most n - 1 multiplications, and
 * an addition for each atom, with an error of 2^-53 each (complex: sqrt(5) times that; Brent,
 * Percival and Zimmermann 2007); CHUNK terms are summed in double.  1 % covers higher orders and
 * the sums of magnitudes. */
double pm_tree_rounding(const pm_tree_program *p, int32_t chunk)
{
    double product = p->field == PM_COMPLEX ? 2.24 : 1;
    return 1.01 * 0x1p-53 * (product * p->plan.n + p->plan.eliminated + chunk + 4);
}

static const pm_tree_kernels *kernels_for(pm_isa isa)
{
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return &pm_tree_avx512;
    if (isa >= PM_ISA_AVX2)
        return &pm_tree_avx2;
#endif
    (void)isa;
    return &pm_tree_portable;
}

static int32_t choose_chunk(const problem *q, pm_precision precision)
{
    int32_t wanted = q->program.nprimes ? CHUNK_RESIDUES : precision == PM_DQ ? 2 : CHUNK;
    return q->program.plan.flips < 12 && wanted > 1 << q->program.plan.flips
               ? 1 << q->program.plan.flips
               : wanted;
}

/* A range must consist of whole pairs of positions, whole chunks and whole runs of the sample. */
static void set_shape(const problem *q, pm_sweep *s)
{
    const pm_tree_plan *t = &q->program.plan;
    uint64_t positions = (uint64_t)q->run.chunk;
    while (positions < UINT64_C(1) << q->run.stride)
        positions *= 2;
    s->count = UINT64_C(1) << pm_tree_outer(t);
    s->grain = positions << t->slow;
    s->piece = s->grain;
    while (s->piece < s->count && 2 * (double)s->piece * q->program.work <= PM_TREE_PIECE_WORK)
        s->piece *= 2;
}

pm_status pm_tree_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    const pm_tree_choice *c = choice;
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "product tree");
    pm_status status = pm_tree_program_make(c->plan, s, c->prime, c->nprimes, &q->program, err);
    if (status) {
        free(q);
        return status;
    }
    q->run = (pm_tree_run){.program = &q->program, .chunk = choose_chunk(q, c->precision)};
    q->kernels = kernels_for(c->isa);
    int32_t outer = pm_tree_outer(c->plan), beyond = outer - SAMPLED_IN_FULL;
    if (!c->nprimes && beyond > 0)
        q->run.stride = beyond < STRIDE_MAX ? beyond : STRIDE_MAX;
    *out = (pm_sweep){.what = "product-tree",
                      .limbs = 2 * c->nprimes,
                      .rounding = pm_tree_rounding(&q->program, q->run.chunk),
                      .sampled = q->run.stride > 0,
                      .shift = q->program.shift,
                      .problem = q,
                      .range = range,
                      .free_problem = free_problem};
    set_shape(q, out);
    if (!c->nprimes)
        out->share = pm_gpu_sweep_share(outer, PM_GPU_TREE_TERM_WORK, out->piece);
    return PM_OK;
}

uint64_t pm_tree_program_residue(const pm_tree_program *program, const pm_sum *sum, int32_t k)
{
    return pm_sum_residue(sum, k, program->shift, (uint64_t)program->prime[k]);
}

uint64_t pm_tree_residue(const pm_sweep *s, const pm_sum *sum, int32_t k)
{
    return pm_tree_program_residue(&((const problem *)s->problem)->program, sum, k);
}

double pm_tree_term_operations(const pm_sweep *s)
{
    return ((const problem *)s->problem)->program.operations;
}

double pm_tree_term_work(const pm_sweep *s)
{
    const problem *q = s->problem;
    double looks = q->program.nprimes ? 0 : ldexp(PM_TREE_SAMPLED_WORK, -q->run.stride);
    return q->program.work + looks * q->program.ncells;
}
