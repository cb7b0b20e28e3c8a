/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/value.h"

#include <stdlib.h>
#include <string.h>

#include "core/long_step.h"
#include "number/bits.h"
#include "number/decimal.h"
#include "number/rational_text.h"
#include "number/value_roots.h"
#include "pm/alloc.h"

#define DIGITS_MOST 30

static char *exact_text(const mpq_t q)
{
    size_t room = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
    int64_t bits = (int64_t)(mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2));
    char *text = pm_bits_fit(bits) ? pm_alloc_array((int64_t)room, 1) : NULL;
    if (!text)
        return NULL;
    pm_long_step_begin(bits);
    mpq_get_str(text, 10, q);
    pm_long_step_end(bits);
    return text;
}

/* x down to the decade of the error, which that rounding raises by no more than a half. */
static void round_part(pm_xreal x, pm_xreal error, pm_decimal *out)
{
    int64_t digits = DIGITS_MOST;
    if (x.hi != 0 && error.hi != 0) {
        digits = pm_decimal_decade(x) - pm_decimal_decade(error) + 1;
        if (digits > DIGITS_MOST)
            digits = DIGITS_MOST;
        if (digits < 1)
            digits = 1;
    }
    pm_decimal_round(x, (int)digits, PM_ROUND_NEAREST, out);
}

/* "a<TAB>b"; takes both over. */
static char *join(char *a, char *b)
{
    char *both = NULL;
    if (a && b) {
        size_t la = strlen(a), lb = strlen(b);
        both = pm_alloc_array((int64_t)(la + lb + 2), 1);
        if (both) {
            memcpy(both, a, la);
            both[la] = '\t';
            memcpy(both + la + 1, b, lb + 1);
        }
    }
    free(a);
    free(b);
    return both;
}

static char *exact_texts(const pm_value *v)
{
    if (v->roots)
        return pm_root_sum_text(v->roots);
    return v->has_exact_im ? join(exact_text(v->exact), exact_text(v->exact_im))
                           : exact_text(v->exact);
}

/* v rounded for its text: an inexact value. */
typedef struct {
    pm_decimal re, im;
} rounded;

static void round_value(const pm_value *v, rounded *r)
{
    round_part(v->re, v->error, &r->re);
    round_part(v->im, v->error, &r->im);
}

/* A double, at least x >= 0. */
static pm_xreal rounded_up(pm_xreal x)
{
    return x.lo > 0 ? pm_xreal_make(x.hi * (1 + 0x1p-52), 0, x.exp) : pm_xreal_make(x.hi, 0, x.exp);
}

/* A bound of the error of v and of the rounding of its parts. */
static char *error_text(const pm_value *v, const rounded *r)
{
    pm_decimal up;
    pm_xreal bound = pm_xreal_add(v->error, pm_xreal_add(r->re.residue, r->im.residue));
    if (r->re.residue.hi != 0 || r->im.residue.hi != 0)
        bound = rounded_up(pm_xreal_mul(bound, pm_xreal_make(1, 0x1p-90, 0)));
    pm_decimal_round(bound, 2, PM_ROUND_AWAY, &up);
    return pm_decimal_text(&up);
}

static char *rounded_text(const pm_value *v, const rounded *r)
{
    return v->field == PM_COMPLEX ? join(pm_decimal_text(&r->re), pm_decimal_text(&r->im))
                                  : pm_decimal_text(&r->re);
}

char *pm_value_text(const pm_value *v)
{
    rounded r;
    if (pm_value_is_exact(v))
        return exact_texts(v);
    round_value(v, &r);
    return rounded_text(v, &r);
}

char *pm_value_error_text(const pm_value *v)
{
    rounded r;
    if (pm_value_is_exact(v))
        return pm_copy_text("0");
    round_value(v, &r);
    return error_text(v, &r);
}

bool pm_value_texts(const pm_value *v, char **value, char **error)
{
    rounded r;
    if (pm_value_is_exact(v)) {
        *value = exact_texts(v);
        *error = pm_copy_text("0");
    } else {
        round_value(v, &r);
        *value = rounded_text(v, &r);
        *error = error_text(v, &r);
    }
    if (*value && *error)
        return true;
    free(*value);
    free(*error);
    return false;
}

/* A number at least q >= 0, rounded up to two digits. */
static char *bound_text(const mpq_t q)
{
    pm_decimal up;
    pm_xreal bound = pm_xreal_from_mpq(q);
    if (bound.hi != 0) /* its rounding, and more */
        bound = rounded_up(pm_xreal_mul(bound, pm_xreal_make(1, 0x1p-90, 0)));
    pm_decimal_round(bound, 2, PM_ROUND_AWAY, &up);
    return pm_decimal_text(&up);
}

/* lost: the sum of the errors of both parts, which are far smaller than the last of the digits. */
static void get_parts(const pm_value *v, int64_t digits, mpq_t re, mpq_t im, mpq_t lost)
{
    enum { BITS_A_DIGIT = 4, MORE = 64 };
    const int64_t bits = BITS_A_DIGIT * digits + MORE;
    if (!v->roots) {
        mpq_set(re, v->exact);
        if (v->has_exact_im)
            mpq_set(im, v->exact_im);
        return;
    }
    pm_root_sum_precise_parts(v->roots, bits, re, im);
    mpq_abs(lost, re);
    mpq_t size;
    mpq_init(size);
    mpq_abs(size, im);
    mpq_add(lost, lost, size);
    mpq_div_2exp(lost, lost, (mp_bitcnt_t)bits);
    mpq_clear(size);
}

bool pm_value_digits(const pm_value *v, int64_t digits, char **value, char **error)
{
    mpq_t re, im, lost, residue, other;
    mpq_inits(re, im, lost, residue, other, NULL);
    get_parts(v, digits, re, im, lost);
    *value = pm_rational_text(re, digits, residue);
    if (v->has_exact_im || v->roots)
        *value = join(*value, pm_rational_text(im, digits, other));
    mpq_add(residue, residue, other);
    mpq_add(residue, residue, lost);
    *error = bound_text(residue);
    mpq_clears(re, im, lost, residue, other, NULL);
    if (*value && *error)
        return true;
    free(*value);
    free(*error);
    return false;
}
