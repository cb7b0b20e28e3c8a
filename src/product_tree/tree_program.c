/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "pm/alloc.h"

enum { NONE = -1, COMPLEX_PRODUCT = 6, COMPLEX_SUM = 2 };

void pm_tree_program_free(pm_tree_program *p)
{
    free(p->step);
    free(p->operand);
    free(p->update);
    *p = (pm_tree_program){0};
}

/* ---- entries ---- */

/* The cells hold the entries of row i times 2^-scale[i]. */
static void choose_scales(const pm_square *s, int *scale)
{
    uint64_t odd[PM_SQUARE_MAX] = {0};
    for (int32_t k = 0; k < pm_square_nnz(s); ++k)
        odd[s->rowind[k]] ^= (uint64_t)s->re[k] & 1;
    for (int32_t i = 0; i < s->n; ++i) {
        /* all signed sums of these integers have the same parity; even sums are halved */
        scale[i] = !odd[i];
        if (s->field >= PM_REAL)
            frexp((double)s->bound[i], &scale[i]);
    }
}

static bool find_entry(const pm_square *s, int32_t row, int32_t column, int32_t *k)
{
    for (*k = s->colptr[column]; *k < s->colptr[column + 1]; ++*k)
        if (s->rowind[*k] == row)
            return true;
    return false;
}

static double real_part(const pm_square *s, int32_t k, int scale)
{
    return ldexp((double)s->re[k], -scale);
}

static double imaginary_part(const pm_square *s, int32_t k, int scale)
{
    return s->im ? ldexp((double)s->im[k], -scale) : 0;
}

static void set_inputs(const pm_square *s, const int *scale, pm_tree_program *p)
{
    const pm_tree_plan *t = &p->plan;
    int32_t stay = t->n - t->eliminated, k;
    p->is_exact = true;
    for (int32_t c = 0; c < t->ninputs; ++c) {
        const pm_tree_input *in = &t->input[c];
        for (int32_t j = 0; j < stay; ++j)
            if (find_entry(s, in->row, t->cols[j], &k)) {
                p->re[c] += real_part(s, k, scale[in->row]);
                p->im[c] += imaginary_part(s, k, scale[in->row]);
            }
        if (in->column >= 0 && find_entry(s, in->row, in->column, &k)) {
            p->re[c] += in->sign * real_part(s, k, scale[in->row]);
            p->im[c] += in->sign * imaginary_part(s, k, scale[in->row]);
        }
        p->inexact[c] = ldexp(s->inexact[in->row], -scale[in->row]);
        p->is_exact &= p->inexact[c] == 0;
    }
}

/* A sign that changes moves the row sums of its column by twice the entry. */
static void set_updates(const pm_square *s, const int *scale, pm_tree_program *p)
{
    const pm_tree_plan *t = &p->plan;
    int32_t count = 0, k;
    for (int32_t j = 0; j < pm_tree_outer(t); ++j) {
        p->action[j].first_update = count;
        for (int32_t c = 0; c < t->ninputs; ++c)
            if (find_entry(s, t->input[c].row, t->cols[j], &k)) {
                int by = scale[t->input[c].row];
                p->update[count++] =
                    (pm_tree_update){c, 2 * real_part(s, k, by), 2 * imaginary_part(s, k, by)};
            }
        p->action[j].end_update = count;
    }
}

/* ---- nodes ---- */

/* The program's form of a cell of the plan: the product of a residue (a cell for each prime) and an
 * exact group; one of the two may be missing. */
typedef struct {
    int32_t residue[PM_TREE_PRIMES]; /* NONE for all primes or for no prime */
    int32_t group;
} pair;

typedef struct {
    pm_tree_kind kind;
    int32_t prime, first, end;
} node;

/* The nodes of the program: those of the plan, and those for the arithmetic modulo primes. */
typedef struct {
    double most; /* the bound of exact values: the least prime; INFINITY without primes */
    int32_t nprimes, ninputs, nnodes, noperands, nterms;
    node node[PM_TREE_PROGRAM_CELLS];
    int32_t operand[2 * PM_TREE_PROGRAM_CELLS]; /* an exact cell may be used once for each prime */
    double bound[PM_TREE_PROGRAM_CELLS];
    pair value[PM_TREE_CELLS];
} builder;

