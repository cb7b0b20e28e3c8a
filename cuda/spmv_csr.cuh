// SPDX-License-Identifier: GPL-3.0-or-later
// spmv_csr.cuh: y = A x, A in compressed sparse row form (CSR).  It follows spmv_terms.cuh.
//
//   pm_spmv_csr_scalar   a thread for each row
//   pm_spmv_csr_vector   a->group threads for each row, 2 to 32, on neighbouring entries
//   pm_spmv_csr_merge    equal shares of rows and entries for all thread blocks and threads (Merrill
//                        and Garland 2016, "Merge-based parallel sparse matrix-vector
//                        multiplication"); then pm_spmv_csr_carry
// The order of additions depends on the matrix, on a->group and on the sizes below alone: the digits
// are those of the same text in C.
//
// Given: PM_THREADS; PM_SPMV_PART: places of a thread, odd, so that threads read different banks.

#define PM_FIRST_OF(a, i) (((const unsigned *)(a)->rowptr)[i])

// ---- rows ----

// The part of entries k, k + group, ... < end of a row.  The loads of four entries are under way
// before the first one is used.
PM_FN pm_dev_value pm_part_of_row(const pm_spmv_arrays *a, unsigned k, unsigned end, unsigned group)
{
    pm_dev_value sum[2] = {PM_EMPTY, PM_EMPTY};
    for (; k < end; k += 4 * group) {
        pm_dev_value term[4];
        PM_UNROLL
        for (unsigned t = 0; t < 4; ++t)
            term[t] = k + t * group < end ? pm_term(a, k + t * group) : PM_EMPTY;
        PM_UNROLL
        for (unsigned t = 0; t < 4; ++t)
            sum[t % 2] = pm_add(sum[t % 2], term[t]);
    }
    return pm_add(sum[0], sum[1]);
}

PM_FN void pm_csr_scalar(const pm_spmv_arrays *a, pm_u64 block){PM_DO({
    pm_u64 i = block * PM_THREADS + self;
    if (i < (pm_u64)a->nrows)
        ((pm_dev_value *)a->y)[i] = pm_part_of_row(a, PM_FIRST_OF(a, i), PM_FIRST_OF(a, i + 1), 1);
})} PM_KERNEL(pm_spmv_csr_scalar, pm_csr_scalar(a, block))

    PM_FN void pm_csr_vector(const pm_spmv_arrays *a, pm_u64 block)
{
    const unsigned group = (unsigned)a->group;
    const pm_u64 first = block * (PM_THREADS / group);
    PM_OWN(pm_dev_value, sum);
    PM_OWN(pm_dev_value, other);
    PM_DO({
        pm_u64 i = first + self / group;
        PM_MY(sum) = PM_EMPTY;
        if (i < (pm_u64)a->nrows)
            PM_MY(sum) =
                pm_part_of_row(a, PM_FIRST_OF(a, i) + self % group, PM_FIRST_OF(a, i + 1), group);
    })
    for (unsigned by = group / 2; by > 0; by /= 2) {
        PM_FROM_AFTER(other, sum, by);
        PM_DO(PM_MY(sum) = pm_add(PM_MY(sum), PM_MY(other)))
    }
    PM_DO({
        pm_u64 i = first + self / group;
        if (self % group == 0 && i < (pm_u64)a->nrows)
            ((pm_dev_value *)a->y)[i] = PM_MY(sum);
    })
}
PM_KERNEL(pm_spmv_csr_vector, pm_csr_vector(a, block))

// ---- merge path: a tile ----

// The list of all entries and all ends of rows, an end after the last entry of its row, is cut into
// tiles of PM_TILE places.
#define PM_TILE     (PM_THREADS * PM_SPMV_PART)
#define PM_WARPS    (PM_THREADS / 32)
#define PM_FEW_ROWS 31

typedef struct {
    pm_dev_value cell[PM_TILE];   // the terms of the tile, then the sums of the rows that it ends
    unsigned end[PM_TILE + 1];    // of each row of the tile, counted from its first entry
    pm_dev_value carry[PM_WARPS]; // of the last thread of each warp
    int open[PM_WARPS];
    pm_dev_value part[PM_FEW_ROWS + 1][PM_WARPS];
} pm_dev_tile;

// The part of a tile in the matrix.
typedef struct {
    pm_u64 row, entry; // the first ones
    unsigned rows, entries;
} pm_dev_tile_share;

