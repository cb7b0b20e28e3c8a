/* SPDX-License-Identifier: GPL-3.0-or-later */
/* c rows (or columns) with the same neighbours and proportional entries become one class of
 * capacity c; c! and the multipliers go into the factor.  Classes of capacities b and c are merged
 * with the factor C(b + c, c).
 *
 * Candidates have equal hashes of their neighbours and of their values, normalised in a field of
 * about 2^122 elements; then they are tested for proportionality exactly, by cross products.  All
 * neighbours of a class must have capacity 1, so a group of rows can exclude a group of columns:
 * the groups that save most entries are merged first. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "reduce/reduce_graph.h"

/* Rows whose values differ by multiples of the prime of the hash have equal hashes, and they can be
 * chosen so.  Of a list of candidates with equal hashes at most so many groups are made; the others
 * stay as they are.  Without such a choice a list is one group. */
enum { GROUPS_OF_HASH = 16 };

typedef struct {
    uint64_t support, values;
    int32_t vertex;
    int32_t next; /* index of the next candidate with equal hashes, or -1 */
} candidate;

typedef struct {
    int64_t first, count; /* in twins.members */
    int64_t gain;         /* entries saved */
    bool equal;           /* the members are equal, not only proportional */
} group;

typedef struct {
    candidate *candidates, *same;
    int64_t ncandidates;
    int32_t *first, *last; /* hash table of `slots` entries, a power of two: the first and the last
                            * candidate with some hashes, or -1 */
    int64_t slots;
    int32_t *members; /* of all groups; each vertex at most once */
    int64_t nmembers;
    group *groups;
    int64_t ngroups, cap_groups;
} twins;

/* ---- candidates ---- */

/* A hash of x that depends on the secret seed: sums of them decide which supports are equal, and the
 * place in the table. */
static uint64_t hash(uint64_t x)
{
    const uint64_t *seed = pm_settings_get()->hash_seed;
    x = (x ^ seed[0]) + seed[1];
    return pm_rng_next(&x);
}

/* The entry of v whose other vertex is the smallest. */
static int32_t leading_entry(const pm_rgraph *g, int32_t v)
{
    int32_t best = g->vertex[v].head;
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        if (pm_rgraph_other(g, v, e) < pm_rgraph_other(g, v, best))
            best = e;
    return best;
}

static bool neighbours_single(const pm_rgraph *g, int32_t v)
{
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        if (g->vertex[pm_rgraph_other(g, v, e)].cap != 1)
            return false;
    return true;
}

/* Returns false when a neighbour has a capacity above 1: then v is no candidate. */
static bool describe(const pm_rgraph *g, int32_t v, candidate *out)
{
    candidate c = {.vertex = v};
    pm_residue sum = {0};
    int32_t lead = g->vertex[v].head, least = INT32_MAX;
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e)) {
        int32_t other = pm_rgraph_other(g, v, e);
        if (g->vertex[other].cap != 1)
            return false;
        if (other < least) {
            least = other;
            lead = e;
        }
        uint64_t h = hash((uint64_t)other);
        c.support += h;
        pm_residue r = {h >> 4, 0};
        if (!pm_cnum_is_one(&g->value[e]))
            r = pm_residue_mul(r, pm_cnum_residue(&g->value[e]));
        sum = pm_residue_add(sum, r);
    }
    if (!pm_cnum_is_one(&g->value[lead]))
        sum = pm_residue_mul(sum, pm_residue_inverse(pm_cnum_residue(&g->value[lead])));
    c.values = sum.re ^ hash(sum.im);
    *out = c;
    return true;
}

static void list_candidates(const pm_rgraph *g, int side, twins *t)
{
    int64_t first = side ? g->nrows : 0, end = side ? g->nrows + g->ncols : g->nrows;
    t->ncandidates = 0;
    for (int64_t v = first; v < end; ++v)
        if (g->vertex[v].cap > 0 && g->vertex[v].degree > 0 && !pm_rgraph_is_small(g, v))
            t->ncandidates += describe(g, (int32_t)v, &t->candidates[t->ncandidates]);
}