static int32_t add_node(builder *b, pm_tree_kind kind, int32_t prime, const int32_t *cell,
                        int32_t count, double bound)
{
    int32_t out = b->ninputs + b->nnodes;
    b->node[b->nnodes++] = (node){kind, prime, b->noperands, b->noperands + count};
    for (int32_t i = 0; i < count; ++i)
        b->operand[b->noperands++] = cell[i];
    b->bound[out] = bound;
    return out;
}

static pair exact_pair(int32_t cell)
{
    pair out = {.group = cell};
    for (int32_t i = 0; i < PM_TREE_PRIMES; ++i)
        out.residue[i] = NONE;
    return out;
}

/* The first cell minus the second one, if there is one. */
static pair residues_of(builder *b, const pair *plus, const pair *minus)
{
    pair out = exact_pair(NONE);
    for (int32_t i = 0; i < b->nprimes; ++i) {
        int32_t cell[2] = {plus->group == NONE ? plus->residue[i] : plus->group, NONE};
        if (minus)
            cell[1] = minus->group == NONE ? minus->residue[i] : minus->group;
        out.residue[i] = add_node(b, PM_TREE_RESIDUE_DIFFERENCE, i, cell, minus ? 2 : 1, b->most);
    }
    return out;
}

static int32_t product_of(builder *b, pm_tree_kind kind, int32_t prime, const int32_t *cell,
                          int32_t count, double bound)
{
    return count == 1 ? cell[0] : add_node(b, kind, prime, cell, count, bound);
}

/* The factors of a product: those of its residue, for each prime, and those of its open group. */
typedef struct {
    int32_t residue[PM_TREE_PRIMES][2 * PM_TREE_INPUTS], nresidues;
    int32_t group[PM_TREE_INPUTS], ngroup;
    double bound;
} factors;

static void close_group(builder *b, factors *f)
{
    int32_t cell = product_of(b, PM_TREE_PRODUCT, 0, f->group, f->ngroup, f->bound);
    for (int32_t i = 0; i < b->nprimes; ++i)
        f->residue[i][f->nresidues] = cell;
    ++f->nresidues;
    f->ngroup = 0;
    f->bound = 1;
}

/* Groups grow in the order of the operands; a full group becomes a factor of the residue. */
static pair multiply(builder *b, const int16_t *operand, int32_t count)
{
    factors f = {.bound = 1};
    pair out = exact_pair(NONE);
    for (int32_t i = 0; i < count; ++i) {
        const pair *v = &b->value[operand[i]];
        if (b->nprimes && v->residue[0] != NONE) {
            for (int32_t k = 0; k < b->nprimes; ++k)
                f.residue[k][f.nresidues] = v->residue[k];
            ++f.nresidues;
        }
        if (v->group == NONE)
            continue;
        if (f.ngroup && f.bound * b->bound[v->group] > b->most)
            close_group(b, &f);
        f.group[f.ngroup++] = v->group;
        f.bound *= b->bound[v->group];
    }
    if (f.ngroup)
        out.group = product_of(b, PM_TREE_PRODUCT, 0, f.group, f.ngroup, f.bound);
    for (int32_t k = 0; k < b->nprimes && f.nresidues; ++k)
        out.residue[k] =
            product_of(b, PM_TREE_RESIDUE_PRODUCT, k, f.residue[k], f.nresidues, b->most);
    return out;
}

/* A pair of which one is missing. */
static pair joined(builder *b, const pair *v)
{
    pair out = *v;
    if (v->residue[0] == NONE || v->group == NONE)
        return out;
    for (int32_t k = 0; k < b->nprimes; ++k) {
        int32_t both[2] = {v->residue[k], v->group};
        out.residue[k] = add_node(b, PM_TREE_RESIDUE_PRODUCT, k, both, 2, b->most);
    }
    out.group = NONE;
    return out;
}

