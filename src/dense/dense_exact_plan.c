/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = PM_SQUARE_MAX, FLIPS = PM_DENSE_FLIPS, HALVES = PM_DENSE_HALVES };

#define HALF_MAX   INT64_C(0x7fff)
#define WORD_MAX   INT64_C(0x7fffffff)
#define NARROW_MAX ((INT64_C(1) << 51) - 1) /* a group of one 52-bit limb, see dense_exact_ifma.h */
#define WIDE_MAX   (INT64_C(1) << 62)

/* ---- rows ---- */

typedef struct {
    int32_t row;   /* of the square */
    int32_t flips; /* its first entry among the tile's columns is in the last `flips` of them */
    int32_t width; /* bytes */
    int64_t bound; /* of |y|, at least 1 */
} row_item;

/* The largest h for which 2^h divides the row sum for all signs: the exponent of the common power
 * of two of the entries, and one more if an even number of the quotients is odd. */
static int row_halvings(const pm_square *s, int32_t i)
{
    uint64_t any = 0, sum = 0;
    for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
        any |= (uint64_t)s->re[s->in_ccs[k]];
        sum += (uint64_t)s->re[s->in_ccs[k]];
    }
    if (!any)
        return 0;
    int twos = __builtin_ctzll(any);
    return twos + !(sum >> twos & 1);
}

/* y_i = base[i] - the sum of step[j][i] over the columns j with sign -1. */
typedef struct {
    int halvings[MAX];
    int64_t base[MAX], bound[MAX];
    int64_t step[MAX][MAX];
} row_sums;

static void make_row_sums(const pm_square *s, row_sums *r)
{
    memset(r, 0, sizeof *r);
    for (int32_t i = 0; i < s->n; ++i) {
        int h = row_halvings(s, i);
        int64_t unit = INT64_C(1) << h, sum = 0;
        for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
            int64_t a = s->re[s->in_ccs[k]];
            sum += a;
            /* h is at most one more than the exponent of a; |2 a / 2^h| <= 2^62 * 2 only if h is
             * 0, when no entry is as large as 2^62 */
            r->step[s->colind[k]][i] = h == 0 ? 2 * a : a / (unit / 2);
        }
        r->halvings[i] = h;
        r->base[i] = sum / unit;
        r->bound[i] = s->bound[i] / unit > 1 ? s->bound[i] / unit : 1;
    }
}

/* ---- columns ---- */

static double column_bits(const row_sums *r, int32_t n, int32_t j, const bool *met)
{
    double bits = 0;
    for (int32_t i = 0; i < n; ++i)
        if (r->step[j][i] && !met[i])
            bits += log2((double)r->bound[i]) + 1e-3;
    return bits;
}

/* The tile's columns are those with entries in the fewest rows, so that much can be folded.  The
 * fullest column is fixed.  The next fullest ones come first after the tile's: they distinguish the
 * lanes.  Of the rest, columns with fewer entries flip more often. */
static void order_columns(const pm_square *s, const row_sums *r, int32_t *order)
{
    enum { LANES = PM_DENSE_GRAIN_BITS - PM_DENSE_FLIPS };
    int32_t n = s->n, tile = n < FLIPS ? n : FLIPS, rest[MAX], nrest = 0;
    bool taken[MAX] = {false}, met[MAX] = {false};
    for (int32_t k = 0; k < tile; ++k) {
        int32_t best = -1;
        double least = INFINITY;
        for (int32_t j = 0; j < n; ++j) {
            double bits = taken[j] ? INFINITY : column_bits(r, n, j, met);
            if (bits < least) {
                least = bits;
                best = j;
            }
        }
        taken[best] = true;
        order[k] = best;
        for (int32_t i = 0; i < n; ++i)
            met[i] = met[i] || r->step[best][i];
    }
    for (int32_t j = 0; j < n; ++j) {
        if (taken[j])
            continue;
        int32_t at = nrest++, entries = s->colptr[j + 1] - s->colptr[j];
        for (; at > 0 && s->colptr[rest[at - 1] + 1] - s->colptr[rest[at - 1]] > entries; --at)
            rest[at] = rest[at - 1];
        rest[at] = j;
    }
    if (nrest > 0)
        order[n - 1] = rest[--nrest];
    for (int32_t k = tile; nrest > 0; ++k) {
        bool is_lane = k < tile + LANES;
        if (is_lane) {
            order[k] = rest[--nrest];
        } else {
            memcpy(order + k, rest, (size_t)nrest * sizeof *rest);
            nrest = 0;
        }
    }
}

