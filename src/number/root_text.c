/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

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
