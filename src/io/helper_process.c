/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/formats.h"
#include "pm/alloc.h"
#include "pm/memory.h"
#include "pm/settings.h"

extern char **environ;

#ifndef PM_LIBEXECDIR
#define PM_LIBEXECDIR "/usr/libexec/pmkit"
#endif

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

char *pm_helper_path(void)
{
    static const char program[] = "/pm-igraph-read";
    const char *folder = pm_settings_get()->libexec;
    if (!folder || !*folder)
        folder = PM_LIBEXECDIR;
    size_t room = strlen(folder) + sizeof program;
    char *path = pm_alloc_array((int64_t)room, 1);
    if (path)
        snprintf(path, room, "%s%s", folder, program);
    return path;
}

/* A file without a name, in memory where the system has that: a few lines.  NULL, with errno. */
static FILE *open_messages(void)
{
#ifdef MFD_CLOEXEC
    int file = memfd_create("messages", MFD_CLOEXEC);
    if (file >= 0) {
        FILE *f = fdopen(file, "w+");
        int why = errno;
        if (!f)
            close(file);
        errno = why;
        return f;
    }
#endif
    return tmpfile();
}

/* Runs the program `path` with these three as its standard input, output and error.  Returns 0 or
 * an errno value. */
static int spawn(pm_helper *h, char *path, const char *format, int in, int out)
{
    posix_spawn_file_actions_t actions;
    char bytes[24], *argv[] = {path, (char *)(uintptr_t)format, NULL, NULL};
    if (pm_memory_limit() > 0) {
        snprintf(bytes, sizeof bytes, "%" PRId64, pm_memory_limit());
        argv[2] = bytes;
    }
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc)
        return rc;
    rc = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!rc)
        rc = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (!rc)
        rc = posix_spawn_file_actions_adddup2(&actions, fileno(h->errors), STDERR_FILENO);
    if (!rc)
        rc = posix_spawn(&h->pid, path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

pm_status pm_helper_start(pm_helper *h, const char *name, const char *format, pm_error *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pm_status status = PM_OK;
    char *path = pm_helper_path();
    if (!path)
        return pm_fail_memory(err, "helper program");
    h->errors = open_messages();
    if (!h->errors || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0
        || pipe2(out, O_CLOEXEC) != 0) {
        status = pm_fail(err, errno == ENOMEM ? PM_ENOMEM : PM_EIO,
                         "%s: cannot start the helper program: %s", name, strerror(errno));
        goto done;
    }
    /* checked first: where vfork is emulated, posix_spawn does not report that exec fails */
    char what[40];
    snprintf(what, sizeof what, strcmp(format, "layout") == 0 ? "a %s" : "format %s", format);
    int rc = access(path, X_OK) ? errno : spawn(h, path, format, in[0], out[1]);
    if (rc) {
        status = pm_fail(
            err, rc == ENOMEM ? PM_ENOMEM : PM_UNABLE,
            "%s: %s needs the helper program %s (built with igraph), which cannot be run: %s", name,
            what, path, strerror(rc));
        goto done;
    }
    h->to = in[1];
    h->from = out[0];
    in[1] = out[0] = -1;
done:
    for (int k = 0; k < 2; ++k) {
        close_fd(&in[k]);
        close_fd(&out[k]);
    }
    free(path);
    return status;
}

bool pm_helper_send(const pm_helper *h, const char *bytes, int64_t count)
{
    while (count > 0) {
        ssize_t n = send(h->to, bytes, (size_t)count, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        count -= n;
    }
    return true;
}

/* Fails with the message that the helper wrote. */
static pm_status say(const pm_helper *h, const char *name, pm_status code, pm_error *err)
{
    char text[512] = "";
    rewind(h->errors);
    size_t n = fread(text, 1, sizeof text - 1, h->errors);
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return pm_fail(err, code, "%s:%s%s", name, *text >= '0' && *text <= '9' ? "" : " ",
                   *text ? text : "the helper program pm-igraph-read failed");
}

pm_status pm_helper_finish(pm_helper *h, const char *name, char *note, size_t room, pm_error *err)
{
    int how = 0;
    pm_helper_no_more(h);
    close_fd(&h->from);
    pid_t pid;
    do
        pid = waitpid(h->pid, &how, 0);
    while (pid < 0 && errno == EINTR);
    if (pid < 0)
        return pm_fail(err, PM_EIO, "%s: cannot wait for the helper program: %s", name,
                       strerror(errno));
    if (WIFSIGNALED(how))
        return pm_fail_internal(err,
                                "%s: the helper program pm-igraph-read was killed by signal %d",
                                name, WTERMSIG(how));
    for (pm_status code = PM_OK; code <= PM_ESTOPPED; ++code)
        if (WEXITSTATUS(how) == pm_exit_status(code)) {
            if (code)
                return say(h, name, code, err);
            rewind(h->errors);
            size_t n = fread(note, 1, room - 1, h->errors);
            note[n] = '\0';
            note[strcspn(note, "\n")] = '\0';
            return PM_OK;
        }
    return say(h, name, PM_EINTERNAL, err);
}

void pm_helper_no_more(pm_helper *h)
{
    close_fd(&h->to);
}

void pm_helper_free(pm_helper *h)
{
    close_fd(&h->to);
    close_fd(&h->from);
    if (h->errors)
        fclose(h->errors);
}
