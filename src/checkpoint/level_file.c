/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/level_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/level_head.h"
#include "core/clock.h"
#include "core/machine.h"
#include "core/size.h"
#include "pm/alloc.h"

enum { HEAD = PM_LEVEL_HEAD, BUFFER = 4 << 20, END = 4 + 2 * PM_SHA256_BYTES + 1, SLOTS = 128 };

typedef struct {
    char *path, *fresh; /* of the file, and of the one that replaces it */
    int file;           /* -1: there is none that can be used */
    int64_t head_bytes;
    pm_state_head head;
    bool is_there; /* a file of this name, good or bad */
} level_slot;

struct pm_level_files {
    const char *program;
    pm_console *console;
    double interval;
    pm_state_store store;
    pthread_mutex_t lock; /* of what follows, and of messages */
    double byte_seconds;  /* measured: of a large file */
    double file_seconds;  /* of a small one */
    double not_before;    /* after a failure: the clock */
    int failures;
    bool has_told_size;
    level_slot slot[SLOTS];
};

/* ---- messages ---- */

/* Told at once, by any thread: the run may last for days. */
static void tell(pm_level_files *f, int level, const level_slot *s, const char *text)
{
    char line[2048];
    if (f->console->verbosity < level)
        return;
    int length = snprintf(line, sizeof line - 1, "%s: %s: %s", f->console->program, s->path, text);
    size_t size = length < (int)sizeof line - 1 ? (size_t)length : sizeof line - 2;
    line[size++] = '\n';
    pthread_mutex_lock(&f->lock);
    ssize_t written = write(STDERR_FILENO, line, size);
    pthread_mutex_unlock(&f->lock);
    (void)written;
}

/* ---- files ---- */

