/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>

#include "product_tree/tree_gpu_writer.h"
#include "sweep/gpu_arithmetic.h"

/* Primes are elements of pm_value, so that one text can be used for all primes. */
static pm_tree_name prime_of(pm_tree_writer *w, const pm_tree_step *s)
{
    double p = w->p->prime[s->prime];
    return w->in_words ? pm_tree_interned(w, p) : pm_tree_number(w, p);
}

static pm_tree_name inverse_of(pm_tree_writer *w, const pm_tree_step *s)
{
    return w->in_words ? pm_tree_interned(w, pm_word_inverse((uint64_t)w->p->prime[s->prime]))
                       : pm_tree_number(w, w->p->inverse[s->prime]);
}

/* ---- factors of 2^-32 ---- */

/* The cell of operand k of a step; the result of the previous step, if it is used, is operand 0. */
static int32_t operand_cell(const pm_tree_writer *w, const pm_tree_step *s, int32_t k)
{
    if (s->follows)
        return k ? w->p->operand[s->first + k - 1] : s[-1].out;
    return w->p->operand[s->first + k];
}

void pm_tree_find_factors(pm_tree_writer *w)
{
    const pm_tree_action *all = &w->p->everything;
    for (int32_t i = all->first_step; i < all->end_step; ++i) {
        const pm_tree_step *s = &w->p->step[i];
        int32_t count = s->end - s->first + s->follows, sum = 0, most = 0;
        for (int32_t k = 0; k < count; ++k) {
            int32_t f = w->factors[operand_cell(w, s, k)];
            sum += f;
            most = f > most ? f : most;
        }
        w->factors[s->out] = s->kind == PM_TREE_RESIDUE_PRODUCT ? sum + count - 1 : most;
    }
}

/* 2^(32 count) modulo the prime of a step. */
static double power_of(const pm_tree_writer *w, const pm_tree_step *s, int32_t count)
{
    uint64_t p = (uint64_t)w->p->prime[s->prime], power = 1;
    for (; count > 0; --count)
        power = (power << 32) % p;
    for (; count < 0; ++count)
        for (int bit = 0; bit < 32; ++bit)
            power = (power & 1 ? power + p : power) / 2;
    return (double)power;
}

/* ---- steps ---- */

static int32_t operand(const pm_tree_writer *w, const pm_tree_step *s, int32_t k)
{
    return w->p->operand[s->first + k];
}

/* Writes the product of the operands first .. end - 1 of a step, balanced or one after another. */
static void put_factors(pm_tree_writer *w, const pm_tree_step *s, int32_t first, int32_t end)
{
    int32_t middle = w->shape->in_turn ? end - 1 : (first + end) / 2;
    if (end - first == 1) {
        fputs(pm_tree_cell_name(w, operand(w, s, first), 0).s, w->f);
        return;
    }
    fputc('(', w->f);
    put_factors(w, s, first, middle);
    fputs(" * ", w->f);
    put_factors(w, s, middle, end);
    fputc(')', w->f);
}

/* Writes the product of all operands; the previous result, if it is used, is the last factor. */
static void put_product(pm_tree_writer *w, const pm_tree_step *s, const char *before)
{
    int32_t count = s->end - s->first;
    if (count)
        put_factors(w, s, 0, count);
    if (before)
        fprintf(w->f, "%s%s", count ? " * " : "", before);
}

static void put_residue_product(pm_tree_writer *w, const pm_tree_step *s, const char *before)
{
    int32_t count = s->end - s->first, products = count - 1 + (before != NULL);
    pm_tree_name prime = prime_of(w, s), inverse = inverse_of(w, s);
    for (int32_t k = 0; k < products; ++k)
        fputs(w->in_words ? "pm_montgomery(" : "pm_multiply(", w->f);
    fputs(pm_tree_cell_name(w, operand(w, s, 0), 0).s, w->f);
    for (int32_t k = 1; k <= products; ++k)
        fprintf(w->f, ", %s, %s, %s)",
                k < count ? pm_tree_cell_name(w, operand(w, s, k), 0).s : before, prime.s,
                inverse.s);
}

static void put_difference(pm_tree_writer *w, const pm_tree_step *s, const char *before, int part)
{
    int32_t k = 0, count = s->end - s->first;
    fputs(before ? before : pm_tree_cell_name(w, operand(w, s, k++), part).s, w->f);
    if (k < count)
        fprintf(w->f, " %c %s", w->sizes ? '+' : '-',
                pm_tree_cell_name(w, operand(w, s, k), part).s);
}

