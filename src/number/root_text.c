/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/long_step.h"
#include "number/bits.h"
#include "number/root_sum.h"
#include "pm/alloc.h"

/* Writes a term after others, or the first one; the end of the text. */
static char *put_term(char *to, const pm_root_sum *x, int32_t k)
{
    const bool is_unit =
        mpz_cmpabs_ui(mpq_numref(x->c[k]), 1) == 0 && mpz_cmp_ui(mpq_denref(x->c[k]), 1) == 0;
    if (mpq_sgn(x->c[k]) > 0 && k > 0)
        *to++ = '+';
    if (x->power[k] == 0) {
        mpq_get_str(to, 10, x->c[k]);
        return to + strlen(to);
    }
    if (is_unit) {
        if (mpq_sgn(x->c[k]) < 0)
            *to++ = '-';
    } else {
        mpq_get_str(to, 10, x->c[k]);
        to += strlen(to);
        *to++ = '*';
    }
    to += sprintf(to, "root(%d)", (int)x->order);
    return x->power[k] == 1 ? to : to + sprintf(to, "^%d", (int)x->power[k]);
}

char *pm_root_sum_text(const pm_root_sum *x)
{
    enum { BESIDE = 32 }; /* signs, "*root(1000)^999" */
    const int64_t bits = pm_root_sum_bits(x);
    int64_t room = 2;
    for (int32_t k = 0; k < x->count; ++k)
        room += (int64_t)(mpz_sizeinbase(mpq_numref(x->c[k]), 10)
                          + mpz_sizeinbase(mpq_denref(x->c[k]), 10) + BESIDE);
    char *text = pm_bits_fit(bits) ? pm_alloc_array(room, 1) : NULL;
    if (!text)
        return NULL;
    strcpy(text, "0");
    pm_long_step_begin(bits);
    for (int32_t k = 0, at = 0; k < x->count; ++k)
        at = (int32_t)(put_term(text + at, x, k) - text);
    pm_long_step_end(bits);
    return text;
}

/* The power k for which x may be a multiple of root(order)^k, or -1: by the angle of x, where a negative multiple is
 * turned by half a turn. Its terms are divided by the first one, so that they are small integers if x is such a
 * multiple. */
static int32_t guess_power(const pm_root_sum *x, bool is_negative)
{
    double re = 0, im = 0;
    mpq_t ratio;
    mpq_init(ratio);
    for (int32_t k = 0; k < x->count; ++k) {
        const double angle = 2 * M_PI * x->power[k] / x->order;
        mpq_div(ratio, x->c[k], x->c[0]);
        re += mpq_get_d(ratio) * cos(angle);
        im += mpq_get_d(ratio) * sin(angle);
    }
    mpq_clear(ratio);
    const double turns = atan2(im, re) / (2 * M_PI) + (is_negative ? 1.5 : 1);
    return isfinite(turns) ? (int32_t)lround(turns * x->order) % x->order : -1;
}

/* x as a multiple of root(order)^power, or NULL: it is none, or out of memory. */
static char *multiple_text(const pm_root_sum *x, int32_t k)
{
    enum { BESIDE = 32 };
    char *text = NULL;
    mpq_t one;
    pm_root_sum y, root;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&y);
    pm_root_sum_init(&root);
    pm_root_sum_set(&y, x);
    pm_root_sum_set_power(&root, one, x->order, -k);
    if (pm_root_sum_mul(&y, &root) && pm_root_sum_is_rational(&y)) {
        const int64_t room = (int64_t)(mpz_sizeinbase(mpq_numref(y.c[0]), 10)
                                       + mpz_sizeinbase(mpq_denref(y.c[0]), 10) + BESIDE);
        int32_t power[] = {k};
        const pm_root_sum term = {.order = x->order, .count = 1, .power = power, .c = y.c};
        text = pm_alloc_array(room, 1);
        if (text)
            put_term(text, &term, 0);
    }
    pm_root_sum_clear(&y);
    pm_root_sum_clear(&root);
    mpq_clear(one);
    return text;
}

char *pm_root_sum_short_text(const pm_root_sum *x)
{
    char *text = NULL;
    if (x->count > 1) {
        const int32_t a = guess_power(x, false), b = guess_power(x, true),
                      phi = pm_root_phi(x->order);
        const int32_t k[] = {a < b ? a : b,
                             a < b ? b : a}; /* both are possible if the order is even */
        for (int i = 0; i < 2 && !text; ++i)
            if (k[i] >= phi)
                text = multiple_text(x, k[i]);
    }
    return text ? text : pm_root_sum_text(x);
}
