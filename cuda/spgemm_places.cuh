// SPDX-License-Identifier: GPL-3.0-or-later
// spgemm_places.cuh: where the rows of C are made and where they end up.  It follows spgemm_rows.cuh.
//
//   pm_spgemm_count     the terms of each row; its bin, and its place among rows with gaps
//   the kernels of the bins (spgemm_rows.cuh)
//   pm_spgemm_lengths   the entries of PM_SPGEMM_ROWS rows each
//   pm_spgemm_tiles     the entries before these; by one thread block
//   pm_spgemm_first     the first entry of each row
//   pm_spgemm_move      closes the gaps

// ---- counting ----

// Rows with more entries for each thread of a group are counted by all threads of the block.
#define PM_ENTRIES_OF_THREAD 64

typedef struct {
    pm_u64 used, used_before;
    unsigned in_bin[PM_SPGEMM_BINS], before[PM_SPGEMM_BINS];
    pm_u64 terms[PM_THREADS];
    unsigned crowded[PM_THREADS]; // rows that the block counts
    unsigned crowds;
    pm_u64 warp[PM_WARPS];
} pm_dev_count;

PM_FN pm_u64 pm_terms_of(const pm_spgemm_arrays *a, unsigned k, unsigned end, unsigned step)
{
    pm_u64 sum = 0;
    PM_UNROLL_FOUR
    for (; k < end; k += step) {
        unsigned first;
        sum += pm_partners(a, k, &first);
    }
    return sum;
}

PM_FN const unsigned *pm_row_of(const pm_spgemm_arrays *a, pm_u64 i)
{
    return (const unsigned *)a->a_first + (pm_u64)a->first + i;
}

// The terms of `rows` rows from `first` on.
PM_FN void pm_count_groups(const pm_spgemm_arrays *a, pm_u64 first, unsigned rows, pm_dev_count *c)
{
    const unsigned group = (unsigned)a->group;
    PM_OWN(pm_u64, sum);
    PM_OWN(pm_u64, other);
    PM_DO({
        const unsigned r = self / group;
        PM_MY(sum) = 0;
        if (r < rows) {
            const unsigned *row = pm_row_of(a, first + r);
            if (row[1] - row[0] <= PM_ENTRIES_OF_THREAD * group)
                PM_MY(sum) = pm_terms_of(a, row[0] + self % group, row[1], group);
            else if (self % group == 0)
                c->crowded[pm_fetch_add(&c->crowds, 1)] = r;
        }
    })
    for (unsigned by = group / 2; by > 0; by /= 2) {
        PM_FROM_AFTER(other, sum, by);
        PM_DO(PM_MY(sum) += PM_MY(other))
    }
    PM_DO(if (self % group == 0) c->terms[self / group] = PM_MY(sum))
    PM_BARRIER();
}

PM_FN void pm_count_crowded(const pm_spgemm_arrays *a, pm_u64 first, pm_dev_count *c)
{
    PM_OWN(pm_u64, own);
    PM_OWN(pm_u64, before);
    for (unsigned n = 0; n < c->crowds; ++n) {
        const unsigned *row = pm_row_of(a, first + c->crowded[n]);
        PM_DO(PM_MY(own) = pm_terms_of(a, row[0] + self, row[1], PM_THREADS))
        pm_scan_group_long(own, before, PM_THREADS, c->warp);
        PM_DO(if (self == PM_THREADS - 1) c->terms[c->crowded[n]] = PM_MY(before) + PM_MY(own))
        PM_BARRIER();
    }
}

PM_FN unsigned pm_bin_of(pm_u64 size)
{
    unsigned bin = 0;
    while (bin < PM_SPGEMM_LONG && size > 8u << bin)
        ++bin;
    return bin;
}

