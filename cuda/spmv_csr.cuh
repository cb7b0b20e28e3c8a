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

PM_KERNEL(pm_spmv_csr_scalar, PM_DO(for (pm_u64 i = block * PM_THREADS + self; i < (pm_u64)a->nrows;
                                         i += (pm_u64)a->blocks * PM_THREADS) {
              pm_value sum = PM_EMPTY;
              for (unsigned k = PM_FIRST_OF(a, i); k < PM_FIRST_OF(a, i + 1); ++k)
                  sum = pm_add(sum, pm_term(a, k));
              ((pm_value *)a->y)[i] = sum;
          }))

// ---- several threads a row ----

// The part of entries k, k + group, ... < end of a row; two sums side by side.
PM_FN pm_value pm_part_of_row(const pm_spmv_arrays *a, unsigned k, unsigned end, unsigned group)
{
    pm_value sum = PM_EMPTY, other = PM_EMPTY;
    for (; k + group < end; k += 2 * group) {
        pm_value s = pm_term(a, k), t = pm_term(a, k + group);
        sum = pm_add(sum, s);
        other = pm_add(other, t);
    }
    if (k < end)
        sum = pm_add(sum, pm_term(a, k));
    return pm_add(sum, other);
}

PM_FN void pm_csr_vector(const pm_spmv_arrays *a, pm_u64 block)
{
    const unsigned group = (unsigned)a->group, rows = PM_THREADS / group;
    PM_OWN(pm_value, sum);
    PM_OWN(pm_value, other);
    for (pm_u64 base = block * rows; base < (pm_u64)a->nrows; base += (pm_u64)a->blocks * rows) {
        PM_DO(pm_u64 i = base + self / group; PM_MY(sum) = PM_EMPTY;
              if (i < (pm_u64)a->nrows) PM_MY(sum) =
                  pm_part_of_row(a, PM_FIRST_OF(a, i) + self % group, PM_FIRST_OF(a, i + 1), group))
        for (unsigned by = group / 2; by > 0; by /= 2) {
            PM_FROM_AFTER(other, sum, by);
            PM_DO(PM_MY(sum) = pm_add(PM_MY(sum), PM_MY(other)))
        }
        PM_DO(pm_u64 i = base + self / group;
              if (self % group == 0 && i < (pm_u64)a->nrows)((pm_value *)a->y)[i] = PM_MY(sum))
    }
}
PM_KERNEL(pm_spmv_csr_vector, pm_csr_vector(a, block))

// ---- merge path ----

// The list of all entries and all ends of rows, an end after the last entry of its row, is cut into
// tiles, and a tile into PM_SPMV_PART places for each thread.
#define PM_TILE (PM_THREADS * PM_SPMV_PART)

typedef struct {
    pm_value cell[PM_TILE];    // the terms of the tile, then the sums of the rows that it ends
    unsigned end[PM_TILE + 1]; // of each row of the tile, counted from its first entry
    pm_value carry[PM_THREADS];
    int open[PM_THREADS]; // the row of the tile that a thread does not end
} pm_dev_tile;

// The part of a tile in the matrix.
typedef struct {
    pm_u64 row, entry; // the first ones
    unsigned rows, entries;
} pm_dev_share;

PM_FN pm_dev_share pm_share_of(const pm_spmv_arrays *a, pm_u64 block)
{
    const unsigned *tile_row = (const unsigned *)a->tile_row;
    const pm_u64 row = tile_row[block], left = (pm_u64)(a->nrows + a->nnz) - block * PM_TILE;
    const unsigned rows = (unsigned)(tile_row[block + 1] - row);
    const unsigned places = left < PM_TILE ? (unsigned)left : PM_TILE;
    pm_dev_share s = {row, block * PM_TILE - row, rows, places - rows};
    return s;
}

PM_FN void pm_load_tile(const pm_spmv_arrays *a, const pm_dev_share *s, pm_dev_tile *c)
{
    PM_DO({
        PM_UNROLL
        for (unsigned t = 0; t < PM_SPMV_PART; ++t) {
            unsigned k = t * PM_THREADS + self;
            if (k < s->entries)
                c->cell[k] = pm_term(a, s->entry + k);
            else if (k < s->entries + s->rows)
                c->end[k - s->entries] =
                    PM_FIRST_OF(a, s->row + (k - s->entries) + 1) - (unsigned)s->entry;
        }
        if (self == 0)
            c->end[s->rows] = 0xffffffffu;
    })
    PM_BARRIER();
}

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

