/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/sampler.h: what every estimator is: a rule that turns the number of a sample into a
 * weight >= 0 whose expectation is the permanent of a block.  A run of the thinned frontier
 * ("beam") is one sample too; all that follows (moments, intervals, stopping) is common. */
#ifndef PM_SAMPLER_H
#define PM_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* m 2^e, 0.5 <= m < 1, or m = 0 (a dead end).  Never overflows: log10 of counts of large grids is
 * in the thousands. */
typedef struct {
    double m;
    int64_t e;
} pm_weight;

/* Options that not every method takes: how it scales, complete, states. */
enum { PM_TAKES_SCALINGS = 1, PM_TAKES_COMPLETE = 2, PM_TAKES_STATES = 4 };

/* Zeroed: one scaling a step, sweeps and states of the method's own, nothing counted exactly. */
typedef struct {
    int scale_interval; /* scaling, scaling+, scaling++: steps from one scaling to the next; 0: 1 */
    int scale_sweeps;   /* sweeps over rows and columns a scaling; 0: the method's own */
    int complete;       /* scaling++: last rows that are counted exactly, 0 .. 20; -1: its own */
    int64_t states;     /* beam: states kept; 0: as many as memory and time allow */
} pm_sampler_options;

typedef struct pm_sampler pm_sampler;
struct pm_moments;

/* A method on GPUs.  What is open draws the same samples as the method's draw where the method
 * has integer state, else samples of its own: the same ones on every GPU and any number of them. */
typedef struct {
    /* Devices 0 .. gpus - 1 are there, and there is a compiler for them; *out goes to close.
     * Fails: PM_UNABLE (the matrix is beyond the kernel; the CPU draws), PM_ENODEV, PM_EINTERNAL,
     * PM_ENOMEM. */
    pm_status (*open)(const pm_sampler *s, int gpus, const pm_run *run, void **out, pm_error *err);
    void (*close)(void *gpu);
    /* Weights of samples from .. from + count - 1, all or none of them; or NULL.
     * Fails: PM_ESTOPPED, PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
    pm_status (*draw)(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                      const pm_run *run, pm_weight *out, pm_error *err);
    /* Samples that are drawn at a time, a batch or more: a call has no more of them. */
    int64_t (*most)(const void *gpu);
    /* Where draw is NULL: whole batches, added to *m as pm_moments_draw does without a GPU.
     * Fails: PM_ESTOPPED (*m then holds the batches before the stop), as draw. */
    pm_status (*sum)(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                     const pm_run *run, struct pm_moments *m, pm_error *err);
    bool is_single; /* weights are rounded to single precision on the way */
} pm_sampler_gpu;

/* A method and the block it was made for; read-only while samples are drawn. */
typedef struct {
    const char *name, *summary, *source;
    const char *gpu_reach; /* matrices that its kernels take, for people; NULL: there is none */
    unsigned takes;        /* of PM_TAKES_: the options that mean something to it */
    bool is_bounded;       /* weights lie below sampler->bound: a guarantee can be given */
    /* Is this matrix within reach of the method? Fails: PM_UNABLE, with the reason. */
    pm_status (*make)(pm_sampler *s, const pm_sampler_options *o, const pm_run *run, pm_error *err);
    /* scratch: s->scratch bytes, aligned to 64, any content.  Samples of one seed and block are
     * independent; equal numbers give equal weights whatever the thread. */
    pm_weight (*draw)(const pm_sampler *s, void *scratch, uint64_t sample);
    void (*unmake)(pm_sampler *s);
} pm_sampler_method;

struct pm_sampler {
    const pm_sampler_method *method;
    const pm_matrix *a; /* square, every entry > 0 as a real number; has a perfect matching */
    uint64_t seed;
    uint32_t block; /* blocks of one graph draw from streams of their own */
    /* set by make: */
    size_t scratch;
    double seconds;   /* a sample on one core, nominal: a function of the matrix and the options, so
                      * that what is planned by it is the same everywhere */
    int least;        /* samples that an interval takes at least */
    int64_t branches; /* that a sample follows to the end: more than 1 of a beam */
    int batch;        /* samples that one thread draws at a time: a power of two, a millisecond to
                      * a tenth of a second of work, at most 4096; beam 1 */
    pm_weight bound;  /* where is_bounded */
    bool is_exact;    /* every weight is the permanent itself (beam with room for all states) */
    void *model;      /* of the method */
    const pm_sampler_gpu *on_gpu; /* NULL: there is no kernel for the method */
    /* set by pm_sampler_place: */
    void *gpu;  /* NULL: the CPU draws */
    bool stays; /* on the CPU, whatever is asked */
};

/* a stays the caller's and must outlive the sampler; *s is to be freed on success.
 * Fails: PM_EUSAGE (options out of range), PM_UNABLE (not square, an entry that is not a positive
 * real number, or beyond the method), PM_ENOMEM. */
pm_status pm_sampler_make(const pm_sampler_method *m, const pm_matrix *a,
                          const pm_sampler_options *o, uint64_t seed, uint32_t block,
                          const pm_run *run, pm_sampler *s, pm_error *err);
void pm_sampler_free(pm_sampler *s);

#endif
