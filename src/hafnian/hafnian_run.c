/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "hafnian/hafnian_run.h"

#include <math.h>
#include <stdlib.h>

#include "hafnian/hafnian_outer.h"
#include "number/prime.h"
#include "pm/alloc.h"

/* ---- residues ---- */

pm_status pm_hafnian_modulo(const pm_hafnian_entries *e, const pm_hafnian_room *room, uint64_t m,
                            const pm_run *run, uint64_t *residue, pm_error *err)
{
    _Alignas(64) uint32_t number[PM_HAFNIAN_LANES];
    pm_hafnian_level l = {.modulus = m};
    uint64_t factor;
    int lane;
    const int64_t stride = e->n + 1;
    uint64_t *matrix = pm_alloc_array(2 * stride * stride, sizeof *matrix);
    if (!matrix)
        return pm_fail_memory(err, "hafnian");
    pm_hafnian_residues(e, &l, matrix, matrix + stride * stride, &factor);
    pm_status status = pm_hafnian_levels_run(&pm_hafnian_kernels_best()->residue, &l, room, run,
                                             number, &lane, err);
    if (!status)
        *residue = pm_mod_mul(number[lane], factor, m);
    free(matrix);
    return status;
}

/* ---- real and complex numbers ---- */

/* Errors relative to the hafnian of the absolute values, in units of u^2, u = 2^-53, to first order.
 *
 * A sum of m products in two doubles, with S = the sum of |products|: the high parts are added without error, in a sum below 1.01 S.  A
 * low part is the rounding of a product, its two cross products and the rounding of an addition: below 4 u |product| + 1.01 u S.
 * So the sum of all is below 1.01 (m + 4) u S, and each of m additions to it rounds by u times that; what else is left out
 * or rounded is below 13 |product| + S for each product.  All together: 1.02 (m^2 + 6 m + 13) S.  Complex parts have 2 m products, and both
 * parts count, with sqrt 2.
 *
 * PATH: of a path with one more pair, a cycle or a jump, m <= 64; a perfect matching is in at most 3 of them for each pair of vertices.
 * ROW: eight products of a sum of counts, before which the low part is at most u times the high part; a sum at level k has
 * 2^(k-3) of these.  The sum over sets of hafnian_outer.h has no more products in a row. */
static double relative_error(int pairs, bool is_complex)
{
    const double path = is_complex ? 0x1p15 : 0x1p13, row = is_complex ? 640 : 160;
    const double rows = exp2(pairs > PM_HAFNIAN_LOW ? pairs - PM_HAFNIAN_LOW : 0);
    return 0x1p-106 * 1.01 * (3 * pairs * path + (rows + PM_HAFNIAN_LOW) * row + 8 * pairs);
}

/* With entries of at most 1, all sums together take less than 2^50 steps, in each of which underflow costs at most 2^-1070, times at
 * most 2^200 for what follows. */
#define UNDERFLOW_ERROR (-800)

/* x: the doubles of the hafnian, which is multiplied by 2^shift. */
static void finish(const pm_hafnian_entries *e, const pm_hafnian_scale *s, const double *x,
                   double size, pm_value *out)
{
    const bool is_complex = e->a->field == PM_COMPLEX;
    const double error = size * relative_error(e->n / 2, is_complex);
    const pm_xreal re = pm_xreal_make(x[0], x[1], s->shift);
    const pm_xreal im = is_complex ? pm_xreal_make(x[2], x[3], s->shift) : (pm_xreal){.hi = 0};
    pm_xreal all = pm_xreal_make(error, 0, s->shift);
    if (s->may_underflow)
        all = pm_xreal_add(all, pm_xreal_make(1, 0, s->shift + UNDERFLOW_ERROR));
    pm_value_set_real(out, e->a->field, re, im, all);
}

static void set_zero(pm_field field, pm_value *out)
{
    const pm_xreal zero = {.hi = 0};
    pm_value_set_real(out, field, zero, zero, zero);
}