static pair subtract(builder *b, const int16_t *operand)
{
    /* in this order, so that the first one can be the previous step */
    pair minus = joined(b, &b->value[operand[1]]), plus = joined(b, &b->value[operand[0]]);
    int32_t both[2] = {plus.group, minus.group};
    if (both[0] == NONE || both[1] == NONE || b->bound[both[0]] + b->bound[both[1]] > b->most)
        return residues_of(b, &plus, &minus);
    double bound = b->bound[both[0]] + b->bound[both[1]];
    return exact_pair(add_node(b, PM_TREE_DIFFERENCE, 0, both, 2, bound));
}

/* The terms are the last cells, one cell for each. */
static void add_terms(builder *b, const pair *v)
{
    if (v->residue[0] == NONE) {
        b->nterms = 1;
        if (v->group != b->ninputs + b->nnodes - 1 || !b->nnodes)
            add_node(b, PM_TREE_PRODUCT, 0, &v->group, 1, b->bound[v->group]);
        return;
    }
    b->nterms = b->nprimes;
    for (int32_t k = 0; k < b->nprimes; ++k) {
        int32_t both[2] = {v->residue[k], v->group};
        if (v->group == NONE)
            add_node(b, PM_TREE_PRODUCT, 0, both, 1, b->most);
        else
            add_node(b, PM_TREE_RESIDUE_PRODUCT, k, both, 2, b->most);
    }
}

static void build(const pm_tree_plan *t, const pm_square *s, const int *scale,
                  const pm_tree_program *p, builder *b)
{
    b->most = INFINITY;
    b->nprimes = p->nprimes;
    b->ninputs = t->ninputs;
    for (int32_t i = 0; i < p->nprimes; ++i)
        b->most = fmin(b->most, p->prime[i]);
    for (int32_t c = 0; c < t->ninputs; ++c) {
        int32_t row = t->input[c].row;
        b->bound[c] = p->nprimes ? ldexp((double)s->bound[row], -scale[row]) : 1;
        b->value[c] = exact_pair(c);
        if (b->bound[c] > b->most)
            b->value[c] = residues_of(b, &b->value[c], NULL);
    }
    for (int32_t i = 0; i < t->nnodes; ++i) {
        const pm_tree_node *v = &t->node[i];
        b->value[t->ninputs + i] = v->is_difference
                                       ? subtract(b, &t->operand[v->first])
                                       : multiply(b, &t->operand[v->first], v->end - v->first);
    }
    add_terms(b, &b->value[t->ninputs + t->nnodes - 1]);
}

/* ---- steps ---- */

typedef struct {
    pm_tree_program *p;
    const builder *b;
    int32_t nsteps, noperands;
    double weight; /* of each operation that is added */
} writer;

static double operations_of(const writer *w, const node *v)
{
    double count = v->end - v->first - 1;
    if (v->kind == PM_TREE_RESIDUE_PRODUCT)
        return PM_TREE_RESIDUE_COST * count;
    if (v->kind == PM_TREE_RESIDUE_DIFFERENCE)
        return PM_TREE_RESIDUE_COST + count;
    if (w->p->field == PM_COMPLEX)
        return (v->kind == PM_TREE_PRODUCT ? COMPLEX_PRODUCT : COMPLEX_SUM) * count;
    return count;
}

static double work_of(const writer *w, const node *v)
{
    bool reduces = v->kind == PM_TREE_RESIDUE_PRODUCT || v->kind == PM_TREE_RESIDUE_DIFFERENCE;
    double count = v->end - v->first - 1, each = reduces ? PM_TREE_RESIDUE_WORK : 1;
    return (w->p->field == PM_COMPLEX ? PM_TREE_COMPLEX_WORK : 1) * (1 + each * count);
}

