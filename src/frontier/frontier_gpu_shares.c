/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_shares.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/narrow_moduli.h"
#include "core/machine.h"
#include "frontier/frontier_gpu_text.h"
#include "pm/alloc.h"

/* Words of 32 bits are used where they take less than this share of the time; a compilation too. */
#define NARROW_WORTH 0.9
/* Passes are cut where that saves this share of the time. */
#define CUT_WORTH 0.97

/* ---- values ---- */

int pm_frontier_gpu_values(const pm_job *job, int bits)
{
    if (!job->nmoduli)
        return bits == 64 ? 1 : 0;
    return bits == 64 ? job->nmoduli : pm_narrow_moduli_needed(job);
}

int pm_frontier_gpu_value_bytes(const pm_job *job, int bits, int values)
{
    return job->nmoduli ? bits / 8 * values : job->block->a.field == PM_COMPLEX ? 48 : 32;
}

char *pm_frontier_gpu_text(const pm_job *job, int bits, int values)
{
    return pm_frontier_text(job->nmoduli ? values : 0, job->block->a.field == PM_COMPLEX ? 2 : 1,
                            bits);
}

bool pm_frontier_gpu_is_runnable(const pm_job *job, bool has_compiler, int bits, int values)
{
    if (has_compiler)
        return true;
    char *text = pm_frontier_gpu_text(job, bits, values);
    bool is_ready = text && pm_gpu_is_precompiled(text);
    free(text);
    return is_ready;
}

/* Values of a pass, at most, if memory permits. */
static int widest(const pm_job *job, const pm_frontier_gpu *f, int bits)
{
    int share = (pm_frontier_gpu_values(job, bits) + f->gpus - 1) / f->gpus;
    return share < PM_FLAT_LANES_MAX ? share : PM_FLAT_LANES_MAX;
}

/* ---- seconds ---- */

double pm_frontier_gpu_transition(const pm_job *job, int bits, double weighted)
{
    if (!job->nmoduli)
        return job->block->a.field == PM_COMPLEX ? PM_GPU_COMPLEX_SECONDS : PM_GPU_REAL_SECONDS;
    double unit = bits == 64 ? PM_GPU_UNIT_SECONDS : PM_GPU_NARROW_SECONDS;
    double other = bits == 64 ? PM_GPU_WEIGHTED_SECONDS : PM_GPU_NARROW_WEIGHTED_SECONDS;
    return weighted * other + (1 - weighted) * unit;
}

/* Seconds of steps first .. last - 1 of a pass. */
static double seconds_of_steps(const pm_job *job, const pm_frontier_gpu *f, int bits, int width,
                               int32_t first, int32_t last)
{
    const pm_frontier_program *p = &f->setup.program;
    double words = pm_frontier_gpu_value_bytes(job, bits, width) / 8.0, work = 0;
    double each = width * pm_frontier_gpu_transition(job, bits, p->weighted);
    double permuted = PM_GPU_PERMUTE_SECONDS + words * PM_GPU_COPY_SECONDS;
    for (int32_t i = first; i < last; ++i)
        work += p->steps[i].kind == PM_STEP_PERMUTE
                    ? (double)p->levels[i + 1].states * permuted
                    : p->steps[i].transitions * each + p->steps[i].spans * PM_GPU_SPAN_SECONDS;
    return work * f->scale + (last - first) * PM_GPU_STEP_SECONDS;
}

/* Steps of the cut pass that device g runs, and the pass. */
static pm_frontier_piece cut_piece(const pm_frontier_shares *s, int g)
{
    int64_t end = (int64_t)(g + 1) * s->passes;
    return (pm_frontier_piece){(int)(end / s->gpus), 0, s->cut[g]};
}

/* Seconds of a device that runs whole passes and parts of others.  It waits for nothing: see the
 * header. */
static double seconds_of_device(const pm_job *job, const pm_frontier_gpu *f,
                                const pm_frontier_shares *s, int gpu)
{
    int32_t nsteps = f->setup.program.nsteps;
    int whole = gpu + 1 < s->gpus ? cut_piece(s, gpu).pass : s->passes;
    double seconds = 0;
    if (gpu > 0) {
        pm_frontier_piece before = cut_piece(s, gpu - 1);
        whole -= before.pass + 1;
        seconds += seconds_of_steps(job, f, s->bits, s->width, before.last, nsteps);
    }
    if (gpu + 1 < s->gpus)
        seconds += seconds_of_steps(job, f, s->bits, s->width, 0, s->cut[gpu])
                   + pm_frontier_gpu_waiting(job, f, s, gpu + 1) * PM_GPU_PEER_BYTE_SECONDS;
    return seconds + whole * seconds_of_steps(job, f, s->bits, s->width, 0, nsteps);
}

