// SPDX-License-Identifier: GPL-3.0-or-later
// spgemm_rows.cuh: the rows of C of each bin, with gaps between them.  It follows spgemm_terms.cuh.
//
//   pm_spgemm_bin_0 .. 7   rows of size up to 8, 16, ..., 1024: all terms are sorted at once
//   pm_spgemm_long         longer ones: 1024 terms at a time are sorted and added to a sum for each
//                          column of B

// ---- rows that are sorted at once ----

PM_FN void pm_write_rows(const pm_spgemm_arrays *a, const pm_dev_cells *x, const unsigned lanes,
                         const unsigned each, PM_OF_EACH(pm_dev_entries, entries))
{
    PM_OWN(unsigned, own);
    PM_OWN(unsigned, before);
    PM_DO({
        const unsigned group_cell = PM_GROUP_OF(self) * lanes * each;
        PM_MY(own) = 0;
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s)
            PM_MY(own) += pm_begins_column(x, group_cell, self * each + s);
    })
    pm_scan_group(own, before, lanes, x->warp);
    PM_DO({
        const unsigned group_cell = PM_GROUP_OF(self) * lanes * each;
        const unsigned row = PM_MY(entries).row;
        pm_u64 to = PM_MY(before);
        if (PM_MY(own) > 0)
            to += ((const pm_u64 *)a->place)[row];
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s) {
            const unsigned cell = self * each + s;
            if (!pm_begins_column(x, group_cell, cell))
                continue;
            ((int *)a->found_column)[to] = (int)PM_COLUMN(x->key[cell]);
#if PM_WITH_SUMS
            ((pm_dev_value *)a->found_value)[to] =
                pm_sum_of_column(x, group_cell, group_cell + lanes * each, cell, false, 0);
#endif
            ++to;
        }
        if (self % lanes == lanes - 1 && PM_MY(entries).count > 0)
            ((unsigned *)a->length)[row] = PM_MY(before) + PM_MY(own);
    })
}

PM_FN void pm_rows_of_bin(const pm_spgemm_arrays *a, pm_u64 block, const unsigned bin,
                          const pm_dev_cells *x, const unsigned lanes, const unsigned each)
{
    const unsigned *list = (const unsigned *)a->bin + bin * (pm_u64)a->rows;
    const pm_u64 count = ((const pm_spgemm_counts *)a->counts)->in_bin[bin];
    const unsigned groups = PM_THREADS / lanes;
    PM_OWN(pm_dev_entries, entries);
    PM_OWN_FEW(pm_dev_key, key, PM_MOST_EACH);
    for (pm_u64 next = block * groups; next < count; next += (pm_u64)a->blocks * groups) {
        PM_DO({
            const pm_u64 place = next + PM_GROUP_OF(self);
            pm_dev_entries e = {0, 0, 0};
            if (place < count) {
                e.row = list[place];
                const unsigned *first = (const unsigned *)a->a_first + (pm_u64)a->first + e.row;
                e.first = first[0];
                e.count = first[1] - first[0];
            }
            PM_MY(entries) = e;
        })
        pm_find_terms(a, x, lanes, each, entries);
        PM_DO({
            const unsigned group = PM_GROUP_OF(self);
            PM_UNROLL
            for (unsigned s = 0; s < each; ++s) {
                const unsigned t = s * lanes + self % lanes;
                PM_MY(key[s]) = PM_NO_KEY;
                if (t < x->terms[group])
                    PM_MY(key[s]) = pm_expand(a, x, group * lanes * each, &PM_MY(entries), t, t);
            }
        })
        pm_sort(x, key, lanes, each);
        pm_write_rows(a, x, lanes, each, entries);
        PM_GROUP_BARRIER();
    }
}

#define PM_BIN_KERNEL(bin, lanes, each)                                                            \
    PM_SPGEMM_KERNEL(pm_spgemm_bin_##bin, {                                                        \
        PM_CELLS_OF_BLOCK(cells, each);                                                            \
        pm_rows_of_bin(a, block, bin, &cells, lanes, each);                                        \
    })
PM_BIN_KERNEL(0, 8, 1)
PM_BIN_KERNEL(1, 16, 1)
PM_BIN_KERNEL(2, 32, 1)
PM_BIN_KERNEL(3, 32, 2)
PM_BIN_KERNEL(4, 32, 4)
PM_BIN_KERNEL(5, 64, 4)
PM_BIN_KERNEL(6, 128, 4)
PM_BIN_KERNEL(7, 256, 4)

// ---- long rows ----

#define PM_SEEN_WORDS(a) ((pm_u64)(a)->ncols / 32 + 1)