/* out: the doubles of the number. */
static pm_status run_kernel(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                            const pm_hafnian_room *room, const pm_ledger_scope *scope,
                            const char *what, const pm_run *run, double *out, pm_error *err)
{
    _Alignas(64) double number[4 * PM_HAFNIAN_LANES];
    int lane;
    if (l->pairs >= PM_HAFNIAN_OUTER_PAIRS)
        return pm_hafnian_outer_run(kernel, l, room, scope, what, run, out, err);
    pm_status status = pm_hafnian_levels_run(kernel, l, room, run, number, &lane, err);
    for (size_t i = 0; i < kernel->bytes / sizeof(double) && !status; ++i)
        out[i] = number[i * PM_HAFNIAN_LANES + (size_t)lane];
    return status;
}

#define SIZE_SHARE 0.1 /* of the time */

/* Where a part did not do all of the number, it does its part of the size as well.  The names of sums with other
 * factors of the vertices (hafnian_scale.h) are others. */
static pm_status run_level(const pm_hafnian_entries *e, const pm_hafnian_level *l,
                           const double *sizes, const pm_hafnian_scale *scale,
                           const pm_hafnian_room *room, const pm_ledger_scope *scope,
                           const pm_run *run, pm_value *out, pm_error *err)
{
    pm_run_part part;
    /* Where products underflow, vector units round them differently. */
    const pm_hafnian_kernels *best = pm_hafnian_kernels_best();
    const pm_hafnian_kernels *k = scale->may_underflow ? &pm_hafnian_portable : best;
    const double share = scale->is_positive ? 0 : SIZE_SHARE;
    double x[4], size = 0;
    pm_status status = run_kernel(e->a->field == PM_COMPLEX ? &k->complex : &k->real, l, room,
                                  scope, scale->may_underflow ? "hafnian-wide" : "hafnian",
                                  pm_run_part_of(&part, run, 0, 1 - share), x, err);
    const bool is_partial = status == PM_PARTIAL;
    if ((!status || is_partial) && !scale->is_positive) {
        pm_hafnian_level level = *l;
        level.step = level.close = sizes;
        status = run_kernel(&best->size, &level, room, scope,
                            scale->may_underflow ? "sizes-wide" : "sizes",
                            pm_run_part_of(&part, run, 1 - share, share), &size, err);
        size *= 1 + 0x1p-16; /* its sums have less than 2^35 roundings in a row */
    } else if (!status) {
        size = x[0] * (1 + 0x1p-50);
    }
    if (!status && is_partial)
        status = PM_PARTIAL;
    if (!status)
        finish(e, scale, x, size, out);
    return status;
}

static pm_status run_floats(const pm_hafnian_entries *e, const pm_ledger_scope *scope,
                            const pm_run *run, pm_value *out, pm_error *err)
{
    const int numbers = e->a->field == PM_COMPLEX ? 4 : 2;
    const int64_t places = (int64_t)(e->n + 1) * (e->n + 1);
    pm_hafnian_level l = {.modulus = 0};
    pm_hafnian_scale scale;
    pm_hafnian_room room = {0};
    double *matrix = pm_alloc_array(places * numbers, sizeof *matrix);
    double *sizes = pm_alloc_array(places, sizeof *sizes);
    pm_status status = matrix && sizes
                           ? pm_hafnian_floats(e, &l, numbers, matrix, sizes, &scale, err)
                           : pm_fail_memory(err, "hafnian");
    if (!status)
        status =
            pm_hafnian_room_make(l.pairs, l.sheets, (size_t)numbers * sizeof *matrix, &room, err);
    if (!status && scale.is_zero)
        set_zero(e->a->field, out);
    else if (!status)
        status = run_level(e, &l, sizes, &scale, &room, scope, run, out, err);
    pm_hafnian_room_free(&room);
    free(matrix);
    free(sizes);
    return status;
}

pm_status pm_hafnian_float_block(const pm_block *b, const pm_ledger_scope *scope, const pm_run *run,
                                 pm_value *out, pm_error *err)
{
    pm_hafnian_entries e;
    if (!pm_hafnian_is_possible(&b->a)) {
        set_zero(b->a.field, out);
        return PM_OK;
    }
    pm_status status = pm_hafnian_entries_find(&b->a, &e, err);
    if (status)
        return status;
    status = run_floats(&e, scope, run, out, err);
    pm_hafnian_entries_free(&e);
    return status;
}