PM_FN void pm_count(const pm_spgemm_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_count, c, 1);
    const unsigned most = PM_THREADS / (unsigned)a->group;
    const pm_u64 first = block * most, left = (pm_u64)a->rows - first;
    const unsigned rows = left < most ? (unsigned)left : most;
    PM_OWN(unsigned, bin);
    PM_OWN(unsigned, in_bin);
    PM_OWN(pm_u64, place);
    PM_DO({
        if (self < PM_SPGEMM_BINS)
            c->in_bin[self] = 0;
        if (self == 0)
            c->crowds = 0, c->used = 0;
    })
    PM_BARRIER();
    pm_count_groups(a, first, rows, c);
    pm_count_crowded(a, first, c);
    PM_DO({
        PM_MY(bin) = PM_SPGEMM_BINS;
        if (self < rows) {
            const pm_u64 terms = c->terms[self], columns = (pm_u64)a->ncols;
            const unsigned *row = pm_row_of(a, first + self);
            const unsigned entries = row[1] - row[0];
            if (terms > 0) {
                PM_MY(bin) = pm_bin_of(terms > entries ? terms : entries);
                PM_MY(in_bin) = pm_fetch_add(&c->in_bin[PM_MY(bin)], 1);
                PM_MY(place) = pm_fetch_add_long(&c->used, terms < columns ? terms : columns);
            } else {
                ((unsigned *)a->length)[first + self] = 0;
                ((pm_u64 *)a->place)[first + self] = 0;
            }
        }
    })
    PM_BARRIER();
    PM_DO({
        pm_spgemm_counts *counts = (pm_spgemm_counts *)a->counts;
        if (self < PM_SPGEMM_BINS && c->in_bin[self] > 0)
            c->before[self] = pm_fetch_add(&counts->in_bin[self], c->in_bin[self]);
        if (self == PM_SPGEMM_BINS && c->used > 0)
            c->used_before = pm_fetch_add_long(&counts->used, c->used);
    })
    PM_BARRIER();
    PM_DO(if (PM_MY(bin) < PM_SPGEMM_BINS) {
        unsigned *list = (unsigned *)a->bin + PM_MY(bin) * (pm_u64)a->rows;
        list[c->before[PM_MY(bin)] + PM_MY(in_bin)] = (unsigned)(first + self);
        ((pm_u64 *)a->place)[first + self] = c->used_before + PM_MY(place);
    })
    PM_BARRIER();
}
PM_SPGEMM_KERNEL(pm_spgemm_count, pm_count(a, block))

// ---- the first entry of each row ----

#define PM_ROWS_OF_THREAD (PM_SPGEMM_ROWS / PM_THREADS)

// The entries in rows of this thread.
PM_FN pm_u64 pm_entries_of_thread(const pm_spgemm_arrays *a, pm_u64 block, unsigned self)
{
    const pm_u64 first = block * PM_SPGEMM_ROWS + self * PM_ROWS_OF_THREAD;
    pm_u64 sum = 0;
    PM_UNROLL
    for (unsigned s = 0; s < PM_ROWS_OF_THREAD; ++s)
        if (first + s < (pm_u64)a->rows)
            sum += ((const unsigned *)a->length)[first + s];
    return sum;
}

// own: the entries in the rows of each thread; before: those of the earlier threads.
PM_FN void pm_scan_rows(const pm_spgemm_arrays *a, pm_u64 block, PM_OF_EACH(pm_u64, own),
                        PM_OF_EACH(pm_u64, before))
{
    PM_SHARED(pm_u64, warp, PM_WARPS);
    PM_DO(PM_MY(own) = pm_entries_of_thread(a, block, self))
    pm_scan_group_long(own, before, PM_THREADS, warp);
}

PM_FN void pm_lengths(const pm_spgemm_arrays *a, pm_u64 block)
{
    PM_OWN(pm_u64, own);
    PM_OWN(pm_u64, before);
    pm_scan_rows(a, block, own, before);
    PM_DO(if (self == PM_THREADS - 1)((pm_u64 *)a->tile)[block] = PM_MY(before) + PM_MY(own))
}
PM_SPGEMM_KERNEL(pm_spgemm_lengths, pm_lengths(a, block))

