/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expression/node_value.h"

#include <inttypes.h>
#include <math.h>

#include "core/clock.h"
#include "core/long_step.h"
#include "core/machine.h"
#include "number/bits.h"
#include "number/root_sum.h"
#include "pm/settings.h"

/* Values that need fewer predicted seconds are not checked against the limits of time. */
#define SECONDS_LEAST 0.5
/* The exponent of pm_xreal has 62 bits: beyond this the next product might not fit. */
#define REAL_EXPONENT_MAX (INT64_C(1) << 60)

void pm_node_residue(pm_value *v, uint64_t modulus)
{
    if (modulus)
        pm_value_residue(v, modulus);
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

/* ---- the size of exact values ---- */

static int64_t bits_of(const pm_value *v)
{
    if (!pm_value_is_exact(v))
        return 0;
    size_t bits = mpz_sizeinbase(mpq_numref(v->exact), 2) + mpz_sizeinbase(mpq_denref(v->exact), 2);
    if (v->roots)
        bits += (size_t)pm_root_sum_bits(v->roots);
    if (v->has_exact_im)
        bits +=
            mpz_sizeinbase(mpq_numref(v->exact_im), 2) + mpz_sizeinbase(mpq_denref(v->exact_im), 2);
    return (int64_t)bits;
}

static pm_status check_time(double bits, const pm_run *run, pm_error *err)
{
    double seconds = PM_POWER_BIT_SECONDS * bits * log2(bits), digits = bits * log10(2);
    if (!run || seconds < SECONDS_LEAST)
        return PM_OK;
    if (run->deadline > 0 && pm_clock() + seconds >= run->deadline)
        return pm_fail_cost(err, seconds,
                            "refused: a value of about %.2g digits would take about %.2g seconds, "
                            "more than the time limit leaves",
                            digits, seconds);
    if (run->max_cost > 0 && seconds > run->max_cost)
        return pm_fail_cost(err, seconds,
                            "refused: a value of about %.2g digits would take about %.2g seconds; "
                            "allowed are %g seconds%s",
                            digits, seconds, run->max_cost, pm_hint_text(PM_HINT_COST));
    return PM_OK;
}

/* Whether an exact value of so many bits can be computed and written. */
static pm_status check_size(double bits, const pm_run *run, pm_error *err)
{
    if (bits < (double)PM_LONG_STEP_BITS)
        return PM_OK;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    if (bits > (double)PM_BITS_MAX)
        return pm_fail(err, PM_UNABLE, "refused: a value would have more than 1 GiB of digits");
    pm_status status = check_time(bits, run, err);
    if (!status && !pm_bits_fit((int64_t)bits))
        status = pm_fail(err, PM_UNABLE,
                         "refused: a value of about %.2g digits does not fit into memory%s",
                         bits * log10(2), pm_hint_text(PM_HINT_MEMORY));
    return status;
}

/* ---- factors ---- */

static pm_status divide_residue(pm_value *v, uint64_t modulus, pm_error *err)
{
    if (pm_value_residue(v, modulus))
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "the denominator of a factor has no inverse modulo %" PRIu64,
                   modulus);
}

