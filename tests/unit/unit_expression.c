/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk over expressions: the order of its calls, positions, the limits of nesting, and what is
 * freed after a failure. */
#include "config.h"

#include <string.h>

#include "support/testing.h"

#include "pm/alloc.h"
#include "pm/expression.h"

/* The frame of a group: its number in the order of appearance, from 1. */
typedef struct {
    int number;
    void *memory;
} frame;

typedef struct {
    char calls[4096];
    int groups;
    const char *fail_at; /* the function that fails, or NULL */
} record;

static pm_status note(record *x, const char *what, const char *function, pm_error *err)
{
    strcat(x->calls, what);
    return x->fail_at && strcmp(x->fail_at, function) == 0 ? pm_fail(err, PM_EDATA, "as requested")
                                                           : PM_OK;
}

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    (void)first;
    return note(context, "<", "begin_item", err);
}

static pm_status end_item(void *context, pm_error *err)
{
    return note(context, ">", "end_item", err);
}

/* The letter of the node, the number of the group around it, and its depth. */
static void put_position(record *x, char letter, const pm_position *at)
{
    const frame *outer = at->outer;
    char text[32];
    snprintf(text, sizeof text, "%c%d/%d ", letter, outer ? outer->number : 0, (int)at->depth);
    strcat(x->calls, text);
}

static pm_status enter(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    record *x = context;
    frame *f = at->frame;
    assert_int_equal(f->number, 0);
    assert_null(f->memory);
    put_position(x, node->kind == PM_NODE_SUM ? 'S' : 'P', at);
    pm_status status = note(x, "", "enter", err);
    if (status != PM_OK)
        return status;
    f->number = ++x->groups;
    f->memory = pm_alloc_array(1, 1);
    return f->memory ? PM_OK : pm_fail_memory(err, "a frame");
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    assert_null(at->frame);
    put_position(context, node->kind == PM_NODE_MATRIX ? 'M' : 'N', at);
    return note(context, "", "leaf", err);
}

static pm_status leave(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const frame *f = at->frame;
    assert_int_equal(node->kind, PM_NODE_CLOSE);
    assert_true(f->number > 0);
    put_position(context, ')', at);
    return note(context, "", "leave", err);
}

static int freed;

static void free_frame(void *memory)
{
    frame *f = memory;
    free(f->memory);
    ++freed;
}

static const pm_visitor visitor = {.frame_size = sizeof(frame),
                                   .begin_item = begin_item,
                                   .enter = enter,
                                   .leaf = leaf,
                                   .leave = leave,
                                   .end_item = end_item,
                                   .free_frame = free_frame};

/* Nodes of a text: M and N leaves, P and S open groups, ")" closes. */
static pm_status next_of_text(void *context, pm_node *out, pm_error *err)
{
    const char **text = context;
    static const char letters[] = "MNPS)";
    const char *found = **text ? strchr(letters, **text) : NULL;
    (void)err;
    pm_node_reset(out);
    if (found)
        out->kind = (pm_node_kind)(found - letters);
    *text += found != NULL;
    return PM_OK;
}

static pm_status walk(const char *text, record *x, const pm_run *run, pm_error *err)
{
    const pm_node_source source = {next_of_text, &text, "text"};
    return pm_walk_all(&source, &visitor, x, run, err);
}

static void test_calls(void **state)
{
    (void)state;
    record x = {.calls = ""};
    freed = 0;
    assert_int_equal(walk("MP)S(", &x, NULL, NULL), PM_EINTERNAL); /* the sum is not closed */
    assert_string_equal(x.calls, "<M0/0 ><P0/0 )0/0 ><S0/0 ");
    assert_int_equal(freed, 2);
    x = (record){.calls = ""};
    assert_int_equal(walk("SMPN)PS))M)N", &x, NULL, NULL), PM_OK);
    assert_string_equal(x.calls,
                        "<S0/0 M1/1 P1/1 N2/2 )1/1 P1/1 S3/2 )3/2 )1/1 M1/1 )0/0 ><N0/0 >");
}

