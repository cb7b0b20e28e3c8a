/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/sampler.h: the contract of a sampler: a method that turns the number of a sample into a
 * weight >= 0 whose mean over all samples is the permanent of one block, or its hafnian.
 *
 * The room src/sampler holds this contract and what all samplers share: how samples are drawn by
 * threads or GPUs and summed (moments.h), which backend draws (sampler_backend.h), the tail of the
 * weights (pareto.h), and the data that methods work on (neighbours.h, vertex_key.h,
 * scaled_entries.h).  The methods themselves are in the rooms src/degree, src/scaling, src/beam and src/pairing;
 * the table of all methods is estimate/sampler_registry.h.  The room may include cuda, gpu,
 * algorithm, matrix, ledger, number and core.
 * Begin here, then read degree/integer_state.c, which implements four methods. */
#ifndef PM_SAMPLER_H
#define PM_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger/ledger.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* The number m 2^e, where 0.5 <= m < 1, or m = 0 and e = 0 (a dead end).  It never overflows:
 * permanents of large grids have thousands of decimal digits. */
typedef struct {
    double m;
    int64_t e;
} pm_weight;

/* ---- options ---- */

/* Bits for the members of pm_sampler_options that a method uses: scale_interval and scale_sweeps;
 * complete; states.  A method without a bit ignores its members. */
enum { PM_TAKES_SCALINGS = 1, PM_TAKES_COMPLETE = 2, PM_TAKES_STATES = 4 };

enum { PM_COMPLETE_MAX = 20 /* largest value of pm_sampler_options.complete */ };

/* All members 0: scale before every step, the method's defaults for sweeps and states, no row
 * counted exactly. */
typedef struct {
    int scale_interval; /* scaling methods, blossom+: scale before every scale_interval-th step; 0: 1 */
    int scale_sweeps; /* the same: iterations each time; 0: the default */
    int complete;     /* scaling++: last rows counted exactly, 0 .. 20; -1: the default */
    int64_t states;   /* beam: number of states K; 0: chosen from memory and time (beam/beam.h) */
} pm_sampler_options;

/* ---- a method ---- */

typedef struct pm_sampler pm_sampler;
struct pm_batch_sink;

/* The CUDA backend of a method.  A method has draw and max_samples, or sum.
 * Weights are the same on every GPU and for any number of GPUs.  Where all choices of the method
 * are made in integers, and for the beam, they are also the weights of pm_sampler_method.draw;
 * elsewhere they belong to another set of samples with the same mean. */
typedef struct {
    /* Compiles the kernel and allocates buffers on devices 0 .. gpus - 1, which must exist.
     * out: the state of the backend; passed to the functions below and freed by close.
     * Fails: PM_UNABLE (the kernel cannot take this matrix), PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
    pm_status (*open)(const pm_sampler *s, int gpus, const pm_run *run, void **out, pm_error *err);
    void (*close)(void *gpu);
    /* out[k] = weight of sample from + k, k < count <= max_samples(gpu); all of them on success,
     * undefined on failure.  NULL where sum is given.
     * Fails: PM_ESTOPPED, PM_ENODEV, PM_EINTERNAL, PM_ENOMEM. */
    pm_status (*draw)(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                      const pm_run *run, pm_weight *out, pm_error *err);
    /* Largest count of one call of draw; at least one batch.  NULL where sum is given. */
    int64_t (*max_samples)(const void *gpu);
    /* Draws samples from .. from + count - 1 into the sink, with the same result as
     * pm_batches_draw.  from and count are multiples of s->batch.  NULL where draw is given.
     * Fails: as draw; after PM_ESTOPPED the sink has the batches that were finished. */
    pm_status (*sum)(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                     const pm_run *run, struct pm_batch_sink *sink, pm_error *err);
    bool is_single_precision; /* the kernel rounds weights to single precision */
} pm_sampler_gpu;

