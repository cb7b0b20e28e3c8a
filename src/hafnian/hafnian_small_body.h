/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_small_body.h: the hafnian of a small matrix of integers, modulo 2^64 or 2^128.  The includer may define WORD,
 * an unsigned type, and WORD_NAME(x), the name x with a suffix for it, which this undefines.  The first time they are those of
 * 64 bits.  The method is that of hafnian_kernel.h, one number at a time. */
#ifndef WORD
#include <stdint.h>

enum { SMALL = 16 }; /* vertices, at most */

#define WORD         uint64_t
#define WORD_NAME(x) x##_64
#endif

typedef struct {
    int n, sheets;        /* n is even */
    WORD a[SMALL][SMALL]; /* symmetric, loops on the diagonal */
} WORD_NAME(small);

/* Rows of the paths that end in each vertex. */
typedef struct {
    WORD path[1 << (SMALL / 2 - 1)][2][SMALL];
    WORD cycles[1 << (SMALL / 2 - 1)], counts[1 << (SMALL / 2)];
} WORD_NAME(room);

typedef struct {
    int m, end[SMALL];
    WORD x[2][SMALL], jump;
} WORD_NAME(paths);

static void WORD_NAME(find_ends)(const WORD_NAME(small) * g, const WORD_NAME(room) * r, int k,
                                 int T, WORD_NAME(paths) * p)
{
    p->m = 0;
    p->jump = 0;
    if (T == 0) {
        p->end[p->m] = 2 * k;
        p->x[0][p->m] = p->x[1][p->m] = 1;
        ++p->m;
    }
    for (int v = 0; v < 2 * k; ++v) {
        if (!(T >> (v / 2) & 1))
            continue;
        p->end[p->m] = v;
        p->x[0][p->m] = r->path[T][0][v];
        p->x[1][p->m] = r->path[T][1][v];
        ++p->m;
    }
    for (int i = 0; i < p->m && g->sheets == 2; ++i)
        p->jump += p->x[0][i] * g->a[p->end[i]][p->end[i]];
}

/* The paths of a sheet that go on to vertex v. */
static WORD WORD_NAME(reach)(const WORD_NAME(small) * g, const WORD_NAME(paths) * p, int sheet,
                             int v)
{
    WORD sum = sheet == 1 ? p->jump * g->a[v][v] : 0;
    for (int i = 0; i < p->m; ++i)
        sum += p->x[sheet][i] * g->a[p->end[i]][v];
    return sum;
}

static WORD WORD_NAME(count)(const WORD_NAME(small) * g)
{
    WORD_NAME(room) r;
    WORD_NAME(paths) p;
    const int pairs = g->n / 2;
    r.counts[0] = 1;
    for (int k = 0; k < pairs; ++k) {
        const int sets = 1 << k;
        for (int T = 0; T < sets; ++T) {
            WORD_NAME(find_ends)(g, &r, k, T, &p);
            for (int v = 0; v < 2 * k; ++v)
                for (int s = 0; s < g->sheets && !(T >> (v / 2) & 1); ++s)
                    r.path[T | 1 << (v / 2)][s][v] = WORD_NAME(reach)(g, &p, s, v ^ 1);
            r.cycles[T] = WORD_NAME(reach)(g, &p, g->sheets - 1, 2 * k + 1);
        }
        for (int T = k == pairs - 1 ? sets - 1 : 0; T < sets; ++T) {
            WORD sum = 0;
            for (int U = T;; U = (U - 1) & T) {
                sum += r.cycles[U] * r.counts[T ^ U];
                if (U == 0)
                    break;
            }
            r.counts[sets | T] = sum;
        }
    }
    return r.counts[(1 << pairs) - 1];
}

#undef WORD
#undef WORD_NAME
