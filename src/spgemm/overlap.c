/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spgemm/overlap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "spgemm/overlap_device.h"

/* A range of rows ends where its terms reach this number: some fifteen megabytes, and work for many threads. */
enum { TERMS_OF_PART = 1 << 20 };

const char *pm_overlap_weight_name(pm_overlap_weight w)
{
    static const char *const names[PM_OVERLAP_WEIGHTS] = {"common",  "jaccard", "cosine",
                                                          "overlap", "newman",  "product"};
    return names[w];
}

/* ---- the factors ---- */

static int64_t entries(const pm_csr *a)
{
    return a->rowptr[a->nrows];
}

/* *out: the pattern of the transpose of `from`, in o->owned[at] and the next one. */
static pm_status transpose(pm_overlap *o, int at, const pm_csr *from, pm_csr *out, pm_error *err)
{
    int64_t *ptr = o->owned[at] = pm_alloc_array(from->ncols + 1, sizeof *ptr);
    int32_t *ind = o->owned[at + 1] = pm_alloc_array(entries(from), sizeof *ind);
    if (!ptr || !ind)
        return pm_fail_memory(err, "overlaps");
    pm_csr_transpose(from, ptr, ind, NULL);
    *out = (pm_csr){from->ncols, from->nrows, ptr, ind, NULL, NULL};
    return PM_OK;
}

static pm_product product(const pm_overlap *o)
{
    return (pm_product){PM_SEMIRING_SUM, &o->a, &o->t, o->from};
}

/* 1 / (d - 1) for all entries of a row of t with d entries; a row with one entry has no pairs. */
static void set_newman(const pm_csr *t, double *value)
{
    for (int64_t j = 0; j < t->nrows; ++j) {
        const int64_t d = t->rowptr[j + 1] - t->rowptr[j];
        for (int64_t k = t->rowptr[j]; k < t->rowptr[j + 1]; ++k)
            value[k] = d > 1 ? 1 / (double)(d - 1) : 0;
    }
}

static pm_status fail_range(pm_error *err)
{
    return pm_fail(
        err, PM_EDATA,
        "the weights product are beyond the range of double precision; use another weight");
}

static pm_status fail_small(pm_error *err)
{
    return pm_fail(
        err, PM_EDATA,
        "the weights product are too small for double precision; multiply all entries by "
        "one number, or use another weight");
}

/* A double that is not normal may have lost digits, or all. */
static pm_status get_value(const pm_dyadic *from, double *x, pm_error *err)
{
    *x = pm_dyadic_get_d(from);
    if (!isfinite(*x))
        return fail_range(err);
    if (fabs(*x) >= DBL_MIN)
        return PM_OK;
    pm_dyadic back = {0};
    pm_dyadic_set_d(&back, *x);
    const bool is_same = pm_dyadic_equal(from, &back);
    pm_dyadic_clear(&back);
    return is_same ? PM_OK : fail_small(err);
}

/* The values of the matrix for a and t. */
static pm_status set_product(const pm_overlap *o, bool of_columns, double *of_a, double *of_t,
                             pm_error *err)
{
    const pm_matrix *m = o->matrix;
    const pm_product p = product(o);
    pm_status status = PM_OK;
    for (int64_t k = 0; k < entries(&o->a) && !status; ++k) {
        const int64_t place = pm_product_first(&p, k) - 1; /* in t */
        const int64_t at = of_columns ? place : k; /* the rows of t are those of the matrix */
        double x = 1;
        if (m->re)
            status = get_value(&m->re[at], &x, err);
        of_a[k] = of_t[place] = x;
    }
    return status;
}

/* The smallest term but 0 that the row j of t gives to a product; infinity: none. */
static double least_term(const pm_csr *t, int64_t j)
{
    double least[2] = {INFINITY, INFINITY};
    for (int64_t k = t->rowptr[j]; k < t->rowptr[j + 1]; ++k) {
        const double x = fabs(t->value[k]);
        if (x == 0)
            continue;
        if (x < least[0]) {
            least[1] = least[0];
            least[0] = x;
        } else if (x < least[1]) {
            least[1] = x;
        }
    }
    return least[0] * least[1];
}

/* What the values mean for the rounding of sums. */
static void look_at_values(pm_overlap *o)
{
    const pm_csr *t = &o->t;
    bool are_whole = true, has_sign[2] = {false, false};
    double largest = 0;
    for (int64_t k = 0; k < entries(t); ++k) {
        const double x = t->value[k];
        are_whole = are_whole && x == rint(x);
        largest = fmax(largest, fabs(x));
        has_sign[x < 0] = true;
    }
    const bool is_exact = are_whole && largest * largest * (double)t->nrows < 0x1p53;
    o->is_rounded = !is_exact && !(has_sign[0] && has_sign[1]);
    for (int64_t j = 0; j < t->nrows; ++j)
        o->may_vanish = o->may_vanish || least_term(t, j) < DBL_MIN;
}

