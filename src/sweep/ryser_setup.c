/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/ryser_setup.h"

#include <math.h>

#include "number/prime.h"
#include "sweep/gpu_arithmetic.h"

/* The primes of a method of either kind, modulo which entries are taken that are too large for it, are below. */
#define LARGE_TOP (UINT64_C(1) << (PM_GPU_BITS - 6))
/* Below it there are not many primes. */
#define PRIME_LEAST (UINT64_C(1) << 24)

bool pm_ryser_is_exact(const pm_job *job)
{
    return job->block->a.field <= PM_INTEGER;
}

bool pm_ryser_is_large(const pm_job *job, const pm_sweep_method *method)
{
    const pm_matrix *a = &job->block->a;
    double most = ldexp(1, method->bits) / (2 * PM_SQUARE_MAX);
    for (int64_t k = 0; pm_ryser_is_exact(job) && a->re && k < pm_matrix_nnz(a); ++k)
        if (fabs(pm_dyadic_get_d(&a->re[k])) > most)
            return true;
    return false;
}

static uint64_t top_of(const pm_sweep_method *method, bool large)
{
    const int bits = method->large_bits ? method->large_bits : method->bits - 6;
    return large ? UINT64_C(1) << bits : method->prime_max;
}

/* Independent verification uses other primes. */
uint64_t pm_ryser_prime_top(const pm_job *job, const pm_sweep_method *method)
{
    uint64_t top = top_of(method, pm_ryser_is_large(job, method));
    return job->independent ? top / 2 : top;
}

/* The number of primes of a sweep: equal sweeps, as few as possible. */
static int even_width(int nprimes, int most)
{
    int sweeps = (nprimes + most - 1) / most;
    return (nprimes + sweeps - 1) / sweeps;
}

/* log2 of what the answer is known to be a multiple of, at most. */
static double common_bits(const pm_block *b)
{
    mpz_t common;
    if (!b->written_out)
        return 0;
    mpz_init(common);
    pm_block_common_factor(b, common);
    double bits = (double)mpz_sizeinbase(common, 2) - 1;
    mpz_clear(common);
    return bits;
}

/* Primes for the answer divided by what it is known to be a multiple of.  A thousand primes lie within 2^-10 of the
 * top, all of them above half of it. */
static int count_primes(const pm_job *job, uint64_t top)
{
    double bits = fmax(job->block->log2_bound - common_bits(job->block), 0) + 2;
    double each = log2((double)top);
    return (int)ceil(bits / (bits < 1e4 ? each - 0x1p-10 : each - 1));
}

pm_ryser_setup pm_ryser_setup_make(const pm_job *job, const pm_sweep_method *method,
                                   bool transposed)
{
    pm_ryser_setup w = {.job = job, .method = method, .transposed = transposed};
    w.large = pm_ryser_is_large(job, method);
    if (!pm_ryser_is_exact(job) || !(w.large || method->primes))
        return w;
    w.top = pm_ryser_prime_top(job, method);
    w.nprimes = count_primes(job, w.top);
    w.width = even_width(w.nprimes, w.large ? 1 : method->primes);
    return w;
}

bool pm_ryser_setup_again(const pm_job *job, const pm_sweep_method *method, bool transposed,
                          uint64_t top, int width, pm_ryser_setup *out)
{
    pm_ryser_setup w = pm_ryser_setup_make(job, method, transposed);
    *out = w;
    if (!w.top || !top)
        return !w.top && !top && width == 0;
    out->top = top;
    out->nprimes = count_primes(job, top);
    out->width = width;
    return top >= PRIME_LEAST && top <= (w.large ? LARGE_TOP : top_of(method, false)) && width > 0
           && width <= (w.large ? 1 : PM_RYSER_PRIMES_MAX);
}

void pm_ryser_setup_lower(pm_ryser_setup *w)
{
    uint64_t top = w->job->independent ? LARGE_TOP / 2 : LARGE_TOP;
    if (!w->large || w->top <= top)
        return;
    w->top = top;
    w->nprimes = count_primes(w->job, top);
}

void pm_ryser_setup_limit(const void *choice, pm_ryser_setup *w)
{
    int most = w->width && w->method->most_primes ? w->method->most_primes(choice) : 0;
    if (most > 0 && most < w->width)
        w->width = even_width(w->nprimes, most);
}

void pm_ryser_setup_widen(pm_ryser_setup *w)
{
    if (w->nprimes && !w->large)
        w->width = even_width(w->nprimes, PM_GPU_PRIMES);
}

int pm_ryser_setup_sweeps(const pm_ryser_setup *w)
{
    return w->nprimes ? (w->nprimes + w->width - 1) / w->width : 1;
}

void pm_ryser_primes(uint64_t top, int count, uint64_t *prime)
{
    for (int i = 0; i < count; ++i)
        prime[i] = top = pm_prime_below(top);
}

pm_status pm_ryser_square(const pm_ryser_setup *w, const uint64_t *prime, pm_square *s,
                          pm_error *err)
{
    uint64_t modulus = w->large ? prime[0] : 0;
    return (w->method->classes ? pm_square_make_classes : pm_square_make)(
        w->job->block, w->transposed, w->method->bits, modulus, s, err);
}