// The terms of one thread.  A warp has neighbouring entries, PM_WARP_TERMS of them.
typedef struct {
    pm_dev_value term[PM_SPMV_PART];
} pm_dev_terms;
#define PM_WARP_TERMS     (32 * PM_SPMV_PART)
#define PM_ENTRY(self, t) ((self) / 32 * PM_WARP_TERMS + (t)*32 + (self) % 32)

PM_FN pm_dev_tile_share pm_share_of(const pm_spmv_arrays *a, pm_u64 block)
{
    const unsigned *tile_row = (const unsigned *)a->tile_row;
    const pm_u64 row = tile_row[block], left = (pm_u64)(a->nrows + a->nnz) - block * PM_TILE;
    const unsigned rows = (unsigned)(tile_row[block + 1] - row);
    const unsigned places = left < PM_TILE ? (unsigned)left : PM_TILE;
    pm_dev_tile_share s = {row, block * PM_TILE - row, rows, places - rows};
    return s;
}

// All loads are under way before the first one is used, so none is left out: threads beyond the last
// entry load that one.
PM_FN void pm_load_terms(const pm_spmv_arrays *a, const pm_dev_tile_share *s, unsigned self,
                         pm_dev_terms *own)
{
    const unsigned last = s->entries ? s->entries - 1 : 0;
    const int *column = (const int *)a->column + s->entry;
    const pm_dev_value *x = (const pm_dev_value *)a->x;
    int at[PM_SPMV_PART];
    if (s->entries == 0)
        return;
    PM_UNROLL
    for (unsigned t = 0; t < PM_SPMV_PART; ++t) {
        unsigned k = PM_ENTRY(self, t);
        at[t] = PM_READ_ONCE(column + (k < last ? k : last));
    }
#if PM_HAS_VALUES
    const pm_dev_value *value = (const pm_dev_value *)a->value + s->entry;
    PM_UNROLL
    for (unsigned t = 0; t < PM_SPMV_PART; ++t) {
        unsigned k = PM_ENTRY(self, t);
        own->term[t] = PM_READ_ONCE(value + (k < last ? k : last));
    }
    PM_UNROLL
    for (unsigned t = 0; t < PM_SPMV_PART; ++t)
        own->term[t] = pm_times(own->term[t], PM_TABLE_AT(x + at[t]));
#else
    PM_UNROLL
    for (unsigned t = 0; t < PM_SPMV_PART; ++t)
        own->term[t] = PM_TABLE_AT(x + at[t]);
#endif
}

PM_FN void pm_load_ends(const pm_spmv_arrays *a, const pm_dev_tile_share *s, unsigned self,
                        pm_dev_tile *c)
{
    for (unsigned i = self; i < s->rows; i += PM_THREADS)
        c->end[i] = PM_FIRST_OF(a, s->row + i + 1) - (unsigned)s->entry;
    if (self == 0)
        c->end[s->rows] = 0xffffffffu;
}

// ---- a tile with the ends of few rows ----

// The sum of a thread's terms among the entries begin .. end - 1.
PM_FN pm_dev_value pm_sum_between(const pm_dev_terms *own, unsigned self, unsigned begin,
                                  unsigned end)
{
    const unsigned first = PM_ENTRY(self, 0), last = PM_ENTRY(self, PM_SPMV_PART - 1);
    pm_dev_value sum = PM_EMPTY;
    if (begin <= first && last < end) {
        PM_UNROLL
        for (unsigned t = 0; t < PM_SPMV_PART; ++t)
            sum = pm_add(sum, own->term[t]);
    } else {
        PM_UNROLL
        for (unsigned t = 0; t < PM_SPMV_PART; ++t)
            if (begin <= PM_ENTRY(self, t) && PM_ENTRY(self, t) < end)
                sum = pm_add(sum, own->term[t]);
    }
    return sum;
}

