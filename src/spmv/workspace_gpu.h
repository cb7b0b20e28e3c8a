/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/workspace_gpu.h: the part of a workspace that is on a GPU.  For workspace.c, and for iterations that
 * have kernels of their own. */
#ifndef PM_WORKSPACE_GPU_H
#define PM_WORKSPACE_GPU_H

#include "cuda/iteration_arrays.h"
#include "spmv/spmv_gpu.h"
#include "spmv/workspace.h"

struct pm_workspace_gpu {
    pm_gpu_session *session; /* its text is pm_workspace_text() */
    pm_spmv_choice choice[2];
    pm_spmv_arrays x[2];        /* X and X^T, without x and y */
    pm_entry_arrays entries;    /* value and other: of X and X^T */
    unsigned long long work[2]; /* double[nnz] each; pm_workspace_gpu_squares uses the first */
    unsigned long long vectors; /* double[vectors + 1][n] */
    int ones;                   /* the last vector */
    unsigned long long partial; /* double[PM_WORKSPACE_BLOCKS] */
    int64_t n, resident;
    pm_status status; /* of the first failure */
    pm_error error;
};

enum { PM_WORKSPACE_BLOCKS = 1024 /* of a reduction */ };

/* Of all kernels of iterations.  The caller frees it with free(); NULL when out of memory. */
char *pm_workspace_text(void);

pm_status pm_workspace_gpu_open(int device, const pm_csr_pair *pattern, int vectors,
                                pm_workspace_gpu **out, pm_error *err);
/* g: may be NULL. */
void pm_workspace_gpu_close(pm_workspace_gpu *g);

/* The operations of workspace.h. */
void pm_workspace_gpu_set(pm_workspace_gpu *g, const double *value);
void pm_workspace_gpu_multiply(pm_workspace_gpu *g, bool is_transposed, int x, int y);
void pm_workspace_gpu_scale(pm_workspace_gpu *g, int row, int col);
void pm_workspace_gpu_squares(pm_workspace_gpu *g, int y);
void pm_workspace_gpu_get(pm_workspace_gpu *g, int x, double *to);
void pm_workspace_gpu_put(pm_workspace_gpu *g, int x, const double *from);
void pm_workspace_gpu_map(pm_workspace_gpu *g, pm_map op, double s, int x, int z, int y);
double pm_workspace_gpu_reduce(pm_workspace_gpu *g, pm_reduction op, int x, int y);

/* ---- for other iterations ---- */

/* Nothing is done after a failure, which is kept. */

/* Thread blocks with a thread for each of n elements. */
int64_t pm_workspace_gpu_blocks(int64_t n);
/* Address of vector x. */
unsigned long long pm_workspace_gpu_vector(const pm_workspace_gpu *g, int x);
/* y = X x or X^T x with other entries; value: an address of nnz doubles. */
void pm_workspace_gpu_multiply_by(pm_workspace_gpu *g, bool is_transposed, unsigned long long value,
                                  int x, int y);
void pm_workspace_gpu_launch(pm_workspace_gpu *g, const char *kernel, int64_t blocks,
                             void *argument);
/* Copies nnz doubles to the device, or to the host. */
void pm_workspace_gpu_put_entries(pm_workspace_gpu *g, unsigned long long to, const double *from);
void pm_workspace_gpu_get_entries(pm_workspace_gpu *g, unsigned long long from, double *to);
/* y = op(s, x, x, y) for each of nnz doubles; x, y: their addresses. */
void pm_workspace_gpu_map_entries(pm_workspace_gpu *g, pm_map op, double s, unsigned long long x,
                                  unsigned long long y);
/* The largest of the first numbers of g->partial, at most PM_WORKSPACE_BLOCKS. */
double pm_workspace_gpu_largest(pm_workspace_gpu *g, int blocks);

#endif
