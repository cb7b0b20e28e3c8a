/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_exact.h"

#include <inttypes.h>

#include "core/long_step.h"
#include "count/count_roots.h"
#include "general/general_bound.h"
#include "integers/integer_scale.h"

static pm_field field_of(const pm_matrix *a, const pm_count_options *opt)
{
    const pm_field own = opt->period ? pm_period_field(a, opt->period) : a->field;
    return opt->loops && opt->loops->field > own ? opt->loops->field : own;
}

bool pm_count_is_exact(const pm_matrix *a, const pm_count_options *opt)
{
    return opt->precision == PM_EXACT && field_of(a, opt) > PM_INTEGER;
}

static pm_status count_written_out(const pm_matrix *a, const pm_count_options *opt,
                                   const pm_run *run, pm_value *out, pm_count_report *report,
                                   pm_error *err)
{
    pm_matrix whole = {0};
    pm_count_options plain = *opt;
    plain.period = NULL;
    pm_status status = pm_period_write_out(a, opt->period, &whole, err);
    if (!status)
        status = pm_count_exact(&whole, &plain, run, out, report, err);
    pm_matrix_free(&whole);
    return status;
}

/* out = factor * v */
static void multiply(const pm_integer_scale *s, const pm_value *v, pm_value *out)
{
    const int64_t bits = (int64_t)(mpz_sizeinbase(mpq_numref(s->factor), 2)
                                   + mpz_sizeinbase(mpq_denref(s->factor), 2)
                                   + mpz_sizeinbase(mpq_numref(v->exact), 2));
    pm_value_set_si(out, 0);
    pm_long_step_begin(bits);
    mpq_mul(out->exact, v->exact, s->factor);
    pm_long_step_end(bits);
}

/* Adds to a refusal how long the integer is. */
static void add_bits(const pm_matrix *a, const pm_count_options *opt, pm_error *err)
{
    if (!err || opt->row_times || opt->kind || a->nrows != a->ncols)
        return;
    const pm_error why = *err;
    const double bits = opt->general ? pm_general_log2_bound(a) : pm_permanent_log2_bound(a);
    if (bits > 0)
        pm_fail_after(&why, err, PM_UNABLE,
                      "%.900s; without its denominators the answer has up to "
                      "%.0f bits",
                      why.msg, bits + 1);
}

/* A complex matrix is counted without a modulus. */
static pm_status count_complex(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                               pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_count_options whole = *opt;
    whole.modulus = 0;
    return pm_count_roots(a, &whole, run, out, report, err);
}

/* So is a real one whose factor has no residue, although the answer has. */
static uint64_t modulus_of(const pm_integer_scale *s, const pm_count_options *opt)
{
    return opt->modulus && mpz_gcd_ui(NULL, mpq_denref(s->factor), opt->modulus) == 1 ? opt->modulus
                                                                                      : 0;
}

static pm_status count_real(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                            pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_integer_scale s;
    pm_value v;
    pm_count_options whole = *opt;
    pm_value_init(&v);
    pm_integer_scale_init(&s);
    const pm_matched_lines lines = {.kind = opt->kind,
                                    .general = opt->general,
                                    .row_times = opt->row_times,
                                    .col_times = opt->col_times,
                                    .loops = opt->loops};
    pm_status status = pm_integer_scale_make(a, &lines, run, &s, err);
    if (!status) {
        whole.precision = PM_KAHAN;
        whole.loops = opt->loops ? &s.loops : NULL;
        whole.modulus = modulus_of(&s, opt);
        status = pm_count(&s.a, &whole, run, &v, report, err);
    }
    if (!status)
        multiply(&s, &v, out);
    else if (status == PM_UNABLE)
        add_bits(&s.a, opt, err);
    pm_integer_scale_free(&s);
    pm_value_clear(&v);
    return status;
}

pm_status pm_count_exact(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                         pm_value *out, pm_count_report *report, pm_error *err)
{
    if (opt->period)
        return count_written_out(a, opt, run, out, report, err);
    pm_status status = a->field == PM_COMPLEX ? count_complex(a, opt, run, out, report, err)
                                              : count_real(a, opt, run, out, report, err);
    if (!status && opt->modulus && !opt->plan_only && !pm_value_residue(out, opt->modulus))
        status =
            pm_fail(err, PM_UNABLE, "the denominator of the answer has no inverse modulo %" PRIu64,
                    opt->modulus);
    return status;
}
