/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Chinese remainder theorem in a time that is nearly linear in the size of the result: few moduli are joined one
 * after another, into blocks; blocks are joined in a tree of products.  With M the product of all blocks B, the
 * result is the sum over the blocks of M / B times (x_B / (M / B) mod B), modulo M; the numbers M / B mod B come from
 * the remainders of M modulo the squares of the products, down the tree (von zur Gathen and Gerhard 2013, chapter 10). */
#include "config.h"

#include <stdlib.h>

#include "core/long_step.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum { BLOCK = 32 /* moduli */, LEVELS = 32 };

/* ---- one modulus after another ---- */

/* x = the number below *modulus, which becomes the product of the m[i]; both are initialised. */
static void join_few(mpz_t x, mpz_t modulus, const uint64_t *residue, const uint64_t *m, int n)
{
    mpz_set_ui(modulus, 1);
    mpz_set_ui(x, 0);
    for (int i = 0; i < n; ++i) {
        /* x + modulus * t = residue (mod m[i]) */
        uint64_t have = mpz_fdiv_ui(x, m[i]), scale = mpz_fdiv_ui(modulus, m[i]);
        uint64_t gap = residue[i] >= have ? residue[i] - have : residue[i] + (m[i] - have);
        uint64_t t = pm_mod_mul(gap, pm_mod_inverse(scale, m[i]), m[i]);
        mpz_addmul_ui(x, modulus, t);
        mpz_mul_ui(modulus, modulus, m[i]);
    }
}

/* ---- the tree ---- */

/* Level k has count[k] nodes; node i of level k + 1 is made of nodes 2 i and 2 i + 1 of level k, or of the first of them
 * where it is the last one. */
typedef struct {
    int levels, count[LEVELS];
    mpz_t *product[LEVELS];
} tree;

static void tree_clear(tree *t)
{
    for (int k = 0; k < t->levels; ++k) {
        for (int i = 0; i < t->count[k]; ++i)
            mpz_clear(t->product[k][i]);
        free(t->product[k]);
    }
}

static mpz_t *init_numbers(int count)
{
    mpz_t *x = pm_alloc_array(count, sizeof *x);
    for (int i = 0; x && i < count; ++i)
        mpz_init(x[i]);
    return x;
}

static void clear_numbers(mpz_t *x, int count)
{
    for (int i = 0; x && i < count; ++i)
        mpz_clear(x[i]);
    free(x);
}

/* Level 0 is there.  Returns false when out of memory. */
static bool tree_multiply(tree *t)
{
    while (t->count[t->levels - 1] > 1) {
        const int k = t->levels, below = t->count[k - 1];
        mpz_t *const from = t->product[k - 1];
        t->count[k] = (below + 1) / 2;
        t->product[k] = init_numbers(t->count[k]);
        if (!t->product[k])
            return false;
        ++t->levels;
        for (int i = 0; i < t->count[k]; ++i)
            if (2 * i + 1 < below)
                mpz_mul(t->product[k][i], from[2 * i], from[2 * i + 1]);
            else
                mpz_set(t->product[k][i], from[2 * i]);
    }
    return true;
}

/* x[i], i < count[0], is multiplied by the inverse of M / product[0][i].  Returns false when out of memory. */
static bool divide_by_others(const tree *t, mpz_t *x)
{
    const int top = t->levels - 1;
    mpz_t square, *rest = init_numbers(t->count[0]), *next = init_numbers(t->count[0]);
    const bool has_memory = rest && next;
    mpz_init(square);
    if (has_memory)
        mpz_set(rest[0], t->product[top][0]);
    for (int k = top - 1; k >= 0 && has_memory; --k) {
        for (int i = 0; i < t->count[k]; ++i) {
            mpz_mul(square, t->product[k][i], t->product[k][i]);
            mpz_fdiv_r(next[i], rest[i / 2], square);
        }
        mpz_t *swap = rest;
        rest = next;
        next = swap;
    }
    for (int i = 0; i < t->count[0] && has_memory; ++i) {
        mpz_divexact(rest[i], rest[i], t->product[0][i]);
        mpz_invert(rest[i], rest[i], t->product[0][i]);
        mpz_mul(x[i], x[i], rest[i]);
        mpz_fdiv_r(x[i], x[i], t->product[0][i]);
    }
    mpz_clear(square);
    clear_numbers(rest, t->count[0]);
    clear_numbers(next, t->count[0]);
    return has_memory;
}

/* x[0] = the sum of x[i] M / product[0][i] */
static void add_up(const tree *t, mpz_t *x)
{
    mpz_t other;
    mpz_init(other);
    for (int k = 0; k + 1 < t->levels; ++k)
        for (int i = 0; i < t->count[k + 1]; ++i) {
            mpz_swap(x[i], x[2 * i]);
            if (2 * i + 1 < t->count[k]) {
                mpz_mul(other, x[2 * i + 1], t->product[k][2 * i]);
                mpz_mul(x[i], x[i], t->product[k][2 * i + 1]);
                mpz_add(x[i], x[i], other);
            }
        }
    mpz_clear(other);
}

static int moduli_of(int block, int n)
{
    return n - block * BLOCK < BLOCK ? n - block * BLOCK : BLOCK;
}

/* *product: initialised.  Returns false when out of memory. */
static bool join_many(mpz_t x, mpz_t product, const uint64_t *residue, const uint64_t *m, int n)
{
    tree t = {.levels = 1, .count = {(n + BLOCK - 1) / BLOCK}};
    const int blocks = t.count[0];
    mpz_t *part = init_numbers(blocks);
    t.product[0] = init_numbers(blocks);
    bool has_memory = part && t.product[0];
    if (!t.product[0])
        t.levels = 0;
    for (int i = 0; i < blocks && has_memory; ++i)
        join_few(part[i], t.product[0][i], residue + i * BLOCK, m + i * BLOCK, moduli_of(i, n));
    has_memory = has_memory && tree_multiply(&t) && divide_by_others(&t, part);
    if (has_memory) {
        add_up(&t, part);
        mpz_set(product, t.product[t.levels - 1][0]);
        mpz_fdiv_r(x, part[0], product);
    }
    tree_clear(&t);
    clear_numbers(part, blocks);
    return has_memory;
}

void pm_crt(mpz_t x, const uint64_t *residue, const uint64_t *m, int n, bool is_signed)
{
    mpz_t modulus, half;
    const int64_t bits = INT64_C(62) * n;
    mpz_init(modulus);
    pm_long_step_begin(bits);
    if (n <= 2 * BLOCK || !join_many(x, modulus, residue, m, n))
        join_few(x, modulus, residue, m, n);
    pm_long_step_end(bits);
    if (is_signed) {
        mpz_init(half);
        mpz_tdiv_q_2exp(half, modulus, 1);
        if (mpz_cmp(x, half) > 0)
            mpz_sub(x, x, modulus);
        mpz_clear(half);
    }
    mpz_clear(modulus);
}