/* Returns the number of bytes that could be read. */
static int64_t read_at(int file, void *to, int64_t bytes, int64_t from)
{
    int64_t done = 0;
    while (done < bytes) {
        ssize_t n = pread(file, (char *)to + done, (size_t)(bytes - done), (off_t)(from + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += n;
    }
    return done;
}

/* Returns 0, or errno. */
static int write_all(int file, const void *from, size_t bytes)
{
    for (const char *at = from; bytes > 0;) {
        ssize_t n = write(file, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

static void close_file(level_slot *s)
{
    if (s->file >= 0)
        close(s->file);
    s->file = -1;
}

static const char *look_at(level_slot *s, const char *program)
{
    char text[HEAD + 1];
    struct stat info;
    if (fstat(s->file, &info) != 0 || !S_ISREG(info.st_mode))
        return "not a plain file; it is not used";
    int64_t length = read_at(s->file, text, HEAD, 0);
    text[length] = '\0';
    s->head_bytes = pm_level_head_read(text, program, &s->head);
    if (!s->head_bytes)
        return "not a level of this version of the program, or damaged; it is not used";
    if (info.st_size != s->head_bytes + (int64_t)s->head.bytes + END)
        return "the file is damaged: its length is wrong; it is not used";
    return NULL;
}

static void open_slot(pm_level_files *f, level_slot *s)
{
    s->file = open(s->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    s->is_there = s->file >= 0 || errno != ENOENT;
    const char *why = s->file >= 0  ? look_at(s, f->program)
                      : s->is_there ? "cannot be opened; it is not used"
                                    : NULL;
    if (why) {
        close_file(s);
        tell(f, 0, s, why);
    }
}

static pm_status name_slot(const char *path, int k, level_slot *s, pm_error *err)
{
    int64_t room = (int64_t)strlen(path) + 32;
    s->file = -1;
    s->path = pm_alloc_array(room, 1);
    s->fresh = pm_alloc_array(room, 1);
    if (!s->path || !s->fresh)
        return pm_fail_memory(err, "the name of a file");
    if (k == 0)
        snprintf(s->path, (size_t)room, "%s.level", path);
    else
        snprintf(s->path, (size_t)room, "%s.level.%d", path, k);
    snprintf(s->fresh, (size_t)room, "%s.new", s->path);
    return PM_OK;
}

/* ---- putting ---- */

/* A file while it is written. */
typedef struct {
    int file, why; /* why: errno */
    pm_sha256 hash;
    char *buffer;
} fresh_file;

static void put_bytes(fresh_file *x, const void *from, size_t bytes)
{
    pm_sha256_add(&x->hash, from, bytes);
    if (!x->why)
        x->why = write_all(x->file, from, bytes);
}

static pm_status put_state(fresh_file *x, uint64_t bytes, pm_state_copy *copy, void *engine,
                           pm_error *err)
{
    pm_status status = PM_OK;
    for (uint64_t at = 0, n; at < bytes && !status && !x->why; at += n) {
        n = bytes - at < BUFFER ? bytes - at : BUFFER;
        status = copy(engine, at, x->buffer, (size_t)n, err);
        if (!status)
            put_bytes(x, x->buffer, (size_t)n);
    }
    return status;
}

/* The file is complete and on the disk if x->why is 0. */
static pm_status fill(const pm_level_files *f, fresh_file *x, const pm_state_head *head,
                      pm_state_copy *copy, void *engine, pm_error *err)
{
    char text[HEAD], end[END + 1];
    unsigned char digest[PM_SHA256_BYTES];
    pm_sha256_begin(&x->hash);
    put_bytes(x, text, (size_t)pm_level_head_write(head, f->program, text));
    pm_status status = put_state(x, head->bytes, copy, engine, err);
    pm_sha256_end(&x->hash, digest);
    pm_level_key_line(end, sizeof end, "end", digest);
    if (!status && !x->why)
        x->why = write_all(x->file, end, END);
    if (!status && !x->why && fsync(x->file) != 0)
        x->why = errno;
    return status;
}

/* The name in the folder is on the disk when this returns, where the file system has such a call. */
static void settle_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? pm_copy_text(path) : NULL;
    if (folder)
        folder[slash == path ? 1 : slash - path] = '\0';
    int file = open(folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

static void note_failure(pm_level_files *f, const level_slot *s, int why)
{
    char text[512];
    pthread_mutex_lock(&f->lock);
    f->not_before = pm_clock() + ldexp(f->interval, f->failures < 20 ? ++f->failures : 20);
    pthread_mutex_unlock(&f->lock);
    snprintf(text, sizeof text, "not written: %s; the run goes on", strerror(why));
    tell(f, 0, s, text);
}

static void note_success(pm_level_files *f, const level_slot *s, double seconds)
{
    char text[256];
    double bytes = (double)s->head.bytes;
    pthread_mutex_lock(&f->lock);
    f->failures = 0;
    if (bytes < BUFFER)
        f->file_seconds = seconds;
    else
        f->byte_seconds = seconds / bytes;
    bool is_first = !f->has_told_size;
    f->has_told_size = true;
    pthread_mutex_unlock(&f->lock);
    snprintf(text, sizeof text, "%s, written in %.2g seconds, after step %" PRId64 " of %" PRId64,
             pm_size(bytes).s, seconds, s->head.step, s->head.steps);
    tell(f, is_first ? 1 : 2, s, text);
}

static pm_status replace(pm_level_files *f, level_slot *s, const pm_state_head *head,
                         pm_state_copy *copy, void *engine, pm_error *err)
{
    double started = pm_clock();
    fresh_file x = {.buffer = pm_alloc_array(BUFFER, 1)};
    x.file = open(s->fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (x.file < 0 || !x.buffer) {
        note_failure(f, s, x.file < 0 ? errno : ENOMEM);
        if (x.file >= 0)
            close(x.file);
        free(x.buffer);
        return PM_OK;
    }
    pm_status status = fill(f, &x, head, copy, engine, err);
    free(x.buffer);
    if (!status && !x.why && rename(s->fresh, s->path) != 0)
        x.why = errno;
    if (status || x.why) {
        close(x.file);
        (void)unlink(s->fresh);
        if (!status)
            note_failure(f, s, x.why);
        return status;
    }
    char text[HEAD];
    settle_folder(s->path);
    close_file(s);
    s->file = x.file;
    s->is_there = true;
    s->head = *head;
    s->head_bytes = pm_level_head_write(head, f->program, text);
    note_success(f, s, pm_clock() - started);
    return PM_OK;
}

/* ---- the store ---- */

/* A run that ends stores what it has, however little: or many short runs would get nowhere. */
static bool is_due(void *context, double seconds, double bytes, bool stops)
{
    pm_level_files *f = context;
    if (stops)
        return true;
    pthread_mutex_lock(&f->lock);
    bool is_time = seconds >= f->interval && pm_clock() >= f->not_before;
    bool is_worth = seconds > f->file_seconds + bytes * f->byte_seconds;
    pthread_mutex_unlock(&f->lock);
    return is_time && is_worth;
}

static pm_status put(void *context, int slot, const pm_state_head *head, pm_state_copy *copy,
                     void *engine, pm_error *err)
{
    pm_level_files *f = context;
    return replace(f, &f->slot[slot], head, copy, engine, err);
}

static bool head(void *context, int slot, pm_state_head *out)
{
    const pm_level_files *f = context;
    const level_slot *s = &f->slot[slot];
    if (s->file >= 0)
        *out = s->head;
    return s->file >= 0;
}

static void refuse(void *context, int slot, const char *why)
{
    pm_level_files *f = context;
    close_file(&f->slot[slot]);
    tell(f, 0, &f->slot[slot], why);
}

/* Copies the state and finds the digest of the file.  Returns false when it cannot be read. */
static bool get_state(const level_slot *s, const char *program, char *buffer, pm_state_copy *copy,
                      void *engine, unsigned char *digest, pm_status *status, pm_error *err)
{
    pm_sha256 hash;
    int64_t n, bytes = (int64_t)s->head.bytes,
               start = pm_level_head_write(&s->head, program, buffer);
    pm_sha256_begin(&hash);
    pm_sha256_add(&hash, buffer, (size_t)start);
    for (int64_t at = 0; at < bytes && !*status; at += n) {
        n = bytes - at < BUFFER ? bytes - at : BUFFER;
        if (read_at(s->file, buffer, n, start + at) != n)
            return false;
        pm_sha256_add(&hash, buffer, (size_t)n);
        *status = copy(engine, (uint64_t)at, buffer, (size_t)n, err);
    }
    pm_sha256_end(&hash, digest);
    return true;
}

static bool has_end(const level_slot *s, const unsigned char *digest)
{
    char wanted[END + 1], found[END];
    pm_level_key_line(wanted, sizeof wanted, "end", digest);
    int64_t at = s->head_bytes + (int64_t)s->head.bytes;
    return read_at(s->file, found, END, at) == END && memcmp(wanted, found, END) == 0;
}

static pm_status get(void *context, int slot, pm_state_copy *copy, void *engine, pm_error *err)
{
    pm_level_files *f = context;
    level_slot *s = &f->slot[slot];
    unsigned char digest[PM_SHA256_BYTES];
    pm_status status = PM_OK;
    char *buffer = pm_alloc_array(BUFFER, 1);
    if (!buffer)
        return pm_fail_memory(err, "a buffer");
    bool is_good = get_state(s, f->program, buffer, copy, engine, digest, &status, err);
    free(buffer);
    if (status)
        return status;
    if (!is_good || !has_end(s, digest)) {
        refuse(f, slot, "the file is damaged; the pass is begun anew");
        return pm_fail(err, PM_EDATA, "%s: damaged", s->path);
    }
    char text[128];
    snprintf(text, sizeof text, "going on after step %" PRId64 " of %" PRId64, s->head.step,
             s->head.steps);
    tell(f, 1, s, text);
    return PM_OK;
}

/* ---- open and close ---- */

static void free_files(pm_level_files *f)
{
    for (int k = 0; k < SLOTS; ++k) {
        if (f->slot[k].path) /* else not yet opened */
            close_file(&f->slot[k]);
        free(f->slot[k].path);
        free(f->slot[k].fresh);
    }
    pthread_mutex_destroy(&f->lock);
    free(f);
}

pm_status pm_level_files_open(const char *path, const char *program, double interval,
                              pm_console *console, pm_level_files **out, pm_error *err)
{
    pm_level_files *f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "a checkpoint");
    pm_status status = PM_OK;
    pthread_mutex_init(&f->lock, NULL);
    f->program = program;
    f->console = console;
    f->interval = interval;
    f->byte_seconds = PM_STATE_BYTE_SECONDS;
    f->store = (pm_state_store){.context = f,
                                .slots = SLOTS,
                                .is_due = is_due,
                                .put = put,
                                .head = head,
                                .get = get,
                                .refuse = refuse};
    for (int k = 0; k < SLOTS && !status; ++k)
        status = name_slot(path, k, &f->slot[k], err);
    for (int k = 0; k < SLOTS && !status; ++k)
        open_slot(f, &f->slot[k]);
    if (status)
        free_files(f);
    else
        *out = f;
    return status;
}

const pm_state_store *pm_level_files_store(const pm_level_files *f)
{
    return &f->store;
}

void pm_level_files_close(pm_level_files *f, bool is_removed)
{
    if (!f)
        return;
    for (int k = 0; k < SLOTS && is_removed; ++k) {
        if (f->slot[k].is_there)
            (void)unlink(f->slot[k].path);
        (void)unlink(f->slot[k].fresh); /* of a run that was killed */
    }
    free_files(f);
}

bool pm_level_files_exist(const pm_level_files *f)
{
    for (int k = 0; k < SLOTS; ++k)
        if (f->slot[k].file >= 0)
            return true;
    return false;
}

void pm_level_files_report(const pm_level_files *f, FILE *to)
{
    for (int k = 0; k < SLOTS; ++k) {
        const level_slot *s = &f->slot[k];
        if (s->file >= 0)
            fprintf(to, "# %s: %s, a pass after step %" PRId64 " of %" PRId64 "\n", s->path,
                    pm_size((double)s->head.bytes).s, s->head.step, s->head.steps);
    }
}
