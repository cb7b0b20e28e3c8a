/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expression/node_value.h"

#include <inttypes.h>
#include <math.h>

#include "core/clock.h"
#include "core/machine.h"

/* Powers with fewer predicted seconds are not checked against the deadline. */
#define SECONDS_LEAST 0.5
/* The exponent of pm_xreal has 62 bits: beyond this the next product might not fit. */
#define REAL_EXPONENT_MAX (INT64_C(1) << 60)

void pm_node_residue(pm_value *v, uint64_t modulus)
{
    if (modulus)
        mpz_fdiv_r_ui(mpq_numref(v->exact), mpq_numref(v->exact), modulus);
}

static bool is_far(const pm_xreal *a)
{
    return !pm_xreal_is_in_range(*a) || a->exp > REAL_EXPONENT_MAX || a->exp < -REAL_EXPONENT_MAX;
}

pm_status pm_node_check_range(const pm_value *v, pm_error *err)
{
    if (!pm_value_is_exact(v) && (is_far(&v->re) || is_far(&v->im) || is_far(&v->error)))
        return pm_fail(err, PM_UNABLE,
                       "a value is too large or too small: its binary exponent is beyond 2^60");
    return PM_OK;
}

/* The residue of p/q modulo M is p times the inverse of q. */
static pm_status divide_residue(pm_value *v, uint64_t modulus, pm_error *err)
{
    mpz_ptr p = mpq_numref(v->exact), q = mpq_denref(v->exact);
    pm_status status = PM_OK;
    mpz_t m;
    mpz_init_set_ui(m, modulus);
    if (mpz_cmp_ui(q, 1) != 0) {
        if (mpz_invert(q, q, m))
            mpz_mul(p, p, q);
        else
            status = pm_fail(err, PM_UNABLE,
                             "the denominator of a factor has no inverse modulo %" PRIu64, modulus);
        mpz_set_ui(q, 1);
    }
    mpz_clear(m);
    pm_node_residue(v, modulus);
    return status;
}

static pm_status set_factor(const pm_fraction *factor, pm_field field, pm_value *v,
                            uint64_t modulus, pm_error *err)
{
    pm_value_set_si(v, 0);
    mpq_set(v->exact, factor->re);
    if (modulus)
        return divide_residue(v, modulus, err);
    if (field == PM_REAL)
        pm_value_widen(v, PM_REAL);
    if (field == PM_COMPLEX) {
        pm_value im;
        pm_value_init(&im);
        mpq_set(im.exact, factor->im);
        pm_value_widen(&im, PM_REAL);
        pm_value_widen(v, PM_COMPLEX);
        pm_value_set_real(v, PM_COMPLEX, v->re, im.re, pm_xreal_add(v->error, im.error));
        pm_value_clear(&im);
    }
    return pm_node_check_range(v, err);
}

pm_status pm_node_multiply(pm_value *v, const pm_fraction *factor, pm_field factor_field,
                           uint64_t modulus, pm_error *err)
{
    if (factor_field <= PM_INTEGER && pm_fraction_is_one(factor))
        return PM_OK;
    pm_value by;
    pm_value_init(&by);
    pm_status status = set_factor(factor, factor_field, &by, modulus, err);
    if (!status) {
        pm_value_mul(v, &by);
        pm_node_residue(v, modulus);
        status = pm_node_check_range(v, err);
    }
    pm_value_clear(&by);
    return status;
}

double pm_node_log2(const mpz_t z)
{
    long exponent;
    double mantissa = mpz_get_d_2exp(&exponent, z);
    return log2(fabs(mantissa)) + (double)exponent;
}

static double power_bits(const pm_value *v, const mpz_t k)
{
    if (!pm_value_is_exact(v))
        return 0;
    return (pm_node_log2(mpq_numref(v->exact)) + pm_node_log2(mpq_denref(v->exact))) * mpz_get_d(k);
}

static pm_status check_time(const pm_value *v, const mpz_t k, const pm_run *run, pm_error *err)
{
    double bits = power_bits(v, k),
           seconds = bits > 2 ? PM_POWER_BIT_SECONDS * bits * log2(bits) : 0;
    if (!run || run->deadline <= 0 || seconds < SECONDS_LEAST
        || pm_clock() + seconds < run->deadline)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "refused: a power of about %.2g digits would take about %.2g seconds, more than "
                   "the time limit leaves",
                   bits * log10(2), seconds);
}

static pm_status to_power(pm_value *v, const mpz_t k, uint64_t modulus, const pm_run *run,
                          pm_error *err)
{
    if (modulus) {
        mpz_t m;
        mpz_init_set_ui(m, modulus);
        mpz_powm(mpq_numref(v->exact), mpq_numref(v->exact), k, m);
        mpz_clear(m);
        return PM_OK;
    }
    pm_status status = check_time(v, k, run, err);
    if (!status)
        status = pm_value_pow(v, k, err);
    return status ? status : pm_node_check_range(v, err);
}

pm_status pm_node_repeat(pm_value *v, const mpz_t times, bool in_sum, uint64_t modulus,
                         const pm_run *run, pm_error *err)
{
    if (mpz_cmp_ui(times, 1) == 0)
        return PM_OK;
    if (!in_sum)
        return to_power(v, times, modulus, run, err);
    pm_value_scale(v, times);
    pm_node_residue(v, modulus);
    return pm_node_check_range(v, err);
}

pm_status pm_node_join(pm_value *to, const pm_value *v, bool in_sum, uint64_t modulus,
                       pm_error *err)
{
    if (in_sum)
        pm_value_add(to, v);
    else
        pm_value_mul(to, v);
    pm_node_residue(to, modulus);
    return pm_node_check_range(to, err);
}