static pm_status set_values(pm_overlap *o, bool of_columns, pm_error *err)
{
    if (pm_overlap_is_counted(o->weight))
        return PM_OK;
    if (o->weight == PM_OVERLAP_PRODUCT && o->matrix->im)
        return pm_fail(err, PM_EDATA,
                       "the weight product is not for complex entries; use another weight");
    double *of_t = o->owned[5] = pm_alloc_array(entries(&o->t), sizeof *of_t);
    if (!of_t)
        return pm_fail_memory(err, "overlaps");
    o->t.value = of_t;
    if (o->weight == PM_OVERLAP_NEWMAN) {
        set_newman(&o->t, of_t);
        return PM_OK;
    }
    double *of_a = o->owned[4] = pm_alloc_array(entries(&o->a), sizeof *of_a);
    if (!of_a)
        return pm_fail_memory(err, "overlaps");
    o->a.value = of_a;
    pm_status status = set_product(o, of_columns, of_a, of_t, err);
    if (!status)
        look_at_values(o);
    return status;
}

pm_status pm_overlap_open(const pm_matrix *a, bool of_columns, pm_overlap_weight weight,
                          pm_overlap *out, pm_error *err)
{
    const pm_csr own = {a->nrows, a->ncols, a->rowptr, a->colind, NULL, NULL};
    pm_overlap *o = out;
    *o = (pm_overlap){.matrix = a, .weight = weight, .a = own};
    o->from = pm_alloc_array(pm_matrix_nnz(a), sizeof *o->from);
    pm_status status = o->from ? PM_OK : pm_fail_memory(err, "overlaps");
    if (!status && of_columns)
        status = transpose(o, 0, &own, &o->a, err);
    if (!status)
        status = transpose(o, 2, &o->a, &o->t, err);
    if (!status)
        status = pm_product_above(&o->a, &o->t, o->from, err);
    if (!status)
        status = set_values(o, of_columns, err);
    if (status)
        pm_overlap_close(o);
    return status;
}

void pm_overlap_close(pm_overlap *o)
{
    pm_overlap_device_close(o->device);
    for (int k = 0; k < 6; ++k)
        free(o->owned[k]);
    free(o->from);
    *o = (pm_overlap){.matrix = NULL};
}

/* ---- pairs ---- */

static double degree(const pm_overlap *o, int64_t i)
{
    return (double)(o->a.rowptr[i + 1] - o->a.rowptr[i]);
}

static double smaller_degree(const pm_overlap *o, int64_t i, int64_t k)
{
    return fmin(degree(o, i), degree(o, k));
}

static bool are_finite(const pm_csr *c)
{
    for (int64_t k = 0; k < c->rowptr[c->nrows]; ++k)
        if (!isfinite(c->value[k]))
            return false;
    return true;
}

/* *sum += x y.  Returns whether the product is a double. */
static bool add_term(double x, double y, pm_dyadic *sum)
{
    pm_dyadic p = {0}, q = {0};
    pm_dyadic_set_d(&p, x);
    pm_dyadic_set_d(&q, y);
    pm_dyadic_mul(&p, &p, &q);
    pm_dyadic_add(sum, sum, &p);
    pm_dyadic_set_d(&q, x * y);
    const bool is_exact = pm_dyadic_equal(&p, &q);
    pm_dyadic_clear(&p);
    pm_dyadic_clear(&q);
    return is_exact;
}

/* Are all terms of this pair of rows doubles, or is this their sum? */
static bool are_exact(const pm_csr *a, int64_t i, int64_t k, double value)
{
    int64_t e = a->rowptr[i], f = a->rowptr[k];
    pm_dyadic sum = {0}, found = {0};
    bool are_doubles = true;
    while (e < a->rowptr[i + 1] && f < a->rowptr[k + 1]) {
        const int32_t p = a->colind[e], q = a->colind[f];
        if (p == q)
            are_doubles = add_term(a->value[e], a->value[f], &sum) && are_doubles;
        e += p <= q;
        f += q <= p;
    }
    pm_dyadic_set_d(&found, value);
    const bool is_sum = pm_dyadic_equal(&sum, &found);
    pm_dyadic_clear(&sum);
    pm_dyadic_clear(&found);
    return are_doubles || is_sum;
}

/* Each term may be wrong by half of the smallest double, 2^-1075, where it is not normal: together by 2^-54 of a sum that is
 * large enough.  A smaller sum, which may be 0, has to be exact but for additions, which lose nothing there. */
