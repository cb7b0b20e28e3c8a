/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long texts of answers in a file: the file against an array, and the same answers with a file, with one that cannot be written, with one
 * whose room ends, and in memory.  No false alarms. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/answers.h"
#include "pm/alloc.h"
#include "process/scratch_file.h"
#include "support/testing.h"

static uint64_t rng;

/* All that is written to f becomes a text, which is freed. */
static char *text_of(pm_text_stream *s)
{
    char *text = pm_text_stream_close(s);
    assert_non_null(text);
    return text;
}

static void file_as_array(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    char *all = pm_alloc_array(ROOM, 1), *more = pm_alloc_array(ROOM, 1);
    pm_scratch_file s = {0};
    assert_true(all && more);
    assert_false(pm_scratch_file_append(&s, "x", 1));
    pm_scratch_file_open(&s);
    assert_true(s.is_open);
    int64_t length = 0;
    for (int round = 0; round < 200; ++round) {
        const int64_t count = pm_rng_below(&rng, ROOM / 20);
        if (length + count >= ROOM || pm_rng_below(&rng, 4) == 0)
            pm_scratch_file_cut(&s, length = pm_rng_below(&rng, (uint32_t)length + 1));
        for (int64_t k = 0; k < count; ++k)
            more[k] = (char)('a' + pm_rng_below(&rng, 26));
        assert_true(pm_scratch_file_append(&s, more, (size_t)count));
        memcpy(all + length, more, (size_t)count);
        length += count;
        assert_int_equal(s.length, length);
        const int64_t from = pm_rng_below(&rng, (uint32_t)length + 1),
                      to = from + pm_rng_below(&rng, (uint32_t)(length - from) + 1);
        pm_text_stream *got = pm_text_stream_open();
        assert_non_null(got);
        assert_int_equal(pm_scratch_file_copy(&s, from, to, pm_text_stream_file(got)), 0);
        char *text = text_of(got);
        assert_int_equal(strlen(text), to - from);
        assert_memory_equal(text, all + from, (size_t)(to - from));
        free(text);
    }
    pm_text_stream *none = pm_text_stream_open();
    assert_int_not_equal(
        pm_scratch_file_copy(&s, s.length, s.length + 1, pm_text_stream_file(none)), 0);
    pm_text_stream_free(none);
    pm_scratch_file_close(&s);
    free(all);
    free(more);
}

/* The same answers for the same seed: some are dropped, some fail. */
static void put_answers(pm_answers *a, uint64_t seed)
{
    static const int64_t lengths[] = {0, 1, 70000, 1100000, 2500000};
    for (int k = 0; k < 6; ++k) {
        pm_error err;
        pm_emitter *e = pm_answers_begin(a, &err);
        assert_non_null(e);
        const int64_t length = lengths[pm_rng_below(&seed, 5)];
        for (int64_t done = 0; done < length; done += 50)
            fprintf(e->f, "%049d\n", (int)pm_rng_below(&seed, 1000000000));
        switch (pm_rng_below(&seed, 4)) {
        case 0: break; /* the next one begins */
        case 1:
            pm_fail(&err, PM_EDATA, "wrong");
            assert_int_equal(pm_answers_skip(a, "bad", PM_EDATA, &err), PM_OK);
            break;
        default: assert_int_equal(pm_answers_end(a, k % 2 ? "name" : NULL, false, &err), PM_OK);
        }
    }
}

static char *printed(const pm_answers *a, pm_layout layout)
{
    bool any_none = false;
    pm_text_stream *s = pm_text_stream_open();
    assert_non_null(s);
    assert_int_equal(
        pm_answers_print(a, pm_text_stream_file(s), layout, true, "input", &any_none, NULL), PM_OK);
    return text_of(s);
}

/* kind: 0: in memory; 1: in a file; 2: in one that is always full */
static char *answers_of(int kind, bool is_json, uint64_t seed, bool *was_used)
{
    pm_scratch_file file = {0};
    if (kind == 1)
        pm_scratch_file_open(&file);
    if (kind == 2)
        file = (pm_scratch_file){true, open("/dev/full", O_RDWR | O_CLOEXEC), 0};
    assert_true(kind == 0 || (file.is_open && file.file >= 0));
    pm_answers a = {.emitter = {.is_json = is_json}, .file = kind ? &file : NULL};
    char *text = NULL;
    for (int input = 0; input < 2; ++input) { /* the list is used again */
        put_answers(&a, seed + (uint64_t)input);
        *was_used = *was_used || file.length > 0;
        free(text);
        text = printed(&a, is_json ? PM_LAYOUT_JSON : PM_LAYOUT_BLOCKS);
        pm_answers_empty(&a);
        assert_int_equal(file.length, 0);
    }
    pm_answers_free(&a);
    pm_scratch_file_close(&file);
    return text;
}

static void same_answers(void **state)
{
    (void)state;
    bool was_used[3] = {false, false, false};
    for (int round = 0; round < 8 || !was_used[1]; ++round) {
        const uint64_t seed = rng;
        pm_rng_below(&rng, 2);
        char *text[3];
        for (int kind = 0; kind < 3; ++kind)
            text[kind] = answers_of(kind, round % 2, seed, &was_used[kind]);
        assert_string_equal(text[0], text[1]);
        assert_string_equal(text[0], text[2]);
        for (int kind = 0; kind < 3; ++kind)
            free(text[kind]);
    }
    assert_false(was_used[0] || was_used[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(file_as_array),
                                       cmocka_unit_test(same_answers)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
