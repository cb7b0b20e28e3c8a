/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_plan.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/machine.h"
#include "core/rng.h"
#include "product_tree/tree_build.h"
#include "sweep/plan_numbers.h"
#include "sweep/square.h"

enum {
    STARTS_WORK =
        4, /* candidates in whose time one column is tried to start from, for each column */
    PLACED_BY_COST = 16, /* columns ordered by cost; the others flip too seldom to matter */
    CANDIDATES_MAX = 20000,
    CHECK_EVERY = 64 /* candidates between looks at the clock */
};

typedef struct {
    double updates, differences, products, stores;
} work;

/* The multiplications to compute a product anew when some factors change and the product of the
 * others is stored. */
static int32_t product_work(uint64_t product, int32_t size, uint64_t changed)
{
    int32_t some = pm_tree_size(product & changed);
    return some < size - 1 ? some : size - 1;
}

/* What a flip of a column costs at every place in the order: its row sums and its atoms. */
static work atom_work(const pm_tree_layout *l, uint64_t rows)
{
    work w = {.updates = pm_tree_size(rows) + pm_tree_size(rows & l->owned)};
    for (int32_t e = 0; e < l->natoms && rows & l->owned; ++e)
        if (rows & l->atom[e]) {
            w.products += 2 * product_work(l->atom[e], pm_tree_size(l->atom[e]), rows);
            w.differences += 1;
        }
    return w;
}

/* Adds the approximate cost of a flip behind the columns of the layout.  Factors that are in no bucket would become
 * the next one. */
static void add_bucket_work(const pm_tree_layout *l, uint64_t factors, work *w)
{
    const uint64_t fresh = factors & ~l->seen;
    int32_t last = 0; /* of the buckets that are touched; the first one is always read */
    for (uint64_t left = factors & l->seen; left;) {
        const int32_t b = l->place[__builtin_ctzll(left)];
        w->products += product_work(l->bucket[b], l->size[b], factors);
        w->stores += l->size[b] > 1;
        last = b > last ? b : last;
        left &= ~l->bucket[b];
    }
    if (fresh) {
        w->products += pm_tree_size(fresh) - 1;
        w->stores += (fresh & (fresh - 1)) != 0;
        last = l->nbuckets;
    }
    const int32_t nbuckets = l->nbuckets + (fresh != 0);
    if (nbuckets == 0)
        return;
    const bool is_end = last == nbuckets - 1 && (l->seen | fresh) == l->all;
    w->products += last + 1 - is_end;
    w->stores += last + 1;
}

static double price(const work *w)
{
    return PM_TREE_UPDATE_WORK * w->updates + PM_TREE_PRODUCT_WORK * (w->products + w->differences)
           + PM_TREE_STORE_WORK * (w->stores + w->differences);
}

