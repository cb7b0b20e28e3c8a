// SPDX-License-Identifier: GPL-3.0-or-later
// spmv_coo.cuh: y = y + A x, A as a list of entries sorted by rows (COO).  It follows spmv_terms.cuh.
//
// The kernels that comparisons of COO products on GPUs name, so that they can be repeated:
//   pm_spmv_coo_atomic         a thread for each entry; the baseline
//   pm_spmv_coo_threads        several entries a thread, each as many further as there are threads
//   pm_spmv_coo_adjacent       ... each the next one
//   pm_spmv_coo_warp           ... each 32 further
//   pm_spmv_coo_block          ... each PM_THREADS further
//   pm_spmv_coo_scan           prefix sums over a thread block, differences at the ends of rows
//   pm_spmv_coo_scan_rows      prefix sums within rows over a thread block
//   pm_spmv_coo_scan_warp      the same over 32 threads, by shuffles
//   pm_spmv_coo_scan_warps     the same over 32 x 32
//   pm_spmv_coo_scan_tree      work-efficient prefix sums without bank conflicts (Harris, Sengupta,
//                              Owens 2007, GPU Gems 3, chapter 39)
//   pm_spmv_coo_jump           scan_warp over several chunks a block, each PM_THREADS further
//   pm_spmv_coo_jump_unrolled  the same, four chunks at a time
// The order of additions is not fixed: the last digits differ from run to run.  scan and scan_tree
// take differences, which need the semiring `sum`; they lose digits where rows differ in size.
//
// Given: PM_THREADS = 1024.  y must hold something, PM_EMPTY for a plain product: pm_spmv_clear.

#define PM_NO_ROW 0x7fffffff // of threads beyond the last entry

PM_FN pm_dev_value *pm_result(const pm_spmv_arrays *a, int row)
{
    return (pm_dev_value *)a->y + row;
}

PM_FN int pm_row_of(const pm_spmv_arrays *a, pm_u64 k)
{
    return k < (pm_u64)a->nnz ? PM_READ_ONCE((const int *)a->row + k) : PM_NO_ROW;
}

PM_FN pm_dev_value pm_term_or_none(const pm_spmv_arrays *a, pm_u64 k)
{
    return k < (pm_u64)a->nnz ? pm_term(a, k) : PM_EMPTY;
}

PM_KERNEL(pm_spmv_clear,
          PM_DO(for (pm_u64 i = block * PM_THREADS + self; i < (pm_u64)a->nrows;
                     i += (pm_u64)a->blocks * PM_THREADS)((pm_dev_value *)a->y)[i] = PM_EMPTY))

// ---- one addition in memory for each entry ----

PM_FN void pm_add_entry(const pm_spmv_arrays *a, pm_u64 k)
{
    if (k < (pm_u64)a->nnz)
        pm_add_to(pm_result(a, pm_row_of(a, k)), pm_term(a, k));
}

PM_KERNEL(pm_spmv_coo_atomic, PM_DO(pm_add_entry(a, block *PM_THREADS + self)))

// Entries of each thread, where all threads share them equally.
PM_FN pm_u64 pm_entries_each(const pm_spmv_arrays *a)
{
    pm_u64 threads = (pm_u64)a->blocks * PM_THREADS;
    return ((pm_u64)a->nnz + threads - 1) / threads;
}

// The j-th entry of each thread.
#define PM_STRIDED(name, index)                                                                    \
    PM_KERNEL(name, const pm_u64 each = pm_entries_each(a);                                        \
              PM_DO(for (pm_u64 j = 0; j < each; ++j) pm_add_entry(a, index)))
PM_STRIDED(pm_spmv_coo_threads, ((pm_u64)a->blocks * j + block) * PM_THREADS + self)
PM_STRIDED(pm_spmv_coo_adjacent, (block * PM_THREADS + self) * each + j)
PM_STRIDED(pm_spmv_coo_warp, ((block * PM_THREADS + self) / 32 * each + j) * 32 + self % 32)
PM_STRIDED(pm_spmv_coo_block, (block * each + j) * PM_THREADS + self)

// ---- prefix sums of a thread block ----

typedef struct {
    pm_dev_value sum[PM_THREADS];
    int row[PM_THREADS + 1];
} pm_dev_chunk;