/* ---- packing ---- */

/* How to choose among the halves where a row fits. */
typedef enum { FIRST_FIT, SAME_FLIPS, SAME_FLIPS_OR_EMPTY, RULES } rule;

typedef struct {
    int64_t cap;       /* the largest bound of a group */
    int64_t first_cap; /* the same of the first group before folding */
    rule rule;
    int32_t ngroups;
    pm_dense_group group[PM_DENSE_GROUPS];
    int32_t half_of[MAX]; /* of each item: group * HALVES + half */
} packing;

static bool half_is_empty(const pm_dense_half *h)
{
    return h->bound == 1 && h->rows == 0;
}

static bool fits_group(const packing *p, int32_t g, int64_t bound)
{
    int64_t cap = g == 0 ? p->first_cap : p->cap;
    return !p->group[g].is_row && p->group[g].bound <= cap / bound;
}

static bool fits(const packing *p, int32_t g, int half, const row_item *item)
{
    const pm_dense_group *to = &p->group[g];
    if (!fits_group(p, g, item->bound) || to->word[half / 2].is_row)
        return false;
    if (item->width == 2)
        return to->half[half].bound <= HALF_MAX / item->bound;
    return half % 2 == 0 && half + g > 0 && half_is_empty(&to->half[half])
           && half_is_empty(&to->half[half + 1]);
}

/* The penalty for a row in this half; smaller is better. */
static int penalty(const packing *p, int32_t g, int half, const row_item *item)
{
    const pm_dense_half *h = &p->group[g].half[half];
    bool is_empty = half_is_empty(h) && g + half > 0;
    if (p->rule == FIRST_FIT)
        return 0;
    if (!is_empty && h->flips == item->flips)
        return 0;
    return p->rule == SAME_FLIPS_OR_EMPTY ? 1 + !is_empty : 1 + is_empty;
}