static pm_status set_factor(const pm_fraction *factor, pm_field field, pm_value *v,
                            uint64_t modulus, pm_error *err)
{
    pm_value_set_mpq(v, factor->re, field <= PM_INTEGER && mpq_sgn(factor->im) ? factor->im : NULL);
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

/* v is a sum or product of two values.  Roots of unity whose common order is too large were rounded (pm/value.h). */
static pm_status check_exact(const pm_value *v, bool were_exact, pm_error *err)
{
    if (!were_exact || pm_value_is_exact(v))
        return PM_OK;
    return pm_fail(
        err, PM_UNABLE,
        "refused: the roots of unity of a sum or product are powers of one root(n), and n "
        "is more than %d",
        PM_ROOT_ORDER_MAX);
}

/* v * by, exact or not. */
static pm_status multiply(pm_value *v, const pm_value *by, const pm_run *run, pm_error *err)
{
    bool is_exact = pm_value_is_exact(v) && pm_value_is_exact(by);
    int64_t bits = is_exact ? bits_of(v) + bits_of(by) : 0;
    pm_status status = check_size((double)bits, run, err);
    if (status)
        return status;
    pm_long_step_begin(bits);
    pm_value_mul(v, by);
    pm_long_step_end(bits);
    return check_exact(v, is_exact, err);
}

pm_status pm_node_multiply(pm_value *v, const pm_fraction *factor, pm_field factor_field,
                           uint64_t modulus, const pm_run *run, pm_error *err)
{
    if (factor_field <= PM_INTEGER && pm_fraction_is_one(factor))
        return PM_OK;
    pm_value by;
    pm_value_init(&by);
    pm_status status = set_factor(factor, factor_field, &by, modulus, err);
    if (!status)
        status = multiply(v, &by, run, err);
    if (!status) {
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

static void power_modulo(pm_value *v, const mpz_t k, uint64_t modulus)
{
    pm_value power;
    if (!v->has_exact_im && !v->roots) {
        mpz_t m;
        mpz_init_set_ui(m, modulus);
        mpz_powm(mpq_numref(v->exact), mpq_numref(v->exact), k, m);
        mpz_clear(m);
        return;
    }
    pm_value_init(&power);
    for (mp_bitcnt_t bit = mpz_sgn(k) ? mpz_sizeinbase(k, 2) : 0; bit-- > 0;) {
        pm_value_mul(&power, &power);
        pm_node_residue(&power, modulus);
        if (mpz_tstbit(k, bit)) {
            pm_value_mul(&power, v);
            pm_node_residue(&power, modulus);
        }
    }
    pm_value_set(v, &power);
    pm_value_clear(&power);
}

static pm_status to_power(pm_value *v, const mpz_t k, uint64_t modulus, const pm_run *run,
                          pm_error *err)
{
    if (modulus) {
        power_modulo(v, k, modulus);
        return PM_OK;
    }
    double bits = power_bits(v, k);
    pm_status status = check_size(bits, run, err);
    if (status)
        return status;
    pm_long_step_begin((int64_t)bits);
    status = pm_value_pow(v, k, err);
    pm_long_step_end((int64_t)bits);
    return status ? status : pm_node_check_range(v, err);
}

pm_status pm_node_repeat(pm_value *v, const mpz_t times, bool in_sum, uint64_t modulus,
                         const pm_run *run, pm_error *err)
{
    if (mpz_cmp_ui(times, 1) == 0)
        return PM_OK;
    if (!in_sum)
        return to_power(v, times, modulus, run, err);
    pm_value factor;
    pm_value_init(&factor);
    pm_value_set_mpz(&factor, times);
    pm_status status = multiply(v, &factor, run, err);
    pm_value_clear(&factor);
    if (status)
        return status;
    pm_node_residue(v, modulus);
    return pm_node_check_range(v, err);
}

/* to + v. */
static pm_status add(pm_value *to, const pm_value *v, const pm_run *run, pm_error *err)
{
    bool is_exact = pm_value_is_exact(to) && pm_value_is_exact(v);
    int64_t bits = is_exact ? bits_of(to) + bits_of(v) : 0;
    pm_status status = check_size((double)bits, run, err);
    if (status)
        return status;
    pm_long_step_begin(bits);
    pm_value_add(to, v);
    pm_long_step_end(bits);
    return check_exact(to, is_exact, err);
}

pm_status pm_node_join(pm_value *to, const pm_value *v, bool in_sum, uint64_t modulus,
                       const pm_run *run, pm_error *err)
{
    pm_status status = in_sum ? add(to, v, run, err) : multiply(to, v, run, err);
    if (status)
        return status;
    pm_node_residue(to, modulus);
    return pm_node_check_range(to, err);
}