// Adds the sorted terms to the sums of their columns.
PM_FN void pm_add_sorted(const pm_dev_cells *x, pm_dev_value *sum, unsigned *seen){PM_DO({
    PM_UNROLL
    for (unsigned s = 0; s < PM_MOST_EACH; ++s) {
        const unsigned cell = self * PM_MOST_EACH + s;
        if (!pm_begins_column(x, 0, cell))
            continue;
        const pm_u64 column = PM_COLUMN(x->key[cell]);
        const unsigned bit = 1u << column % 32;
        const bool has_sum = pm_fetch_or(&seen[column / 32], bit) & bit;
#if PM_WITH_SUMS
        sum[column] = pm_sum_of_column(x, 0, PM_SPGEMM_SORTED, cell, has_sum,
                                       has_sum ? sum[column] : PM_EMPTY);
#else
        (void)sum, (void)has_sum;
#endif
    }
})}

// The entries of A in one window.
PM_FN void pm_add_window(const pm_spgemm_arrays *a, const pm_dev_cells *x, pm_dev_value *sum,
                         unsigned *seen, PM_OF_EACH(pm_dev_entries, entries))
{
    const unsigned lanes = PM_THREADS, each = PM_MOST_EACH;
    PM_OWN_FEW(pm_dev_key, key, PM_MOST_EACH);
    pm_find_terms(a, x, lanes, each, entries);
    const unsigned terms = x->terms[0];
    for (pm_u64 from = 0; from < terms; from += PM_SPGEMM_SORTED) {
        PM_DO({
            PM_UNROLL
            for (unsigned s = 0; s < each; ++s) {
                const unsigned order = s * lanes + self;
                PM_MY(key[s]) = PM_NO_KEY;
                if (from + order < terms)
                    PM_MY(key[s]) =
                        pm_expand(a, x, 0, &PM_MY(entries), (unsigned)from + order, order);
            }
        })
        pm_sort(x, key, lanes, each);
        pm_add_sorted(x, sum, seen);
        PM_BARRIER();
    }
}

// Writes the columns with sums as a row, and forgets them.
PM_FN void pm_write_long(const pm_spgemm_arrays *a, const pm_dev_cells *x, pm_dev_value *sum,
                         unsigned *seen, unsigned row)
{
    const unsigned lanes = PM_THREADS;
    const pm_u64 words = PM_SEEN_WORDS(a), place = ((const pm_u64 *)a->place)[row];
    unsigned length = 0;
    PM_OWN(unsigned, own);
    PM_OWN(unsigned, before);
    for (pm_u64 word = 0; word < words; word += lanes) {
        PM_DO({
            const pm_u64 w = word + self;
            PM_MY(own) = w < words ? (unsigned)PM_POPCOUNT(seen[w]) : 0;
        })
        pm_scan_group(own, before, lanes, x->warp);
        PM_DO({
            const pm_u64 w = word + self;
            pm_u64 to = place + length + PM_MY(before);
            if (self == lanes - 1)
                x->terms[0] = PM_MY(before) + PM_MY(own);
            unsigned bits = PM_MY(own) ? seen[w] : 0;
            for (; bits; bits &= bits - 1, ++to) {
                const pm_u64 column = 32 * w + (unsigned)PM_LOW_BIT(bits);
                ((int *)a->found_column)[to] = (int)column;
#if PM_WITH_SUMS
                ((pm_dev_value *)a->found_value)[to] = sum[column];
#else
                (void)sum;
#endif
            }
            if (PM_MY(own))
                seen[w] = 0;
        })
        PM_BARRIER();
        length += x->terms[0];
    }
    PM_DO(if (self == 0)((unsigned *)a->length)[row] = length)
    PM_BARRIER();
}

PM_FN void pm_long_rows(const pm_spgemm_arrays *a, pm_u64 block, const pm_dev_cells *x)
{
    const unsigned *list = (const unsigned *)a->bin + PM_SPGEMM_LONG * (pm_u64)a->rows;
    const unsigned count = ((const pm_spgemm_counts *)a->counts)->in_bin[PM_SPGEMM_LONG];
    pm_dev_value *sum = (pm_dev_value *)a->sum + block * (pm_u64)a->ncols;
    unsigned *seen = (unsigned *)a->seen + block * PM_SEEN_WORDS(a);
    PM_OWN(pm_dev_entries, entries);
    for (pm_u64 next = block; next < count; next += (pm_u64)a->blocks) {
        const unsigned row = list[next];
        const unsigned *first = (const unsigned *)a->a_first + (pm_u64)a->first + row;
        const unsigned end = first[1];
        for (pm_u64 k = first[0]; k < end; k += a->window) {
            PM_DO({
                const unsigned left = end - (unsigned)k;
                const pm_dev_entries e = {k, left < a->window ? left : a->window, row};
                PM_MY(entries) = e;
            })
            pm_add_window(a, x, sum, seen, entries);
        }
        pm_write_long(a, x, sum, seen, row);
    }
}
PM_SPGEMM_KERNEL(pm_spgemm_long, {
    PM_CELLS_OF_BLOCK(cells, PM_MOST_EACH);
    pm_long_rows(a, block, &cells);
})
