/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/value.h"

#include <stdlib.h>
#include <string.h>

#include "core/long_step.h"
#include "number/bits.h"
#include "number/decimal.h"
#include "number/rational_text.h"
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

bool pm_value_digits(const pm_value *v, int64_t digits, char **value, char **error)
{
    mpq_t residue, other;
    mpq_inits(residue, other, NULL);
    *value = pm_rational_text(v->exact, digits, residue);
    if (v->has_exact_im)
        *value = join(*value, pm_rational_text(v->exact_im, digits, other));
    mpq_add(residue, residue, other);
    *error = bound_text(residue);
    mpq_clears(residue, other, NULL);
    if (*value && *error)
        return true;
    free(*value);
    free(*error);
    return false;
}
