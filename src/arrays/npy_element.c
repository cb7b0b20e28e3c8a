/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "arrays/npy_element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The bytes of a part of an element, in the order of this machine. */
static inline void get(const unsigned char *at, int64_t size, bool is_swapped, void *to)
{
    unsigned char *byte = to;
    if (!is_swapped) {
        memcpy(to, at, (size_t)size);
        return;
    }
    for (int64_t k = 0; k < size; ++k)
        byte[k] = at[size - 1 - k];
}

/* ---- integers ---- */

static int64_t signed_value(const unsigned char *at, int64_t size, bool swap)
{
    int8_t v8;
    int16_t v16;
    int32_t v32;
    int64_t v64;
    switch (size) {
    case 1: return get(at, 1, swap, &v8), v8;
    case 2: return get(at, 2, swap, &v16), v16;
    case 4: return get(at, 4, swap, &v32), v32;
    default: return get(at, 8, swap, &v64), v64;
    }
}

static uint64_t unsigned_value(const unsigned char *at, int64_t size, bool swap)
{
    uint16_t v16;
    uint32_t v32;
    uint64_t v64;
    switch (size) {
    case 1: return *at;
    case 2: return get(at, 2, swap, &v16), v16;
    case 4: return get(at, 4, swap, &v32), v32;
    default: return get(at, 8, swap, &v64), v64;
    }
}

static void set_unsigned(pm_dyadic *x, uint64_t v)
{
    pm_dyadic low = {0};
    pm_dyadic_set_si(&low, (int64_t)(v & 1));
    pm_dyadic_set_si(x, (int64_t)(v >> 1));
    pm_dyadic_mul_2exp(x, 1);
    pm_dyadic_add(x, x, &low);
}

bool pm_npy_integer(const pm_npy_head *head, const unsigned char *at, int64_t *out)
{
    bool is_signed = head->kind == 'i';
    uint64_t v = is_signed ? (uint64_t)signed_value(at, head->size, head->is_swapped)
                           : unsigned_value(at, head->size, head->is_swapped);
    *out = (int64_t)v;
    return is_signed || (head->kind == 'u' && *out >= 0) || (head->kind == 'b' && v <= 1);
}

bool pm_npy_index(const pm_npy_head *head, const unsigned char *at, int32_t *out)
{
    bool is_unsigned = head->kind == 'u';
    if (!is_unsigned && head->kind != 'i')
        return false;
    uint64_t v = is_unsigned ? unsigned_value(at, head->size, head->is_swapped)
                             : (uint64_t)signed_value(at, head->size, head->is_swapped);
    *out = (int32_t)(v & INT32_MAX);
    return v <= INT32_MAX;
}

bool pm_npy_index_text(const pm_npy_head *head, const unsigned char *at, char *to, size_t room)
{
    if (head->kind == 'u')
        snprintf(to, room, "%" PRIu64, unsigned_value(at, head->size, head->is_swapped));
    else if (head->kind == 'i')
        snprintf(to, room, "%" PRId64, signed_value(at, head->size, head->is_swapped));
    return head->kind == 'u' || head->kind == 'i';
}

/* ---- floating point ---- */

/* IEEE 754 binary16: 1 bit sign, 5 bits exponent, 10 bits fraction. */
static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double v = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent     ? ldexp(1024 + fraction, exponent - 25)
                              : ldexp(fraction, -24);
    return bits >> 15 ? -v : v;
}

static double real_value(const unsigned char *at, int64_t size, bool swap)
{
    uint16_t v16;
    float v32;
    double v64;
    switch (size) {
    case 2: return get(at, 2, swap, &v16), half_value(v16);
    case 4: return get(at, 4, swap, &v32), (double)v32;
    default: return get(at, 8, swap, &v64), v64;
    }
}

static const char *set_real(pm_dyadic *x, double v)
{
    if (!isfinite(v))
        return isnan(v) ? "nan" : v < 0 ? "-inf" : "inf";
    pm_dyadic_set_d(x, v);
    return NULL;
}

/* ---- all kinds ---- */

const char *pm_npy_element(const pm_npy_head *head, const unsigned char *at, pm_scalar *out)
{
    const char *wrong = NULL;
    bool swap = head->is_swapped;
    int64_t half = head->size / 2;
    out->field = pm_npy_field(head);
    switch (head->kind) {
    case 'b':
        if (*at > 1)
            return "a byte above 1";
        pm_dyadic_set_si(&out->re, *at);
        return NULL;
    case 'i': pm_dyadic_set_si(&out->re, signed_value(at, head->size, swap)); return NULL;
    case 'u': set_unsigned(&out->re, unsigned_value(at, head->size, swap)); return NULL;
    case 'f': return set_real(&out->re, real_value(at, head->size, swap));
    default:
        wrong = set_real(&out->re, real_value(at, half, swap));
        return wrong ? wrong : set_real(&out->im, real_value(at + half, half, swap));
    }
}
