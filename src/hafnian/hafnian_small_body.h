/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_small_body.h: the hafnian of a small matrix, one number at a time; the method is that of hafnian_kernel.h.
 *
 * The includer defines WORD, a type whose zeroed value is 0; MOST, an even number, of vertices at most; and NAME(x), the name x with
 * a suffix for them.  For a type with + and * it defines PLAIN, too; for any other it writes the functions NAME(one)(), which is 1, and
 * NAME(add)(&sum, x, y), which adds the product x y.  All four are undefined at the end.  Without WORD the numbers are integers
 * modulo 2^64. */
#include "core/lanes.h"

#ifndef WORD
#define WORD    uint64_t
#define MOST    16
#define NAME(x) x##_64
#define PLAIN
#endif

#ifdef PLAIN
PM_BODY WORD NAME(one)(void)
{
    return 1;
}

PM_BODY void NAME(add)(WORD *sum, WORD x, WORD y)
{
    *sum += x * y;
}
#undef PLAIN
#endif

typedef struct {
    int n, sheets;      /* n is even */
    WORD a[MOST][MOST]; /* symmetric, loops on the diagonal */
} NAME(small);

/* Rows of the paths that end in each vertex. */
typedef struct {
    WORD path[1 << (MOST / 2 - 1)][2][MOST];
    WORD cycles[1 << (MOST / 2 - 1)], counts[1 << (MOST / 2)];
} NAME(room);

typedef struct {
    int m, end[MOST];
    WORD x[2][MOST], jump;
} NAME(paths);

PM_BODY void NAME(find_ends)(const NAME(small) * g, const NAME(room) * r, int k, int T,
                             NAME(paths) * p)
{
    p->m = 0;
    p->jump = (WORD){0};
    if (T == 0) {
        p->end[p->m] = 2 * k;
        p->x[0][p->m] = p->x[1][p->m] = NAME(one)();
        ++p->m;
    }
    for (int v = 0; v < 2 * k; ++v) {
        if (!(T >> (v / 2) & 1))
            continue;
        p->end[p->m] = v;
        p->x[0][p->m] = r->path[T][0][v];
        if (g->sheets == 2)
            p->x[1][p->m] = r->path[T][1][v];
        ++p->m;
    }
    for (int i = 0; i < p->m && g->sheets == 2; ++i)
        NAME(add)(&p->jump, p->x[0][i], g->a[p->end[i]][p->end[i]]);
}

/* The paths of a sheet that go on to vertex v. */
PM_BODY WORD NAME(reach)(const NAME(small) * g, const NAME(paths) * p, int sheet, int v)
{
    WORD sum = {0};
    if (sheet == 1)
        NAME(add)(&sum, p->jump, g->a[v][v]);
    for (int i = 0; i < p->m; ++i)
        NAME(add)(&sum, p->x[sheet][i], g->a[p->end[i]][v]);
    return sum;
}

PM_BODY WORD NAME(count)(const NAME(small) * g)
{
    NAME(room) r;
    NAME(paths) p;
    const int pairs = g->n / 2;
    r.counts[0] = NAME(one)();
    for (int k = 0; k < pairs; ++k) {
        const int sets = 1 << k;
        for (int T = 0; T < sets; ++T) {
            NAME(find_ends)(g, &r, k, T, &p);
            for (int v = 0; v < 2 * k; ++v)
                for (int s = 0; s < g->sheets && !(T >> (v / 2) & 1); ++s)
                    r.path[T | 1 << (v / 2)][s][v] = NAME(reach)(g, &p, s, v ^ 1);
            r.cycles[T] = NAME(reach)(g, &p, g->sheets - 1, 2 * k + 1);
        }
        for (int T = k == pairs - 1 ? sets - 1 : 0; T < sets; ++T) {
            WORD sum = {0};
            for (int U = T;; U = (U - 1) & T) {
                NAME(add)(&sum, r.cycles[U], r.counts[T ^ U]);
                if (U == 0)
                    break;
            }
            r.counts[sets | T] = sum;
        }
    }
    return r.counts[(1 << pairs) - 1];
}

#undef WORD
#undef MOST
#undef NAME
