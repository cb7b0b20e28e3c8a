// SPDX-License-Identifier: GPL-3.0-or-later
// messages.cuh: belief propagation for perfect matchings (bounds/bethe.h).  It follows vectors.cuh and
// message_step.h.  The sums of the messages to a line are products (spmv_csr.cuh).

PM_FN void pm_update_columns(const pm_message_arrays *a, pm_u64 block){PM_DO({
    pm_u64 k = block * PM_THREADS + self;
    if (k < (pm_u64)a->nnz) {
        double sum = ((const double *)a->sum_of_row)[((const int *)a->row)[k]];
        ((double *)a->to_col)[((const int *)a->place)[k]] = pm_message(
            ((const double *)a->value)[k], sum, ((const double *)a->to_row)[k], a->least_share);
    }
})} PM_ITERATION_KERNEL(pm_messages_to_columns, pm_message_arrays, pm_update_columns(a, block))

    // Also the largest change of a probability in each block.
    PM_FN void pm_update_rows(const pm_message_arrays *a, pm_u64 block)
{
    PM_SHARED(double, part, PM_THREADS);
    PM_DO({
        double most = 0;
        for (pm_u64 k = block * PM_THREADS + self; k < (pm_u64)a->nnz;
             k += (pm_u64)a->blocks * PM_THREADS) {
            double value = ((const double *)a->value)[k];
            double sum = ((const double *)a->sum_of_col)[((const int *)a->column)[k]];
            double to_col = ((const double *)a->to_col)[((const int *)a->place)[k]];
            double to_row = pm_message(value, sum, to_col, a->least_share);
            double p = pm_message_probability(value, to_col, to_row);
            double *probability = (double *)a->probability + k;
            double change = fabs(p - *probability);
            ((double *)a->to_row)[k] = to_row;
            *probability = p;
            most = pm_reduce_join(PM_REDUCE_LARGEST, most, change);
        }
        part[self] = most;
    })
    for (unsigned half = PM_THREADS / 2; half > 0; half /= 2) {
        PM_BARRIER();
        PM_DO(if (self < half) part[self] =
                  pm_reduce_join(PM_REDUCE_LARGEST, part[self], part[self + half]))
    }
    PM_DO(if (self == 0)((double *)a->partial)[block] = part[0])
}
PM_ITERATION_KERNEL(pm_messages_to_rows, pm_message_arrays, pm_update_rows(a, block))