static void write_step(writer *w, int32_t i, int32_t before)
{
    const builder *b = w->b;
    const node *v = &b->node[i];
    pm_tree_step *step = &w->p->step[w->nsteps++];
    bool commutes = v->kind == PM_TREE_PRODUCT || v->kind == PM_TREE_RESIDUE_PRODUCT;
    *step = (pm_tree_step){.first = w->noperands,
                           .out = b->ninputs + i,
                           .kind = (uint8_t)v->kind,
                           .prime = (uint8_t)v->prime};
    for (int32_t k = v->first; k < v->end; ++k)
        if (b->operand[k] == before && (k == v->first || commutes))
            step->follows = true;
        else
            w->p->operand[w->noperands++] = b->operand[k];
    step->end = w->noperands;
    w->p->operations += w->weight * operations_of(w, v);
    w->p->work += w->weight * work_of(w, v);
}

/* The nodes that depend on a changed cell; without a flip all nodes. */
static void write_action(writer *w, const pm_tree_flip *flip, pm_tree_action *action)
{
    const builder *b = w->b;
    bool changed[PM_TREE_PROGRAM_CELLS] = {false};
    int32_t before = NONE;
    for (int32_t c = 0; c < b->ninputs; ++c)
        changed[c] = !flip || pm_tree_changes(flip, c);
    action->first_step = w->nsteps;
    for (int32_t i = 0; i < b->nnodes; ++i) {
        bool depends = !flip || i >= b->nnodes - b->nterms;
        for (int32_t k = b->node[i].first; k < b->node[i].end; ++k)
            depends |= changed[b->operand[k]];
        if (!depends)
            continue;
        changed[b->ninputs + i] = true;
        write_step(w, i, before);
        before = b->ninputs + i;
    }
    action->end_step = w->nsteps;
}

static void write_all(const builder *b, pm_tree_program *p)
{
    const pm_tree_plan *t = &p->plan;
    writer w = {.p = p, .b = b};
    bool is_complex = p->field == PM_COMPLEX;
    p->work = PM_TREE_TERM_WORK;
    for (int32_t j = 0; j < t->flips; ++j) {
        w.weight = ldexp(1, -j - 1);
        write_action(&w, &t->flip[j], &p->action[j]);
        double updates = w.weight * (p->action[j].end_update - p->action[j].first_update);
        p->operations += (is_complex ? COMPLEX_SUM : 1) * updates;
        p->work += (is_complex ? PM_TREE_COMPLEX_WORK : 1) * updates;
    }
    w.weight = 0;
    write_action(&w, NULL, &p->everything);
}

pm_status pm_tree_program_make(const pm_tree_plan *plan, const pm_square *s, const uint64_t *prime,
                               int32_t nprimes, pm_tree_program *out, pm_error *err)
{
    pm_status status = PM_OK;
    int scale[PM_SQUARE_MAX] = {0};
    pm_tree_program p = {.plan = *plan, .field = s->field, .nprimes = nprimes};
    builder *b = pm_calloc_array(1, sizeof *b);
    int64_t actions = plan->flips + 1;
    if (!b) {
        status = pm_fail_memory(err, "product tree");
        goto done;
    }
    for (int32_t i = 0; i < nprimes; ++i) {
        p.prime[i] = (double)prime[i];
        p.inverse[i] = 1 / p.prime[i];
    }
    choose_scales(s, scale);
    build(plan, s, scale, &p, b);
    p.nterms = b->nterms;
    p.update = pm_alloc_array((int64_t)pm_tree_outer(plan) * plan->ninputs, sizeof *p.update);
    p.step = pm_alloc_array(actions * b->nnodes, sizeof *p.step);
    p.operand = pm_alloc_array(actions * b->noperands, sizeof *p.operand);
    if (!p.update || !p.step || !p.operand) {
        status = pm_fail_memory(err, "product tree");
        goto done;
    }
    set_inputs(s, scale, &p);
    set_updates(s, scale, &p);
    p.ncells = b->ninputs + b->nnodes;
    p.shift = 1 - plan->n;
    for (int32_t i = 0; i < plan->n; ++i)
        p.shift += scale[i];
    write_all(b, &p);
done:
    free(b);
    if (status)
        pm_tree_program_free(&p);
    else
        *out = p;
    return status;
}