/* The next column is the one with the cheapest flip. */
static void order_by_cost(const pm_column_sets *c, pm_tree_candidate *x, int32_t wanted)
{
    pm_tree_layout l;
    work always[64]; /* of each column */
    uint64_t factors[64];
    pm_tree_layout_start(c, x->eliminated, &l);
    for (int32_t i = 0; i < x->count; ++i) {
        const int32_t col = x->cols[i];
        always[col] = atom_work(&l, c->col[col]);
        factors[col] = pm_tree_factors_of(&l, c->col[col]);
    }
    for (int32_t k = 0; k < x->count && k < wanted; ++k) {
        int32_t best = k;
        double least = INFINITY;
        for (int32_t i = k; i < x->count; ++i) {
            work w = always[x->cols[i]];
            add_bucket_work(&l, factors[x->cols[i]], &w);
            double cost = price(&w);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        int32_t col = x->cols[best];
        memmove(&x->cols[k + 1], &x->cols[k], (size_t)(best - k) * sizeof *x->cols);
        x->cols[k] = col;
        pm_tree_position(&l, factors[col]);
    }
}

/* Sets x->cost from the mean cost of a term; to INFINITY as soon as it is more than `most`. */
static void evaluate(const pm_column_sets *c, int32_t slow, double most, pm_tree_candidate *x)
{
    pm_tree_layout l;
    double weight = 1, mean = PM_TREE_TERM_WORK;
    const double limit = ldexp(most, 1 - x->count);
    int32_t flips = x->count - 1 - pm_tree_slow_columns(x->count - 1, slow);
    pm_tree_layout_start(c, x->eliminated, &l);
    for (int32_t k = 0; k < flips && k < PLACED_BY_COST && mean <= limit; ++k) {
        uint64_t rows = c->col[x->cols[k]], factors = pm_tree_factors_of(&l, rows);
        work w = atom_work(&l, rows);
        add_bucket_work(&l, factors, &w);
        pm_tree_position(&l, factors);
        weight /= 2;
        mean += weight * price(&w);
    }
    x->cost = mean <= limit ? ldexp(mean, x->count - 1) : INFINITY;
}

/* ---- first choices ---- */

static void keep_better(const pm_tree_candidate *x, pm_tree_candidate *best)
{
    if (x->cost < best->cost)
        *best = *x;
}

/* Tries the columns that are not eliminated in two orders: PermanentOrdering, and cheapest flips
 * first. */
static void try_eliminated(const pm_column_sets *c, const int32_t *given, int32_t slow,
                           uint64_t eliminated, pm_tree_candidate *best)
{
    pm_tree_candidate x = {.eliminated = eliminated};
    for (int32_t k = 0; k < c->n; ++k)
        if (!(eliminated >> given[k] & 1))
            x.cols[x.count++] = given[k];
    evaluate(c, slow, best->cost, &x);
    keep_better(&x, best);
    order_by_cost(c, &x, PLACED_BY_COST);
    evaluate(c, slow, best->cost, &x);
    keep_better(&x, best);
}

/* The shortest column without a common row with those taken; of several the one that excludes the
 * fewest others. -1 when there is none. */
static int32_t next_eliminated(const pm_column_sets *c, uint64_t taken, uint64_t owned)
{
    int32_t best = -1, least = INT32_MAX;
    for (int32_t j = 0; j < c->n; ++j) {
        if (taken >> j & 1 || c->col[j] & owned || !c->col[j])
            continue;
        int32_t barred = 0;
        for (int32_t i = 0; i < c->n; ++i)
            barred += !(c->col[i] & owned) && c->col[i] & c->col[j];
        int32_t rank = pm_tree_size(c->col[j]) * 64 + barred;
        if (rank < least) {
            least = rank;
            best = j;
        }
    }
    return best;
}

/* Grows a set of eliminated columns from the given start and tries each set whose size is
 * wanted. */
static void grow(const pm_column_sets *c, const int32_t *given, const pm_tree_options *o,
                 int32_t start, pm_tree_candidate *best)
{
    uint64_t taken = 0, owned = 0;
    int32_t count = 0;
    while (count < c->n) {
        if (o->eliminated == PM_TREE_ANY || o->eliminated == count)
            try_eliminated(c, given, o->slow, taken, best);
        int32_t next = count == 0 && start >= 0 ? start : next_eliminated(c, taken, owned);
        if (next < 0 || !c->col[next] || count == PM_TREE_ELIMINATED_MAX || count + 1 == c->n)
            return;
        taken |= pm_tree_bit(next);
        owned |= c->col[next];
        ++count;
    }
}

/* ---- annealing ---- */

static void move_column(pm_tree_candidate *x, int32_t from, int32_t to)
{
    int32_t col = x->cols[from];
    if (from < to)
        memmove(&x->cols[from], &x->cols[from + 1], (size_t)(to - from) * sizeof *x->cols);
    else
        memmove(&x->cols[to + 1], &x->cols[to], (size_t)(from - to) * sizeof *x->cols);
    x->cols[to] = col;
}

static void insert_column(pm_tree_candidate *x, int32_t col, int32_t at)
{
    x->cols[x->count] = col;
    x->eliminated &= ~pm_tree_bit(col);
    move_column(x, x->count++, at);
}

/* Eliminates the column at this position of the order; eliminated columns that share a row with it
 * return to this position. */
static bool eliminate(const pm_column_sets *c, pm_tree_candidate *x, int32_t at)
{
    int32_t col = x->cols[at];
    if (!c->col[col])
        return false;
    move_column(x, at, x->count - 1);
    --x->count;
    for (uint64_t e = x->eliminated; e; e &= e - 1) {
        int32_t other = __builtin_ctzll(e);
        if (c->col[other] & c->col[col])
            insert_column(x, other, at < x->count ? at : x->count);
    }
    x->eliminated |= pm_tree_bit(col);
    return x->count > 0 && pm_tree_size(x->eliminated) <= PM_TREE_ELIMINATED_MAX;
}

/* A random position; half of the draws are among the first eight. */
static int32_t draw_position(uint64_t *rng, int32_t count)
{
    int32_t few = count < 8 ? count : 8;
    return (int32_t)pm_rng_below(rng, (uint32_t)(pm_rng_below(rng, 2) ? few : count));
}

static bool change(const pm_column_sets *c, uint64_t *rng, pm_tree_candidate *x)
{
    uint32_t kind = pm_rng_below(rng, 8);
    int32_t at = draw_position(rng, x->count);
    if (kind == 0 && x->eliminated) {
        int32_t which = (int32_t)pm_rng_below(rng, (uint32_t)pm_tree_size(x->eliminated));
        uint64_t e = x->eliminated;
        while (which--)
            e &= e - 1;
        insert_column(x, __builtin_ctzll(e), at);
        return true;
    }
    if (kind < 4)
        return eliminate(c, x, (int32_t)pm_rng_below(rng, (uint32_t)x->count));
    move_column(x, (int32_t)pm_rng_below(rng, (uint32_t)x->count), at);
    return true;
}

static void anneal(const pm_column_sets *c, const pm_tree_options *o, int candidates,
                   pm_tree_candidate *best)
{
    uint64_t rng = o->seed;
    pm_tree_candidate now = *best;
    for (int i = 0; i < candidates && !(i % CHECK_EVERY == 0 && pm_run_stopped(o->run)); ++i) {
        double heat = 0.1 * (1 - (double)i / candidates);
        pm_tree_candidate x = now;
        if (!change(c, &rng, &x)
            || (o->eliminated != PM_TREE_ANY && pm_tree_size(x.eliminated) != o->eliminated))
            continue;
        /* accepted up to a random cost */
        const double most = now.cost * pow(1 - pm_rng_unit(&rng), -heat);
        evaluate(c, o->slow, most, &x);
        if (x.cost < most)
            now = x;
        keep_better(&now, best);
    }
}

/* ---- plans ---- */

/* The exact cost of a tree; the search compares candidates by approximate costs. */
static double plan_price(const pm_tree_plan *p)
{
    double term = p->additions + p->products + PM_TREE_STORE_WORK * p->kept + PM_TREE_TERM_WORK;
    return ldexp(term, pm_tree_outer(p));
}

pm_tree_options pm_tree_defaults(void)
{
    return (pm_tree_options){.slow = 5,
                             .eliminated = PM_TREE_ANY,
                             .effort = 1e-6,
                             .most = CANDIDATES_MAX,
                             .rival = INFINITY};
}

static pm_status refuse_eliminated(const pm_tree_options *o, pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "no %d columns without a common row were found",
                   (int)o->eliminated);
}

