/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/vector_step.h: what is computed of one element of vectors (spmv/workspace.h).  The text is C for
 * the CPU and CUDA C++ for kernels, after a prelude that defines PM_FN, so that both do the same. */
#ifndef PM_VECTOR_STEP_H
#define PM_VECTOR_STEP_H

#ifndef PM_FN
#define PM_FN static inline
#endif

/* y becomes this, s a number. */
typedef enum {
    PM_MAP_FILL,     /* s */
    PM_MAP_COPY,     /* x */
    PM_MAP_INVERT,   /* 1 / x */
    PM_MAP_EXP,      /* exp(s x) */
    PM_MAP_FROM_ONE, /* 1 - x */
    PM_MAP_MULTIPLY, /* x z */
    PM_MAP_DIVIDE,   /* x / z */
    PM_MAP_ADD,      /* y + s x */
    PM_MAP_ADD_TO,   /* x + s y */
    PM_MAP_REST,     /* x z - y */
    PM_MAP_REMAINDER /* x - y; x where rounding leaves nothing of that */
} pm_map;

/* One number of two vectors. */
typedef enum {
    PM_REDUCE_DOT,        /* sum of x y */
    PM_REDUCE_LOG_RATIOS, /* sum of log x - log y */
    PM_REDUCE_LARGEST,    /* largest |x| */
    PM_REDUCE_FROM_ONE    /* largest |x - 1| */
} pm_reduction;

PM_FN double pm_map_step(pm_map op, double s, double x, double z, double y)
{
    switch (op) {
    case PM_MAP_FILL: return s;
    case PM_MAP_COPY: return x;
    case PM_MAP_INVERT: return 1 / x;
    case PM_MAP_EXP: return exp(s * x);
    case PM_MAP_FROM_ONE: return 1 - x;
    case PM_MAP_MULTIPLY: return x * z;
    case PM_MAP_DIVIDE: return x / z;
    case PM_MAP_ADD: return y + s * x;
    case PM_MAP_ADD_TO: return x + s * y;
    case PM_MAP_REST: return x * z - y;
    default: return y < (1 - 0x1p-40) * x ? x - y : x;
    }
}

PM_FN double pm_reduce_step(pm_reduction op, double x, double y)
{
    switch (op) {
    case PM_REDUCE_DOT: return x * y;
    case PM_REDUCE_LOG_RATIOS: return log(x) - log(y);
    case PM_REDUCE_LARGEST: return fabs(x);
    default: return fabs(x - 1);
    }
}

/* Not a number if one of them is none.  Begins with 0. */
PM_FN double pm_reduce_join(pm_reduction op, double a, double b)
{
    if (op == PM_REDUCE_DOT || op == PM_REDUCE_LOG_RATIOS)
        return a + b;
    return a != a || a > b ? a : b;
}

#endif