// Each warp adds its terms of each row that it has a part of; then the parts of a row are added.
PM_FN void pm_add_long_rows(const pm_spmv_arrays *a, const pm_dev_tile_share *s, pm_u64 block,
                            PM_OF_EACH(pm_dev_terms, own), pm_dev_tile *c)
{
    PM_OWN(pm_dev_value, sum);
    PM_OWN(pm_dev_value, other);
    for (unsigned i = 0; i <= s->rows; ++i) {
        const unsigned begin = i ? c->end[i - 1] : 0;
        const unsigned end = i < s->rows ? c->end[i] : s->entries;
        PM_WARP_NEEDS(begin < (self / 32 + 1) * PM_WARP_TERMS && end > self / 32 * PM_WARP_TERMS)
        PM_DO(PM_MY(sum) = pm_sum_between(&PM_MY(own), self, begin, end))
        for (unsigned by = 16; by > 0; by /= 2) {
            PM_FROM_AFTER(other, sum, by);
            PM_DO(PM_MY(sum) = pm_add(PM_MY(sum), PM_MY(other)))
        }
        PM_DO(if (self % 32 == 0) c->part[i][self / 32] = PM_MY(sum))
    }
    PM_BARRIER();
    PM_DO({
        if (self <= s->rows) {
            const unsigned begin = self ? c->end[self - 1] : 0;
            const unsigned end = self < s->rows ? c->end[self] : s->entries;
            pm_dev_value sum = PM_EMPTY;
            for (unsigned w = begin / PM_WARP_TERMS; w * PM_WARP_TERMS < end; ++w)
                sum = pm_add(sum, c->part[self][w]);
            if (self < s->rows)
                ((pm_dev_value *)a->y)[s->row + self] = sum;
            else
                ((pm_dev_value *)a->carry)[block] = sum;
        }
    })
}

// ---- a tile with the ends of many rows ----