/* Links the candidates with equal hashes, in the order of their vertices. */
static void link_equal(twins *t)
{
    uint64_t mask = (uint64_t)t->slots - 1;
    memset(t->first, -1, (size_t)t->slots * sizeof *t->first);
    for (int64_t k = 0; k < t->ncandidates; ++k) {
        candidate *c = &t->candidates[k];
        uint64_t at = (c->support ^ hash(c->values)) & mask;
        c->next = -1;
        for (; t->first[at] >= 0; at = (at + 1) & mask) {
            const candidate *other = &t->candidates[t->first[at]];
            if (other->support == c->support && other->values == c->values)
                break;
        }
        if (t->first[at] < 0)
            t->first[at] = (int32_t)k;
        else
            t->candidates[t->last[at]].next = (int32_t)k;
        t->last[at] = (int32_t)k;
    }
}

/* ---- groups ---- */

/* x * d == y * c, that is x / c == y / d */
static bool same_ratio(const pm_cnum *x, const pm_cnum *c, const pm_cnum *y, const pm_cnum *d)
{
    pm_cnum left = {0}, right = {0};
    pm_cnum_mul(&left, x, d);
    pm_cnum_mul(&right, y, c);
    bool same = pm_cnum_equal(&left, &right);
    pm_cnum_clear(&left);
    pm_cnum_clear(&right);
    return same;
}

/* True when v is proportional to the vertex u whose entries are in the marks of its neighbours;
 * lead: the leading entry of u.  *equal becomes false when v is proportional but not equal to u. */
static bool is_proportional(const pm_rgraph *g, int32_t v, int32_t lead, bool *equal)
{
    bool same = true;
    int32_t mine = leading_entry(g, v);
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e)) {
        int32_t mark = g->vertex[pm_rgraph_other(g, v, e)].mark;
        if (mark < 0)
            return false;
        same = same && pm_cnum_equal(&g->value[e], &g->value[mark]);
    }
    if (same)
        return true;
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e)) {
        int32_t mark = g->vertex[pm_rgraph_other(g, v, e)].mark;
        if (!same_ratio(&g->value[e], &g->value[mine], &g->value[mark], &g->value[lead]))
            return false;
    }
    *equal = false;
    return true;
}

/* Makes the group of the first of count candidates with equal hashes.  The candidates that are not
 * in it are moved to the front.  Returns their number. */
static int64_t take_group(pm_rgraph *g, twins *t, candidate *same, int64_t count)
{
    int32_t base = same[0].vertex, lead = leading_entry(g, base);
    group found = {.first = t->nmembers, .count = 1, .equal = true};
    int64_t left = 0;
    t->members[t->nmembers++] = base;
    for (int32_t e = pm_rgraph_first(g, base); e >= 0; e = pm_rgraph_next(g, base, e))
        g->vertex[pm_rgraph_other(g, base, e)].mark = e;
    for (int64_t k = 1; k < count; ++k) {
        int32_t v = same[k].vertex;
        if (g->vertex[v].degree == g->vertex[base].degree
            && is_proportional(g, v, lead, &found.equal)) {
            t->members[t->nmembers++] = v;
            ++found.count;
        } else {
            same[left++] = same[k];
        }
    }
    for (int32_t e = pm_rgraph_first(g, base); e >= 0; e = pm_rgraph_next(g, base, e))
        g->vertex[pm_rgraph_other(g, base, e)].mark = -1;
    if (found.count == 1) {
        --t->nmembers;
        return left;
    }
    found.gain = (found.count - 1) * g->vertex[base].degree;
    t->groups[t->ngroups++] = found;
    return left;
}

/* The candidates that are linked to the first one, in t->same, and taken out of the list.  Returns
 * their number. */
static int64_t collect(twins *t, int64_t first)
{
    int64_t count = 0;
    for (int32_t k = (int32_t)first, next; k >= 0; k = next) {
        next = t->candidates[k].next;
        t->candidates[k].next = -1;
        t->same[count++] = t->candidates[k];
    }
    return count;
}

