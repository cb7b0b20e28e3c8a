/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every perfect matching has each vertex once, so factors of vertices change all of them by the same power.  The
 * largest power with which no edge exceeds 1 is an assignment of rows to columns: where u_i + v_j <= -exponent_ij and
 * the sum of all u and v is as large as can be, take by_i = (u_i + v_i) / 2.  A loop has its vertex once, in a row and
 * a column, so it counts twice.
 *
 * The assignment: shortest augmenting paths (Kuhn, Munkres; Jonker and Volgenant 1987), O(n^3).  All numbers are
 * multiples of 1/2 below 2^51, so nothing is rounded. */
#include "config.h"

#include "hafnian/hafnian_scale.h"

#include <math.h>

#include "hafnian/hafnian_kernel.h"

enum { MOST = 2 * PM_HAFNIAN_PAIRS, NONE = MOST };

#define MISSING 0x1p44 /* of an entry that is not there: more than n others */

typedef struct {
    int n;
    const double *exponent;
    double u[MOST + 1],
        v[MOST + 1];   /* of rows and columns; the last column is where a path begins */
    int row[MOST + 1]; /* of a column; NONE: not assigned */
} assignment;

static double cost(const assignment *a, int i, int j)
{
    const double x = a->exponent[i * a->n + j];
    return x == -INFINITY ? MISSING : i == j ? -2 * x : -x;
}

/* A shortest path from row i, which is at the column NONE, to a column without a row.  before: the column before each
 * one. */
static int find_path(assignment *a, int before[MOST + 1])
{
    double least[MOST + 1];
    bool is_reached[MOST + 1] = {false};
    int at = NONE;
    for (int j = 0; j < a->n; ++j)
        least[j] = INFINITY;
    do {
        const int i = a->row[at];
        double step = INFINITY;
        int next = NONE;
        is_reached[at] = true;
        for (int j = 0; j < a->n; ++j) {
            const double x = cost(a, i, j) - a->u[i] - a->v[j];
            if (is_reached[j])
                continue;
            if (x < least[j]) {
                least[j] = x;
                before[j] = at;
            }
            if (least[j] < step) {
                step = least[j];
                next = j;
            }
        }
        for (int j = 0; j <= MOST; ++j)
            if (is_reached[j]) {
                a->u[a->row[j]] += step;
                a->v[j] -= step;
            } else if (j < a->n) {
                least[j] -= step;
            }
        at = next;
    } while (a->row[at] != NONE);
    return at;
}

static void assign(assignment *a)
{
    int before[MOST + 1];
    for (int j = 0; j <= MOST; ++j)
        a->row[j] = NONE;
    for (int i = 0; i < a->n; ++i) {
        a->row[NONE] = i;
        for (int at = find_path(a, before); at != NONE; at = before[at])
            a->row[at] = a->row[before[at]];
    }
}

bool pm_hafnian_factors(int n, const double *exponent, double *by)
{
    assignment a = {.n = n, .exponent = exponent};
    assign(&a);
    for (int j = 0; j < n; ++j)
        if (exponent[a.row[j] * n + j] == -INFINITY)
            return false;
    for (int i = 0; i < n; ++i)
        by[i] = floor((a.u[i] + a.v[i]) / 2);
    return true;
}