static void fill_better(const pm_column_sets *c, const pm_tree_candidate *x, int32_t slow,
                        pm_tree_plan *out)
{
    pm_tree_plan found;
    pm_tree_build(c, x, slow, &found);
    if (plan_price(&found) < plan_price(out))
        *out = found;
}

/* How many candidates the search may take, where the first choices lead to this cost. */
static int candidates_for(const pm_tree_options *o, double cost)
{
    double allowed = fmin(cost * o->effort + o->least, o->most); /* the cost may be infinite */
    /* the further the rival is ahead, the less is to be hoped for */
    if (cost > o->rival)
        allowed *= o->rival / cost;
    return (int)allowed;
}

static pm_status search_plan(const pm_pattern *a, const pm_column_sets *c, const pm_tree_options *o,
                             pm_tree_plan *out, pm_error *err)
{
    pm_tree_candidate best = {.cost = INFINITY};
    pm_column_order given;
    pm_status s = pm_column_order_permanent(a, given.cols, given.rows, err);
    if (s != PM_OK)
        return s;
    grow(c, given.cols, o, -1, &best);
    int candidates = candidates_for(o, best.cost), tried = candidates;
    int starts = STARTS_WORK * a->n * a->n; /* candidates in whose time all starts are tried */
    if (candidates > starts || best.cost == INFINITY) {
        for (int32_t j = 0; j < a->n; ++j)
            grow(c, given.cols, o, j, &best);
        candidates = candidates > starts ? candidates - starts : 0;
    }
    if (best.cost == INFINITY)
        return refuse_eliminated(o, err);
    pm_tree_build(c, &best, o->slow, out);
    anneal(c, o, candidates, &best);
    if (pm_run_stopped(o->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during the search for an order");
    fill_better(c, &best, o->slow, out);
    out->tried = tried;
    return PM_OK;
}

/* Eliminates the first columns, as long as they have no common row and the cost falls. */
static pm_status keep_plan(const pm_column_sets *c, const pm_tree_options *o, pm_tree_plan *out,
                           pm_error *err)
{
    bool is_found = false;
    uint64_t owned = 0;
    for (int32_t m = 0; m < c->n && m <= PM_TREE_ELIMINATED_MAX; ++m) {
        pm_tree_candidate x = {.eliminated = pm_tree_bit(m) - 1};
        for (int32_t j = m; j < c->n; ++j)
            x.cols[x.count++] = j;
        if (is_found && o->eliminated == PM_TREE_ANY)
            fill_better(c, &x, o->slow, out);
        else if (o->eliminated == PM_TREE_ANY || o->eliminated == m)
            pm_tree_build(c, &x, o->slow, out);
        is_found |= o->eliminated == PM_TREE_ANY || o->eliminated == m;
        if (!c->col[m] || c->col[m] & owned)
            break;
        owned |= c->col[m];
    }
    return is_found ? PM_OK : refuse_eliminated(o, err);
}

static pm_column_sets sets_of(const pm_pattern *a)
{
    pm_column_sets c = {.n = a->n};
    for (int32_t j = 0; j < a->n; ++j)
        for (int32_t k = a->colptr[j]; k < a->colptr[j + 1]; ++k)
            c.col[j] |= pm_tree_bit(a->rowind[k]);
    return c;
}

pm_status pm_tree_plan_make(const pm_pattern *a, const pm_tree_options *options, pm_tree_plan *out,
                            pm_error *err)
{
    const pm_column_sets c = sets_of(a);
    return options->keep_order ? keep_plan(&c, options, out, err)
                               : search_plan(a, &c, options, out, err);
}

/* ---- plans as numbers: how many columns are eliminated, and all columns in their sequence ---- */

int pm_tree_plan_describe(const pm_tree_plan *p, int64_t *number)
{
    number[0] = p->eliminated;
    for (int32_t k = 0; k < p->n; ++k)
        number[k + 1] = p->cols[k];
    return p->n + 1;
}

/* Every column once; eliminated ones have entries, and no common row. */
static bool read_plan(const pm_column_sets *c, const int64_t *number, pm_tree_candidate *out)
{
    uint64_t seen = 0, owned = 0;
    *out = (pm_tree_candidate){.count = 0};
    if (number[0] < 0 || number[0] > PM_TREE_ELIMINATED_MAX || number[0] >= c->n)
        return false;
    for (int32_t k = 0; k < c->n; ++k) {
        int64_t j = number[k + 1];
        if (j < 0 || j >= c->n || seen >> j & 1)
            return false;
        seen |= pm_tree_bit((int32_t)j);
        if (k < c->n - number[0]) {
            out->cols[out->count++] = (int32_t)j;
            continue;
        }
        if (!c->col[j] || c->col[j] & owned)
            return false;
        owned |= c->col[j];
        out->eliminated |= pm_tree_bit((int32_t)j);
    }
    return true;
}

pm_status pm_tree_plan_again(const pm_pattern *a, const int64_t *number, int count, int32_t slow,
                             pm_tree_plan *out, pm_error *err)
{
    pm_tree_candidate x;
    const pm_column_sets c = sets_of(a);
    pm_status status = pm_plan_numbers_check("product-tree", count, c.n + 1, err);
    if (status)
        return status;
    if (!read_plan(&c, number, &x))
        return pm_fail(err, PM_UNABLE, "the recorded order of columns is not one of this block");
    pm_tree_build(&c, &x, slow, out);
    return PM_OK;
}

double pm_tree_operations(const pm_tree_plan *p)
{
    return ldexp(p->additions + p->products, pm_tree_outer(p));
}