// The entries of a thread block and their rows.
PM_FN void pm_load_chunk(const pm_spmv_arrays *a, pm_u64 first, pm_dev_chunk *c)
{
    PM_DO(c->sum[self] = pm_term_or_none(a, first + self);
          c->row[self] = pm_row_of(a, first + self); if (self == 0) c->row[PM_THREADS] = PM_NO_ROW)
    PM_BARRIER();
}

// sum[k] becomes sum[0] + ... + sum[k]; with is_within_rows only of the row of k.
PM_FN void pm_scan_chunk(pm_dev_chunk *c, bool is_within_rows)
{
    PM_OWN(pm_dev_value, before);
    for (unsigned by = 1; by < PM_THREADS; by *= 2) {
        PM_DO(bool adds = self >= by && !(is_within_rows && c->row[self - by] != c->row[self]);
              PM_MY(before) = adds ? c->sum[self - by] : PM_EMPTY)
        PM_BARRIER();
        PM_DO(c->sum[self] = pm_add(PM_MY(before), c->sum[self]))
        PM_BARRIER();
    }
}

// An end of a row adds its prefix sum to the row, and subtracts it from the next one.
PM_FN void pm_add_differences(const pm_spmv_arrays *a, const pm_dev_value *sum, const int *row,
                              unsigned k, unsigned n)
{
    if (row[k] == PM_NO_ROW || (k + 1 < n && row[k + 1] == row[k]))
        return;
    pm_add_to(pm_result(a, row[k]), sum[k]);
    if (k + 1 < n && row[k + 1] != PM_NO_ROW)
        pm_add_to(pm_result(a, row[k + 1]), -sum[k]);
}

PM_FN void pm_coo_scan(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_chunk, c, 1);
    pm_load_chunk(a, block * PM_THREADS, c);
    pm_scan_chunk(c, false);
    PM_DO(pm_add_differences(a, c->sum, c->row, self, PM_THREADS))
}

PM_FN void pm_coo_scan_rows(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_chunk, c, 1);
    pm_load_chunk(a, block * PM_THREADS, c);
    pm_scan_chunk(c, true);
    PM_DO(if (c->row[self] != PM_NO_ROW && c->row[self + 1] != c->row[self])
              pm_add_to(pm_result(a, c->row[self]), c->sum[self]))
}

// ---- the same by shuffles ----

// Adds the entries first + self of the block; one addition in memory for each row of a warp.
PM_FN void pm_add_by_warps(const pm_spmv_arrays *a, pm_u64 first)
{
    PM_OWN(pm_dev_value, sum);
    PM_OWN(int, row);
    PM_OWN(int, next);
    PM_DO(PM_MY(sum) = pm_term_or_none(a, first + self); PM_MY(row) = pm_row_of(a, first + self))
    PM_SCAN_WARP(sum, row)
    PM_FROM_AFTER(next, row, 1);
    PM_DO(if (PM_MY(row) != PM_NO_ROW && (self % 32 == 31 || PM_MY(next) != PM_MY(row)))
              pm_add_to(pm_result(a, PM_MY(row)), PM_MY(sum)))
}

PM_KERNEL(pm_spmv_coo_scan_warp, pm_add_by_warps(a, block *PM_THREADS))

// The last sums of the warps are scanned by the first one; then each warp adds what the warps before
// have of its first row.
PM_FN void pm_coo_scan_warps(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_value, last, 32);
    PM_SHARED(int, last_row, 32);
    PM_OWN(pm_dev_value, sum);
    PM_OWN(pm_dev_value, tail);
    PM_OWN(int, row);
    PM_OWN(int, next);
    PM_OWN(int, tail_row);
    const pm_u64 first = block * PM_THREADS;
    PM_DO(PM_MY(sum) = pm_term_or_none(a, first + self); PM_MY(row) = pm_row_of(a, first + self))
    PM_SCAN_WARP(sum, row)
    PM_DO(if (self % 32 == 31) {
        last[self / 32] = PM_MY(sum);
        last_row[self / 32] = PM_MY(row);
    })
    PM_BARRIER();
    PM_DO(PM_MY(tail) = last[self % 32]; PM_MY(tail_row) = last_row[self % 32])
    PM_SCAN_WARP(tail, tail_row)
    PM_BARRIER();
    PM_DO(if (self < 32) last[self] = PM_MY(tail))
    PM_BARRIER();
    PM_DO(if (self >= 32 && last_row[self / 32 - 1] == PM_MY(row)) PM_MY(sum) =
              pm_add(last[self / 32 - 1], PM_MY(sum)))
    PM_FROM_AFTER(next, row, 1);
    PM_DO(int after = self % 32 < 31          ? PM_MY(next)
                      : self + 1 < PM_THREADS ? pm_row_of(a, first + self + 1)
                                              : PM_NO_ROW;
          if (PM_MY(row) != PM_NO_ROW && after != PM_MY(row))
              pm_add_to(pm_result(a, PM_MY(row)), PM_MY(sum)))
}