// By one thread block.  Clears the counts for the next product.
PM_FN void pm_tiles(const pm_spgemm_arrays *a)
{
    PM_SHARED(pm_u64, warp, PM_WARPS);
    PM_SHARED(pm_u64, total, 1);
    pm_spgemm_counts *counts = (pm_spgemm_counts *)a->counts;
    const pm_u64 tiles = ((pm_u64)a->rows + PM_SPGEMM_ROWS - 1) / PM_SPGEMM_ROWS;
    pm_u64 done = 0;
    PM_OWN(pm_u64, own);
    PM_OWN(pm_u64, before);
    for (pm_u64 next = 0; next < tiles; next += PM_THREADS) {
        PM_DO(PM_MY(own) = next + self < tiles ? ((const pm_u64 *)a->tile)[next + self] : 0)
        pm_scan_group_long(own, before, PM_THREADS, warp);
        PM_DO({
            if (next + self < tiles)
                ((pm_u64 *)a->tile)[next + self] = done + PM_MY(before);
            if (self == PM_THREADS - 1)
                total[0] = PM_MY(before) + PM_MY(own);
        })
        PM_BARRIER();
        done += total[0];
        PM_BARRIER();
    }
    PM_DO({
        if (self < PM_SPGEMM_BINS)
            counts->in_bin[self] = 0;
        if (self == 0) {
            counts->used = 0;
            counts->entries = done;
            ((pm_u64 *)a->c_first)[a->rows] = done;
        }
    })
}
PM_SPGEMM_KERNEL(pm_spgemm_tiles, pm_tiles(a))

PM_FN void pm_first(const pm_spgemm_arrays *a, pm_u64 block)
{
    PM_OWN(pm_u64, own);
    PM_OWN(pm_u64, before);
    pm_scan_rows(a, block, own, before);
    PM_DO({
        const pm_u64 row = block * PM_SPGEMM_ROWS + self * PM_ROWS_OF_THREAD;
        pm_u64 first = ((const pm_u64 *)a->tile)[block] + PM_MY(before);
        PM_UNROLL
        for (unsigned s = 0; s < PM_ROWS_OF_THREAD; ++s)
            if (row + s < (pm_u64)a->rows) {
                ((pm_u64 *)a->c_first)[row + s] = first;
                first += ((const unsigned *)a->length)[row + s];
            }
    })
}
PM_SPGEMM_KERNEL(pm_spgemm_first, pm_first(a, block))

// ---- gaps ----

// The last row from `low` on, before `high`, that begins at entry k or before.
PM_FN pm_u64 pm_row_with(const pm_spgemm_arrays *a, pm_u64 low, pm_u64 high, pm_u64 k)
{
    const pm_u64 *first = (const pm_u64 *)a->c_first;
    while (high - low > 1) {
        const pm_u64 middle = (low + high) / 2;
        if (first[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

PM_FN void pm_move(const pm_spgemm_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_u64, row, 2);
    const pm_u64 entries = ((const pm_spgemm_counts *)a->counts)->entries;
    const pm_u64 *first = (const pm_u64 *)a->c_first, *place = (const pm_u64 *)a->place;
    for (pm_u64 from = block * PM_SPGEMM_ENTRIES; from < entries;
         from += (pm_u64)a->blocks * PM_SPGEMM_ENTRIES) {
        const pm_u64 end = from + PM_SPGEMM_ENTRIES < entries ? from + PM_SPGEMM_ENTRIES : entries;
        PM_DO(if (self < 2) row[self] =
                  pm_row_with(a, 0, (pm_u64)a->rows, self == 0 ? from : end - 1))
        PM_BARRIER();
        PM_DO({
            PM_UNROLL_FOUR
            for (pm_u64 k = from + self; k < end; k += PM_THREADS) {
                const pm_u64 i = pm_row_with(a, row[0], row[1] + 1, k);
                const pm_u64 at = place[i] + (k - first[i]);
                ((int *)a->c_column)[k] = ((const int *)a->found_column)[at];
#if PM_WITH_SUMS
                ((pm_dev_value *)a->c_value)[k] = ((const pm_dev_value *)a->found_value)[at];
#endif
            }
        })
        PM_BARRIER();
    }
}
PM_SPGEMM_KERNEL(pm_spgemm_move, pm_move(a, block))