// The places of one thread.  Returns the row of the tile that it begins with.
PM_FN unsigned pm_walk(const pm_dev_share *s, pm_dev_tile *c, unsigned self)
{
    const unsigned places = s->entries + s->rows;
    unsigned at = self * PM_SPMV_PART < places ? self * PM_SPMV_PART : places;
    const unsigned stop = at + PM_SPMV_PART < places ? at + PM_SPMV_PART : places;
    const unsigned begin = pm_rows_before(c->end, s->rows, at);
    unsigned i = begin, k = at - begin, end = c->end[i];
    pm_value sum = PM_EMPTY, *sums = c->cell + s->entries;
    for (; at < stop; ++at) {
        if (k < end) {
            sum = pm_add(sum, c->cell[k++]);
        } else {
            sums[i] = sum;
            sum = PM_EMPTY;
            end = c->end[++i];
        }
    }
    c->carry[self] = sum;
    c->open[self] = (int)i;
    return begin;
}

// carry[t] becomes the sum over the threads up to t with the same open row, in a fixed order (Hillis
// and Steele).
PM_FN void pm_scan_carries(pm_dev_tile *c)
{
    PM_OWN(pm_value, before);
    for (unsigned by = 1; by < PM_THREADS; by *= 2) {
        PM_DO({
            bool adds = self >= by && c->open[self - by] == c->open[self];
            PM_MY(before) = adds ? c->carry[self - by] : PM_EMPTY;
        })
        PM_BARRIER();
        PM_DO(c->carry[self] = pm_add(PM_MY(before), c->carry[self]))
        PM_BARRIER();
    }
}

PM_FN void pm_csr_merge(const pm_spmv_arrays *a, pm_u64 block)
{
    PM_SHARED(pm_dev_tile, c, 1);
    PM_OWN(int, begin);
    const pm_dev_share share = pm_share_of(a, block), *s = &share;
    pm_value *sums = c->cell + s->entries;
    pm_load_tile(a, s, c);
    PM_DO(PM_MY(begin) = (int)pm_walk(s, c, self))
    PM_BARRIER();
    pm_scan_carries(c);
    PM_DO({
        if (self > 0 && c->open[self] != PM_MY(begin))
            sums[PM_MY(begin)] = pm_add(c->carry[self - 1], sums[PM_MY(begin)]);
        if (self == PM_THREADS - 1)
            ((pm_value *)a->carry)[block] = c->carry[self];
    })
    PM_BARRIER();
    PM_DO(for (unsigned i = self; i < s->rows; i += PM_THREADS)((pm_value *)a->y)[s->row + i] =
              sums[i])
}
PM_KERNEL(pm_spmv_csr_merge, pm_csr_merge(a, block))

// ---- rows of several tiles ----

// The carries of consecutive tiles with the same open row are added to it: by one thread, or by all
// threads of a block where they are more than PM_FEW.  Of PM_FEW + 1 consecutive tiles one
// at most begins so many.
#define PM_FEW 31

typedef struct {
    pm_value part[PM_THREADS];
    pm_i64 many[PM_THREADS / (PM_FEW + 1)]; // tiles that begin a long sequence; -1: none
} pm_dev_carries;

// The row that tile t does not end.
#define PM_OPEN_ROW(a, t) (((const unsigned *)(a)->tile_row)[(t) + 1])

PM_FN void pm_add_few(const pm_spmv_arrays *a, pm_i64 t, pm_i64 *many)
{
    const unsigned row = PM_OPEN_ROW(a, t);
    const pm_value *carry = (const pm_value *)a->carry;
    pm_value *y = (pm_value *)a->y + row, sum = carry[t];
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

PM_FN void pm_add_many(const pm_spmv_arrays *a, pm_i64 t, pm_value *part)
{
    const pm_i64 end = pm_next_row(a, t);
    const pm_value *carry = (const pm_value *)a->carry;
    PM_DO({
        pm_value sum = PM_EMPTY;
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
        pm_value *y = (pm_value *)a->y + PM_OPEN_ROW(a, t);
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