// ---- work-efficient prefix sums ----

// One cell more after every 32, so that strides of powers of two fall into different banks.
#define PM_CELL_OF(k) ((k) + (k) / 32)

typedef struct {
    pm_dev_value sum[PM_CELL_OF(2 * PM_THREADS)];
    pm_dev_value last[2 * PM_THREADS];
    int row[2 * PM_THREADS];
} pm_dev_tree;

// Two entries for each thread: sums up the tree, then down; then the end of each row has the sum
// before it and its own term.
PM_FN void pm_coo_scan_tree(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_tree, c, 1);
    const pm_u64 first = block * 2 * PM_THREADS;
    PM_DO(for (unsigned k = self; k < 2 * PM_THREADS; k += PM_THREADS) {
        c->last[k] = c->sum[PM_CELL_OF(k)] = pm_term_or_none(a, first + k);
        c->row[k] = pm_row_of(a, first + k);
    })
    PM_BARRIER();
    for (unsigned by = 1; by <= PM_THREADS; by *= 2) {
        PM_DO(if (self < PM_THREADS / by) {
            unsigned k = 2 * by * self + by - 1;
            c->sum[PM_CELL_OF(k + by)] += c->sum[PM_CELL_OF(k)];
        })
        PM_BARRIER();
    }
    PM_DO(if (self == 0) c->sum[PM_CELL_OF(2 * PM_THREADS - 1)] = 0)
    PM_BARRIER();
    for (unsigned by = PM_THREADS; by > 0; by /= 2) {
        PM_DO(if (self < PM_THREADS / by) {
            unsigned k = 2 * by * self + by - 1;
            pm_dev_value left = c->sum[PM_CELL_OF(k)];
            c->sum[PM_CELL_OF(k)] = c->sum[PM_CELL_OF(k + by)];
            c->sum[PM_CELL_OF(k + by)] += left;
        })
        PM_BARRIER();
    }
    PM_DO(for (unsigned k = self; k < 2 * PM_THREADS; k += PM_THREADS) c->last[k] +=
          c->sum[PM_CELL_OF(k)])
    PM_BARRIER();
    PM_DO(for (unsigned k = self; k < 2 * PM_THREADS; k += PM_THREADS)
              pm_add_differences(a, c->last, c->row, k, 2 * PM_THREADS))
}

// ---- several chunks a block ----

// Block b has the chunks b each .. b each + each - 1.
#define PM_JUMPS(name, pragma)                                                                     \
    PM_KERNEL(name, const pm_u64 each = pm_entries_each(a);                                        \
              pragma for (pm_u64 j = 0; j < each; ++j)                                             \
                  pm_add_by_warps(a, (block * each + j) * PM_THREADS))
PM_JUMPS(pm_spmv_coo_jump, PM_LOOP)
PM_JUMPS(pm_spmv_coo_jump_unrolled, PM_UNROLL_FOUR)

#if PM_SEMIRING == 0
PM_KERNEL(pm_spmv_coo_scan, pm_coo_scan(a, block))
PM_KERNEL(pm_spmv_coo_scan_tree, pm_coo_scan_tree(a, block))
#endif
PM_KERNEL(pm_spmv_coo_scan_rows, pm_coo_scan_rows(a, block))
PM_KERNEL(pm_spmv_coo_scan_warps, pm_coo_scan_warps(a, block))
