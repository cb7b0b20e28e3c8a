// SPDX-License-Identifier: GPL-3.0-or-later
// vectors.cuh: operations on vectors and on the entries of a matrix, for iterations (spmv/workspace.h).  It
// follows spmv_csr.cuh, iteration_arrays.h, vector_step.h and linear_entry.h.
//
// A reduction has a fixed number of blocks, and each adds in a fixed order: its digits are the same on all
// devices.

#define PM_ITERATION_KERNEL(name, type, ...) PM_KERNEL_OF(type, (PM_THREADS), name, __VA_ARGS__)

PM_FN void pm_map_all(const pm_vector_arrays *a, pm_u64 block)
{
    const double *x = (const double *)a->x, *z = (const double *)a->z;
    double *y = (double *)a->y;
    const pm_map op = (pm_map)a->op;
    PM_DO({
        pm_u64 i = block * PM_THREADS + self;
        if (i < (pm_u64)a->n)
            y[i] = pm_map_step(op, a->s, x ? x[i] : 0, z ? z[i] : 0, op >= PM_MAP_ADD ? y[i] : 0);
    })
}
PM_ITERATION_KERNEL(pm_vector_map, pm_vector_arrays, pm_map_all(a, block))

PM_FN void pm_reduce_all(const pm_vector_arrays *a, pm_u64 block)
{
    PM_SHARED(double, part, PM_THREADS);
    const double *x = (const double *)a->x, *y = (const double *)a->y;
    const pm_reduction op = (pm_reduction)a->op;
    PM_DO({
        double all = 0;
        for (pm_u64 i = block * PM_THREADS + self; i < (pm_u64)a->n;
             i += (pm_u64)a->blocks * PM_THREADS)
            all = pm_reduce_join(op, all, pm_reduce_step(op, x[i], y ? y[i] : 0));
        part[self] = all;
    })
    for (unsigned half = PM_THREADS / 2; half > 0; half /= 2) {
        PM_BARRIER();
        PM_DO(if (self < half) part[self] = pm_reduce_join(op, part[self], part[self + half]))
    }
    PM_DO(if (self == 0)((double *)a->partial)[block] = part[0])
}
PM_ITERATION_KERNEL(pm_vector_reduce, pm_vector_arrays, pm_reduce_all(a, block))

// Multiplies the entries by the factors of their lines, and copies them into the order of the columns.
PM_FN void pm_scale_all(const pm_entry_arrays *a, pm_u64 block)
{
    const double *x = (const double *)a->x, *z = (const double *)a->z;
    double *value = (double *)a->value;
    PM_DO({
        pm_u64 k = block * PM_THREADS + self;
        if (k < (pm_u64)a->nnz) {
            double v = value[k];
            if (x)
                v *= x[((const int *)a->row)[k]] * z[((const int *)a->column)[k]];
            value[k] = v;
            ((double *)a->other)[((const int *)a->place)[k]] = v;
        }
    })
}
PM_ITERATION_KERNEL(pm_entries_scale, pm_entry_arrays, pm_scale_all(a, block))

// A linear step: each entry becomes pm_linear_entry(entry, x of its row - z of its column).
PM_FN void pm_step_all(const pm_entry_arrays *a, pm_u64 block)
{
    const double *x = (const double *)a->x, *z = (const double *)a->z;
    double *value = (double *)a->value;
    PM_DO({
        pm_u64 k = block * PM_THREADS + self;
        if (k < (pm_u64)a->nnz) {
            double d = x[((const int *)a->row)[k]] - z[((const int *)a->column)[k]];
            value[k] = pm_linear_entry(value[k], d);
            ((double *)a->other)[((const int *)a->place)[k]] = value[k];
        }
    })
}
PM_ITERATION_KERNEL(pm_entries_step, pm_entry_arrays, pm_step_all(a, block))