static pm_status list_groups(pm_rgraph *g, twins *t, pm_error *err)
{
    link_equal(t);
    for (int64_t k = 0; k < t->ncandidates; ++k) {
        if (t->candidates[k].next < 0)
            continue;
        int64_t left = collect(t, k);
        for (int found = 0; left > 1 && found < GROUPS_OF_HASH; ++found) {
            if (PM_GROW(t->groups, t->cap_groups, t->ngroups + 1))
                return pm_fail_memory(err, "groups of twins");
            left = take_group(g, t, t->same, left);
        }
    }
    return PM_OK;
}

/* ---- merging ---- */

/* Divides the values of v by their greatest common divisor, which goes into the factor. */
static void make_primitive(pm_rgraph *g, int32_t v)
{
    pm_cnum divisor = {0};
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        pm_cnum_gcd(&divisor, &g->value[e]);
    pm_rgraph_factor(g, v, &divisor, g->vertex[v].cap);
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        pm_cnum_div(&g->value[e], &g->value[e], &divisor);
    pm_cnum_clear(&divisor);
}

/* Multiplies the factor by C(b + c, c). */
static void factor_binomial(pm_rgraph *g, int32_t v, int32_t b, int32_t c)
{
    mpz_t z;
    mpz_init(z);
    mpz_bin_uiui(z, (unsigned long)b + (unsigned long)c, (unsigned long)c);
    pm_cnum binomial = {0};
    pm_dyadic_set_mpz(&binomial.re, z);
    pm_rgraph_factor(g, v, &binomial, 1);
    pm_cnum_clear(&binomial);
    mpz_clear(z);
}

static void merge_group(pm_rgraph *g, const int32_t *members, const group *found)
{
    int32_t base = members[0], lead = leading_entry(g, base);
    pm_cnum ratio = {0};
    g->is_plain = false;
    if (!found->equal)
        make_primitive(g, base);
    for (int64_t k = 1; k < found->count; ++k) {
        int32_t v = members[k], cap = g->vertex[v].cap;
        if (!found->equal) {
            pm_cnum_div(&ratio, &g->value[leading_entry(g, v)], &g->value[lead]);
            pm_rgraph_factor(g, v, &ratio, cap);
        }
        factor_binomial(g, v, g->vertex[base].cap, cap);
        pm_rgraph_remove(g, v);
        g->vertex[base].cap += cap;
    }
    pm_rgraph_enqueue(g, base);
    pm_cnum_clear(&ratio);
}

static int by_gain(const void *x, const void *y)
{
    const group *a = x, *b = y;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

pm_status pm_rgraph_twins(pm_rgraph *g, bool *changed, pm_error *err)
{
    twins t = {0};
    pm_status status = PM_OK;
    int64_t longer = g->nrows > g->ncols ? g->nrows : g->ncols;
    for (t.slots = 16; t.slots < 2 * longer;)
        t.slots *= 2;
    t.candidates = pm_alloc_array(longer, sizeof *t.candidates);
    t.same = pm_alloc_array(longer, sizeof *t.same);
    t.first = pm_alloc_array(t.slots, sizeof *t.first);
    t.last = pm_alloc_array(t.slots, sizeof *t.last);
    t.members = pm_alloc_array(g->nrows + g->ncols, sizeof *t.members);
    if (!t.candidates || !t.same || !t.first || !t.last || !t.members) {
        status = pm_fail_memory(err, "the search for twins");
        goto done;
    }
    for (int side = 0; side < 2; ++side) {
        list_candidates(g, side, &t);
        status = pm_rgraph_check_stop(g, err);
        if (!status)
            status = list_groups(g, &t, err);
        if (status)
            goto done;
    }
    status = pm_rgraph_check_stop(g, err);
    if (status)
        goto done;
    if (t.ngroups)
        qsort(t.groups, (size_t)t.ngroups, sizeof *t.groups, by_gain);
    *changed = false;
    for (int64_t k = 0; k < t.ngroups; ++k) {
        const int32_t *members = &t.members[t.groups[k].first];
        if (!neighbours_single(g, members[0]))
            continue;
        merge_group(g, members, &t.groups[k]);
        *changed = true;
    }
done:
    free(t.candidates);
    free(t.same);
    free(t.first);
    free(t.last);
    free(t.members);
    free(t.groups);
    return status;
}
