/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/value.h"

#include <stdlib.h>
#include <string.h>

#include "number/decimal.h"
#include "pm/alloc.h"

#define DIGITS_MOST 30

static char *exact_text(const mpq_t q)
{
    size_t room = mpz_sizeinbase(mpq_numref(q), 10) + mpz_sizeinbase(mpq_denref(q), 10) + 3;
    char *text = pm_alloc_array((int64_t)room, 1);
    return text ? mpq_get_str(text, 10, q) : NULL;
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

char *pm_value_text(const pm_value *v)
{
    if (pm_value_is_exact(v))
        return exact_text(v->exact);
    pm_decimal re, im;
    round_part(v->re, v->error, &re);
    if (v->field == PM_REAL)
        return pm_decimal_text(&re);
    round_part(v->im, v->error, &im);
    return join(pm_decimal_text(&re), pm_decimal_text(&im));
}

char *pm_value_error_text(const pm_value *v)
{
    pm_xreal bound = {0};
    if (!pm_value_is_exact(v)) {
        pm_decimal re, im;
        round_part(v->re, v->error, &re);
        round_part(v->im, v->error, &im);
        bound = pm_xreal_add(v->error, pm_xreal_add(re.residue, im.residue));
        bound = pm_xreal_mul(bound, pm_xreal_make(1, 0x1p-90, 0));
    }
    pm_decimal up;
    pm_decimal_round(bound, 2, PM_ROUND_AWAY, &up);
    return pm_decimal_text(&up);
}
