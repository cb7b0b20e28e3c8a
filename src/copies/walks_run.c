/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states are divided into blocks by the digits of their last pairs.  A state needs states with smaller digits; so blocks with the same
 * sum of these digits, a *layer*, do not need each other, and threads share them.  In a block the states follow one another. */
#include "config.h"

#include "copies/walks_run.h"

#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "pm/alloc.h"

enum {
    BLOCKS = 64, /* at least, if there are so many states */
    MOST_BLOCKS =
        4096,    /* with more the first digit of the blocks is too long to be divided like this */
    PIECE = 1024 /* states between two looks at the stop flag */
};

typedef enum { CLOSE, JOIN, POWER } phase;

typedef struct {
    const pm_walks_kernel *kernel;
    const pm_walks *w;
    const pm_run *run;
    phase phase;
    int32_t last;   /* the last pair that has a digit */
    int64_t states; /* or rows */
} work;

static void run_states(const work *x, int64_t first, int64_t end)
{
    switch (x->phase) {
    case CLOSE: x->kernel->close(x->w, x->last, first, end); break;
    case JOIN: x->kernel->join(x->w, first, end); break;
    case POWER: x->kernel->power(x->w, first, end); break;
    }
}

static void run_block(const work *x, int64_t first, int64_t end)
{
    const int64_t piece = x->phase == POWER ? 1 : PIECE;
    for (int64_t s = first; s < end && !pm_run_stopped(x->run); s += piece)
        run_states(x, s, s + piece < end ? s + piece : end);
}

/* The first pair whose digit distinguishes blocks; rows have no digit of pair 0. */
static int32_t first_digit(const work *x, int64_t *blocks)
{
    int32_t k = x->last + 1;
    for (*blocks = 1; k > 1 && *blocks < BLOCKS; --k)
        *blocks *= x->w->most[k - 1] + 1;
    return k;
}

/* Sets the layer of each block; returns how many layers there are. */
static int32_t find_layers(const work *x, int32_t from, int64_t blocks, int32_t *layer)
{
    int32_t count = 1;
    for (int32_t k = from; k <= x->last; ++k)
        count += x->w->most[k];
    for (int64_t b = 0; b < blocks; ++b) {
        int64_t rest = b;
        layer[b] = 0;
        for (int32_t k = from; k <= x->last; ++k) {
            layer[b] += (int32_t)(rest % (x->w->most[k] + 1));
            rest /= x->w->most[k] + 1;
        }
    }
    return count;
}

static pm_status run_layers(const work *x, int32_t from, int64_t blocks, int threads, pm_error *err)
{
    const int64_t size = x->states / blocks;
    int32_t *layer = pm_alloc_array(blocks, sizeof *layer);
    if (!layer)
        return pm_fail_memory(err, "walks");
    const int32_t layers = find_layers(x, from, blocks, layer);
    for (int32_t l = 0; l < layers; ++l) {
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (int64_t b = 0; b < blocks; ++b)
            if (layer[b] == l)
                run_block(x, b * size, (b + 1) * size);
    }
    free(layer);
    return PM_OK;
}

static pm_status run_phase(const work *x, int threads, pm_error *err)
{
    int64_t blocks;
    pm_status status = PM_OK;
    const int32_t from = first_digit(x, &blocks);
    if (threads > 1 && blocks >= BLOCKS && blocks <= MOST_BLOCKS)
        status = run_layers(x, from, blocks, threads, err);
    else
        run_block(x, 0, x->states);
    if (!status && pm_run_stopped(x->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return status;
}

static void clear_walks(const pm_walks *w, int64_t states)
{
    const int64_t size = (int64_t)pm_copies_components(w->field.kind) * w->width;
    memset(w->walk, 0, (size_t)(states * size) * sizeof *w->walk);
}

pm_status pm_walks_run(const pm_walks_kernel *kernel, const pm_walks *w, bool is_short,
                       const pm_run *run, pm_error *err)
{
    work x = {.kernel = kernel, .w = w, .run = run};
    const int threads = is_short ? 1 : pm_team(run, pm_run_threads(run));
    pm_status status = PM_OK;
    for (x.last = 0; x.last < w->pairs && !status; ++x.last) {
        x.states = w->stride[x.last + 1];
        clear_walks(w, x.states);
        w->walk[2 * x.last] = 1;
        status = run_phase(&x, threads, err);
    }
    x.last = w->pairs - 1;
    if (!status && w->has_loops) {
        x.phase = JOIN;
        clear_walks(w, x.states);
        status = run_phase(&x, threads, err);
    }
    x.phase = POWER;
    x.states = w->stride[w->pairs] / w->stride[1];
    return status ? status : run_phase(&x, threads, err);
}
