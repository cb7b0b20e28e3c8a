/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: what comes out of events against values computed while the tree was made. */
#include "config.h"

#include "support/testing.h"

#include <string.h>
#include <unistd.h>

#include "expression/evaluate.h"
#include "pm/alloc.h"
#include "pm/io.h"

static uint64_t seed;
static char path[] = "unit_evaluate_XXXXXX";

static uint32_t below(uint32_t n)
{
    return pm_rng_below(&seed, n);
}

static void put_text(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* ---- the leaf: a permanent by expansion along the first row that is left ---- */

static void expand(const pm_matrix *a, int64_t i, uint32_t used, mpz_t out)
{
    mpz_t part, value;
    if (i == a->nrows) {
        mpz_set_ui(out, 1);
        return;
    }
    mpz_init(part);
    mpz_init(value);
    mpz_set_ui(out, 0);
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k];
        if (used >> j & 1)
            continue;
        expand(a, i + 1, used | UINT32_C(1) << j, part);
        if (a->re) {
            pm_dyadic_get_mpz(value, &a->re[k]);
            mpz_mul(part, part, value);
        }
        mpz_add(out, out, part);
    }
    mpz_clear(part);
    mpz_clear(value);
}

static void permanent(const pm_matrix *a, mpz_t out)
{
    mpz_set_ui(out, 0);
    if (a->nrows == a->ncols)
        expand(a, 0, 0, out);
}

typedef struct {
    uint64_t modulus;
    int64_t calls;
    pm_status fail_with; /* for matrices of 9 rows */
} leaf_context;

static pm_status leaf(void *ctx, const pm_node *node, bool is_item, pm_value *out, pm_error *err)
{
    leaf_context *c = ctx;
    const pm_matrix *a = &node->matrix;
    (void)is_item;
    mpz_t z;
    ++c->calls;
    assert_true(!node->order || node->order_len == a->nrows + a->ncols);
    if (a->nrows == 9)
        return pm_fail(err, c->fail_with, "nine rows");
    mpz_init(z);
    permanent(a, z);
    if (c->modulus)
        mpz_fdiv_r_ui(z, z, c->modulus);
    pm_value_set_mpz(out, z);
    if (a->field > PM_INTEGER)
        pm_value_widen(out, a->field);
    mpz_clear(z);
    return PM_OK;
}

/* ---- one input ---- */

typedef struct {
    pm_reader *r;
    pm_evaluate_options opt;
    leaf_context ctx;
    pm_value value;
    pm_evaluate_info info;
    bool got;
    pm_error err;
} input;

static void input_open(input *in, uint64_t modulus)
{
    pm_read_options opt = {0};
    *in = (input){.opt = {.leaf = leaf, .modulus = modulus}, .ctx = {.modulus = modulus}};
    pm_value_init(&in->value);
    assert_int_equal(pm_reader_open(path, &opt, &in->r, NULL), PM_OK);
}

static pm_status input_next(input *in)
{
    in->opt.ctx = &in->ctx;
    pm_evaluate_info_free(&in->info);
    const pm_node_source source = pm_reader_source(in->r);
    return pm_evaluate_next(&source, &in->opt, &in->value, &in->info, &in->got, &in->err);
}

static void input_close(input *in)
{
    pm_reader_close(&in->r);
    pm_value_clear(&in->value);
    pm_evaluate_info_free(&in->info);
}

static void assert_next(input *in, const char *text)
{
    assert_int_equal(input_next(in), PM_OK);
    assert_true(in->got);
    char *is = pm_value_text(&in->value);
    assert_string_equal(is, text);
    free(is);
}

static void assert_end(input *in)
{
    assert_int_equal(input_next(in), PM_OK);
    assert_false(in->got);
}

/* The text is one item of this value. */
static void assert_value(const char *text, uint64_t modulus, const char *value)
{
    input in;
    put_text(text);
    input_open(&in, modulus);
    assert_next(&in, value);
    assert_end(&in);
    input_close(&in);
}

