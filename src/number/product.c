/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/value.h"

/* level[i] holds the product of 2^i factors where bit i of count is set; a push carries. */
void pm_product_push(pm_product *p, const pm_dyadic *factor)
{
    pm_dyadic x = {0};
    int i = 0;
    pm_dyadic_set(&x, factor);
    for (; p->count >> i & 1; ++i) {
        pm_dyadic_mul(&x, &x, &p->level[i]);
        pm_dyadic_clear(&p->level[i]);
    }
    p->level[i] = x;
    ++p->count;
}

void pm_product_take(pm_product *p, pm_dyadic *out)
{
    pm_dyadic x = {0};
    pm_dyadic_set_si(&x, 1);
    for (int i = 0; i < 64; ++i)
        if (p->count >> i & 1) {
            pm_dyadic_mul(&x, &x, &p->level[i]);
            pm_dyadic_clear(&p->level[i]);
        }
    p->count = 0;
    pm_dyadic_clear(out);
    *out = x;
}
