/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_paths.h: the kernels of hafnian_kernel.h for one kind of numbers.  The includer defines KIND(x), the name
 * x with the suffix of the kind, and for it:
 *
 *   row                    eight numbers
 *   zero(), one()          one: 1 in lane 0, else 0
 *   load(l, p), store(l, p, x)
 *   plus(l, a, b)
 *   up(x, c)               lane u is lane u ^ c of x where u contains c, and 0 elsewhere
 *   dot(l, matrix, in, x, m, out, nout, y)
 *                          y[j] = sum over i < m of matrix(in[i], out[j]) x[i]; m is even, nout a constant: 1, 2 or 4
 *   total, clear, add_products(l, total, p, x), rounded(l, total)
 *                          a sum of rows; adds the products of the number at p + c, c = 0 .. 7, and up(x, c)
 *   at(p, i)               the place of number i (a multiple of 8) after p
 *
 * It undefines KIND. */
#ifndef KIND
#include "hafnian/hafnian_size.h" /* one of them */
#else

/* All pairs, a beginning, a jump, and one for an even number */
#define MOST (2 * PM_HAFNIAN_PAIRS + 4)

typedef struct {
    int32_t in[MOST]; /* the ends of paths: rows of the matrices */
    int m;            /* of them, without the low pairs */
    int low;          /* vertices of low pairs, which follow */
    int jump;         /* where the jump is */
    KIND(row) x[2][MOST];
} KIND(ends);

/* Rows of the low pairs of one sheet.  A path ends in a low pair of the set u of low pairs; the rest of u has one pair less.
 * So after r rounds the lanes of at most r pairs are right. */
PM_BODY void KIND(find_low)(const pm_hafnian_level *l, KIND(ends) * e, int sheet)
{
    KIND(row) y[2 * PM_HAFNIAN_LOW], inner[2 * PM_HAFNIAN_LOW];
    KIND(row) *x = e->x[sheet] + e->m;
    for (int v = 0; v < e->low; v += 2) {
        const int32_t out[2] = {v, v + 1};
        KIND(dot)(l, l->step, e->in, e->x[sheet], e->m, out, 2, y + v);
    }
#pragma GCC unroll 6
    for (int v = 0; v < 2 * PM_HAFNIAN_LOW; ++v)
        if (v < e->low)
            x[v] = KIND(up)(y[v], 1 << (v >> 1));
    for (int round = 1; round < PM_HAFNIAN_LOW && 2 * round < e->low; ++round) {
        for (int v = 0; v < e->low; v += 2) {
            const int32_t out[2] = {v, v + 1};
            KIND(dot)(l, l->step, e->in + e->m, x, e->low, out, 2, inner + v);
        }
#pragma GCC unroll 6
        for (int v = 0; v < 2 * PM_HAFNIAN_LOW; ++v)
            if (v < e->low)
                x[v] = KIND(up)(KIND(plus)(l, y[v], inner[v]), 1 << (v >> 1));
    }
}

PM_BODY char *KIND(cell)(const pm_hafnian_level *l, uint32_t T, int rank)
{
    return KIND(at)(l->cells, ((int64_t)l->offset[T] + rank) * l->sheets * 2 * PM_HAFNIAN_LANES);
}

/* The ends in high pairs, the beginning of all paths, and a place for the jump. */
PM_BODY void KIND(find_high)(const pm_hafnian_level *l, uint32_t T, KIND(ends) * e)
{
    const char *p = KIND(cell)(l, T, 0);
    e->m = 0;
    for (uint32_t rest = T; rest; rest &= rest - 1, e->m += 2) {
        const int32_t v = 2 * (__builtin_ctz(rest) + PM_HAFNIAN_LOW);
        e->in[e->m] = v;
        e->in[e->m + 1] = v + 1;
        for (int s = 0; s < l->sheets; ++s) {
            e->x[s][e->m] = KIND(load)(l, p);
            p = KIND(at)(p, PM_HAFNIAN_LANES);
            e->x[s][e->m + 1] = KIND(load)(l, p);
            p = KIND(at)(p, PM_HAFNIAN_LANES);
        }
    }
    if (T == 0) {
        e->in[e->m] = 2 * l->anchor;
        e->x[0][e->m] = e->x[1][e->m] = KIND(one)();
        ++e->m;
    }
    if (l->sheets == 2) {
        e->in[e->m] = 2 * l->pairs;
        e->x[0][e->m] = e->x[1][e->m] = KIND(zero)();
        e->jump = e->m++;
    }
    if (e->m % 2) { /* residues are added two at a time */
        e->in[e->m] = 0;
        e->x[0][e->m] = e->x[1][e->m] = KIND(zero)();
        ++e->m;
    }
    e->low = 2 * (l->anchor < PM_HAFNIAN_LOW ? l->anchor : PM_HAFNIAN_LOW);
    for (int v = 0; v < e->low; ++v) {
        e->in[e->m + v] = v;
        e->x[0][e->m + v] = e->x[1][e->m + v] = KIND(zero)();
    }
}