/* A pass on all devices: a part of the states each.  What a device reads is on all devices, equally,
 * and nearly all of what it reads from others is the limit. */
static double seconds_together(const pm_job *job, const pm_frontier_gpu *f,
                               const pm_frontier_shares *s)
{
    const pm_frontier_program *p = &f->setup.program;
    double bytes =
        (p->transitions + p->permuted) * pm_frontier_gpu_value_bytes(job, s->bits, s->width);
    double others = (double)(s->gpus - 1) / s->gpus;
    /* Two levels that lie apart are on different devices: the values that are read and those that are
     * written go through the same links, in one direction. */
    if (!p->in_place)
        others *= 2;
    if (s->gpus > 2)
        others *= PM_GPU_MANY_PEERS_FACTOR;
    return (seconds_of_steps(job, f, s->bits, s->width, 0, p->nsteps)
            + bytes * others * PM_GPU_PEER_BYTE_SECONDS)
           / s->gpus;
}

double pm_frontier_gpu_seconds(const pm_job *job, const pm_frontier_gpu *f,
                               const pm_frontier_shares *s)
{
    double longest = 0;
    int rounds = (s->passes + s->gpus - 1) / s->gpus;
    if (s->is_spread)
        return s->passes * seconds_together(job, f, s);
    if (!s->is_cut)
        return rounds * seconds_of_steps(job, f, s->bits, s->width, 0, f->setup.program.nsteps);
    for (int g = 0; g < s->gpus; ++g)
        longest = fmax(longest, seconds_of_device(job, f, s, g));
    return longest;
}

/* ---- bytes ---- */

/* devices: over which the levels are spread */
static double bytes_of_pass(const pm_job *job, const pm_frontier_gpu *f, int bits, int values,
                            int devices)
{
    double levels = pm_frontier_program_bytes(&f->setup.program,
                                              pm_frontier_gpu_value_bytes(job, bits, values));
    double parts = devices > 1 ? levels / devices + PM_GPU_SPREAD_UNIT : levels;
    return parts + pm_flat_bytes(&f->flat);
}

double pm_frontier_gpu_waiting(const pm_job *job, const pm_frontier_gpu *f,
                               const pm_frontier_shares *s, int gpu)
{
    const pm_frontier_program *p = &f->setup.program;
    if (!s->is_cut || gpu == 0 || s->cut[gpu - 1] == 0 || s->cut[gpu - 1] == p->nsteps)
        return 0;
    return (double)p->levels[s->cut[gpu - 1]].states
           * pm_frontier_gpu_value_bytes(job, s->bits, s->width);
}

double pm_frontier_gpu_bytes(const pm_job *job, const pm_frontier_gpu *f,
                             const pm_frontier_shares *s)
{
    double waiting = 0;
    for (int g = 0; g < s->gpus; ++g)
        waiting = fmax(waiting, pm_frontier_gpu_waiting(job, f, s, g));
    return bytes_of_pass(job, f, s->bits, s->width, s->is_spread ? s->gpus : 1) + waiting;
}

double pm_frontier_gpu_wanted(const pm_job *job, const pm_frontier_gpu *f)
{
    return bytes_of_pass(job, f, 64, widest(job, f, 64), 1);
}

/* ---- the choice ---- */

/* Cut passes where devices have equal shares of the seconds, to the nearest step. */
static void set_cuts(const pm_job *job, const pm_frontier_gpu *f, pm_frontier_shares *s)
{
    int32_t nsteps = f->setup.program.nsteps;
    double all = seconds_of_steps(job, f, s->bits, s->width, 0, nsteps);
    s->is_cut = true;
    for (int g = 0; g + 1 < s->gpus; ++g) {
        double share = (double)((int64_t)(g + 1) * s->passes % s->gpus) / s->gpus, done = 0;
        int32_t k = 0;
        for (; k < nsteps; ++k) {
            double step = seconds_of_steps(job, f, s->bits, s->width, k, k + 1);
            if (done + step / 2 > share * all)
                break;
            done += step;
        }
        s->cut[g] = k;
    }
}