static void test_items(void **state)
{
    (void)state;
    const char *text = "SM)N";
    const pm_node_source source = {next_of_text, &text, "text"};
    record x = {.calls = ""};
    bool got;
    assert_int_equal(pm_walk_item(&source, &visitor, &x, NULL, &got, NULL), PM_OK);
    assert_true(got);
    assert_string_equal(x.calls, "<S0/0 M1/1 )0/0 >");
    assert_int_equal(pm_walk_item(&source, &visitor, &x, NULL, &got, NULL), PM_OK);
    assert_true(got);
    assert_int_equal(pm_walk_item(&source, &visitor, &x, NULL, &got, NULL), PM_OK);
    assert_false(got);
}

/* Each function may fail; then the walk ends and the frames of open groups are freed. */
static void test_failures(void **state)
{
    (void)state;
    static const struct {
        const char *function, *calls;
        int freed;
    } cases[] = {
        {"begin_item", "<", 0},
        {"enter", "<P0/0 ", 0},
        {"leaf", "<P0/0 S1/1 M2/2 ", 2},
        {"leave", "<P0/0 S1/1 M2/2 )1/1 ", 2},
        {"end_item", "<P0/0 S1/1 M2/2 )1/1 )0/0 >", 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        record x = {.fail_at = cases[k].function};
        pm_error err = {.msg = ""};
        freed = 0;
        assert_int_equal(walk("PSM))N", &x, NULL, &err), PM_EDATA);
        assert_string_equal(err.msg, "as requested");
        assert_string_equal(x.calls, cases[k].calls);
        assert_int_equal(freed, cases[k].freed);
    }
}

static void test_stop(void **state)
{
    (void)state;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    record x = {.calls = ""};
    assert_int_equal(walk("M", &x, &run, NULL), PM_ESTOPPED);
    assert_string_equal(x.calls, "");
}

/* PM_DEPTH_MAX groups, and one more. */
static void test_nesting(void **state)
{
    (void)state;
    char text[2 * PM_DEPTH_MAX + 3];
    static const pm_visitor none = {.frame_size = 0};
    const char *at = text;
    const pm_node_source source = {next_of_text, &at, "text"};
    pm_error err = {.msg = ""};
    memset(text, 'S', PM_DEPTH_MAX);
    memset(text + PM_DEPTH_MAX, ')', PM_DEPTH_MAX);
    text[2 * PM_DEPTH_MAX] = '\0';
    assert_int_equal(pm_walk_all(&source, &none, NULL, NULL, &err), PM_OK);
    text[PM_DEPTH_MAX] = 'P';
    at = text;
    assert_int_equal(pm_walk_all(&source, &none, NULL, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "1000"));
    at = ")";
    assert_int_equal(pm_walk_all(&source, &none, NULL, NULL, &err), PM_EINTERNAL);
}

static void test_memory(void **state)
{
    (void)state;
    for (int64_t k = 1;; ++k) {
        record x = {.calls = ""};
        pm_alloc_fail_at(k);
        pm_status status = walk("PSM)SSSSSSSSS))))))))))M", &x, NULL, NULL);
        bool failed = pm_alloc_fail_at(0) >= k;
        assert_int_equal(status, failed ? PM_ENOMEM : PM_OK);
        if (!failed)
            break;
    }
}

static void test_take_factor(void **state)
{
    (void)state;
    pm_node node;
    pm_fraction factor;
    pm_field field;
    mpz_t times;
    pm_node_init(&node);
    pm_fraction_init(&factor);
    mpz_init(times);
    assert_true(pm_fraction_is_one(&node.factor));
    mpq_set_si(node.factor.re, -2, 3);
    mpq_set_si(node.factor.im, 1, 2);
    node.factor_field = PM_COMPLEX;
    mpz_set_ui(node.times, 7);
    pm_node_take_factor(&node, &factor, &field, times);
    assert_int_equal(mpq_cmp_si(factor.re, -2, 3), 0);
    assert_int_equal(mpq_cmp_si(factor.im, 1, 2), 0);
    assert_int_equal(field, PM_COMPLEX);
    assert_int_equal(mpz_cmp_ui(times, 7), 0);
    assert_true(pm_fraction_is_one(&node.factor));
    assert_int_equal(node.factor_field, PM_INTEGER);
    assert_int_equal(mpz_cmp_ui(node.times, 1), 0);
    pm_fraction_clear(&factor);
    mpz_clear(times);
    pm_node_clear(&node);
    pm_node_clear(&node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),       cmocka_unit_test(test_items),
        cmocka_unit_test(test_failures),    cmocka_unit_test(test_stop),
        cmocka_unit_test(test_nesting),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_take_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
