/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of compiled kernels: what comes out is what went in, or nothing. */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/cache_folder.h"
#include "core/isa.h"
#include "core/sha256.h"
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

static int count_files(const char *of, char names[][96])
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
    char shelf[64], name[128], names[FILES + 1][96];
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

/* ---- who may write ---- */

static void use_folder(const char *name, char out[64])
{
    snprintf(out, 64, "%s/%s", home, name);
    pm_settings_set(&(pm_settings){.cache_folder = out});
}

/* Files and folders that others may write to, of other users, and symbolic links. */
static void others_are_not_trusted(void **state)
{
    (void)state;
    const pm_gpu_image image = {code, SIZE};
    char own[64], link_to[64];
    use_folder("own", own);
    pm_kernel_cache_write(key, &image);
    assert_true(reads(key));
    char names[4][96], file[192];
    assert_int_equal(count_files(own, names), 1);
    snprintf(file, sizeof file, "%s/%s", own, names[0]);
    struct stat s;
    assert_int_equal(stat(file, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0600);
    assert_int_equal(stat(own, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0700);
    static const mode_t bad[] = {0620, 0602, 0666};
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(chmod(file, bad[i]), 0);
        assert_false(reads(key));
        assert_false(pm_kernel_cache_has(key));
        assert_int_equal(chmod(file, 0600), 0);
        assert_int_equal(chmod(own, bad[i] | 0100), 0);
        assert_false(reads(key));
        pm_kernel_cache_write("// another\n", &image);
        assert_int_equal(chmod(own, 0700), 0);
        assert_true(reads(key));
        assert_false(pm_kernel_cache_has("// another\n"));
    }
    if (geteuid() == 0) {
        assert_int_equal(chown(file, 1, (gid_t)-1), 0);
        assert_false(reads(key));
        assert_int_equal(chown(file, 0, (gid_t)-1), 0);
        assert_int_equal(chown(own, 1, (gid_t)-1), 0);
        assert_false(reads(key));
        assert_int_equal(chown(own, 0, (gid_t)-1), 0);
    }
    use_folder("link", link_to);
    assert_int_equal(symlink(own, link_to), 0);
    assert_false(reads(key));
    use_folder("own", own);
    char moved[160];
    snprintf(moved, sizeof moved, "%s/elsewhere", home);
    assert_int_equal(rename(file, moved), 0);
    assert_int_equal(symlink(moved, file), 0);
    assert_false(reads(key));
    assert_int_equal(unlink(file), 0);
    assert_int_equal(mkfifo(file, 0600), 0); /* must not wait for a writer */
    assert_false(reads(key));
    /* writing replaces what is in the way */
    pm_kernel_cache_write(key, &image);
    assert_true(reads(key));
    assert_non_null(pm_kernel_cache_trouble());
}

/* Processes that write and read the same kernel at once see the whole of it. */
static void processes_at_once(void **state)
{
    (void)state;
    enum { PROCESSES = 6, TIMES = 60 };
    const pm_gpu_image image = {code, SIZE};
    char shared[64], names[PROCESSES + 1][96];
    use_folder("shared", shared);
    pm_kernel_cache_write(key, &image);
    pid_t child[PROCESSES];
    for (int p = 0; p < PROCESSES; ++p) {
        child[p] = fork();
        assert_true(child[p] >= 0);
        if (child[p] == 0) {
            int failures = 0;
            for (int k = 0; k < TIMES; ++k) {
                pm_gpu_image got = {0};
                pm_kernel_cache_write(key, &image);
                failures += !pm_kernel_cache_read(key, &got) || got.size != SIZE
                            || memcmp(got.data, code, SIZE) != 0;
                free(got.data);
            }
            _exit(failures > 0);
        }
    }
    for (int p = 0; p < PROCESSES; ++p) {
        int status;
        assert_int_equal(waitpid(child[p], &status, 0), child[p]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_files(shared, names), 1);
}

/* A file system without room: no file, no temporary file, no failure. */
static void a_full_disk_is_no_failure(void **state)
{
    (void)state;
    const pm_gpu_image image = {code, SIZE};
    char small[64], names[2][96];
    use_folder("small", small);
    assert_int_equal(mkdir(small, 0700), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {1000, 1000}; /* bytes of a file */
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        pm_kernel_cache_write(key, &image);
        pm_gpu_image got = {0};
        _exit(pm_kernel_cache_read(key, &got) || !pm_kernel_cache_trouble());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_files(small, names), 0);
}

/* FIPS 180-4, and NIST's test of a million letters; the pieces make no difference. */
static void check_digests(void)
{
    static const struct {
        const char *text;
        int times;
        const char *digest;
    } known[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        unsigned char digest[PM_SHA256_BYTES];
        char text[2 * PM_SHA256_BYTES + 1];
        pm_sha256 s;
        pm_sha256_begin(&s);
        for (int k = 0; k < known[i].times; ++k)
            pm_sha256_add(&s, known[i].text, strlen(known[i].text));
        pm_sha256_end(&s, digest);
        for (int k = 0; k < PM_SHA256_BYTES; ++k)
            snprintf(text + 2 * k, 3, "%02x", digest[k]);
        assert_string_equal(text, known[i].digest);
    }
    for (size_t size = 0; size <= 200; ++size) {
        unsigned char whole[PM_SHA256_BYTES], pieces[PM_SHA256_BYTES];
        pm_sha256 s;
        pm_sha256_begin(&s);
        pm_sha256_add(&s, code, size);
        pm_sha256_end(&s, whole);
        pm_sha256_begin(&s);
        for (size_t k = 0, n; k < size; k += n) {
            n = 1 + pm_rng_below(&rng, 70);
            n = n < size - k ? n : size - k;
            pm_sha256_add(&s, code + k, n);
        }
        pm_sha256_end(&s, pieces);
        assert_memory_equal(whole, pieces, sizeof whole);
    }
}

/* With the instructions of the processor for this, and without them. */
static void known_digests(void **state)
{
    pm_settings settings = *pm_settings_get();
    (void)state;
    check_digests();
    settings.isa = "portable";
    pm_settings_set(&settings);
    assert_false(pm_isa_has_sha());
    check_digests();
    settings.isa = NULL;
    pm_settings_set(&settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),    cmocka_unit_test(the_oldest_go),
        cmocka_unit_test(damaged_files_are_not_used), cmocka_unit_test(no_folder_is_no_failure),
        cmocka_unit_test(others_are_not_trusted),     cmocka_unit_test(processes_at_once),
        cmocka_unit_test(a_full_disk_is_no_failure),  cmocka_unit_test(known_digests),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, make_home, remove_home);
}
