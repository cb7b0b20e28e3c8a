/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/rates.h: what one unit of work of each kernel costs one core, in seconds.  The nominal
 * figures are fixed, so that the same input gives the same plan everywhere; --calibrate takes
 * those of the machine instead (count/calibrate.c). */
#ifndef PM_RATES_H
#define PM_RATES_H

#include "pm/run.h"
#include "pm/status.h"

/* name, nominal seconds (AVX-512 at about 3.5 GHz), unit */
#define PM_RATE_TABLE(X)                                                                           \
    X(RANK_UNIT, "rank", 0.8e-9, "a transition of weight 1, a residue")                            \
    X(RANK_WEIGHTED, "rank-weighted", 2.5e-9, "a transition of another weight, a residue")         \
    X(RANK_REAL, "rank-real", 10e-9, "a real transition")                                          \
    X(RANK_COMPLEX, "rank-complex", 20e-9, "a complex transition")                                 \
    X(HASH, "hash", 70e-9, "a transition between keyed states")                                    \
    X(DENSE_DOUBLE, "ryser-double", 0.041e-9, "a row sum of a term: addition and multiplication")  \
    X(DENSE_QUAD, "ryser-quad", 0.23e-9, "the same in double-double")                              \
    X(DENSE_COMPLEX, "ryser-complex", 0.156e-9, "the same, complex")                               \
    X(DENSE_COMPLEX_QUAD, "ryser-complex-quad", 1.05e-9, "the same, complex in double-double")     \
    X(DENSE_EXACT, "ryser-exact", 0.21e-9, "a vector instruction of 64 bytes")                     \
    X(SPARYSER, "sparyser", 1.85e-9, "a row sum changed and divided out")                          \
    X(SKIPPER, "skipper", 12e-9, "an index looked at, row sums in bytes")                          \
    X(ENUMERATE, "enumerate", 10e-9, "a node of the search tree")                                  \
    X(PLANAR, "planar", 0.4e-9, "a multiplication of an elimination, modulo eight primes")         \
    X(ROOK, "rook", 1.3e-9, "a coefficient added to another one, modulo a prime")                  \
    X(PRODUCT_TREE, "product-tree", 0.06e-9, "a value of a term changed, multiplied or kept")      \
    X(PRODUCT_TREE_EXACT, "product-tree-exact", 0.06e-9, "the same modulo a prime")

typedef enum {
#define PM_RATE_ENUM(id, name, seconds, unit) PM_RATE_##id,
    PM_RATE_TABLE(PM_RATE_ENUM)
#undef PM_RATE_ENUM
        PM_RATES
} pm_rate;

/* On a GPU: what one second takes that is predicted from the rates of the device itself
 * (gpu/gpu.h), one for each family of kernels; but for the start, which is seconds. */
#define PM_GPU_RATE_TABLE(X)                                                                       \
    X(START, "gpu-start", 1.0, "a GPU started, a kernel compiled")                                 \
    X(RYSER, "gpu-ryser", 1.0, "a predicted second of inexact full blocks")                        \
    X(RYSER_EXACT, "gpu-ryser-exact", 1.0, "the same modulo primes")                               \
    X(TREE, "gpu-product-tree", 1.0, "a predicted second of inexact trees")                        \
    X(TREE_EXACT, "gpu-product-tree-exact", 1.0, "the same modulo primes")                         \
    X(FRONTIER, "gpu-frontier-real", 1.0, "a predicted second of inexact transitions")             \
    X(FRONTIER_EXACT, "gpu-frontier", 1.0, "the same modulo primes")

typedef enum {
#define PM_GPU_RATE_ENUM(id, name, seconds, unit) PM_GPU_RATE_##id,
    PM_GPU_RATE_TABLE(PM_GPU_RATE_ENUM)
#undef PM_GPU_RATE_ENUM
        PM_GPU_RATES /* none of them: kernels that are there to compare with */
} pm_gpu_rate;

enum { PM_GPU_NAME = 192 };
typedef struct pm_rates pm_rates;

struct pm_rates {
    double seconds[PM_RATES];
    double gpu[PM_GPU_RATES];
    char gpu_name[PM_GPU_NAME]; /* of which device gpu is, with its driver; empty: of none */
};

extern const pm_rates pm_rates_nominal;
/* One core's own: runs a sample of each kernel, a few seconds in all.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rates_measure(const pm_run *run, pm_rates *out, pm_error *err);
/* The first GPU's own, a second or two each: gpu and gpu_name of *out, the rest is left alone.
 * Fails: PM_ENODEV there is none, or it failed; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rates_measure_gpu(const pm_run *run, pm_rates *out, pm_error *err);

const char *pm_rate_name(pm_rate r);
const char *pm_rate_unit(pm_rate r);
const char *pm_gpu_rate_name(pm_gpu_rate r);
const char *pm_gpu_rate_unit(pm_gpu_rate r);

#endif