static bool open_group(packing *p)
{
    if (p->ngroups == PM_DENSE_GROUPS)
        return false;
    pm_dense_group *g = &p->group[p->ngroups++];
    *g = (pm_dense_group){.bound = 1};
    for (int h = 0; h < HALVES; ++h)
        g->half[h].bound = 1;
    g->word[0].bound = g->word[1].bound = 1;
    return true;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static void put(packing *p, int32_t k, int32_t g, int half, const row_item *item)
{
    pm_dense_group *to = &p->group[g];
    pm_dense_word *w = &to->word[half / 2];
    p->half_of[k] = g * HALVES + half;
    to->bound *= item->bound;
    to->flips = max_int(to->flips, item->flips);
    to->is_row = item->width == 8;
    w->is_row = item->width == 4;
    w->is_used = true;
    w->flips = max_int(w->flips, item->flips);
    if (item->width < 8)
        w->bound *= item->bound;
    if (item->width == 2) {
        to->half[half].bound *= item->bound;
        to->half[half].flips = max_int(to->half[half].flips, item->flips);
        ++to->half[half].rows;
    }
}

static bool pack_row(packing *p, int32_t k, const row_item *item)
{
    int32_t best = -1;
    int least = 9, best_half = 0;
    for (int32_t g = 0; item->width < 8 && g < p->ngroups; ++g)
        for (int h = 0; h < HALVES; ++h)
            if (fits(p, g, h, item) && penalty(p, g, h, item) < least) {
                least = penalty(p, g, h, item);
                best = g;
                best_half = h;
            }
    if (best < 0) {
        if (item->bound > p->cap || !open_group(p))
            return false;
        best = p->ngroups - 1;
    }
    put(p, k, best, best_half, item);
    return true;
}

/* item: sorted by flips, most first, then by bound, largest first.  The first half carries the sign
 * of the term, which every column of the tile changes. */
static bool pack(const row_item *item, int32_t n, packing *p)
{
    p->ngroups = 0;
    open_group(p);
    p->group[0].flips = p->group[0].word[0].flips = p->group[0].half[0].flips = FLIPS;
    p->group[0].word[0].is_used = true;
    for (int32_t k = 0; k < n; ++k)
        if (!pack_row(p, k, &item[k]))
            return false;
    return true;
}

/* ---- folding ---- */

/* The number of flips of a factor that can be folded, when other factors need `needed` of them. */
static int fold(int flips, int needed, int64_t bound, int64_t max, int64_t *group, int64_t cap)
{
    int k = flips - needed;
    while (k > 0 && (bound > max >> k || *group > cap >> k))
        --k;
    *group <<= k;
    return k;
}

/* Only the first half, word and group have flips that no other factor of the term has, so only they
 * are folded. */
static void fold_all(packing *p)
{
    pm_dense_group *g = &p->group[0];
    int others = 0;
    for (int32_t k = 1; k < p->ngroups; ++k)
        others = max_int(others, p->group[k].flips);

    int word1 = max_int(others, g->word[1].flips), half1 = max_int(word1, g->half[1].flips);
    pm_dense_half *h = &g->half[0];
    pm_dense_word *w = &g->word[0];
    h->fold = fold(FLIPS, half1, h->bound, HALF_MAX, &g->bound, p->cap);
    h->bound <<= h->fold;
    w->flips = FLIPS - h->fold;
    w->bound <<= h->fold;
    w->fold = fold(w->flips, word1, w->bound, WORD_MAX, &g->bound, p->cap);
    w->bound <<= w->fold;
    g->flips = w->flips - w->fold;
    g->fold = fold(g->flips, others, g->bound, p->cap, &g->bound, p->cap);
}

/* ---- work, in vector instructions of 64 bytes ---- */

static double half_work(const pm_dense_half *h, bool has_sign)
{
    double patterns = 1 << h->flips, left = 1 << (h->flips - h->fold);
    return h->rows * (2 * patterns + 1) - (has_sign ? 0 : patterns) + (patterns - left) + left;
}

static double group_work(const pm_dense_group *g, bool is_first)
{
    double patterns = 1 << g->flips, left = 1 << (g->flips - g->fold), work = 0;
    if (g->is_row)
        return 8 * patterns;
    for (int h = 0; h < HALVES; ++h)
        if (g->half[h].rows || (is_first && h == 0))
            work += half_work(&g->half[h], is_first && h == 0);
    for (int w = 0; w < 2; ++w)
        if (g->word[w].is_used) {
            double all = 1 << g->word[w].flips, kept = 1 << (g->word[w].flips - g->word[w].fold);
            work += 4 * all + 2 * (all - kept);
        }
    return work + 10 * patterns + 4 * (patterns - left);
}

/* The work of eight products of the groups, measured; more than eight groups do not fit in
 * registers. */
static double tail_work(const packing *p, pm_dense_tail tail, int limbs)
{
    int G = p->ngroups, wide = 0;
    if (tail == PM_DENSE_LIMBS)
        return G <= 2 ? 40 : G <= 6 ? 16 * G * G : 380 + 17 * G * limbs;
    for (int32_t g = 0; g < G; ++g)
        wide += p->group[g].bound > NARROW_MAX;
    if (G <= 2)
        return wide == 2 ? 17 : wide == 1 ? 11 : 8;
    return G <= 8 ? 2 * G * G - 1 : 6 * G * G;
}

static int left_flips(const packing *p)
{
    int flips = p->group[0].flips - p->group[0].fold;
    for (int32_t g = 1; g < p->ngroups; ++g)
        flips = max_int(flips, p->group[g].flips);
    return flips;
}

/* The input of packing. */
typedef struct {
    const row_item *item;
    int32_t n;
    pm_dense_tail tail;
    int limbs;      /* of the sum */
    double touched; /* mean number of entries of a column */
} demand;

/* The work of a term: a tile of 32 lanes has PM_DENSE_TILE * 32 terms. */
static double packing_work(const packing *p, const demand *d)
{
    double work = 10 + d->touched * 4;
    for (int32_t g = 0; g < p->ngroups; ++g)
        work += group_work(&p->group[g], g == 0);
    work += 4 * (1 << left_flips(p)) * tail_work(p, d->tail, d->limbs);
    return work / (PM_DENSE_TILE * 32);
}

/* ---- the plan ---- */

/* The work of a term; NAN if the rows do not fit the tail. */
static double rated_pack(const demand *d, packing *p)
{
    if (!pack(d->item, d->n, p))
        return NAN;
    if (d->tail == PM_DENSE_IFMA && p->cap != NARROW_MAX && p->ngroups > 2)
        return NAN;
    fold_all(p);
    return packing_work(p, d);
}

static double best_pack(const demand *d, packing *best)
{
    static const int64_t caps[] = {WIDE_MAX, NARROW_MAX};
    double least = NAN;
    packing p;
    for (int c = 0; c < (d->tail == PM_DENSE_IFMA ? 2 : 1); ++c)
        for (int room = 0; room <= FLIPS; room += FLIPS)
            for (rule t = 0; t < RULES; ++t) {
                p = (packing){.cap = caps[c], .first_cap = caps[c] >> room, .rule = t};
                double work = rated_pack(d, &p);
                if (work >= 0 && !(work >= least)) {
                    least = work;
                    *best = p;
                }
            }
    return least;
}

static int row_flips(const row_sums *r, const int32_t *order, int32_t n, int32_t i)
{
    for (int k = 0; k < FLIPS && k < n; ++k)
        if (r->step[order[k]][i])
            return FLIPS - k;
    return 0;
}

static void sort_items(const row_sums *r, const int32_t *order, int32_t n, row_item *item)
{
    for (int32_t i = 0; i < n; ++i) {
        int64_t b = r->bound[i];
        row_item x = {i, row_flips(r, order, n, i), b <= HALF_MAX ? 2 : b <= WORD_MAX ? 4 : 8, b};
        int32_t k = i;
        for (; k > 0
               && (item[k - 1].flips < x.flips
                   || (item[k - 1].flips == x.flips && item[k - 1].bound < x.bound));
             --k)
            item[k] = item[k - 1];
        item[k] = x;
    }
}

/* Sorts the rows by group and half. */
static void sort_rows(const row_item *item, int32_t n, packing *p, row_item *sorted)
{
    int32_t at = 0;
    for (int32_t g = 0; g < p->ngroups; ++g)
        for (int h = 0; h < HALVES; ++h) {
            int32_t first = at;
            for (int32_t k = 0; k < n; ++k)
                if (p->half_of[k] == g * HALVES + h)
                    sorted[at++] = item[k];
            p->group[g].half[h].first = first;
            if (h % 2 == 0)
                p->group[g].word[h / 2].first = first;
            if (h == 0)
                p->group[g].first = first;
        }
}

/* The word with more flips becomes the first: it is the inner loop of the tile. */
static void swap_words(pm_dense_group *g)
{
    pm_dense_word w = g->word[0];
    g->word[0] = g->word[1];
    g->word[1] = w;
    for (int h = 0; h < 2; ++h) {
        pm_dense_half t = g->half[h];
        g->half[h] = g->half[h + 2];
        g->half[h + 2] = t;
    }
}

static void order_words(packing *p)
{
    for (int32_t k = 1; k < p->ngroups; ++k)
        if (!p->group[k].is_row && p->group[k].word[0].flips < p->group[k].word[1].flips)
            swap_words(&p->group[k]);
}

/* An upper bound of log2 |per|: the product over the rows of the lesser of sum |a| and max |a|
 * (d!)^(1/d), for d entries.  Proof: expand along the rows where the sum is less; for the remaining
 * rows, divided by their largest entries, Bregman's theorem holds. */
static double permanent_bits(const pm_square *s)
{
    double bits = 0;
    for (int32_t i = 0; i < s->n; ++i) {
        double most = 0, d = s->rowptr[i + 1] - s->rowptr[i];
        for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k)
            most = fmax(most, fabs((double)s->re[s->in_ccs[k]]));
        if (most == 0)
            return 0;
        bits += fmin(log2((double)s->bound[i]), log2(most) + lgamma(d + 1) / log(2) / d);
    }
    return bits + 0.01;
}

