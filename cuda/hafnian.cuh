// SPDX-License-Identifier: GPL-3.0-or-later
// hafnian.cuh: the kernels of a hafnian modulo m.  What is computed: hafnian/hafnian_kernel.h, without lanes: sets of pairs are
// numbers.  A thread computes one set, adjacent threads adjacent sets.
//
// The text before it defines PM_PAIRS, the pairs of the graph without the last one, and has hafnian_task.h.
//
// Grid: any number of thread blocks of PM_THREADS threads.  No shared memory.  The results depend on the task only.

#define PM_ENDS (2 * PM_PAIRS)

typedef unsigned int pm_dev_residue;

// The array at an address.
PM_FN pm_dev_residue *pm_at(pm_u64 address)
{
    return (pm_dev_residue *)address;
}

// x / 2^32 modulo m; x < 2^32 m.  Montgomery 1985.
PM_FN pm_dev_residue pm_residue_of(const pm_hafnian_task *t, pm_u64 x)
{
    const pm_u64 q = (pm_dev_residue)((pm_dev_residue)x * (pm_dev_residue)t->inverse);
    const pm_u64 r = (x + q * t->modulus) >> 32;
    return (pm_dev_residue)(r < t->modulus ? r : r - t->modulus);
}

// x - y, or x where that is negative.
PM_FN pm_u64 pm_less(pm_u64 x, pm_u64 y)
{
    return x - y < x ? x - y : x;
}

// T without the place of bit q.
PM_FN pm_i64 pm_squeezed(unsigned T, int q)
{
    const unsigned low = (1u << q) - 1;
    return (T & low) | (T >> 1 & ~low);
}

// The sum of the products of all ends with a row of coefficients, and of `more`, reduced.
PM_FN pm_dev_residue pm_dot_ends(const pm_hafnian_task *t, const pm_dev_residue *x,
                                 const pm_dev_residue *row, pm_dev_residue more)
{
    const pm_u64 most = 2 * t->modulus * t->modulus;
    pm_u64 sum = more;
    PM_UNROLL
    for (int w = 0; w < PM_ENDS; w += 2) {
        sum += (pm_u64)x[w] * PM_TABLE_AT(row + w);
        sum += (pm_u64)x[w + 1] * PM_TABLE_AT(row + w + 1);
        sum = pm_less(sum, most);
    }
    return pm_residue_of(t, sum);
}

// The cycles through the anchor and the pairs of T, and the paths from T to sets with one more pair, if T has `layer` pairs.
PM_FN void pm_paths_one(const pm_hafnian_task *t, pm_i64 number)
{
    const unsigned T = (unsigned)number;
    const int k = t->anchor;
    const pm_i64 half = k ? (pm_i64)1 << (k - 1) : 0;
    const pm_dev_residue *step = pm_at(t->step), *close = pm_at(t->close);
    pm_dev_residue *ends = pm_at(t->ends);
    pm_dev_residue x[PM_ENDS + 2];
    if ((int)PM_POPCOUNT(T) != t->layer)
        return;
    PM_UNROLL
    for (int q = 0; q < PM_PAIRS; ++q) {
        const int is_in = T >> q & 1;
        const pm_i64 at = 2 * q * half + pm_squeezed(T, q);
        x[2 * q] = is_in ? PM_LOAD_ONCE(ends + at) : 0;
        x[2 * q + 1] = is_in ? PM_LOAD_ONCE(ends + at + half) : 0;
    }
    PM_LOOP
    for (int q = 0; q < k; ++q)
        if (!(T >> q & 1))
            for (int v = 2 * q; v < 2 * q + 2; ++v) {
                const pm_dev_residue *row = step + v * (PM_ENDS + 2);
                ends[v * half + pm_squeezed(T, q)] = pm_dot_ends(t, x, row, T ? 0 : row[2 * k]);
            }
    pm_at(t->cycles)[T] = pm_dot_ends(t, x, close, T ? 0 : close[2 * k]);
}

// Both functions by ranks.
PM_FN void pm_spread_one(const pm_hafnian_task *t, pm_i64 number)
{
    const int k = t->anchor, rank = (int)PM_POPCOUNT((unsigned)number);
    pm_dev_residue *a = pm_at(t->ranks) + number, *b = a + ((pm_i64)(k + 1) << k);
    for (int r = 0; r <= k; ++r) {
        a[(pm_i64)r << k] = r == rank ? pm_at(t->cycles)[number] : 0;
        b[(pm_i64)r << k] = r == rank ? pm_at(t->counts)[number] : 0;
    }
}