/* The text is an item that fails, and a number 5 after it. */
static void assert_failure(const char *text, uint64_t modulus, pm_status st, const char *message)
{
    input in;
    put_text(text);
    input_open(&in, modulus);
    in.ctx.fail_with = PM_UNABLE;
    assert_int_equal(input_next(&in), st);
    assert_true(in.got);
    assert_non_null(strstr(in.err.msg, message));
    assert_next(&in, "5");
    assert_end(&in);
    input_close(&in);
}

/* ---- random trees ---- */

typedef struct {
    pm_writer *w;
    int64_t matrices, n, nnz;
} tree;

static void random_matrix(pm_matrix *a)
{
    int64_t n = below(5), ncols = below(8) ? n : below(5), nnz = 0;
    pm_field field = below(2) ? PM_PATTERN : PM_INTEGER;
    assert_int_equal(pm_matrix_alloc(a, field, n, ncols, n * ncols, NULL), PM_OK);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < ncols; ++j)
            if (below(3)) {
                if (a->re)
                    pm_dyadic_set_si(&a->re[nnz], below(2) ? -1 : 2);
                a->colind[nnz++] = (int32_t)j;
            }
        a->rowptr[i + 1] = nnz;
    }
}

static void random_prefix(pm_node *e)
{
    if (below(2)) {
        mpq_set_si(e->factor.re, (long)below(7) - 3, 1 + below(4));
        mpq_canonicalize(e->factor.re);
    }
    if (below(3) == 0)
        mpz_set_ui(e->times, below(4));
}

static void power(mpq_t q, unsigned long k)
{
    mpz_pow_ui(mpq_numref(q), mpq_numref(q), k);
    mpz_pow_ui(mpq_denref(q), mpq_denref(q), k);
}

/* Writes a node and multiplies (adds) its value to out. */
static void random_node(tree *t, int depth, bool in_sum, mpq_t out)
{
    pm_node e, end;
    mpq_t value;
    mpq_init(value);
    pm_node_init(&e);
    pm_node_init(&end);
    random_prefix(&e);
    uint32_t kind = below(depth > 0 ? 5 : 2);
    e.kind = kind == 0  ? PM_NODE_NUMBER
             : kind < 3 ? PM_NODE_MATRIX
             : kind < 4 ? PM_NODE_SUM
                        : PM_NODE_PRODUCT;
    if (e.kind == PM_NODE_MATRIX) {
        random_matrix(&e.matrix);
        ++t->matrices;
        t->n += e.matrix.nrows;
        t->nnz += pm_matrix_nnz(&e.matrix);
        permanent(&e.matrix, mpq_numref(value));
    } else {
        mpq_set_ui(value, e.kind != PM_NODE_SUM, 1);
    }
    assert_int_equal(pm_writer_put(t->w, &e, NULL), PM_OK);
    if (kind >= 3) {
        for (uint32_t k = below(4); k > 0; --k)
            random_node(t, depth - 1, e.kind == PM_NODE_SUM, value);
        end.kind = PM_NODE_CLOSE;
        assert_int_equal(pm_writer_put(t->w, &end, NULL), PM_OK);
    }
    mpq_mul(value, value, e.factor.re);
    if (in_sum) {
        mpz_mul(mpq_numref(value), mpq_numref(value), e.times);
        mpq_canonicalize(value);
        mpq_add(out, out, value);
    } else {
        power(value, mpz_get_ui(e.times));
        mpq_mul(out, out, value);
    }
    mpq_clear(value);
    pm_node_clear(&e);
    pm_node_clear(&end);
}

/* q modulo m, whose inverse of the denominator exists */
static unsigned long residue(const mpq_t q, unsigned long m)
{
    mpz_t z, mod;
    mpz_init(z);
    mpz_init_set_ui(mod, m);
    assert_true(mpz_invert(z, mpq_denref(q), mod));
    mpz_mul(z, z, mpq_numref(q));
    unsigned long r = mpz_fdiv_ui(z, m);
    mpz_clear(z);
    mpz_clear(mod);
    return r;
}

enum { ITEMS = 4 };