PM_BODY void KIND(find_ends)(const pm_hafnian_level *l, uint32_t T, KIND(ends) * e)
{
    KIND(find_high)(l, T, e);
    KIND(find_low)(l, e, 0);
    if (l->sheets == 2) {
        const int32_t jump = 2 * l->pairs;
        KIND(dot)(l, l->close, e->in, e->x[0], e->m + e->low, &jump, 1, &e->x[1][e->jump]);
        KIND(find_low)(l, e, 1);
    }
}

PM_BODY void KIND(go_on)(const pm_hafnian_level *l, uint32_t T, uint32_t added, int s,
                         const KIND(row) * y)
{
    char *p = KIND(cell)(l, T | added, __builtin_popcount(T & (added - 1)));
    KIND(store)(l, KIND(at)(p, 2 * s * PM_HAFNIAN_LANES), y[0]);
    KIND(store)(l, KIND(at)(p, (2 * s + 1) * PM_HAFNIAN_LANES), y[1]);
}

/* To each pair that is not in T, two pairs at a time. */
PM_BODY void KIND(extend)(const pm_hafnian_level *l, uint32_t T, const KIND(ends) * e, int s)
{
    const int high = l->anchor > PM_HAFNIAN_LOW ? l->anchor - PM_HAFNIAN_LOW : 0, m = e->m + e->low;
    uint32_t rest = ~T & ((UINT32_C(1) << high) - 1);
    while (rest) {
        const uint32_t first = rest & -rest, second = (rest ^ first) & -(rest ^ first);
        const int32_t a = 2 * (__builtin_ctz(first) + PM_HAFNIAN_LOW);
        const int32_t b = second ? 2 * (__builtin_ctz(second) + PM_HAFNIAN_LOW) : a;
        const int32_t out[4] = {a, a + 1, b, b + 1};
        KIND(row) y[4];
        if (second)
            KIND(dot)(l, l->step, e->in, e->x[s], m, out, 4, y);
        else
            KIND(dot)(l, l->step, e->in, e->x[s], m, out, 2, y);
        KIND(go_on)(l, T, first, s, y);
        if (second)
            KIND(go_on)(l, T, second, s, y + 2);
        rest ^= first | second;
    }
}

PM_BODY_TARGET static void KIND(paths)(const pm_hafnian_level *l, uint32_t first, uint32_t end)
{
    KIND(ends) e;
    for (uint32_t T = first; T < end; ++T) {
        const int32_t last = 2 * l->anchor;
        KIND(row) y;
        KIND(find_ends)(l, T, &e);
        for (int s = 0; s < l->sheets; ++s)
            KIND(extend)(l, T, &e, s);
        KIND(dot)(l, l->close, e.in, e.x[l->sheets - 1], e.m + e.low, &last, 1, &y);
        KIND(store)(l, KIND(at)(l->cycles, (int64_t)T * PM_HAFNIAN_LANES), y);
    }
}

PM_BODY KIND(row) KIND(sum_of_parts)(const pm_hafnian_level *l, uint32_t T)
{
    KIND(total) t;
    KIND(clear)(&t);
    for (uint32_t U = T;; U = (U - 1) & T) {
        const KIND(row) x = KIND(load)(l, KIND(at)(l->counts, (int64_t)(T ^ U) * PM_HAFNIAN_LANES));
        KIND(add_products)(l, &t, KIND(at)(l->cycles, (int64_t)U * PM_HAFNIAN_LANES), x);
        if (U == 0)
            break;
    }
    return KIND(rounded)(l, &t);
}

PM_BODY_TARGET static void KIND(sum)(const pm_hafnian_level *l, uint32_t first, uint32_t end,
                                     void *to)
{
    for (uint32_t T = first; T < end; ++T)
        KIND(store)
    (l, KIND(at)(to, (int64_t)(T - first) * PM_HAFNIAN_LANES), KIND(sum_of_parts)(l, T));
}

PM_BODY_TARGET static void KIND(sum_low)(const pm_hafnian_level *l)
{
    char *p = KIND(at)(l->counts, 0);
    const KIND(row) more = KIND(up)(KIND(sum_of_parts)(l, 0), 1 << l->anchor);
    KIND(store)(l, p, KIND(plus)(l, KIND(load)(l, p), more));
}

PM_BODY_TARGET static void KIND(begin)(const pm_hafnian_level *l)
{
    KIND(store)(l, KIND(at)(l->counts, 0), KIND(one)());
}

#undef MOST
#undef KIND

#endif
