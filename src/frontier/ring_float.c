/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real and complex values: double-double parts, the sum of the absolute values of all terms added
 * so far (magnitude), and one exponent for all of them.
 *
 *   value = (part[0] + part[1]) * R^e        (real)
 *   value = (part[0] + part[1]) * R^e + i (part[2] + part[3]) * R^e
 *   magnitude = mag * R^e,  R = 2^512,  R^(-1/2) <= mag < R^(1/2) or mag = 0 and value = 0
 *
 * The final magnitude is the permanent of the absolute values; the error is at most
 * depth * 2^-102 times it.  In units of 2^-106 of the magnitude, the error of an addition is at
 * most 3, that of a product with a weight at most 8 for real and 20 for complex numbers, rounding
 * of the weight included.  A step makes one product and up to nsrc additions.  Its share of depth
 * is nsrc + 2, of 16 units each, which covers both. */
#include "config.h"

#include "frontier/ring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/vectorised.h"
#include "number/dd.h"
#include "pm/alloc.h"

#define RADIX               0x1p512
#define RADIX_INV           0x1p-512
#define TOP                 0x1p256
#define BOTTOM              0x1p-256
#define ERROR_PER_OPERATION 0x1p-102

typedef struct {
    double mag;
    int64_t e;
    double part[]; /* 2 * parts */
} number;

typedef struct {
    pm_ring ring;
    int parts;     /* 1 real, 2 complex */
    char *weights; /* a number for each entry; NULL for a pattern */
} floats;

/* The functions below are inlined with a constant `parts`, once for each ring. */
#define TEMPLATE PM_DD_INLINE

TEMPLATE int64_t bytes_of(int parts)
{
    return (int64_t)sizeof(number) + parts * 2 * (int64_t)sizeof(double);
}

TEMPLATE void scale(number *x, double by, int64_t step, int parts)
{
    x->mag *= by;
    x->e += step;
    for (int i = 0; i < 2 * parts; ++i)
        x->part[i] *= by;
}

TEMPLATE void normalise(number *x, int parts)
{
    if (x->mag >= TOP)
        scale(x, RADIX_INV, 1, parts);
    else if (x->mag < BOTTOM && x->mag > 0)
        scale(x, RADIX, -1, parts);
}

/* x += y.  A number with an exponent smaller by 2 or more is dropped: it is less than R^-1 of the
 * other magnitude. */
TEMPLATE void add(number *x, const number *y, int parts)
{
    if (y->mag == 0)
        return;
    if (x->mag == 0 || x->e < y->e - 1) {
        memcpy(x, y, (size_t)bytes_of(parts));
        return;
    }
    if (y->e < x->e - 1)
        return;
    double z[4];
    double mag = y->mag, by = 1;
    if (y->e < x->e)
        by = RADIX_INV;
    else if (y->e > x->e)
        scale(x, RADIX_INV, 1, parts);
    for (int i = 0; i < 2 * parts; ++i)
        z[i] = y->part[i] * by;
    x->mag += mag * by;
    for (int i = 0; i < parts; ++i)
        pm_dd_add(x->part + 2 * i, z + 2 * i);
    normalise(x, parts);
}

/* z = x * w */
TEMPLATE void multiply(number *z, const number *x, const number *w, int parts)
{
    if (x->mag == 0 || w->mag == 0) {
        memset(z, 0, (size_t)bytes_of(parts));
        return;
    }
    double p[2], q[2];
    z->mag = x->mag * w->mag;
    z->e = x->e + w->e;
    if (parts == 1) {
        pm_dd_mul(z->part, x->part, w->part);
    } else {
        pm_dd_mul(p, x->part, w->part);
        pm_dd_mul(q, x->part + 2, w->part + 2);
        q[0] = -q[0];
        q[1] = -q[1];
        pm_dd_add(p, q);
        double im[2];
        pm_dd_mul(im, x->part, w->part + 2);
        pm_dd_mul(q, x->part + 2, w->part);
        pm_dd_add(im, q);
        memcpy(z->part, p, sizeof p);
        memcpy(z->part + 2, im, sizeof im);
    }
    normalise(z, parts);
}

TEMPLATE void add_term(const floats *f, number *d, const number *a, int64_t entry, int parts)
{
    if (entry == PM_UNIT) {
        add(d, a, parts);
        return;
    }
    _Alignas(8) char room[sizeof(number) + 4 * sizeof(double)];
    number *t = (number *)room;
    multiply(t, a, (const number *)(f->weights + entry * bytes_of(parts)), parts);
    add(d, t, parts);
}

TEMPLATE void pull_span(const floats *f, char *dst, const char *old, const int64_t *src,
                        const int64_t *entry, int nsrc, int64_t len, int parts)
{
    int64_t size = bytes_of(parts);
    for (int64_t i = 0; i < len; ++i) {
        _Alignas(8) char room[sizeof(number) + 4 * sizeof(double)] = {0};
        for (int s = 0; s < nsrc; ++s)
            add_term(f, (number *)room, (const number *)(old + (src[s] + i) * size), entry[s],
                     parts);
        memcpy(dst + i * size, room, (size_t)size);
    }
}

