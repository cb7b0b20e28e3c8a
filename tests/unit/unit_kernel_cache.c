/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of compiled kernels: what comes out is what went in, or nothing. */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cache_folder.h"
#include "gpu/kernel_cache.h"
#include "pm/settings.h"
#include "support/testing.h"

static uint64_t rng;
static char home[] = "/tmp/pm-cache-XXXXXX";
static char folder[64], path[512];

enum { SIZE = 3000 };
static unsigned char code[SIZE];
static const char key[] = "// NVRTC 13.0 sm_90\nextern \"C\" __global__ void pm_sweep() {}\n";

static int make_home(void **state)
{
    (void)state;
    if (!mkdtemp(home))
        return -1;
    snprintf(folder, sizeof folder, "%s/pmkit", home);
    for (int i = 0; i < SIZE; ++i)
        code[i] = (unsigned char)pm_rng_next(&rng);
    pm_settings_set(&(pm_settings){.cache_folder = folder});
    return 0;
}

static int remove_home(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

static bool reads(const char *with_key)
{
    pm_gpu_image image = {0};
    if (!pm_kernel_cache_read(with_key, &image))
        return false;
    assert_int_equal(image.size, SIZE);
    assert_memory_equal(image.data, code, SIZE);
    free(image.data);
    return true;
}

/* The only file of the folder. */
static void find_file(void)
{
    char command[128];
    snprintf(command, sizeof command, "ls %s/*", folder);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(fgets(path, sizeof path, f));
    path[strcspn(path, "\n")] = '\0';
    char more[16];
    assert_null(fgets(more, sizeof more, f));
    pclose(f);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    const pm_gpu_image image = {code, SIZE};
    assert_false(reads(key));
    pm_kernel_cache_write(key, &image);
    assert_true(reads(key));
    pm_kernel_cache_write(key, &image);
    assert_true(reads(key));
    assert_false(reads("// another one\n"));
    find_file();
}

static int count_files(const char *of, char names[][64])
{
    char command[128];
    int count = 0;
    snprintf(command, sizeof command, "ls %s", of);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fgets(names[count], sizeof names[count], f)) {
        names[count][strcspn(names[count], "\n")] = '\0';
        ++count;
    }
    pclose(f);
    return count;
}

/* The latest stay, and so does what has another name. */
static void the_oldest_go(void **state)
{
    (void)state;
    enum { FILES = 12, KEPT = 5 };
    char shelf[64], name[128], names[FILES + 1][64];
    snprintf(shelf, sizeof shelf, "%s/shelf", home);
    assert_int_equal(mkdir(shelf, 0700), 0);
    for (int i = 0; i <= FILES; ++i) {
        /* the times do not rise with the names */
        const struct timespec times[2] = {{1000, 0}, {i * 5 % FILES, i < FILES ? 0 : 1}};
        snprintf(name, sizeof name, "%s/%s%02d", shelf, i < FILES ? "kernel-" : "rates", i);
        FILE *f = fopen(name, "w");
        assert_non_null(f);
        fclose(f);
        assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
    }
    pm_cache_trim(shelf, "kernel-", FILES, KEPT);
    assert_int_equal(count_files(shelf, names), FILES + 1);
    pm_cache_trim(shelf, "kernel-", FILES - 1, KEPT);
    assert_int_equal(count_files(shelf, names), KEPT + 1);
    for (int k = 0; k < KEPT; ++k)
        assert_in_range(atoi(names[k] + strlen("kernel-")) * 5 % FILES, FILES - KEPT, FILES - 1);
    assert_string_equal(names[KEPT], "rates12");
    pm_cache_trim("/nowhere", "kernel-", 0, 0);
}

static void damaged_files_are_not_used(void **state)
{
    (void)state;
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    for (long at = 0; at < size; at += at < 200 ? 1 : 97) {
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        int byte = fgetc(f);
        for (int again = 0; again < 2; ++again) {
            assert_int_equal(fseek(f, at, SEEK_SET), 0);
            fputc(again ? byte : byte ^ (1 + (int)pm_rng_below(&rng, 255)), f);
            fflush(f);
            assert_int_equal(reads(key), again);
        }
    }
    fclose(f);
    for (int cut = 0; cut < 20; ++cut) {
        assert_int_equal(truncate(path, size - 1 - (size - 1) * cut / 20), 0);
        assert_false(reads(key));
    }
    const pm_gpu_image image = {code, SIZE};
    pm_kernel_cache_write(key, &image);
    assert_true(reads(key));
}

static void no_folder_is_no_failure(void **state)
{
    (void)state;
    const pm_gpu_image image = {code, SIZE};
    char below_file[sizeof path + 8];
    snprintf(below_file, sizeof below_file, "%s/pmkit", path);
    pm_settings_set(&(pm_settings){.cache_folder = below_file});
    pm_kernel_cache_write(key, &image);
    assert_false(reads(key));
    pm_settings_set(&(pm_settings){0});
    pm_kernel_cache_write(key, &image);
    assert_false(reads(key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_oldest_go),
        cmocka_unit_test(damaged_files_are_not_used),
        cmocka_unit_test(no_folder_is_no_failure),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, make_home, remove_home);
}
