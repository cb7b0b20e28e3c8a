/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_build.h"

#include <math.h>
#include <string.h>

#include "core/machine.h"

/* ---- nodes ---- */

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

static void add_input(builder *b, const pm_column_sets *c, int32_t row, int32_t column,
                      int32_t sign)
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

static factor add_factor(builder *b, const pm_column_sets *c, uint64_t eliminated, int32_t row)
{
    factor f = {.first = b->plan->ninputs, .count = 1};
    for (; eliminated; eliminated &= eliminated - 1) {
        int32_t column = __builtin_ctzll(eliminated);
        if (!(c->col[column] >> row & 1))
            continue;
        for (int32_t sign = 1; sign >= -1; sign -= 2)
            for (uint64_t rows = c->col[column]; rows; rows &= rows - 1)
                add_input(b, c, __builtin_ctzll(rows), column, sign);
        return (factor){f.first, pm_tree_size(c->col[column]), true};
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

static void build_tree(builder *b, const pm_column_sets *c, uint64_t eliminated,
                       const pm_tree_layout *l)
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
        flip->changed[(cells - 1) / 64] |= pm_tree_bit((cells - 1) % 64);
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

void pm_tree_build(const pm_column_sets *c, const pm_tree_candidate *x, int32_t slow,
                   pm_tree_plan *p)
{
    pm_tree_layout l;
    *p = (pm_tree_plan){.n = c->n, .eliminated = pm_tree_size(x->eliminated)};
    builder b = {.plan = p};
    p->slow = pm_tree_slow_columns(x->count - 1, slow);
    p->flips = x->count - 1 - p->slow;
    memcpy(p->cols, x->cols, (size_t)x->count * sizeof *p->cols);
    int32_t count = x->count;
    for (uint64_t e = x->eliminated; e; e &= e - 1)
        p->cols[count++] = __builtin_ctzll(e);
    pm_tree_layout_start(c, x->eliminated, &l);
    for (int32_t k = 0; k < p->flips; ++k)
        pm_tree_position(&l, pm_tree_factors_of(&l, c->col[p->cols[k]]));
    pm_tree_position(&l, l.all);
    build_tree(&b, c, x->eliminated, &l);
    find_flips(&b);
}
