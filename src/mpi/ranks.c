/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/text_stream.h"
#include "ledger/ledger_text.h"
#include "mpi/mpi_load.h"
#include "mpi/rank_client.h"
#include "mpi/rank_place.h"
#include "mpi/rank_server.h"
#include "pm/alloc.h"
#include "pm/run.h"
#include "process/signals.h"

struct pm_ranks {
    const pm_mpi_calls *mpi;
    pm_mpi_place place;
    int threads;
    int64_t memory;
    pm_ledger_peers peers;
    pm_rank_server *server; /* of rank 0 */
    pm_rank_client client;  /* of the others */
    int messages; /* what the others print on standard error: a file without a name; -1: none */
};

int pm_ranks_count(const pm_ranks *r)
{
    return r->place.size;
}

bool pm_ranks_prints(const pm_ranks *r)
{
    return r->place.rank == 0;
}

int pm_ranks_threads(const pm_ranks *r)
{
    return r->threads;
}

int64_t pm_ranks_memory(const pm_ranks *r)
{
    return r->memory;
}

/* ---- start ---- */

static pm_status start_mpi(pm_ranks *r, int launched, pm_error *err)
{
    pm_status status = pm_mpi_load(&r->mpi, err);
    if (status)
        return status;
    const char *why = r->mpi->start(&r->place);
    if (why)
        return pm_fail(err, PM_EINTERNAL, "%s", why);
    if (launched > 1 && r->place.size != launched)
        return pm_fail(err, PM_EINTERNAL,
                       "started as one of %d ranks, but MPI has %d: the launcher belongs to "
                       "another MPI than the program (see --version)",
                       launched, r->place.size);
    return PM_OK;
}

/* Answers go nowhere, messages into a file that rank 0 gets if this rank fails alone. */
static void be_silent(pm_ranks *r)
{
    int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (none >= 0) {
        dup2(none, STDOUT_FILENO);
        close(none);
    }
    r->messages = memfd_create("messages", MFD_CLOEXEC);
    if (r->messages >= 0)
        dup2(r->messages, STDERR_FILENO);
}

static pm_status join_job(pm_ranks *r, pm_error *err)
{
    r->threads = pm_rank_place_threads(r->mpi, &r->place);
    pm_rank_place_gpus(&r->place);
    r->memory = r->mpi->least(pm_run_memory(NULL) / r->place.node_size);
    if (pm_ranks_prints(r)) {
        pm_status status = pm_rank_server_start(r->mpi, r->place.size, &r->server, err);
        r->peers = (pm_ledger_peers){r->server, true, pm_rank_server_begin, pm_rank_server_take,
                                     pm_rank_server_end};
        return status;
    }
    be_silent(r);
    r->client = (pm_rank_client){.mpi = r->mpi};
    r->peers = (pm_ledger_peers){&r->client, false, pm_rank_client_begin, pm_rank_client_take,
                                 pm_rank_client_end};
    return PM_OK;
}

static void free_ranks(pm_ranks **r)
{
    pm_rank_server_free((*r)->server);
    free(*r);
    *r = NULL;
}

int pm_ranks_missing(void)
{
#ifdef HAVE_MPI
    return 0;
#else
    const int launched = pm_mpi_launched();
    return launched > 1 && pm_mpi_launched_rank() == 0 ? launched : 0;
#endif
}

pm_status pm_ranks_start(pm_ranks **out, pm_error *err)
{
    *out = NULL;
    int launched = pm_mpi_launched();
#ifndef HAVE_MPI
    launched = 1; /* as any program without MPI, the processes do not know of each other */
#endif
    if (launched == 1)
        return PM_OK;
    pm_ranks *r = pm_calloc_array(1, sizeof *r);
    if (!r)
        return pm_fail_memory(err, "the ranks");
    r->messages = -1;
    pm_status status = start_mpi(r, launched, err);
    bool is_alone = !status && r->place.size == 1;
    if (is_alone)
        r->mpi->finish();
    else if (!status)
        status = join_job(r, err);
    if (status && pm_mpi_launched_rank() > 0) /* told once */
        be_silent(r);
    if (status || is_alone)
        free_ranks(&r);
    *out = r;
    return status;
}

/* ---- standard input ---- */

static pm_status read_all(int file, char **out, int64_t *size, pm_error *err)
{
    enum { STEP = 1 << 20 };
    char *data = NULL;
    int64_t used = 0, cap = 0;
    ssize_t n = 1;
    while (n > 0) {
        if (PM_GROW(data, cap, used + STEP)) {
            free(data);
            return pm_fail_memory(err, "the standard input, for the other ranks");
        }
        do
            n = read(file, data + used, STEP);
        while (n < 0 && errno == EINTR && !pm_signals_will_raise() && !pm_signals_limit_reached());
        used += n > 0 ? n : 0;
    }
    if (n < 0) {
        free(data);
        return errno == EINTR ? pm_fail(err, PM_ESTOPPED, "stopped")
                              : pm_fail(err, PM_EIO, "(standard input): %s", strerror(errno));
    }
    *out = data;
    *size = used;
    return PM_OK;
}