static void test_random(void **state)
{
    (void)state;
    static const uint64_t moduli[] = {0, 1000003, UINT64_C(18446744073709551557)};
    for (int round = test_rounds(300); round > 0; --round) {
        tree t[ITEMS] = {{0}};
        mpq_t want[ITEMS];
        pm_writer *w;
        FILE *f = fopen(path, "w");
        assert_int_equal(pm_writer_open(f, NULL, &w, NULL), PM_OK);
        for (int k = 0; k < ITEMS; ++k) {
            mpq_init(want[k]);
            mpq_set_ui(want[k], 1, 1);
            t[k].w = w;
            random_node(&t[k], 5, false, want[k]);
        }
        assert_int_equal(pm_writer_close(&w, NULL), PM_OK);
        fclose(f);
        for (size_t m = 0; m < sizeof moduli / sizeof *moduli; ++m) {
            input in;
            input_open(&in, moduli[m]);
            for (int k = 0; k < ITEMS; ++k) {
                assert_int_equal(input_next(&in), PM_OK);
                assert_true(in.got);
                assert_true(pm_value_is_exact(&in.value));
                if (moduli[m])
                    assert_int_equal(mpq_cmp_ui(in.value.exact, residue(want[k], moduli[m]), 1), 0);
                else
                    assert_true(mpq_equal(in.value.exact, want[k]));
                assert_int_equal(in.info.matrices, t[k].matrices);
                assert_int_equal(in.info.n, t[k].n);
                assert_int_equal(in.info.nnz, t[k].nnz);
            }
            assert_end(&in);
            input_close(&in);
        }
        for (int k = 0; k < ITEMS; ++k)
            mpq_clear(want[k]);
    }
}

/* ---- by hand ---- */