static bool are_accurate(const pm_overlap *o, const pm_overlap_part *part)
{
    const pm_csr *c = &part->rows.c;
    for (int64_t i = 0; i < c->nrows && o->may_vanish; ++i)
        for (int64_t e = c->rowptr[i]; e < c->rowptr[i + 1]; ++e) {
            const int64_t first = part->first + i, second = c->colind[e];
            if (fabs(c->value[e]) < 0x1p-1021 * smaller_degree(o, first, second)
                && !are_exact(&o->a, first, second, c->value[e]))
                return false;
        }
    return true;
}

pm_status pm_overlap_use(pm_overlap *o, pm_backend backend, const pm_run *run, pm_error *err)
{
    const pm_product p = product(o);
    return pm_overlap_device_open(&p, backend, run, &o->device, err);
}

pm_status pm_overlap_next(pm_overlap *o, const pm_run *run, pm_overlap_part *out, pm_error *err)
{
    const pm_product p = product(o);
    int64_t end;
    *out = (pm_overlap_part){.first = o->next};
    pm_status status =
        o->device ? pm_overlap_device_next(&o->device, o->next, run, &end, &out->rows, err) : PM_OK;
    if (!status && !o->device) {
        end = pm_product_end(&p, o->next, TERMS_OF_PART);
        status = pm_product_make(&p, o->next, end, true, run, &out->rows, err);
    }
    if (!status && !are_finite(&out->rows.c))
        status = fail_range(err);
    if (!status && !are_accurate(o, out))
        status = fail_small(err);
    if (status)
        pm_product_rows_free(&out->rows);
    else
        o->next = end;
    return status;
}

double pm_overlap_value(const pm_overlap *o, int64_t i, int64_t k, double sum)
{
    switch (o->weight) {
    case PM_OVERLAP_JACCARD: return sum / (degree(o, i) + degree(o, k) - sum);
    case PM_OVERLAP_COSINE: return sum / sqrt(degree(o, i) * degree(o, k));
    case PM_OVERLAP_SMALLER: return sum / smaller_degree(o, i, k);
    default: return sum;
    }
}

bool pm_overlap_reaches(const pm_overlap *o, int64_t i, int64_t k, double weight, double least)
{
    double error = 0; /* of the weight, relative to it; twice what sums have */
    if (weight >= least)
        return true;
    if (o->weight == PM_OVERLAP_COSINE)
        error = 0x1p-51;
    if (o->weight == PM_OVERLAP_NEWMAN || (o->weight == PM_OVERLAP_PRODUCT && o->is_rounded))
        error = 0x1p-52 * (smaller_degree(o, i, k) + 2);
    return weight + error * fabs(weight) >= least;
}

/* ---- figures ---- */

/* in_pair: [vertices], whether the vertex is in a pair. */
static void measure_part(const pm_overlap *o, const pm_overlap_part *part, double least,
                         bool *in_pair, pm_overlap_figures *out)
{
    const pm_csr *c = &part->rows.c;
    for (int64_t i = 0; i < c->nrows; ++i) {
        for (int64_t e = c->rowptr[i]; e < c->rowptr[i + 1]; ++e) {
            const int64_t row = part->first + i, other = c->colind[e];
            const double sum = c->value[e], value = pm_overlap_value(o, row, other, sum);
            if (out->has_cycles) {
                const uint64_t common = (uint64_t)sum;
                out->cycles += (unsigned __int128)common * (common - 1) / 2;
            }
            if (!pm_overlap_reaches(o, row, other, value, least))
                continue;
            out->largest = out->pairs == 0 || value > out->largest ? value : out->largest;
            out->total += value;
            ++out->pairs;
            in_pair[row] = in_pair[other] = true;
        }
    }
}

pm_status pm_overlap_measure(pm_overlap *o, double least, const pm_run *run,
                             pm_overlap_figures *out, pm_error *err)
{
    bool *in_pair = pm_calloc_array(o->a.nrows, sizeof *in_pair);
    *out = (pm_overlap_figures){.vertices = o->a.nrows,
                                .has_cycles = pm_overlap_is_counted(o->weight)};
    if (!in_pair)
        return pm_fail_memory(err, "overlaps");
    pm_status status = PM_OK;
    while (!status && o->next < o->a.nrows) {
        pm_overlap_part part;
        status = pm_overlap_next(o, run, &part, err);
        if (status)
            break;
        measure_part(o, &part, least, in_pair, out);
        pm_product_rows_free(&part.rows);
    }
    for (int64_t i = 0; i < o->a.nrows; ++i)
        out->isolated += !in_pair[i];
    free(in_pair);
    return !status && !isfinite(out->total) ? fail_range(err) : status;
}
