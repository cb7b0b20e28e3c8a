/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files a process can use after it has given up the others, and which not. */
#include "config.h"

#include "support/testing.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/landlock.h"

enum { NO_LANDLOCK = 77 };

/* The folder of the test:
 *   input, other     files
 *   folder/inside    a file in a folder
 *   results/         for the output, with a file "older" */
static char root[] = "/tmp/unit_landlock.XXXXXX";

static void put(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("text", f);
    assert_int_equal(fclose(f), 0);
}

static int make_files(void **state)
{
    (void)state;
    if (!mkdtemp(root) || chdir(root) != 0 || mkdir("folder", 0700) != 0
        || mkdir("results", 0700) != 0 || symlink("input", "link") != 0
        || mkfifo("pipe", 0600) != 0)
        return -1;
    put("input");
    put("other");
    put("folder/inside");
    put("results/older");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    char command[sizeof root + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return chdir("/") != 0 || system(command) != 0;
}

/* The exit status of a process that keeps what `keep` allows, and runs work. */
static int confined(void (*keep)(pm_landlock *), int (*work)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        pm_landlock l;
        const char *why = pm_landlock_begin(&l);
        if (!why) {
            keep(&l);
            why = pm_landlock_enter(&l);
        }
        if (why)
            fprintf(stderr, "# no Landlock: %s\n", why);
        _exit(why ? NO_LANDLOCK : work());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_LANDLOCK)
        skip();
    return WEXITSTATUS(status);
}

static bool opens(const char *path, int flags)
{
    int file = open(path, flags | O_NONBLOCK, 0600);
    if (file >= 0)
        close(file);
    else if (errno != EACCES && errno != EPERM)
        fprintf(stderr, "# %s: %s\n", path, strerror(errno));
    return file >= 0;
}

static void keep_nothing(pm_landlock *l)
{
    (void)l;
}

static int try_nothing(void)
{
    if (opens("input", O_RDONLY) || opens("input", O_WRONLY) || opens("folder", O_RDONLY)
        || opens("new", O_WRONLY | O_CREAT) || opens("results", O_RDWR | O_TMPFILE)
        || opens("/dev/null", O_WRONLY))
        return 1;
    if (mkdir("made", 0700) == 0 || unlink("input") == 0 || rmdir("results") == 0
        || rename("input", "renamed") == 0 || symlink("input", "linked") == 0
        || link("input", "linked") == 0 || mkfifo("made", 0600) == 0 || truncate("input", 0) == 0)
        return 2;
    char *argv[] = {(char[]){"true"}, NULL};
    if (execv("/bin/true", argv) == 0 || errno != EACCES)
        return 3;
    /* what belongs to no folder */
    int ends[2];
    char path[32];
    if (pipe(ends) != 0 || memfd_create("memory", 0) < 0)
        return 4;
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    return opens(path, O_RDONLY) ? 0 : 5;
}

static void keep_inputs(pm_landlock *l)
{
    pm_landlock_read(l, "link"); /* what it leads to */
    pm_landlock_read(l, "folder");
    pm_landlock_read(l, "pipe");
    pm_landlock_read(l, "missing");
    pm_landlock_read(l, "/dev/null");
}

static int try_inputs(void)
{
    if (!opens("input", O_RDONLY) || !opens("link", O_RDONLY) || !opens("pipe", O_RDONLY)
        || !opens("/dev/null", O_RDONLY) || !opens("folder", O_RDONLY | O_DIRECTORY))
        return 1;
    if (opens("input", O_RDWR) || opens("other", O_RDONLY) || opens("folder/inside", O_RDONLY)
        || opens("missing", O_WRONLY | O_CREAT) || opens("results", O_RDONLY))
        return 2;
    int version;
    const char *why;
    version = pm_landlock_version(&why);
    bool sends = kill(getppid(), 0) == 0;
    return version >= 6 && sends ? 3 : 0;
}

static int results, unnamed, older;

static void keep_output(pm_landlock *l)
{
    results = open("results", O_PATH | O_DIRECTORY);
    unnamed = openat(results, ".", O_TMPFILE | O_RDWR, 0666);
    older = open("results/older", O_WRONLY);
    pm_landlock_name_in(l, results);
}

static int try_output(void)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", unnamed);
    if (unnamed >= 0
        && (write(unnamed, "new", 3) != 3 || access(path, F_OK) != 0
            || linkat(AT_FDCWD, path, results, "first", AT_SYMLINK_FOLLOW) != 0
            || renameat(results, "first", results, "older") != 0))
        return 1;
    if (write(older, "more", 4) != 4 || ftruncate(older, 1) != 0)
        return 2;
    if (opens("results/older", O_RDONLY) || opens("results/older", O_WRONLY)
        || opens("results", O_RDWR | O_TMPFILE) || opens("new", O_WRONLY | O_CREAT)
        || rename("input", "results/input") == 0 || unlink("other") == 0)
        return 3;
    return 0;
}

static void keep_trace(pm_landlock *l)
{
    pm_landlock_write(l, "results/trace");
    pm_landlock_write(l, "/dev/null");
}

static int try_trace(void)
{
    if (!opens("results/trace", O_WRONLY | O_CREAT) || !opens("results", O_RDWR | O_TMPFILE)
        || unlink("results/trace") != 0 || !opens("/dev/null", O_WRONLY))
        return 1;
    return opens("new", O_WRONLY | O_CREAT) || opens("other", O_RDONLY) ? 2 : 0;
}

static void keep_program(pm_landlock *l)
{
    pm_landlock_read_below(l, "/");
    pm_landlock_execute(l, "/bin/true"); /* and not what loads it */
}

static int try_program(void)
{
    char *argv[] = {(char[]){"true"}, NULL};
    if (!opens("folder/inside", O_RDONLY) || opens("folder/inside", O_WRONLY))
        return 1;
    if (execv("/bin/false", argv) == 0 || errno != EACCES)
        return 2;
    execv("/bin/true", argv); /* fails, but in a system where /bin/true is static */
    return errno == EACCES ? 0 : 3;
}

#define TEST(name)                                                                                 \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        assert_int_equal(confined(keep_##name, try_##name), 0);                                    \
    }

TEST(nothing)
TEST(inputs)
TEST(output)
TEST(trace)
TEST(program)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_output),  cmocka_unit_test(test_trace),
        cmocka_unit_test(test_program),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
