// SPDX-License-Identifier: GPL-3.0-or-later
// spgemm_terms.cuh: C = A B for sparse matrices by expansion, sorting and contraction (Dalton, Olson and
// Bell 2015, "Optimizing sparse matrix-matrix multiplication for the GPU"): the terms of a row and their
// order.  It follows semiring.cuh and spgemm_arrays.h.
//
// Groups of `lanes` threads, a power of two from 8 to PM_THREADS, have a row each, and each thread has
// `each` of its terms.  A term has a key: its column, and below it the place of the term in the row.  So
// the terms of a column are added in the order of the entries of A, and digits do not depend on the
// number of threads.
//
// Given: PM_THREADS of a thread block, of which PM_BLOCKS fit on a multiprocessor; PM_A_VALUES, PM_B_VALUES: the factors have values, otherwise all entries are the
// semiring's one; PM_WITH_SUMS: C has values, otherwise only its pattern is made; PM_WIDE: keys of 64
// bits, otherwise of 32, for less than 2^22 - 1 columns.

#if PM_WIDE
typedef pm_u64 pm_dev_key;
#else
typedef unsigned pm_dev_key;
#endif
#define PM_NO_KEY         ((pm_dev_key)-1)
#define PM_COLUMN(key)    ((key) >> PM_SPGEMM_ORDER_BITS)
#define PM_ORDER(key)     ((unsigned)(key) % PM_SPGEMM_SORTED)
#define PM_ONE            ((pm_dev_value)(PM_SEMIRING == 0))
#define PM_WARPS          (PM_THREADS / 32)
#define PM_LEAST_LANES    8
#define PM_MOST_EACH      4
#define PM_GROUP_OF(self) ((self) / lanes)

#define PM_SPGEMM_KERNEL(name, ...)                                                                \
    PM_KERNEL_OF(pm_spgemm_arrays, (PM_THREADS, PM_BLOCKS), name, __VA_ARGS__)

// The shared memory of a thread block.  A group has the cells of its threads, `each` of every thread.
typedef struct {
    unsigned *start;     // [cells] of each entry of A: its first term
    unsigned *shift;     // [cells] of each entry of A: entry of B minus term
    pm_dev_key *key;     // [cells]
    pm_dev_value *value; // [cells]
    unsigned *terms;     // [groups]
    unsigned *warp;      // [PM_WARPS]
} pm_dev_cells;