/* A file without a name that has these bytes, at its beginning. */
static pm_status file_of(const char *data, int64_t size, const char *what, int *out, pm_error *err)
{
    int file = memfd_create("ranks", MFD_CLOEXEC);
    ssize_t n = 1;
    for (int64_t at = 0; file >= 0 && at < size && n > 0; at += n)
        n = write(file, data + at, (size_t)(size - at));
    if (file < 0 || n <= 0 || lseek(file, 0, SEEK_SET) != 0) {
        pm_fail(err, PM_EIO, "%s, for the other ranks: %s", what, strerror(errno));
        if (file >= 0)
            close(file);
        return PM_EIO;
    }
    *out = file;
    return PM_OK;
}

/* Standard input has these bytes from now on. */
static pm_status set_input(const char *data, int64_t size, pm_error *err)
{
    int file;
    pm_status status = file_of(data, size, "standard input", &file, err);
    if (status)
        return status;
    if (dup2(file, STDIN_FILENO) < 0)
        status = pm_fail(err, PM_EIO, "(standard input): %s", strerror(errno));
    close(file);
    return status;
}

pm_status pm_ranks_pass_input(pm_ranks *r, pm_error *err)
{
    char *data = NULL;
    if (!pm_ranks_prints(r)) {
        pm_rank_message answer, m = {.head.request = PM_RANK_INPUT};
        pm_status status = pm_rank_client_ask(&r->client, &m, &data, &answer, err);
        if (!status)
            status = set_input(answer.bytes, answer.head.bytes, err);
        free(data);
        return status;
    }
    int64_t size = 0;
    pm_status status = read_all(STDIN_FILENO, &data, &size, err);
    if (status)
        return status;
    status = set_input(data, size, err);
    pm_rank_server_publish(r->server, PM_RANK_INPUT, data, size);
    return status;
}

/* ---- the ledger ---- */

static char *text_of(pm_ledger *l, pm_error *err)
{
    pm_text_stream *s = pm_text_stream_open();
    if (!s) {
        pm_fail_memory(err, "the ledger");
        return NULL;
    }
    pm_ledger_writer w = pm_ledger_writer_begin(pm_text_stream_file(s), "");
    pm_status status = pm_ledger_writer_ledger(&w, l, err);
    pm_ledger_writer_end(&w);
    if (status) {
        pm_text_stream_free(s);
        return NULL;
    }
    char *text = pm_text_stream_close(s);
    if (!text)
        pm_fail_memory(err, "the ledger");
    return text;
}

static pm_status read_lines(pm_source *from, pm_ledger *l, pm_error *err)
{
    char *line;
    int64_t length;
    pm_ledger_reader reader = pm_ledger_reader_begin(l);
    pm_status status;
    while (!(status = pm_source_line(from, &line, &length, err)) && line)
        if ((status = pm_ledger_reader_line(&reader, from, line, length, err)))
            break;
    pm_status ended = pm_ledger_reader_end(&reader, from, status ? NULL : err);
    return status ? status : ended;
}

static pm_status read_ledger(const char *text, int64_t size, pm_ledger *l, pm_error *err)
{
    int file;
    pm_source *from = NULL;
    pm_status status = file_of(text, size, "the ledger", &file, err);
    if (status)
        return status;
    status = pm_source_open_fd(file, "the ledger of rank 0", &from, err);
    if (!status)
        status = read_lines(from, l, err);
    pm_source_close(&from);
    close(file);
    return status;
}

pm_status pm_ranks_share_ledger(pm_ranks *r, pm_ledger *l, pm_error *err)
{
    pm_status status = PM_OK;
    if (pm_ranks_prints(r)) {
        char *text = text_of(l, err);
        if (!text)
            return PM_ENOMEM;
        pm_rank_server_publish(r->server, PM_RANK_LEDGER, text, (int64_t)strlen(text));
    } else {
        char *data = NULL;
        pm_rank_message answer, m = {.head.request = PM_RANK_LEDGER};
        status = pm_rank_client_ask(&r->client, &m, &data, &answer, err);
        if (!status)
            status = read_ledger(answer.bytes, answer.head.bytes, l, err);
        free(data);
    }
    if (!status)
        pm_ledger_set_peers(l, &r->peers);
    return status;
}

/* ---- the end ---- */

/* The first line that this rank would have printed, without the name of the program. */
static void first_message(const pm_ranks *r, char text[PM_RANK_TEXT])
{
    ssize_t n = r->messages < 0 ? -1 : pread(r->messages, text, PM_RANK_TEXT - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    const char *message = strstr(text, ": ");
    if (message)
        memmove(text, message + 2, strlen(message + 2) + 1);
}

/* Returns false when rank 0 does not answer. */
static bool leave_job(pm_ranks *r, int status)
{
    char *data;
    pm_error err;
    pm_rank_message answer, m = {.head = {.request = PM_RANK_LEAVE, .status = status}};
    fflush(stderr);
    first_message(r, m.head.text);
    bool is_good = pm_rank_client_ask(&r->client, &m, &data, &answer, &err) == PM_OK;
    free(data);
    return is_good;
}

int pm_ranks_end(pm_ranks **ranks, int status, void (*tell)(void *context, const char *line),
                 void *context)
{
    pm_ranks *r = *ranks;
    if (!r)
        return status;
    bool prints = pm_ranks_prints(r);
    bool is_good =
        prints ? pm_rank_server_stop(r->server, status, tell, context) : leave_job(r, status);
    if (is_good)
        r->mpi->finish();
    free_ranks(ranks);
    return prints ? status : 0;
}
