/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/number_block.h"

#include <string.h>

#include "pm/settings.h"
#include "text/scalar.h"

enum { LOOKED_AT = 3 }; /* edges */

static void look_at(pm_number_block *x, const char *text, int64_t length)
{
    pm_scalar v = {.field = PM_INTEGER};
    if (pm_scalar_parse(text, length, &v) >= PM_NUMBER_BAD) {
        x->has_names = true;
        return;
    }
    bool is_pair = v.field == PM_COMPLEX && memchr(text, ',', (size_t)length);
    bool is_whole = pm_dyadic_is_integer(&v.re) && pm_dyadic_is_integer(&v.im);
    x->has_fractions = x->has_fractions || !is_whole || (v.field == PM_COMPLEX && !is_pair);
    pm_scalar_clear(&v);
}

void pm_number_block_add(pm_number_block *x, const char *const text[2], const int64_t length[2])
{
    ++x->lines;
    for (int k = 0; k < 2 && x->lines <= LOOKED_AT && !x->has_names; ++k)
        look_at(x, text[k], length[k]);
}

bool pm_number_block_is_likely(const pm_number_block *x, int fields)
{
    return !x->has_names && x->lines >= 2 && (x->lines <= fields || x->has_fractions);
}

void pm_number_block_hint(pm_error *err)
{
    if (!err)
        return;
    const pm_error why = *err;
    pm_fail(err, PM_EDATA, "%s; a matrix of numbers is another format%s", why.msg,
            pm_hint_text(PM_HINT_DENSE));
}

bool pm_is_separated_numbers(const char *text, int64_t length)
{
    static const char known[] = "0123456789+-.eEijIJ(),;\t";
    bool has_digit = false;
    for (int64_t k = 0; k < length; ++k) {
        if (!strchr(known, text[k]))
            return false;
        has_digit = has_digit || (text[k] >= '0' && text[k] <= '9');
    }
    return has_digit;
}
