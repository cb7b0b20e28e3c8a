/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_plan.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/machine.h"
#include "core/rng.h"
#include "sweep/square.h"

enum {
    PLACED_BY_COST = 16, /* columns ordered by cost; the others flip too seldom to matter */
    FEW_STARTS = 50,     /* candidates that are tried for each column to start from */
    CANDIDATES_MAX = 20000
};

/* The rows of each column, as bit sets. */
typedef struct {
    int32_t n;
    uint64_t col[64];
} column_sets;

typedef struct {
    uint64_t eliminated; /* set of columns */
    int32_t count;       /* the number of the other columns */
    int32_t cols[64];    /* the other columns, in order */
    double cost;
} candidate;

static uint64_t bit(int32_t i)
{
    return UINT64_C(1) << i;
}

static int32_t size(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* ---- buckets ---- */

/* Factors are a bit set over rows; an atom is represented by its first row. */
typedef struct {
    uint64_t owned; /* rows that belong to atoms */
    int32_t natoms;
    uint64_t atom[64];
    uint64_t all, seen; /* all factors; those that are in buckets already */
    int32_t nbuckets;
    uint64_t bucket[64];
} layout;

static void layout_start(const column_sets *c, uint64_t eliminated, layout *l)
{
    l->owned = 0;
    l->natoms = l->nbuckets = 0;
    l->seen = 0;
    l->all = c->n == 64 ? ~UINT64_C(0) : bit(c->n) - 1;
    for (; eliminated; eliminated &= eliminated - 1) {
        uint64_t rows = c->col[__builtin_ctzll(eliminated)];
        l->atom[l->natoms++] = rows;
        l->owned |= rows;
        l->all &= ~(rows & (rows - 1));
    }
}

static uint64_t factors_of(const layout *l, uint64_t rows)
{
    uint64_t f = rows & ~l->owned;
    if (rows & l->owned)
        for (int32_t e = 0; e < l->natoms; ++e)
            if (rows & l->atom[e])
                f |= l->atom[e] & -l->atom[e];
    return f;
}

static void position(layout *l, uint64_t factors)
{
    uint64_t fresh = factors & ~l->seen;
    if (fresh)
        l->bucket[l->nbuckets++] = fresh;
    l->seen |= fresh;
}

typedef struct {
    double updates, differences, products, stores;
} work;

/* The multiplications to compute a product anew when some factors change and the product of the
 * others is stored. */
static int32_t product_work(uint64_t product, uint64_t changed)
{
    int32_t all = size(product) - 1, some = size(product & changed);
    return some < all ? some : all;
}

/* The approximate cost of a flip of a column whose factors are all in buckets. */
static work flip_work(const layout *l, uint64_t rows, uint64_t factors)
{
    work w = {.updates = size(rows) + size(rows & l->owned)};
    for (int32_t e = 0; e < l->natoms && rows & l->owned; ++e)
        if (rows & l->atom[e]) {
            w.products += 2 * product_work(l->atom[e], rows);
            w.differences += 1;
        }
    bool reached = false;
    for (int32_t b = l->nbuckets - 1; b >= 0; --b) {
        bool touched = l->bucket[b] & factors;
        reached |= touched || b == 0;
        if (!reached)
            continue;
        bool is_last = b == l->nbuckets - 1 && l->seen == l->all;
        w.products += !is_last + (touched ? product_work(l->bucket[b], factors) : 0);
        w.stores += 1 + (touched && size(l->bucket[b]) > 1);
    }
    return w;
}

static double price(const work *w)
{
    return PM_TREE_UPDATE_WORK * w->updates + PM_TREE_PRODUCT_WORK * (w->products + w->differences)
           + PM_TREE_STORE_WORK * (w->stores + w->differences);
}

/* The next column is the one with the cheapest flip. */
static void order_by_cost(const column_sets *c, candidate *x, int32_t wanted)
{
    layout l;
    layout_start(c, x->eliminated, &l);
    for (int32_t k = 0; k < x->count && k < wanted; ++k) {
        double least = INFINITY;
        int32_t best = k;
        for (int32_t i = k; i < x->count; ++i) {
            layout next = l;
            uint64_t rows = c->col[x->cols[i]], factors = factors_of(&l, rows);
            position(&next, factors);
            work w = flip_work(&next, rows, factors);
            double cost = price(&w);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        int32_t col = x->cols[best];
        memmove(&x->cols[k + 1], &x->cols[k], (size_t)(best - k) * sizeof *x->cols);
        x->cols[k] = col;
        position(&l, factors_of(&l, c->col[col]));
    }
}

static int32_t slow_columns(int32_t outer, int32_t wanted)
{
    return outer < wanted ? outer : wanted;
}

/* The mean cost of a term. */
static work mean_work(const column_sets *c, const candidate *x, int32_t slow)
{
    layout l;
    work sum = {0};
    double weight = 1;
    int32_t flips = x->count - 1 - slow_columns(x->count - 1, slow);
    layout_start(c, x->eliminated, &l);
    for (int32_t k = 0; k < flips; ++k) {
        uint64_t rows = c->col[x->cols[k]], factors = factors_of(&l, rows);
        position(&l, factors);
        work w = flip_work(&l, rows, factors);
        weight /= 2;
        sum.updates += weight * w.updates;
        sum.differences += weight * w.differences;
        sum.products += weight * w.products;
        sum.stores += weight * w.stores;
    }
    return sum;
}

static void evaluate(const column_sets *c, int32_t slow, candidate *x)
{
    work w = mean_work(c, x, slow);
    x->cost = ldexp(PM_TREE_TERM_WORK + price(&w), x->count - 1);
}

/* ---- first choices ---- */

static void keep_better(const candidate *x, candidate *best)
{
    if (x->cost < best->cost)
        *best = *x;
}

/* Tries the columns that are not eliminated in two orders: PermanentOrdering, and cheapest flips
 * first. */
static void try_eliminated(const column_sets *c, const int32_t *given, int32_t slow,
                           uint64_t eliminated, candidate *best)
{
    candidate x = {.eliminated = eliminated};
    for (int32_t k = 0; k < c->n; ++k)
        if (!(eliminated >> given[k] & 1))
            x.cols[x.count++] = given[k];
    evaluate(c, slow, &x);
    keep_better(&x, best);
    order_by_cost(c, &x, PLACED_BY_COST);
    evaluate(c, slow, &x);
    keep_better(&x, best);
}

/* The shortest column without a common row with those taken; of several the one that excludes the
 * fewest others. -1 when there is none. */
static int32_t next_eliminated(const column_sets *c, uint64_t taken, uint64_t owned)
{
    int32_t best = -1, least = INT32_MAX;
    for (int32_t j = 0; j < c->n; ++j) {
        if (taken >> j & 1 || c->col[j] & owned || !c->col[j])
            continue;
        int32_t barred = 0;
        for (int32_t i = 0; i < c->n; ++i)
            barred += !(c->col[i] & owned) && c->col[i] & c->col[j];
        int32_t rank = size(c->col[j]) * 64 + barred;
        if (rank < least) {
            least = rank;
            best = j;
        }
    }
    return best;
}

/* Grows a set of eliminated columns from the given start and tries each set whose size is
 * wanted. */
static void grow(const column_sets *c, const int32_t *given, const pm_tree_options *o,
                 int32_t start, candidate *best)
{
    uint64_t taken = 0, owned = 0;
    int32_t count = 0;
    while (count < c->n) {
        if (o->eliminated == PM_TREE_ANY || o->eliminated == count)
            try_eliminated(c, given, o->slow, taken, best);
        int32_t next = count == 0 && start >= 0 ? start : next_eliminated(c, taken, owned);
        if (next < 0 || !c->col[next] || count == PM_TREE_ELIMINATED_MAX || count + 1 == c->n)
            return;
        taken |= bit(next);
        owned |= c->col[next];
        ++count;
    }
}

/* ---- annealing ---- */

static void move_column(candidate *x, int32_t from, int32_t to)
{
    int32_t col = x->cols[from];
    if (from < to)
        memmove(&x->cols[from], &x->cols[from + 1], (size_t)(to - from) * sizeof *x->cols);
    else
        memmove(&x->cols[to + 1], &x->cols[to], (size_t)(from - to) * sizeof *x->cols);
    x->cols[to] = col;
}

static void insert_column(candidate *x, int32_t col, int32_t at)
{
    x->cols[x->count] = col;
    x->eliminated &= ~bit(col);
    move_column(x, x->count++, at);
}

/* Eliminates the column at this position of the order; eliminated columns that share a row with it
 * return to this position. */
static bool eliminate(const column_sets *c, candidate *x, int32_t at)
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
    x->eliminated |= bit(col);
    return x->count > 0 && size(x->eliminated) <= PM_TREE_ELIMINATED_MAX;
}

/* A random position; half of the draws are among the first eight. */
static int32_t draw_position(uint64_t *rng, int32_t count)
{
    int32_t few = count < 8 ? count : 8;
    return (int32_t)pm_rng_below(rng, (uint32_t)(pm_rng_below(rng, 2) ? few : count));
}

static bool change(const column_sets *c, uint64_t *rng, candidate *x)
{
    uint32_t kind = pm_rng_below(rng, 8);
    int32_t at = draw_position(rng, x->count);
    if (kind == 0 && x->eliminated) {
        int32_t which = (int32_t)pm_rng_below(rng, (uint32_t)size(x->eliminated));
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

static void anneal(const column_sets *c, const pm_tree_options *o, int candidates, candidate *best)
{
    uint64_t rng = o->seed;
    candidate now = *best;
    for (int i = 0; i < candidates; ++i) {
        double heat = 0.1 * (1 - (double)i / candidates);
        candidate x = now;
        if (!change(c, &rng, &x)
            || (o->eliminated != PM_TREE_ANY && size(x.eliminated) != o->eliminated))
            continue;
        evaluate(c, o->slow, &x);
        if (log(x.cost / now.cost) < -heat * log(1 - pm_rng_unit(&rng)))
            now = x;
        keep_better(&now, best);
    }
}

/* ---- from a candidate to a plan ---- */

/* The plan under construction. */
typedef struct {
    pm_tree_plan *plan;
    int32_t noperands;
    /* bit 63 - k: flip k changes the cell; larger means more often */
    uint64_t touch[PM_TREE_CELLS];
} builder;

static int32_t add_node(builder *b, const int16_t *cell, int32_t count, bool is_difference)
{
    pm_tree_plan *p = b->plan;
    int32_t out = p->ninputs + p->nnodes;
    pm_tree_node *node = &p->node[p->nnodes++];
    *node = (pm_tree_node){b->noperands, b->noperands + count, is_difference};
    b->touch[out] = 0;
    for (int32_t i = 0; i < count; ++i) {
        p->operand[b->noperands++] = cell[i];
        b->touch[out] |= b->touch[cell[i]];
    }
    return out;
}

/* The mean number of changes of such a cell for each term. */
static double frequency(uint64_t touch)
{
    return (double)touch * 0x1p-64;
}

/* A product of cells, those that change rarely first.  It is split before cell i if storing the
 * product so far saves more multiplications, in the flips that change only later cells, than
 * storing costs in the other flips. */
static int32_t add_product(builder *b, int16_t *cell, int32_t count)
{
    uint64_t before = 0;
    int32_t kept = 0;                   /* cells in the product so far */
    for (int32_t i = 1; i < count; ++i) /* insertion sort, stable */
        for (int32_t k = i; k > 0 && b->touch[cell[k]] < b->touch[cell[k - 1]]; --k) {
            int16_t c = cell[k];
            cell[k] = cell[k - 1];
            cell[k - 1] = c;
        }
    for (int32_t i = 0; i < count; ++i) {
        uint64_t after = 0;
        for (int32_t k = i; k < count; ++k)
            after |= b->touch[cell[k]];
        double saved = PM_TREE_PRODUCT_WORK * (kept - 1) * frequency(after & ~before);
        if (kept > 1 && saved > (PM_TREE_STORE_WORK + PM_TREE_PRODUCT_WORK) * frequency(before)) {
            int32_t first = i - kept;
            cell[i - 1] = (int16_t)add_node(b, &cell[first], kept, false);
            kept = 1;
        }
        before |= b->touch[cell[i]];
        ++kept;
    }
    return kept == 1 ? cell[count - 1] : add_node(b, &cell[count - kept], kept, false);
}

/* ---- cells ---- */

static void add_input(builder *b, const column_sets *c, int32_t row, int32_t column, int32_t sign)
{
    pm_tree_plan *p = b->plan;
    uint64_t touch = 0;
    for (int32_t k = 0; k < p->flips; ++k)
        touch |= (c->col[p->cols[k]] >> row & 1) << (63 - k);
    b->touch[p->ninputs] = touch;
    p->input[p->ninputs++] = (pm_tree_input){row, column, sign};
}

/* Makes consecutive inputs; of an atom those with the sign + come first. */
typedef struct {
    int32_t first, count;
    bool is_atom;
} factor;

static factor add_factor(builder *b, const column_sets *c, uint64_t eliminated, int32_t row)
{
    factor f = {.first = b->plan->ninputs, .count = 1};
    for (; eliminated; eliminated &= eliminated - 1) {
        int32_t column = __builtin_ctzll(eliminated);
        if (!(c->col[column] >> row & 1))
            continue;
        for (int32_t sign = 1; sign >= -1; sign -= 2)
            for (uint64_t rows = c->col[column]; rows; rows &= rows - 1)
                add_input(b, c, __builtin_ctzll(rows), column, sign);
        return (factor){f.first, size(c->col[column]), true};
    }
    add_input(b, c, row, -1, 0);
    return f;
}

static int16_t factor_value(builder *b, const factor *f)
{
    int16_t side[2], cell[64];
    if (!f->is_atom)
        return (int16_t)f->first;
    for (int32_t s = 1; s >= 0; --s) {
        for (int32_t i = 0; i < f->count; ++i)
            cell[i] = (int16_t)(f->first + s * f->count + i);
        side[s] = (int16_t)add_product(b, cell, f->count);
    }
    return (int16_t)add_node(b, side, 2, true);
}

static void build_tree(builder *b, const column_sets *c, uint64_t eliminated, const layout *l)
{
    factor f[64];
    int32_t end[65] = {0}, count = 0, chain = -1;
    for (int32_t k = 0; k < l->nbuckets; ++k) {
        for (uint64_t set = l->bucket[k]; set; set &= set - 1)
            f[count++] = add_factor(b, c, eliminated, __builtin_ctzll(set));
        end[k + 1] = count;
    }
    for (int32_t k = l->nbuckets - 1; k >= 0; --k) {
        int16_t cell[64];
        for (int32_t i = end[k]; i < end[k + 1]; ++i)
            cell[i - end[k]] = factor_value(b, &f[i]);
        int16_t link[2] = {(int16_t)chain, (int16_t)add_product(b, cell, end[k + 1] - end[k])};
        chain = chain < 0 ? link[1] : add_node(b, link, 2, false);
    }
    if (b->plan->nnodes == 0) {
        int16_t only = (int16_t)chain;
        add_node(b, &only, 1, false);
    }
}

/* ---- the cells that a flip changes, and their cost ---- */

static void find_flips(const builder *b)
{
    pm_tree_plan *p = b->plan;
    int32_t cells = p->ninputs + p->nnodes;
    for (int32_t k = 0; k < p->flips; ++k) {
        pm_tree_flip *flip = &p->flip[k];
        for (int32_t c = 0; c < cells; ++c)
            flip->changed[c / 64] |= (b->touch[c] >> (63 - k) & 1) << c % 64;
        flip->changed[(cells - 1) / 64] |= bit((cells - 1) % 64);
        for (int32_t c = 0; c < p->ninputs; ++c)
            p->additions += ldexp(pm_tree_changes(flip, c), -k - 1);
        for (int32_t i = 0; i < p->nnodes; ++i) {
            const pm_tree_node *node = &p->node[i];
            if (!pm_tree_changes(flip, p->ninputs + i))
                continue;
            *(node->is_difference ? &p->additions : &p->products) +=
                ldexp(node->end - node->first - 1, -k - 1);
            p->kept += ldexp(1, -k - 1);
        }
    }
}

static void fill(const column_sets *c, const candidate *x, int32_t slow, pm_tree_plan *p)
{
    layout l;
    *p = (pm_tree_plan){.n = c->n, .eliminated = size(x->eliminated)};
    builder b = {.plan = p};
    p->slow = slow_columns(x->count - 1, slow);
    p->flips = x->count - 1 - p->slow;
    memcpy(p->cols, x->cols, (size_t)x->count * sizeof *p->cols);
    int32_t count = x->count;
    for (uint64_t e = x->eliminated; e; e &= e - 1)
        p->cols[count++] = __builtin_ctzll(e);
    layout_start(c, x->eliminated, &l);
    for (int32_t k = 0; k < p->flips; ++k)
        position(&l, factors_of(&l, c->col[p->cols[k]]));
    position(&l, l.all);
    build_tree(&b, c, x->eliminated, &l);
    find_flips(&b);
}

/* The exact cost of a tree; the search compares candidates by approximate costs. */
static double plan_price(const pm_tree_plan *p)
{
    double term = p->additions + p->products + PM_TREE_STORE_WORK * p->kept + PM_TREE_TERM_WORK;
    return ldexp(term, pm_tree_outer(p));
}

pm_tree_options pm_tree_defaults(void)
{
    return (pm_tree_options){
        .slow = 5, .eliminated = PM_TREE_ANY, .effort = 1e-6, .most = CANDIDATES_MAX};
}

static pm_status refuse_eliminated(const pm_tree_options *o, pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "no %d columns without a common row were found",
                   (int)o->eliminated);
}

static void fill_better(const column_sets *c, const candidate *x, int32_t slow, pm_tree_plan *out)
{
    pm_tree_plan found;
    fill(c, x, slow, &found);
    if (plan_price(&found) < plan_price(out))
        *out = found;
}

static pm_status search_plan(const pm_pattern *a, const column_sets *c, const pm_tree_options *o,
                             pm_tree_plan *out, pm_error *err)
{
    candidate best = {.cost = INFINITY};
    pm_column_order given;
    pm_status s = pm_column_order_permanent(a, given.cols, given.rows, err);
    if (s != PM_OK)
        return s;
    grow(c, given.cols, o, -1, &best);
    double allowed = best.cost * o->effort; /* may be infinite */
    int candidates = allowed < o->most ? (int)allowed : o->most;
    if (candidates > FEW_STARTS * a->n || best.cost == INFINITY)
        for (int32_t j = 0; j < a->n; ++j)
            grow(c, given.cols, o, j, &best);
    if (best.cost == INFINITY)
        return refuse_eliminated(o, err);
    fill(c, &best, o->slow, out);
    anneal(c, o, candidates, &best);
    fill_better(c, &best, o->slow, out);
    return PM_OK;
}

/* Eliminates the first columns, as long as they have no common row and the cost falls. */
static pm_status keep_plan(const column_sets *c, const pm_tree_options *o, pm_tree_plan *out,
                           pm_error *err)
{
    bool is_found = false;
    uint64_t owned = 0;
    for (int32_t m = 0; m < c->n && m <= PM_TREE_ELIMINATED_MAX; ++m) {
        candidate x = {.eliminated = bit(m) - 1};
        for (int32_t j = m; j < c->n; ++j)
            x.cols[x.count++] = j;
        if (is_found && o->eliminated == PM_TREE_ANY)
            fill_better(c, &x, o->slow, out);
        else if (o->eliminated == PM_TREE_ANY || o->eliminated == m)
            fill(c, &x, o->slow, out);
        is_found |= o->eliminated == PM_TREE_ANY || o->eliminated == m;
        if (!c->col[m] || c->col[m] & owned)
            break;
        owned |= c->col[m];
    }
    return is_found ? PM_OK : refuse_eliminated(o, err);
}

pm_status pm_tree_plan_make(const pm_pattern *a, const pm_tree_options *options, pm_tree_plan *out,
                            pm_error *err)
{
    column_sets c = {.n = a->n};
    for (int32_t j = 0; j < a->n; ++j)
        for (int32_t k = a->colptr[j]; k < a->colptr[j + 1]; ++k)
            c.col[j] |= bit(a->rowind[k]);
    return options->keep_order ? keep_plan(&c, options, out, err)
                               : search_plan(a, &c, options, out, err);
}

double pm_tree_operations(const pm_tree_plan *p)
{
    return ldexp(p->additions + p->products, pm_tree_outer(p));
}