/* Replace *best if `s` is faster by the given factor and fits. */
static void consider(const pm_job *job, const pm_frontier_gpu *f, double allowed, double factor,
                     const pm_frontier_shares *s, double *least, pm_frontier_shares *best)
{
    double seconds = pm_frontier_gpu_seconds(job, f, s);
    if (seconds < factor * *least && pm_frontier_gpu_bytes(job, f, s) <= allowed) {
        *least = seconds;
        *best = *s;
    }
}

/* The fastest passes with words of so many bits.  Returns their seconds, INFINITY if none fits. */
static double fastest(const pm_job *job, const pm_frontier_gpu *f, double allowed, int bits,
                      pm_frontier_shares *out)
{
    double least = INFINITY;
    int n = pm_frontier_gpu_values(job, bits);
    for (int width = 1; width <= (n ? widest(job, f, bits) : 0); ++width) {
        int passes = (n + width - 1) / width, gpus = f->gpus < passes ? f->gpus : passes;
        pm_frontier_shares s = {.bits = bits, .width = width, .passes = passes, .gpus = gpus};
        if (!pm_frontier_gpu_is_runnable(job, f->has_compiler, bits, width))
            continue;
        consider(job, f, allowed, 1, &s, &least, out);
        if (passes % gpus) {
            set_cuts(job, f, &s);
            consider(job, f, allowed, CUT_WORTH, &s, &least, out);
        }
    }
    return least;
}

/* The same where all devices share every level. */
static double fastest_together(const pm_job *job, const pm_frontier_gpu *f, double allowed,
                               int bits, pm_frontier_shares *out)
{
    double least = INFINITY;
    int n = f->can_spread ? pm_frontier_gpu_values(job, bits) : 0;
    for (int width = 1; width <= n && width <= PM_FLAT_LANES_MAX; ++width) {
        pm_frontier_shares s = {.bits = bits,
                                .width = width,
                                .passes = (n + width - 1) / width,
                                .gpus = f->gpus,
                                .is_spread = true};
        if (pm_frontier_gpu_is_runnable(job, f->has_compiler, bits, width))
            consider(job, f, allowed, 1, &s, &least, out);
    }
    return least;
}

bool pm_frontier_gpu_share(const pm_job *job, const pm_frontier_gpu *f, double allowed,
                           pm_frontier_shares *out)
{
    pm_frontier_shares wide, narrow;
    double of_wide = fastest(job, f, allowed, 64, &wide);
    double of_narrow = fastest(job, f, allowed, 32, &narrow);
    if (!isfinite(of_wide) && !isfinite(of_narrow)) {
        of_wide = fastest_together(job, f, allowed, 64, &wide);
        of_narrow = fastest_together(job, f, allowed, 32, &narrow);
    }
    double limit = fmin(NARROW_WORTH * of_wide, of_wide - PM_GPU_FRONTIER_COMPILE_SECONDS);
    bool is_narrow = of_narrow < limit;
    bool can_be_narrow =
        pm_frontier_gpu_values(job, 32) && pm_frontier_gpu_is_runnable(job, f->has_compiler, 32, 1);
    if (isfinite(of_wide) || isfinite(of_narrow))
        *out = is_narrow ? narrow : wide;
    else
        *out = (pm_frontier_shares){.bits = can_be_narrow ? 32 : 64, .width = 1, .gpus = 1};
    return out->passes > 0;
}

/* ---- what a device runs ---- */

int pm_frontier_gpu_pieces(const pm_frontier_shares *s, int32_t nsteps, int gpu,
                           pm_frontier_piece **out)
{
    int n = 0, first = gpu, stride = s->gpus, end = s->passes;
    pm_frontier_piece *p = pm_alloc_array(s->passes / s->gpus + 2, sizeof *p);
    if (!p)
        return -1;
    if (s->is_cut) {
        pm_frontier_piece before = {-1, 0, 0};
        stride = 1;
        if (gpu > 0)
            before = cut_piece(s, gpu - 1);
        if (gpu + 1 < s->gpus) {
            p[n] = cut_piece(s, gpu);
            end = p[n].pass;
            n += p[n].last > 0;
        }
        first = before.pass + 1;
        for (int pass = first; pass < end; ++pass)
            p[n++] = (pm_frontier_piece){pass, 0, nsteps};
        if (gpu > 0 && before.last < nsteps)
            p[n++] = (pm_frontier_piece){before.pass, before.last, nsteps};
    } else {
        for (int pass = first; pass < end; pass += stride)
            p[n++] = (pm_frontier_piece){pass, 0, nsteps};
    }
    *out = p;
    return n;
}
