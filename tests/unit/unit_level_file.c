/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of levels: what is put is got, and a file that was changed in any way is not used. */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/level_file.h"
#include "support/testing.h"

#define PROGRAM "pm-count test"

static uint64_t rng;
static char folder[] = "/tmp/unit_level_file.XXXXXX", checkpoint[64], file[80];
static pm_console quiet = {.program = "test", .verbosity = -1};

enum { MOST = 9 << 20 }; /* more than two buffers */
static char original[MOST], copied[MOST];

static pm_status give(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    (void)err;
    memcpy(buffer, (const char *)engine + at, count);
    return PM_OK;
}

static pm_status take(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    (void)err;
    assert_true(at + count <= MOST);
    memcpy((char *)engine + at, buffer, count);
    return PM_OK;
}

static pm_state_head random_head(uint64_t bytes)
{
    pm_state_head h = {.steps = 2 + (int64_t)pm_rng_below(&rng, 1000), .bytes = bytes};
    h.step = 1 + (int64_t)pm_rng_below(&rng, (uint32_t)h.steps - 1);
    for (int i = 0; i < PM_SHA256_BYTES; ++i) {
        h.scope.byte[i] = (unsigned char)pm_rng_below(&rng, 256);
        h.engine.byte[i] = (unsigned char)pm_rng_below(&rng, 256);
    }
    if (pm_rng_below(&rng, 4)) {
        h.bits = pm_rng_below(&rng, 2) ? 64 : 32;
        h.lanes = 1 + (int)pm_rng_below(&rng, PM_STATE_MODULI);
        h.wanted = 1 + (int)pm_rng_below(&rng, (uint32_t)h.lanes);
    }
    for (int i = 0; i < h.lanes; ++i)
        h.modulus[i] = pm_rng_next(&rng) >> 2;
    return h;
}

static pm_level_files *open_files(const char *program)
{
    pm_level_files *f;
    assert_int_equal(pm_level_files_open(checkpoint, program, 1e-9, &quiet, &f, NULL), PM_OK);
    return f;
}

static const pm_state_store *store_of(const pm_level_files *f)
{
    return pm_level_files_store(f);
}

static void write_one(int slot, const pm_state_head *h)
{
    pm_level_files *f = open_files(PROGRAM);
    const pm_state_store *s = store_of(f);
    assert_int_equal(s->put(s->context, slot, h, give, original, NULL), PM_OK);
    pm_level_files_close(f, false);
}

/* Whether the slot gives this state. */
static bool gives(int slot, const char *program, const pm_state_head *h)
{
    pm_state_head found;
    pm_level_files *f = open_files(program);
    const pm_state_store *s = store_of(f);
    bool is = s->head(s->context, slot, &found);
    if (is) {
        pm_status rc = s->get(s->context, slot, take, copied, NULL);
        assert_true(rc == PM_OK || rc == PM_EDATA);
        is = rc == PM_OK;
        assert_int_equal(s->head(s->context, slot, &found), is);
    }
    if (is) {
        assert_memory_equal(&found, h, sizeof found);
        assert_memory_equal(copied, original, h->bytes);
    }
    pm_level_files_close(f, false);
    return is;
}

static void fill(void)
{
    for (int i = 0; i < MOST; i += 8) {
        uint64_t x = pm_rng_next(&rng);
        memcpy(original + i, &x, 8);
    }
}

static void put_and_get(void **state)
{
    (void)state;
    fill();
    for (int round = 0; round < test_rounds(6); ++round) {
        int slot = (int)pm_rng_below(&rng, 3) * 40;
        pm_state_head h = random_head(round == 0 ? MOST : pm_rng_below(&rng, 5000));
        write_one(slot, &h);
        assert_true(gives(slot, PROGRAM, &h));
        assert_false(gives(slot, PROGRAM "er", &h));
        assert_false(gives(slot, "pm-count tes", &h));
    }
    pm_level_files *f = open_files(PROGRAM);
    pm_level_files_close(f, true);
    assert_int_equal(rmdir(folder), 0); /* nothing is left */
    assert_int_equal(mkdir(folder, 0700), 0);
}

/* Changes one bit, cuts the file, or lengthens it. */
static void damage(int kind, int64_t size)
{
    int fd = open(file, O_RDWR);
    assert_true(fd >= 0);
    char byte = 'x';
    off_t at = (off_t)pm_rng_below(&rng, (uint32_t)size);
    if (kind == 0) {
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte = (char)(byte ^ 1 << pm_rng_below(&rng, 8));
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    } else if (kind == 1) {
        assert_int_equal(ftruncate(fd, at), 0);
    } else {
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)size), 1);
    }
    close(fd);
}

static void damaged_files(void **state)
{
    (void)state;
    struct stat info;
    fill();
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_state_head h = random_head(pm_rng_below(&rng, 300));
        write_one(0, &h);
        assert_int_equal(stat(file, &info), 0);
        damage(round % 4 ? 0 : 1 + round / 4 % 2, info.st_size);
        assert_false(gives(0, PROGRAM, &h));
    }
}

/* The older state stays when a new one cannot be written. */
static void no_room(void **state)
{
    (void)state;
    struct rlimit before, little = {20000, RLIM_INFINITY};
    pm_state_head h = random_head(1000), large = h;
    large.bytes = 100000;
    write_one(0, &h);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    pm_level_files *f = open_files(PROGRAM);
    const pm_state_store *s = store_of(f);
    assert_true(s->is_due(s->context, 100, 1000, false));
    assert_int_equal(s->put(s->context, 0, &large, give, original, NULL), PM_OK);
    pm_level_files_close(f, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(gives(0, PROGRAM, &h));
}

static pm_status fails(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    (void)engine;
    (void)at;
    memset(buffer, 0, count);
    return pm_fail(err, PM_ENODEV, "a device");
}

/* A device that fails meanwhile leaves the older state, too. */
static void no_device(void **state)
{
    (void)state;
    pm_state_head h = random_head(1000);
    write_one(0, &h);
    pm_level_files *f = open_files(PROGRAM);
    const pm_state_store *s = store_of(f);
    assert_int_equal(s->put(s->context, 0, &h, fails, original, NULL), PM_ENODEV);
    assert_int_equal(s->get(s->context, 0, fails, copied, NULL), PM_ENODEV);
    pm_level_files_close(f, false);
    assert_true(gives(0, PROGRAM, &h));
}

/* Only where it saves more time than it takes, and not more often than the interval. */
static void worth(void **state)
{
    (void)state;
    pm_level_files *f;
    assert_int_equal(pm_level_files_open(checkpoint, PROGRAM, 60, &quiet, &f, NULL), PM_OK);
    const pm_state_store *s = store_of(f);
    assert_false(s->is_due(s->context, 59, 1e6, false));
    assert_true(s->is_due(s->context, 61, 1e6, false));
    assert_false(s->is_due(s->context, 61, 1e12, false));
    assert_true(s->is_due(s->context, 59, 1e6, true));
    assert_true(s->is_due(s->context, 0, 1e12, true));
    pm_level_files_close(f, true);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(checkpoint, sizeof checkpoint, "%s/c", folder);
    snprintf(file, sizeof file, "%s/c.level", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(file);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_and_get), cmocka_unit_test(damaged_files), cmocka_unit_test(no_room),
        cmocka_unit_test(no_device),   cmocka_unit_test(worth),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