#define PM_CELLS_OF_BLOCK(name, each)                                                              \
    PM_SHARED(unsigned, name##_start, PM_THREADS *(each));                                         \
    PM_SHARED(unsigned, name##_shift, PM_THREADS *(each));                                         \
    PM_SHARED(pm_dev_key, name##_key, PM_THREADS *(each));                                         \
    PM_SHARED(pm_dev_value, name##_value, PM_THREADS *(each));                                     \
    PM_SHARED(unsigned, name##_terms, PM_THREADS / PM_LEAST_LANES);                                \
    PM_SHARED(unsigned, name##_warp, PM_WARPS);                                                    \
    const pm_dev_cells name = {name##_start, name##_shift, name##_key,                             \
                               name##_value, name##_terms, name##_warp}

// Entries of A.
typedef struct {
    pm_u64 first;
    unsigned count; // 0: the group has no row
    unsigned row;
} pm_dev_entries;

// Waits for all threads of a group.
#define PM_GROUP_BARRIER()                                                                         \
    if (lanes > 32)                                                                                \
        PM_BARRIER();                                                                              \
    else                                                                                           \
        PM_WARP_BARRIER()

// The entries of B that an entry of A meets: their number, and the first one.
PM_FN unsigned pm_partners(const pm_spgemm_arrays *a, pm_u64 k, unsigned *first)
{
    const unsigned *b = (const unsigned *)a->b_first + ((const int *)a->a_column)[k];
    *first = a->from ? ((const unsigned *)a->from)[k] : PM_TABLE_AT(b);
    return PM_TABLE_AT(b + 1) - *first;
}

// before = the sum of `own` of the earlier threads of the group
#define PM_SCAN_GROUP_OF(type, name)                                                               \
    PM_FN void name(PM_OF_EACH(type, own), PM_OF_EACH(type, before), const unsigned lanes,         \
                    type *warp)                                                                    \
    {                                                                                              \
        PM_OWN(type, total);                                                                       \
        PM_OWN(type, other);                                                                       \
        const unsigned near = lanes < 32 ? lanes : 32;                                             \
        PM_DO(PM_MY(total) = PM_MY(own))                                                           \
        PM_UNROLL                                                                                  \
        for (unsigned by = 1; by < near; by *= 2) {                                                \
            PM_FROM_BEFORE(other, total, by);                                                      \
            PM_DO(if (self % near >= by) PM_MY(total) += PM_MY(other))                             \
        }                                                                                          \
        PM_DO(PM_MY(before) = PM_MY(total) - PM_MY(own))                                           \
        if (lanes > 32) {                                                                          \
            PM_BARRIER();                                                                          \
            PM_DO(if (self % 32 == 31) warp[self / 32] = PM_MY(total))                             \
            PM_BARRIER();                                                                          \
            PM_DO(for (unsigned w = PM_GROUP_OF(self) * (lanes / 32); w < self / 32; ++w)          \
                      PM_MY(before) += warp[w])                                                    \
        }                                                                                          \
    }
PM_SCAN_GROUP_OF(unsigned, pm_scan_group)
PM_SCAN_GROUP_OF(pm_u64, pm_scan_group_long)

// The terms of these entries of A, at most lanes * each of them: sets start, shift and terms.
PM_FN void pm_find_terms(const pm_spgemm_arrays *a, const pm_dev_cells *x, const unsigned lanes,
                         const unsigned each, PM_OF_EACH(pm_dev_entries, entries))
{
    PM_OWN(unsigned, own);
    PM_OWN(unsigned, before);
    PM_DO({
        PM_MY(own) = 0;
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s) {
            const unsigned q = self % lanes * each + s;
            unsigned first = 0;
            const unsigned length =
                q < PM_MY(entries).count ? pm_partners(a, PM_MY(entries).first + q, &first) : 0;
            x->start[self * each + s] = length;
            x->shift[self * each + s] = first;
            PM_MY(own) += length;
        }
    })
    pm_scan_group(own, before, lanes, x->warp);
    PM_DO({
        unsigned start = PM_MY(before);
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s) {
            const unsigned length = x->start[self * each + s];
            x->start[self * each + s] = start;
            x->shift[self * each + s] -= start;
            start += length;
        }
        if (self % lanes == lanes - 1)
            x->terms[PM_GROUP_OF(self)] = start;
    })
    PM_GROUP_BARRIER();
}

// Term t of a group whose cells begin at `cell`: its key with the place `order`.  Its value is written there.
PM_FN pm_dev_key pm_expand(const pm_spgemm_arrays *a, const pm_dev_cells *x, unsigned cell,
                           const pm_dev_entries *entries, unsigned t, unsigned order)
{
    unsigned low = 0, high = entries->count;
    while (high - low > 1) { // the last entry that begins at t or before
        const unsigned middle = (low + high) / 2;
        if (x->start[cell + middle] <= t)
            low = middle;
        else
            high = middle;
    }
    const unsigned k = x->shift[cell + low] + t;
#if PM_WITH_SUMS
#if PM_A_VALUES
    const pm_dev_value own = ((const pm_dev_value *)a->a_value)[entries->first + low];
#else
    const pm_dev_value own = PM_ONE;
#endif
#if PM_B_VALUES
    x->value[cell + order] = pm_times(own, PM_TABLE_AT((const pm_dev_value *)a->b_value + k));
#else
    x->value[cell + order] = pm_times(own, PM_ONE);
#endif
#endif
    return (pm_dev_key)PM_TABLE_AT((const int *)a->b_column + k) << PM_SPGEMM_ORDER_BITS | order;
}

// ---- sorting ----

// Compares keys of the same thread whose places differ by `by` < each.
PM_FN void pm_order_own(PM_FEW_OF_EACH(pm_dev_key, key, PM_MOST_EACH), const unsigned lanes,
                        const unsigned each, const unsigned size, const unsigned by){PM_DO({
    PM_UNROLL
    for (unsigned s = 0; s < each; ++s) {
        if (s & by)
            continue;
        const bool ascends = !((self % lanes * each + s) & size);
        const pm_dev_key x = PM_MY(key[s]), y = PM_MY(key[s | by]);
        const bool swaps = (x > y) == ascends;
        PM_MY(key[s]) = swaps ? y : x;
        PM_MY(key[s | by]) = swaps ? x : y;
    }
})}

// Compares keys with those of the thread whose number differs by `by`.
PM_FN void pm_order_partners(const pm_dev_cells *x, PM_FEW_OF_EACH(pm_dev_key, key, PM_MOST_EACH),
                             const unsigned lanes, const unsigned each, const unsigned size,
                             const unsigned by)
{
    PM_OWN_FEW(pm_dev_key, other, PM_MOST_EACH);
    if (by < 32) {
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s) {
            PM_FROM_PARTNER(other[s], key[s], by);
        }
    } else {
        PM_BARRIER();
        PM_DO({
            PM_UNROLL
            for (unsigned s = 0; s < each; ++s)
                x->key[s * PM_THREADS + self] = PM_MY(key[s]);
        })
        PM_BARRIER();
        PM_DO({
            PM_UNROLL
            for (unsigned s = 0; s < each; ++s)
                PM_MY(other[s]) = x->key[s * PM_THREADS + (self ^ by)];
        })
    }
    PM_DO({
        const bool takes_less = !(self % lanes * each & size) == !(self & by);
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s)
            if ((PM_MY(other[s]) < PM_MY(key[s])) == takes_less)
                PM_MY(key[s]) = PM_MY(other[s]);
    })
}

// The keys of a group in ascending order, thread by thread (Batcher 1968, bitonic sort).
PM_FN void pm_sort(const pm_dev_cells *x, PM_FEW_OF_EACH(pm_dev_key, key, PM_MOST_EACH),
                   const unsigned lanes, const unsigned each)
{
    PM_UNROLL
    for (unsigned size = 2; size <= lanes * each; size *= 2) {
        PM_UNROLL
        for (unsigned by = size / 2; by > 0; by /= 2) {
            if (by < each)
                pm_order_own(key, lanes, each, size, by);
            else
                pm_order_partners(x, key, lanes, each, size, by / each);
        }
    }
    PM_GROUP_BARRIER();
    PM_DO({
        PM_UNROLL
        for (unsigned s = 0; s < each; ++s)
            x->key[self * each + s] = PM_MY(key[s]);
    })
    PM_GROUP_BARRIER();
}

// ---- contraction: of sorted keys ----

// Whether a cell has the first term of its column.
PM_FN bool pm_begins_column(const pm_dev_cells *x, unsigned group_cell, unsigned cell)
{
    const pm_dev_key key = x->key[cell];
    return key != PM_NO_KEY
           && (cell == group_cell || PM_COLUMN(x->key[cell - 1]) != PM_COLUMN(key));
}

// The sum of the terms from `cell` on that have its column, after `sum` where there is one before.
PM_FN pm_dev_value pm_sum_of_column(const pm_dev_cells *x, unsigned group_cell, unsigned end,
                                    unsigned cell, bool has_sum, pm_dev_value sum)
{
    const pm_dev_key column = PM_COLUMN(x->key[cell]);
    const pm_dev_value own = x->value[group_cell + PM_ORDER(x->key[cell])];
    sum = has_sum ? pm_add(sum, own) : own;
    for (++cell; cell < end && PM_COLUMN(x->key[cell]) == column; ++cell)
        sum = pm_add(sum, x->value[group_cell + PM_ORDER(x->key[cell])]);
    return sum;
}