#define HEAD              "%pm: stream 1\n"
#define EOF_              "%pm: eof\n"
#define M(x)              "%%MatrixMarket matrix array integer general\n1 1\n" x "\n"
#define R(x)              "%%MatrixMarket matrix array real general\n1 1\n" x "\n"
#define NINE              "%%MatrixMarket matrix coordinate pattern general\n9 9 0\n"
#define GROUP(kind, body) "%pm: begin " kind "\n" body "%pm: end\n"
#define F(x)              "%pm: factor " x "\n"
#define TIMES(k)          "%pm: times " k "\n"
#define HUGE_             "1000000000000000000000000000001"

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t modulus;
        const char *value;
    } cases[] = {
        {"%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n", 0, "10"},
        {"# pm-edges 0 0\n", 0, "1"},
        {HEAD GROUP("product", "") EOF_, 0, "1"},
        {HEAD GROUP("sum", "") EOF_, 0, "0"},
        {HEAD F("2/6") EOF_, 0, "1/3"},
        /* the examples of pm-stream(5) */
        {HEAD "%pm: made-by pm-dm 1.0.0\n" GROUP(
             "product", "%%MatrixMarket matrix coordinate pattern general\n%pm: rows a1 b2\n"
                        "%pm: cols a2 b1\n2 2 4\n1 1\n1 2\n2 1\n2 2\n"
                        "%%MatrixMarket matrix coordinate pattern general\n%pm: rows c1\n"
                        "%pm: cols c2\n1 1 1\n1 1\n") EOF_,
         0, "2"},
        {HEAD "%pm: name mixture\n" GROUP(
             "sum", F("2") M("5") TIMES("3") GROUP("product", F("1/6") F("1") TIMES("2") M("5")))
             EOF_,
         0, "45/2"},
        /* times: a power at the top and in products, a multiple in sums */
        {HEAD F("3") TIMES("4") EOF_, 0, "81"},
        {HEAD F("2") TIMES("3") M("5") EOF_, 0, "1000"},
        {HEAD GROUP("sum", F("2") TIMES("3") M("5")) EOF_, 0, "30"},
        {HEAD GROUP("sum", TIMES("0") M("5")) EOF_, 0, "0"},
        {HEAD TIMES("0") M("0") EOF_, 0, "1"},
        {HEAD F("0") TIMES("0") M("5") EOF_, 0, "1"},
        {HEAD F("0") TIMES(HUGE_) R("5") EOF_, 0, "0"},
        {HEAD F("-1") TIMES(HUGE_) EOF_, 0, "-1"},
        {HEAD GROUP("sum", F("-2") TIMES(HUGE_)) EOF_, 0, "-2000000000000000000000000000002"},
        {HEAD F("2") TIMES(HUGE_) EOF_, 7, "4"}, /* 2^3 = 1, and the exponent is 2 modulo 3 */
        {HEAD F("-1/2") M("1") EOF_, 7, "3"},
        {HEAD F("0") TIMES("0") EOF_, 2, "1"},
        /* real and complex numbers */
        {HEAD F("0x1p-1") M("5") EOF_, 0, "2.5"},
        {HEAD GROUP("sum", R("2") F("1/2")) EOF_, 0, "2.5"},
        {HEAD F("1 -2") M("3") EOF_, 0, "3\t-6"},
        /* a zero has the field of what it was made of */
        {HEAD GROUP("product", F("0") R("3")) EOF_, 0, "0"},
        {HEAD GROUP("sum", F("0") R("3") F("2")) EOF_, 0, "2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        assert_value(cases[k].text, cases[k].modulus, cases[k].value);
}

static void test_field_of_zero(void **state)
{
    (void)state;
    input in;
    put_text(HEAD GROUP("product", F("0") R("3")) GROUP("product", F("0") F("2 3")) EOF_);
    input_open(&in, 0);
    assert_int_equal(input_next(&in), PM_OK);
    assert_int_equal(in.value.field, PM_REAL);
    assert_true(pm_value_is_zero(&in.value));
    assert_int_equal(input_next(&in), PM_OK);
    assert_int_equal(in.value.field, PM_COMPLEX);
    assert_true(pm_value_is_zero(&in.value));
    input_close(&in);
}

static void test_skipped(void **state)
{
    (void)state;
    input in;
    put_text(HEAD "%pm: name first\n" GROUP(
        "sum", M("2") GROUP("product", M("0") M("3") GROUP("sum", M("4") M("5"))) TIMES("0") M("6")
                   F("0") GROUP("product", M("7"))) M("8") EOF_);
    input_open(&in, 0);
    assert_next(&in, "2");
    assert_int_equal(in.ctx.calls, 2);
    assert_int_equal(in.info.matrices, 7);
    assert_int_equal(in.info.max_n, 1);
    assert_string_equal(in.info.name, "first");
    assert_int_equal(in.info.line, 2);
    assert_false(in.info.is_one_matrix);
    assert_next(&in, "8");
    assert_null(in.info.name);
    assert_true(in.info.is_one_matrix);
    assert_end(&in);
    assert_end(&in);
    input_close(&in);
}

/* ---- failures ---- */

static void test_failures(void **state)
{
    (void)state;
    assert_failure(HEAD NINE M("5") EOF_, 0, PM_UNABLE, "nine rows");
    assert_failure(HEAD GROUP("sum", M("1") GROUP("product", NINE M("2")) NINE R("1")) M("5") EOF_,
                   0, PM_UNABLE, "nine rows");
    assert_failure(HEAD F("2") TIMES(HUGE_) F("1") M("5") EOF_, 0, PM_UNABLE,
                   "a value would have more");
    assert_failure(HEAD F("0x3p0") TIMES(HUGE_) F("1") M("5") EOF_, 0, PM_UNABLE, "a power");
    assert_failure(HEAD F("1/14") M("2") M("5") EOF_, 7, PM_UNABLE,
                   ":2: the denominator of the factor has no inverse modulo 7");
    /* 7/7 in either sequence: 0 modulo 7 is not 0 */
    assert_failure(HEAD GROUP("product", F("7") F("1/7")) M("5") EOF_, 7, PM_UNABLE,
                   ":4: the denominator of the factor has no inverse modulo 7");
    assert_failure(HEAD GROUP("product", F("1/7") F("7")) M("5") EOF_, 7, PM_UNABLE,
                   ":3: the denominator of the factor has no inverse modulo 7");
    assert_failure(HEAD R("1") M("5") EOF_, 7, PM_EUSAGE,
                   ":2: expected integers for a count modulo 7, found real or complex weights");
    assert_failure(HEAD F("0x1p0") GROUP("sum", M("1")) M("5") EOF_, 7, PM_EUSAGE,
                   ":2: expected integers for a count modulo 7, found real or complex weights");
}

/* Repeated powers reach no exponent that a real number cannot have. */
static void test_far_exponents(void **state)
{
    (void)state;
    assert_failure(HEAD GROUP("product", F("0x1p1000000") TIMES("1000000000000") F("0x1p1000000")
                                             TIMES("1000000000000") F("0x1p1000000")
                                                 TIMES("1000000000000")) M("5") EOF_,
                   0, PM_UNABLE,
                   "a value is too large or too small: its binary exponent is beyond 2^60");
}

static void test_broken_input(void **state)
{
    (void)state;
    input in;
    put_text(HEAD M("5") GROUP("sum", M("1") NINE) "%pm: begin sum\n" M("2") EOF_);
    input_open(&in, 0);
    in.ctx.fail_with = PM_ESTOPPED;
    assert_next(&in, "5");
    assert_int_equal(input_next(&in), PM_ESTOPPED);
    assert_false(in.got);
    input_close(&in);

    input_open(&in, 0);
    in.ctx.fail_with = PM_UNABLE;
    assert_next(&in, "5");
    assert_int_equal(input_next(&in), PM_UNABLE);
    assert_true(in.got);
    assert_int_equal(input_next(&in), PM_EDATA);
    assert_false(in.got);
    assert_non_null(strstr(in.err.msg, ": expected %pm: end of the group that begins in line"));
    input_close(&in);
}

static void test_deep(void **state)
{
    (void)state;
    FILE *f = fopen(path, "w");
    fputs(HEAD, f);
    for (int k = 0; k < 500; ++k)
        fputs("%pm: begin sum\n" F("2") "%pm: begin product\n", f);
    fputs(M("3"), f);
    for (int k = 0; k < 1000; ++k)
        fputs("%pm: end\n", f);
    fputs(EOF_, f);
    fclose(f);
    input in;
    mpz_t want;
    mpz_init(want);
    mpz_ui_pow_ui(want, 2, 500);
    mpz_mul_ui(want, want, 3);
    input_open(&in, 0);
    assert_int_equal(input_next(&in), PM_OK);
    assert_int_equal(mpz_cmp(mpq_numref(in.value.exact), want), 0);
    assert_int_equal(mpz_cmp_ui(mpq_denref(in.value.exact), 1), 0);
    input_close(&in);
    mpz_clear(want);
}

static pm_status evaluate_all(void)
{
    pm_read_options read = {0};
    leaf_context ctx = {0};
    pm_evaluate_options opt = {.leaf = leaf, .ctx = &ctx};
    pm_reader *r = NULL;
    pm_value v;
    pm_value_init(&v);
    pm_status st = pm_reader_open(path, &read, &r, NULL);
    for (bool got = true; !st && got;) {
        const pm_node_source source = pm_reader_source(r);
        pm_evaluate_info info = {0};
        st = pm_evaluate_next(&source, &opt, &v, &info, &got, NULL);
        pm_evaluate_info_free(&info);
    }
    if (r)
        pm_reader_close(&r);
    pm_value_clear(&v);
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    put_text(HEAD "%pm: name a\n" GROUP("sum", F("1/2") M("2") GROUP("product", M("3"))) M("4")
                 EOF_);
    for (int64_t k = 1;; ++k) {
        pm_alloc_fail_at(k);
        pm_status st = evaluate_all();
        bool failed = pm_alloc_fail_at(0) >= k;
        assert_int_equal(st, failed ? PM_ENOMEM : PM_OK);
        if (!failed)
            break;
    }
}

static int setup(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),        cmocka_unit_test(test_values),
        cmocka_unit_test(test_field_of_zero), cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_failures),      cmocka_unit_test(test_far_exponents),
        cmocka_unit_test(test_broken_input),  cmocka_unit_test(test_deep),
        cmocka_unit_test(test_memory),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, setup, teardown);
}
