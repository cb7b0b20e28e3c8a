/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules that are kept for the next one, and which of them goes when there are too many. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/idle_modules.h"
#include "support/testing.h"

static pm_module module(int device, const char *text, uintptr_t handle)
{
    return (pm_module){device, strdup(text), (void *)handle};
}

/* Kept, and nothing has to go for it. */
static void keep(int device, const char *text, uintptr_t handle)
{
    pm_module old;
    assert_false(pm_idle_put(module(device, text, handle), &old));
}

/* 0: there is none. */
static uintptr_t take(int device, const char *text)
{
    pm_module m;
    if (!pm_idle_take(device, text, &m))
        return 0;
    assert_int_equal(m.device, device);
    assert_string_equal(m.text, text);
    free(m.text);
    return (uintptr_t)m.handle;
}

static void text_and_device(void **state)
{
    (void)state;
    assert_int_equal(take(0, "a"), 0);
    keep(0, "a", 1);
    keep(0, "b", 2);
    keep(1, "a", 3);
    assert_int_equal(take(1, "b"), 0);
    assert_int_equal(take(2, "a"), 0);
    assert_int_equal(take(0, "a"), 1);
    assert_int_equal(take(0, "a"), 0); /* who has it has it alone */
    assert_int_equal(take(1, "a"), 3);
    keep(0, "b", 4);
    assert_int_equal(take(0, "b") + take(0, "b"), 6);
    assert_int_equal(take(0, "b"), 0);
}

/* Those that were used last stay, of each device by itself. */
static void the_oldest_goes(void **state)
{
    (void)state;
    pm_module old;
    char text[8];
    keep(1, "other", 99);
    for (uintptr_t i = 1; i <= PM_IDLE_MODULES; ++i) {
        snprintf(text, sizeof text, "%d", (int)i);
        keep(0, text, i);
    }
    assert_int_equal(take(0, "1"), 1);
    keep(0, "1", 1); /* used again */
    assert_true(pm_idle_put(module(0, "new", 50), &old));
    assert_int_equal(old.device, 0);
    assert_string_equal(old.text, "2");
    assert_int_equal((uintptr_t)old.handle, 2);
    free(old.text);
    assert_int_equal(take(0, "2"), 0);
    assert_int_equal(take(0, "1"), 1);
    assert_int_equal(take(0, "new"), 50);
    int left = 0;
    while (pm_idle_take_any(&old)) {
        free(old.text);
        ++left;
    }
    assert_int_equal(left, PM_IDLE_MODULES - 2 + 1);
    assert_int_equal(take(1, "other"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_and_device),
        cmocka_unit_test(the_oldest_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