/* The limbs of a sum below 2^(permanent_bits - shift), with its sign. */
static int sum_limbs(const pm_square *s, int64_t shift)
{
    double bits = permanent_bits(s) + (shift < 0 ? (double)-shift : 0) + 2;
    return (int)(bits / 64) + 1;
}

static void copy_rows(const row_sums *r, const int32_t *order, const row_item *sorted, int32_t n,
                      pm_dense_plan *out)
{
    for (int32_t k = 0; k < n; ++k) {
        out->base[k] = r->base[sorted[k].row];
        out->width[k] = (uint8_t)sorted[k].width;
    }
    for (int32_t j = 0; j < n; ++j) {
        out->column[j] = order[j];
        for (int32_t k = 0; k < n; ++k) {
            out->step[j][k] = r->step[order[j]][sorted[k].row];
            if (out->step[j][k])
                out->touched[j][out->ntouched[j]++] = (uint8_t)k;
        }
    }
}

/* Makes the groups; false if there are too many or the square is too small. */
static bool make_groups(const row_item *item, double touched, pm_dense_plan *out, row_item *sorted)
{
    packing p;
    demand d = {item, out->n, out->tail, out->limbs, touched};
    if (out->n <= PM_DENSE_GRAIN_BITS)
        return false;
    out->work = best_pack(&d, &p);
    if (isnan(out->work) && d.tail == PM_DENSE_IFMA) {
        out->tail = d.tail = PM_DENSE_LIMBS;
        out->work = best_pack(&d, &p);
    }
    if (isnan(out->work))
        return false;
    sort_rows(item, out->n, &p, sorted);
    order_words(&p);
    out->ngroups = p.ngroups;
    out->flips = left_flips(&p);
    memcpy(out->group, p.group, sizeof out->group);
    return true;
}

void pm_dense_plan_make(const pm_square *s, pm_dense_tail tail, bool keep_order, pm_dense_plan *out)
{
    row_sums r;
    row_item item[MAX], sorted[MAX];
    int32_t order[MAX];
    memset(out, 0, sizeof *out);
    make_row_sums(s, &r);
    for (int32_t k = 0; k < s->n; ++k)
        order[k] = k;
    if (!keep_order)
        order_columns(s, &r, order);
    sort_items(&r, order, s->n, item);
    out->n = s->n;
    out->tail = tail;
    out->shift = 1 - s->n;
    for (int32_t i = 0; i < s->n; ++i)
        out->shift += r.halvings[i];
    out->limbs = sum_limbs(s, out->shift);
    if (make_groups(item, (double)pm_square_nnz(s) / s->n, out, sorted)) {
        copy_rows(&r, order, sorted, s->n, out);
    } else {
        /* one term after another: a multiplication for each limb of the product so far */
        out->work = 48 + 1.9 * s->n * out->limbs;
        copy_rows(&r, order, item, s->n, out);
    }
}
