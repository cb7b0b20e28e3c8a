/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact_packing.h"

#include <math.h>
#include <string.h>

enum { FLIPS = PM_DENSE_FLIPS, HALVES = PM_DENSE_HALVES };

#define HALF_MAX   INT64_C(0x7fff)
#define WORD_MAX   INT64_C(0x7fffffff)
#define NARROW_MAX ((INT64_C(1) << 52) - 1) /* a group of one 52-bit limb, see dense_exact_ifma.h */
#define LAST_MAX   (NARROW_MAX / 2)         /* the same for the group that is multiplied last */
#define WIDE_MAX   (INT64_C(1) << 62)

int32_t pm_dense_row_width(int64_t bound)
{
    return bound <= HALF_MAX ? 2 : bound <= WORD_MAX ? 4 : 8;
}

/* ---- packing ---- */

/* How to choose among the halves where a row fits. */
typedef enum { FIRST_FIT, SAME_FLIPS, SAME_FLIPS_OR_EMPTY, RULES } rule;

typedef struct {
    int64_t cap;       /* the largest bound of a group */
    int64_t first_cap; /* the same of the first group, and before it is folded */
    int64_t unfolded_cap;
    rule rule;
    int32_t ngroups;
    pm_dense_group group[PM_DENSE_GROUPS];
    int32_t half_of[PM_SQUARE_MAX]; /* of each item: group * HALVES + half */
} packing;

static bool half_is_empty(const pm_dense_half *h)
{
    return h->bound == 1 && h->rows == 0;
}

static bool fits_group(const packing *p, int32_t g, int64_t bound)
{
    int64_t cap = g == 0 ? p->unfolded_cap : p->cap;
    return !p->group[g].is_row && p->group[g].bound <= cap / bound;
}

static bool fits(const packing *p, int32_t g, int half, const pm_dense_row *item)
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
static int penalty(const packing *p, int32_t g, int half, const pm_dense_row *item)
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

static void put(packing *p, int32_t k, int32_t g, int half, const pm_dense_row *item)
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

static bool pack_row(packing *p, int32_t k, const pm_dense_row *item)
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
static bool pack(const pm_dense_row *item, int32_t n, packing *p)
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
    h->fold = fold(FLIPS, half1, h->bound, HALF_MAX, &g->bound, p->first_cap);
    h->bound <<= h->fold;
    w->flips = FLIPS - h->fold;
    w->bound <<= h->fold;
    w->fold = fold(w->flips, word1, w->bound, WORD_MAX, &g->bound, p->first_cap);
    w->bound <<= w->fold;
    g->flips = w->flips - w->fold;
    g->fold = fold(g->flips, others, g->bound, p->first_cap, &g->bound, p->first_cap);
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

/* Limbs beyond the first one of one or two groups: those of dense_exact_ifma.h. */
static int further_limbs(const packing *p)
{
    int64_t a = p->group[0].bound, b = p->ngroups == 2 ? p->group[1].bound : 0;
    int64_t most = a > b ? a : b, least = a < b ? a : b;
    if (most <= NARROW_MAX && p->ngroups == 2)
        return least > LAST_MAX;
    return (most > LAST_MAX) + (least > NARROW_MAX);
}

/* The work of eight products of the groups, measured. */
static double tail_work(const packing *p, pm_dense_tail tail, int limbs)
{
    static const double of_two[] = {8, 11, 17};
    int G = p->ngroups;
    if (tail == PM_DENSE_LIMBS)
        return G <= 2 ? 40 : G <= 6 ? 16 * G * G : 380 + 17 * G * limbs;
    return G <= 2 ? of_two[further_limbs(p)] : 1.8 * G * G;
}

static int left_flips(const packing *p)
{
    int flips = p->group[0].flips - p->group[0].fold;
    for (int32_t g = 1; g < p->ngroups; ++g)
        flips = max_int(flips, p->group[g].flips);
    return flips;
}

/* A tile of 32 lanes has so many terms. */
#define TILE_TERMS (PM_DENSE_TILE * 32)

/* The work of a term to multiply the groups. */
static double products_work(const packing *p, const pm_dense_demand *d)
{
    return 4 * (1 << left_flips(p)) * tail_work(p, d->tail, d->limbs) / TILE_TERMS;
}

/* The whole work of a term. */
static double packing_work(const packing *p, const pm_dense_demand *d)
{
    double work = 10 + d->touched * 4;
    for (int32_t g = 0; g < p->ngroups; ++g)
        work += group_work(&p->group[g], g == 0);
    return work / TILE_TERMS + products_work(p, d);
}

/* ---- the best packing ---- */

/* The work of a term; NAN if the rows do not fit the tail. */
static double rated_pack(const pm_dense_demand *d, packing *p)
{
    if (!pack(d->item, d->n, p))
        return NAN;
    if (d->tail == PM_DENSE_IFMA && p->cap > NARROW_MAX && p->ngroups > 2)
        return NAN;
    fold_all(p);
    return packing_work(p, d);
}

static double best_pack(const pm_dense_demand *d, packing *best)
{
    static const int64_t caps[] = {WIDE_MAX, NARROW_MAX};
    double least = NAN;
    packing p;
    for (int c = 0; c < (d->tail == PM_DENSE_IFMA ? 2 : 1); ++c)
        for (int room = 0; room <= FLIPS; room += FLIPS)
            for (rule t = 0; t < RULES; ++t) {
                int64_t first_cap = caps[c] == NARROW_MAX ? LAST_MAX : caps[c];
                p = (packing){.cap = caps[c],
                              .first_cap = first_cap,
                              .unfolded_cap = first_cap >> room,
                              .rule = t};
                double work = rated_pack(d, &p);
                if (work >= 0 && !(work >= least)) {
                    least = work;
                    *best = p;
                }
            }
    return least;
}

/* ---- the sequence of the rows ---- */

/* Sorts the rows by group and half. */
static void sort_rows(const pm_dense_row *item, int32_t n, packing *p, pm_dense_row *sorted)
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

double pm_dense_pack(const pm_dense_demand *d, pm_dense_plan *out, pm_dense_row *sorted)
{
    packing p;
    double work = best_pack(d, &p);
    if (isnan(work))
        return work;
    sort_rows(d->item, d->n, &p, sorted);
    order_words(&p);
    out->ngroups = p.ngroups;
    out->flips = left_flips(&p);
    out->products = products_work(&p, d);
    memcpy(out->group, p.group, sizeof out->group);
    return work;
}