/* One method: a constant, entered in estimate/sampler_registry.h. */
typedef struct pm_sampler_method {
    const char *name, *summary, *source;
    const char *gpu_limits; /* largest matrix of its kernels, as text; NULL: it has no kernel */
    unsigned takes;         /* options that it uses: PM_TAKES_... */
    bool is_bounded;        /* no weight is above sampler->bound; guarantees need this */
    /* The mean is the loop hafnian of a symmetric matrix instead of the permanent. */
    bool is_general;
    /* The method that takes its place for such matrices; NULL: none. */
    const struct pm_sampler_method *of_general;
    /* Prepares *s for its matrix: sets the second group of members of pm_sampler.  On failure the
     * caller calls free_model.  Fails: PM_UNABLE (the matrix is beyond the method), PM_ENOMEM. */
    pm_status (*make)(pm_sampler *s, const pm_sampler_options *o, const pm_run *run, pm_error *err);
    /* Returns the weight of a sample, a function of s->seed, s->block and sample alone.  Samples
     * with different numbers are independent.  Thread-safe with one scratch a thread.
     * scratch: s->scratch bytes, aligned to 64, contents arbitrary. */
    pm_weight (*draw)(const pm_sampler *s, void *scratch, uint64_t sample);
    /* Frees s->model, which may be NULL. */
    void (*free_model)(pm_sampler *s);
} pm_sampler_method;

/* m, or what takes its place for a matrix of this kind (is_general, above). */
static inline const pm_sampler_method *pm_sampler_method_for(const pm_sampler_method *m,
                                                             bool is_general)
{
    return is_general && m->of_general ? m->of_general : m;
}

/* ---- a sampler: a method with one block ---- */

/* Not changed while samples are drawn. */
struct pm_sampler {
    const pm_sampler_method *method;
    /* n x n, all entries positive real numbers; has a perfect matching.  For general methods symmetric. */
    const pm_matrix *a;
    uint64_t seed;
    uint32_t block; /* number of the block: blocks of one graph use different random sequences */
    pm_ledger_scope scope; /* where samples that are drawn are recorded; {0}, at first: nowhere */

    /* set by make: */
    size_t scratch;   /* bytes of scratch memory that draw needs */
    double seconds;   /* nominal seconds of one sample on one core; depends only on the matrix and
                       * the options, so a plan based on it is the same on every machine */
    int min_samples;  /* an interval needs at least this number of samples */
    int64_t branches; /* states that one sample follows to the end; 1 except for the beam */
    int batch;        /* samples of a batch (pm_sampler_batch_size): a power of two */
    pm_weight bound;  /* no weight is larger; only where method->is_bounded */
    bool is_exact;    /* every weight is the permanent itself */
    void *model;      /* the method's own data */
    const pm_sampler_gpu *on_gpu; /* NULL: the method has no kernel for this matrix */

    /* set by pm_sampler_choose_backend and pm_sampler_fall_back: */
    void *gpu;     /* state of the CUDA backend; NULL: the CPU draws */
    bool cpu_only; /* GPUs are not tried again */
};

/* *s = the sampler of m for a.  On success the caller frees it with pm_sampler_free.
 * a: must outlive the sampler, which does not own it.
 * block: 0, 1, ...; see pm_sampler.block.
 * Fails: PM_EUSAGE (options out of range), PM_UNABLE (a is not square, an entry is not a positive
 * real number, or a is beyond the method), PM_ENOMEM; for the beam also PM_ESTOPPED. */
pm_status pm_sampler_make(const pm_sampler_method *m, const pm_matrix *a,
                          const pm_sampler_options *o, uint64_t seed, uint32_t block,
                          const pm_run *run, pm_sampler *s, pm_error *err);
void pm_sampler_free(pm_sampler *s);

/* Samples of a batch when one sample takes `seconds`: the largest power of two, 1 .. 4096, whose
 * batch takes at most 0.02 seconds. */
int pm_sampler_batch_size(double seconds);

#endif