/* Writes operand k of a difference, with as many factors of 2^-32 as the result has. */
static void put_aligned(pm_tree_writer *w, const pm_tree_step *s, int32_t k)
{
    int32_t cell = operand_cell(w, s, k), missing = w->factors[s->out] - w->factors[cell];
    pm_tree_name at = pm_tree_cell_name(w, cell, 0);
    if (missing)
        fprintf(w->f, "pm_montgomery(%s, %s, %s, %s)", at.s,
                pm_tree_interned(w, power_of(w, s, 1 - missing)).s, prime_of(w, s).s,
                inverse_of(w, s).s);
    else
        fputs(at.s, w->f);
}

static void put_word_difference(pm_tree_writer *w, const pm_tree_step *s)
{
    fputs("pm_within(", w->f);
    put_aligned(w, s, 0);
    if (s->end - s->first + s->follows > 1) {
        fputs(" - ", w->f);
        put_aligned(w, s, 1);
    }
    fprintf(w->f, ", %s)", prime_of(w, s).s);
}

static void put_real_step(pm_tree_writer *w, const pm_tree_step *s, const char *out,
                          const char *before)
{
    fprintf(w->f, "%s%s = ", w->sizes ? "double " : "", out);
    if (s->kind == PM_TREE_PRODUCT) {
        put_product(w, s, before);
    } else if (s->kind == PM_TREE_RESIDUE_PRODUCT) {
        put_residue_product(w, s, before);
    } else if (s->kind == PM_TREE_RESIDUE_DIFFERENCE && w->in_words) {
        put_word_difference(w, s);
    } else {
        bool reduces = s->kind == PM_TREE_RESIDUE_DIFFERENCE;
        fputs(reduces ? "pm_reduce(" : "", w->f);
        put_difference(w, s, before, 0);
        if (reduces)
            fprintf(w->f, ", %s, %s)", pm_tree_number(w, w->p->prime[s->prime]).s,
                    pm_tree_number(w, w->p->inverse[s->prime]).s);
    }
    fputs(";\n", w->f);
}

/* Writes a complex step; the result is computed in z, zi and copied to out. */
static void put_complex_step(pm_tree_writer *w, const pm_tree_step *s, const pm_tree_name *out,
                             const pm_tree_name *before)
{
    int32_t count = s->end - s->first, k = before ? 0 : 1;
    if (s->kind != PM_TREE_PRODUCT) {
        for (int part = 0; part < 2; ++part) {
            fprintf(w->f, "%s = ", part ? "zi" : "z");
            put_difference(w, s, before ? before[part].s : NULL, part);
            fputs(";\n", w->f);
        }
    } else {
        pm_tree_name first[2] = {{""}, {""}};
        for (int part = 0; part < 2; ++part)
            first[part] = before ? before[part] : pm_tree_cell_name(w, operand(w, s, 0), part);
        fprintf(w->f, "z = %s, zi = %s;\n", first[0].s, first[1].s);
        for (; k < count; ++k)
            fprintf(w->f, "pm_multiply_complex(&z, &zi, %s, %s);\n",
                    pm_tree_cell_name(w, operand(w, s, k), 0).s,
                    pm_tree_cell_name(w, operand(w, s, k), 1).s);
    }
    fprintf(w->f, "%s = z, %s = zi;\n", out[0].s, out[1].s);
}

void pm_tree_put_steps(pm_tree_writer *w, const pm_tree_action *a)
{
    const pm_tree_program *p = w->p;
    int32_t nterms = p->nterms;
    for (int32_t i = a->first_step; i < a->end_step; ++i) {
        const pm_tree_step *s = &p->step[i], *last = s - 1;
        pm_tree_name out[2], before[2];
        for (int part = 0; part < 2; ++part) {
            if (i < a->end_step - nterms)
                out[part] = pm_tree_cell_name(w, s->out, part);
            else
                snprintf(out[part].s, sizeof out[part].s, "%s%d",
                         w->sizes ? "mt"
                         : part   ? "ti"
                                  : "t",
                         (int)(i - (a->end_step - nterms)));
            if (s->follows)
                before[part] = pm_tree_cell_name(w, last->out, part);
        }
        if (w->is_complex && !w->sizes)
            put_complex_step(w, s, out, s->follows ? before : NULL);
        else
            put_real_step(w, s, out[0].s, s->follows ? before[0].s : NULL);
    }
}