// The number of rows that end before place `at` of the tile.
PM_FN unsigned pm_rows_before(const unsigned *end, unsigned rows, unsigned at)
{
    unsigned low = 0, high = at < rows ? at : rows;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (end[middle] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// What a thread knows of its PM_SPMV_PART places.
typedef struct {
    int begin, open;    // the row of the tile that it begins with, and the one that it does not end
    pm_dev_value carry; // what it has of the latter
} pm_dev_walk;

PM_FN pm_dev_walk pm_walk_places(const pm_dev_tile_share *s, pm_dev_tile *c, unsigned self)
{
    const unsigned places = s->entries + s->rows;
    unsigned at = self * PM_SPMV_PART < places ? self * PM_SPMV_PART : places;
    const unsigned stop = at + PM_SPMV_PART < places ? at + PM_SPMV_PART : places;
    const unsigned begin = pm_rows_before(c->end, s->rows, at);
    unsigned i = begin, k = at - begin, end = c->end[i];
    pm_dev_value sum = PM_EMPTY, *sums = c->cell + s->entries;
    for (; at < stop; ++at) {
        if (k < end) {
            sum = pm_add(sum, c->cell[k++]);
        } else {
            sums[i] = sum;
            sum = PM_EMPTY;
            end = c->end[++i];
        }
    }
    pm_dev_walk w = {(int)begin, (int)i, sum};
    return w;
}

// Thread by thread, what the warps before have of row `open`: the last of them, and those before it
// that end no row.
PM_FN pm_dev_value pm_carry_before(const pm_dev_tile *c, unsigned warp, int open)
{
    pm_dev_value sum = PM_EMPTY;
    for (unsigned w = 0; w < warp; ++w)
        if (c->open[w] == open)
            sum = pm_add(sum, c->carry[w]);
    return sum;
}

PM_FN void pm_add_short_rows(const pm_spmv_arrays *a, const pm_dev_tile_share *s, pm_u64 block,
                             PM_OF_EACH(pm_dev_terms, own), pm_dev_tile *c)
{
    PM_OWN(pm_dev_walk, walk);
    PM_OWN(pm_dev_value, sum);
    PM_OWN(pm_dev_value, before);
    PM_OWN(int, open);
    pm_dev_value *sums = c->cell + s->entries;
    PM_DO({
        PM_UNROLL
        for (unsigned t = 0; t < PM_SPMV_PART; ++t)
            if (PM_ENTRY(self, t) < s->entries)
                c->cell[PM_ENTRY(self, t)] = PM_MY(own).term[t];
    })
    PM_BARRIER();
    PM_DO({
        PM_MY(walk) = pm_walk_places(s, c, self);
        PM_MY(sum) = PM_MY(walk).carry;
        PM_MY(open) = PM_MY(walk).open;
    })
    PM_SCAN_WARP(sum, open)
    PM_DO({
        if (self % 32 == 31) {
            c->carry[self / 32] = PM_MY(sum);
            c->open[self / 32] = PM_MY(open);
        }
    })
    PM_FROM_BEFORE(before, sum, 1);
    PM_BARRIER();
    PM_DO({
        const int begin = PM_MY(walk).begin;
        if (PM_MY(open) != begin) {
            pm_dev_value earlier = pm_carry_before(c, self / 32, begin);
            if (self % 32 > 0)
                earlier = pm_add(earlier, PM_MY(before));
            sums[begin] = pm_add(earlier, sums[begin]);
        }
        if (self == PM_THREADS - 1)
            ((pm_dev_value *)a->carry)[block] =
                pm_add(pm_carry_before(c, self / 32, PM_MY(open)), PM_MY(sum));
    })
    PM_BARRIER();
    PM_DO(for (unsigned i = self; i < s->rows; i += PM_THREADS)((pm_dev_value *)a->y)[s->row + i] =
              sums[i])
}

PM_FN void pm_csr_merge(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_tile, c, 1);
    PM_OWN(pm_dev_terms, own);
    const pm_dev_tile_share share = pm_share_of(a, block), *s = &share;
    PM_DO({
        pm_load_terms(a, s, self, &PM_MY(own));
        pm_load_ends(a, s, self, c);
    })
    PM_BARRIER();
    if (s->rows <= PM_FEW_ROWS)
        pm_add_long_rows(a, s, block, own, c);
    else
        pm_add_short_rows(a, s, block, own, c);
}
PM_KERNEL(pm_spmv_csr_merge, pm_csr_merge(a, block))

// ---- rows of several tiles ----

// The carries of consecutive tiles with the same open row are added to it: by one thread, or by all
// threads of a block where they are more than PM_FEW.  Of PM_FEW + 1 consecutive tiles one
// at most begins so many.
#define PM_FEW 31

typedef struct {
    pm_dev_value part[PM_THREADS];
    pm_i64 many[PM_THREADS / (PM_FEW + 1)]; // tiles that begin a long sequence; -1: none
} pm_dev_carries;

// The row that tile t does not end.
#define PM_OPEN_ROW(a, t) (((const unsigned *)(a)->tile_row)[(t) + 1])

PM_FN void pm_add_few(const pm_spmv_arrays *a, pm_i64 t, pm_i64 *many)
{
    const unsigned row = PM_OPEN_ROW(a, t);
    const pm_dev_value *carry = (const pm_dev_value *)a->carry;
    pm_dev_value *y = (pm_dev_value *)a->y + row, sum = carry[t];
    if (row == (pm_u64)a->nrows || (t > 0 && PM_OPEN_ROW(a, t - 1) == row))
        return;
    int n = 1;
    for (; n <= PM_FEW && t + n < a->tiles && PM_OPEN_ROW(a, t + n) == row; ++n)
        sum = pm_add(sum, carry[t + n]);
    if (n <= PM_FEW)
        *y = pm_add(sum, *y);
    else
        *many = t;
}

// The first tile after t with another open row.
PM_FN pm_i64 pm_next_row(const pm_spmv_arrays *a, pm_i64 t)
{
    pm_i64 low = t + 1, high = a->tiles;
    while (low < high) {
        pm_i64 middle = (low + high) / 2;
        if (PM_OPEN_ROW(a, middle) == PM_OPEN_ROW(a, t))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

PM_FN void pm_add_many(const pm_spmv_arrays *a, pm_i64 t, pm_dev_value *part)
{
    const pm_i64 end = pm_next_row(a, t);
    const pm_dev_value *carry = (const pm_dev_value *)a->carry;
    PM_DO({
        pm_dev_value sum = PM_EMPTY;
        PM_UNROLL_FOUR
        for (pm_i64 s = t + self; s < end; s += PM_THREADS)
            sum = pm_add(sum, carry[s]);
        part[self] = sum;
    })
    PM_BARRIER();
    for (unsigned half = PM_THREADS / 2; half > 0; half /= 2) {
        PM_DO(if (self < half) part[self] = pm_add(part[self], part[self + half]))
        PM_BARRIER();
    }
    PM_DO({
        pm_dev_value *y = (pm_dev_value *)a->y + PM_OPEN_ROW(a, t);
        if (self == 0)
            *y = pm_add(part[0], *y);
    })
    PM_BARRIER();
}

PM_FN void pm_csr_carry(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_carries, c, 1);
    PM_DO(if (self < PM_THREADS / (PM_FEW + 1)) c->many[self] = -1)
    PM_BARRIER();
    PM_DO({
        pm_i64 t = (pm_i64)(block * PM_THREADS + self);
        if (t < a->tiles)
            pm_add_few(a, t, &c->many[self / (PM_FEW + 1)]);
    })
    PM_BARRIER();
    for (unsigned g = 0; g < PM_THREADS / (PM_FEW + 1); ++g)
        if (c->many[g] >= 0)
            pm_add_many(a, c->many[g], c->part);
}
PM_KERNEL(pm_spmv_csr_carry, pm_csr_carry(a, block))