PM_VECTORISED
static void pull_real(const pm_ring *r, void *dst, const void *old, const int64_t *src,
                      const int64_t *entry, int nsrc, int64_t len)
{
    pull_span((const floats *)r, dst, old, src, entry, nsrc, len, 1);
}

PM_VECTORISED
static void pull_complex(const pm_ring *r, void *dst, const void *old, const int64_t *src,
                         const int64_t *entry, int nsrc, int64_t len)
{
    pull_span((const floats *)r, dst, old, src, entry, nsrc, len, 2);
}

static void push(const pm_ring *r, void *dst, const void *old, int64_t src, int64_t entry)
{
    const floats *f = (const floats *)r;
    const number *a = (const number *)((const char *)old + src * r->value_bytes);
    if (f->parts == 1)
        add_term(f, dst, a, entry, 1);
    else
        add_term(f, dst, a, entry, 2);
}

static void gather(const pm_ring *r, void *dst, const void *old, const int64_t *index, int64_t len)
{
    for (int64_t i = 0; i < len; ++i)
        memcpy((char *)dst + i * r->value_bytes, (const char *)old + index[i] * r->value_bytes,
               (size_t)r->value_bytes);
}

static void zero(const pm_ring *r, void *dst, int64_t len)
{
    memset(dst, 0, (size_t)(len * r->value_bytes));
}

static void one(const pm_ring *r, void *dst)
{
    number *x = dst;
    memset(x, 0, (size_t)r->value_bytes);
    x->mag = x->part[0] = 1;
}

static void finish(const pm_ring *r, const void *value, int64_t depth, pm_value *out,
                   uint64_t *residues)
{
    (void)residues;
    const floats *f = (const floats *)r;
    const number *x = value;
    /* the magnitude is a sum in double precision: depth roundings of 2^-53 */
    double bound = (double)depth * ERROR_PER_OPERATION * (1 + (double)depth * 0x1p-50);
    pm_xreal re = pm_xreal_make(x->part[0], x->part[1], 512 * x->e);
    pm_xreal im = {0};
    if (f->parts == 2)
        im = pm_xreal_make(x->part[2], x->part[3], 512 * x->e);
    pm_value_set_real(out, f->parts == 2 ? PM_COMPLEX : PM_REAL, re, im,
                      pm_xreal_make(x->mag * bound, 0, 512 * x->e));
}

static void free_ring(pm_ring *r)
{
    free(((floats *)r)->weights);
    free(r);
}

/* x = re + i im, rounded to double-double. */
static void convert(number *x, const pm_dyadic *re, const pm_dyadic *im, int parts)
{
    pm_xreal part[2] = {pm_xreal_from_dyadic(re)};
    memset(x, 0, (size_t)bytes_of(parts));
    if (im)
        part[1] = pm_xreal_from_dyadic(im);
    /* one exponent for both parts: the larger one, rounded to a multiple of 512 */
    int64_t top = part[0].hi != 0 ? part[0].exp : INT64_MIN;
    if (part[1].hi != 0 && part[1].exp > top)
        top = part[1].exp;
    if (top == INT64_MIN)
        return;
    x->e = (top + 256) >> 9;
    for (int i = 0; i < parts; ++i)
        if (part[i].hi != 0) {
            int64_t shift = part[i].exp - 512 * x->e;
            int by = shift < -5000 ? -5000 : (int)shift;
            x->part[2 * i] = ldexp(part[i].hi, by);
            x->part[2 * i + 1] = ldexp(part[i].lo, by);
        }
    x->mag = parts == 2 ? hypot(x->part[0], x->part[2]) * (1 + 0x1p-50)
                        : fabs(x->part[0]) * (1 + 0x1p-50);
    normalise(x, parts);
}

static pm_status make(const pm_block *b, int parts, pm_ring **out, pm_error *err)
{
    const pm_matrix *a = &b->a;
    int64_t size = bytes_of(parts), nnz = pm_matrix_nnz(a);
    floats *f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "real arithmetic");
    f->parts = parts;
    if (a->field != PM_PATTERN) {
        f->weights = pm_alloc_array(nnz, (size_t)size);
        if (!f->weights) {
            free_ring(&f->ring);
            return pm_fail_memory(err, "weights");
        }
        for (int64_t k = 0; k < nnz; ++k)
            convert((number *)(f->weights + k * size), &a->re[k],
                    parts == 2 && a->im ? &a->im[k] : NULL, parts);
    }
    f->ring = (pm_ring){.value_bytes = size,
                        .parts = parts,
                        .constants = f->weights,
                        .constants_bytes = f->weights ? nnz * size : 0,
                        .zero = zero,
                        .one = one,
                        .pull = parts == 1 ? pull_real : pull_complex,
                        .push = push,
                        .gather = gather,
                        .finish = finish,
                        .free = free_ring};
    *out = &f->ring;
    return PM_OK;
}

pm_status pm_ring_real(const pm_block *b, pm_ring **out, pm_error *err)
{
    return make(b, 1, out, err);
}

pm_status pm_ring_complex(const pm_block *b, pm_ring **out, pm_error *err)
{
    return make(b, 2, out, err);
}