// Sums over subsets, or back, for `bits` bits of one place of the others.
PM_FN void pm_transform_one(const pm_hafnian_task *t, pm_i64 number, int is_inverse)
{
    const pm_i64 array = number >> (t->anchor - t->bits);
    const pm_i64 rest = number & (((pm_i64)1 << (t->anchor - t->bits)) - 1);
    const pm_i64 below = rest & (((pm_i64)1 << t->low) - 1);
    pm_dev_residue *p =
        pm_at(t->ranks) + (array << t->anchor) + (rest >> t->low << (t->low + t->bits)) + below;
    const int count = 1 << t->bits;
    const pm_dev_residue m = (pm_dev_residue)t->modulus;
    pm_dev_residue x[1 << PM_HAFNIAN_BITS];
    PM_UNROLL
    for (int i = 0; i < 1 << PM_HAFNIAN_BITS; ++i)
        x[i] = i < count ? p[(pm_i64)i << t->low] : 0;
    PM_UNROLL
    for (int bit = 1; bit < 1 << PM_HAFNIAN_BITS; bit *= 2)
        PM_UNROLL
    for (int i = 0; i < 1 << PM_HAFNIAN_BITS; ++i)
        if (i & bit) {
            const pm_dev_residue y = x[i ^ bit];
            const pm_dev_residue z = x[i] + (is_inverse ? m - y : y);
            x[i] = z < m ? z : z - m;
        }
    PM_UNROLL
    for (int i = 0; i < 1 << PM_HAFNIAN_BITS; ++i)
        if (i < count)
            p[(pm_i64)i << t->low] = x[i];
}

// The product of both functions, rank by rank.
PM_FN void pm_multiply_one(const pm_hafnian_task *t, pm_i64 number)
{
    const int k = t->anchor;
    const pm_u64 most = 2 * t->modulus * t->modulus;
    pm_dev_residue *to = pm_at(t->ranks) + number;
    pm_dev_residue a[PM_PAIRS + 1], b[PM_PAIRS + 1];
    PM_UNROLL
    for (int r = 0; r < PM_PAIRS; ++r) {
        a[r] = r <= k ? to[(pm_i64)r << k] : 0;
        b[r] = r <= k ? to[(pm_i64)(k + 1 + r) << k] : 0;
    }
    PM_UNROLL
    for (int s = 0; s < PM_PAIRS; ++s) {
        pm_u64 sum = 0;
        PM_UNROLL
        for (int r = 0; r <= s; ++r)
            sum = pm_less(sum + (pm_u64)a[r] * b[s - r], most);
        if (s <= k)
            to[(pm_i64)s << k] = pm_residue_of(t, sum);
    }
}

// The counts of the sets with the anchor.
PM_FN void pm_pick_one(const pm_hafnian_task *t, pm_i64 number)
{
    const int k = t->anchor;
    const pm_i64 rank = (pm_i64)PM_POPCOUNT((unsigned)number);
    pm_at(t->counts)[((pm_i64)1 << k) + number] = pm_at(t->ranks)[(rank << k) + number];
}

// A part of the sum for all pairs.
PM_FN void pm_last_one(const pm_hafnian_task *t, pm_i64 number)
{
    const pm_i64 all = (pm_i64)1 << t->anchor;
    const pm_u64 most = 2 * t->modulus * t->modulus;
    const pm_dev_residue *c = pm_at(t->cycles), *h = pm_at(t->counts);
    pm_u64 sum = 0;
    for (pm_i64 T = number; T < all; T += t->count)
        sum = pm_less(sum + (pm_u64)c[T] * h[all - 1 - T], most);
    pm_at(t->parts)[number] = pm_residue_of(t, sum);
}

// `number` goes through first .. past - 1.
#ifdef __CUDACC__
#define PM_KERNEL       extern "C" __global__ void __launch_bounds__(PM_THREADS)
#define PM_HAFNIAN_LIST pm_hafnian_task task, pm_i64 first, pm_i64 past
#define PM_EACH(call)                                                                              \
    const pm_i64 number = first + (pm_i64)blockIdx.x * PM_THREADS + threadIdx.x;                   \
    if (number < past)                                                                             \
    call
#else
#define PM_KERNEL       void
#define PM_HAFNIAN_LIST pm_hafnian_task task, pm_i64 first, pm_i64 past, pm_i64 blocks
#define PM_EACH(call)                                                                              \
    for (pm_i64 number = first; number < past && number < first + blocks * PM_THREADS; ++number)   \
    call
#endif

PM_KERNEL pm_hafnian_paths(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_paths_one(&task, number);)
}

PM_KERNEL pm_hafnian_spread(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_spread_one(&task, number);)
}

PM_KERNEL pm_hafnian_forth(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_transform_one(&task, number, 0);)
}

PM_KERNEL pm_hafnian_back(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_transform_one(&task, number, 1);)
}

PM_KERNEL pm_hafnian_multiply(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_multiply_one(&task, number);)
}

PM_KERNEL pm_hafnian_pick(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_pick_one(&task, number);)
}

PM_KERNEL pm_hafnian_last(PM_HAFNIAN_LIST)
{
    PM_EACH(pm_last_one(&task, number);)
}
