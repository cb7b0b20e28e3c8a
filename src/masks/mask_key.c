/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_key.h"

static void add_level(pm_sha256 *s, const pm_mask_level *l)
{
    pm_sha256_add_number(s, l->nslots);
    pm_sha256_add_number(s, l->implied);
    pm_sha256_add_number(s, l->parity);
    for (int32_t q = 0; q < l->nslots; ++q)
        pm_sha256_add_number(s, l->slots[q]);
}

static void add_step(pm_sha256 *s, const pm_mask_step *t)
{
    pm_sha256_add_number(s, t->vertex);
    pm_sha256_add_number(s, t->own_slot);
    pm_sha256_add_number(s, t->has_loop);
    pm_sha256_add_number(s, t->has_loop ? t->loop : 0);
    pm_sha256_add_number(s, t->low);
    pm_sha256_add_number(s, t->nbefore);
    pm_sha256_add_number(s, t->ntouches);
    for (int32_t k = 0; k < t->ntouches; ++k) {
        const pm_mask_touch *x = &t->touches[k];
        pm_sha256_add_number(s, x->old_slot);
        pm_sha256_add_number(s, x->new_slot);
        pm_sha256_add_number(s, x->is_neighbour);
        pm_sha256_add_number(s, x->is_neighbour ? x->entry : 0);
    }
}

pm_ledger_key pm_mask_key(const pm_mask_program *p)
{
    pm_sha256 s;
    pm_ledger_key key;
    pm_sha256_begin(&s);
    pm_sha256_add_number(&s, p->nsteps);
    for (int32_t i = 0; i <= p->nsteps; ++i)
        add_level(&s, &p->levels[i]);
    for (int32_t i = 0; i < p->nsteps; ++i)
        add_step(&s, &p->steps[i]);
    pm_sha256_end(&s, key.byte);
    return key;
}
