/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/prime_sweeps.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* ---- several sweeps ---- */

typedef struct {
    int width, parts; /* primes of a part, but for the last one */
    pm_sweep part[PM_RYSER_PRIMES_MAX];
} problem;

static void free_problem(void *of)
{
    problem *q = of;
    for (int i = 0; i < q->parts; ++i)
        pm_sweep_free(&q->part[i]);
    free(q);
}

/* The sum modulo prime k of a part is in two limbs. */
static void range(const void *of, uint64_t first, uint64_t end, pm_sum *sum)
{
    const problem *q = of;
    for (int i = 0; i < q->parts; ++i) {
        const pm_sweep *s = &q->part[i];
        pm_sum found;
        memset(&found, 0, sizeof found);
        s->range(s->problem, first, end, &found);
        memcpy(sum->limb + (size_t)i * 2 * (size_t)q->width, found.limb,
               (size_t)s->limbs * sizeof *found.limb);
        sum->failed |= found.failed;
    }
}

static pm_status prepare_several(const pm_sweep_method *method, const pm_square *s,
                                 const void *choice, const uint64_t *prime, int count,
                                 pm_sweep *out, pm_error *err)
{
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, method->name);
    pm_status status = PM_OK;
    q->width = method->primes;
    for (int first = 0; first < count && !status; first += q->width) {
        int left = count - first;
        status = method->prepare_modular(
            s, choice, prime + first, left < q->width ? left : q->width, &q->part[q->parts], err);
        q->parts += !status;
    }
    if (status) {
        free_problem(q);
        return status;
    }
    *out = q->part[0];
    out->limbs = 2 * count;
    out->problem = q;
    out->range = range;
    out->free_problem = free_problem;
    return PM_OK;
}

static uint64_t residue_of_several(const pm_sweep_method *method, const pm_sweep *s,
                                   const pm_sum *sum, int k)
{
    const problem *q = s->problem;
    pm_sum part;
    int i = k / q->width;
    memset(&part, 0, sizeof part);
    memcpy(part.limb, sum->limb + (size_t)i * 2 * (size_t)q->width,
           (size_t)q->part[i].limbs * sizeof *part.limb);
    return method->residue(&q->part[i], &part, k % q->width);
}

/* ---- integers modulo a prime ---- */

typedef struct {
    pm_sweep integers;
    uint64_t prime;
} reduced;

static void free_reduced(void *of)
{
    reduced *q = of;
    pm_sweep_free(&q->integers);
    free(q);
}

/* The limbs are a number in two's complement. */
static uint64_t reduce(const uint64_t *limb, int limbs, uint64_t prime)
{
    unsigned __int128 r = limb[limbs - 1] >> 63 ? prime - 1 : 0; /* the limbs above these */
    for (int i = limbs - 1; i >= 0; --i)
        r = (r << 64 | limb[i]) % prime;
    return (uint64_t)r;
}

static void reduced_range(const void *of, uint64_t first, uint64_t end, pm_sum *sum)
{
    const reduced *q = of;
    const pm_sweep *s = &q->integers;
    pm_sum found;
    memset(&found, 0, sizeof found);
    s->range(s->problem, first, end, &found);
    sum->limb[0] = reduce(found.limb, s->limbs, q->prime);
    sum->failed |= found.failed;
}

static pm_status prepare_reduced(const pm_sweep_method *method, const pm_square *s,
                                 const void *choice, uint64_t prime, pm_sweep *out, pm_error *err)
{
    reduced *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, method->name);
    pm_status status = method->prepare(s, choice, &q->integers, err);
    if (status) {
        free_reduced(q);
        return status;
    }
    q->prime = prime;
    *out = q->integers;
    out->limbs = 2;
    out->problem = q;
    out->range = reduced_range;
    out->free_problem = free_reduced;
    return PM_OK;
}

/* ---- any of them ---- */

pm_status pm_prime_sweeps_prepare(const pm_sweep_method *method, const pm_square *s,
                                  const void *choice, const uint64_t *prime, int count,
                                  pm_sweep *out, pm_error *err)
{
    if (!method->primes)
        return prepare_reduced(method, s, choice, prime[0], out, err);
    if (count <= method->primes)
        return method->prepare_modular(s, choice, prime, count, out, err);
    return prepare_several(method, s, choice, prime, count, out, err);
}

uint64_t pm_prime_sweeps_residue(const pm_sweep_method *method, const pm_sweep *s,
                                 const pm_sum *sum, int count, int k)
{
    if (!method->primes)
        return pm_sum_residue(sum, 0, s->shift, ((const reduced *)s->problem)->prime);
    if (count <= method->primes)
        return method->residue(s, sum, k);
    return residue_of_several(method, s, sum, k);
}
