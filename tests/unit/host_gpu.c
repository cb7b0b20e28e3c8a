/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "host_gpu.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu.h"
#include "pm/alloc.h"

enum { KEPT = 1000, PATH = 96 };

host_gpu host_gpu_state;

/* Texts that were compiled, and how often one was loaded. */
static struct {
    char folder[32], *text[KEPT];
    int count, loads, last;
} kept;

void host_gpu_reset(void)
{
    host_gpu_state = (host_gpu){.devices = 1,
                                .major = 9,
                                .double_rate = 1e15,
                                .memory_rate = 1e15,
                                .word_rate = 1e15,
                                .shared = 227 << 10,
                                .memory = INT64_C(1) << 34};
}

static void object_of(int i, char path[PATH])
{
    snprintf(path, PATH, "%s/kernel-%d.so", kept.folder, i);
}

void host_gpu_end(void)
{
    char path[PATH];
    for (int i = 0; i < kept.count; ++i) {
        object_of(i, path);
        unlink(path);
        free(kept.text[i]);
    }
    if (*kept.folder)
        rmdir(kept.folder);
    memset(&kept, 0, sizeof kept);
}

/* A device that was told to fails. */
static pm_status answer(host_gpu_call call, pm_error *err)
{
    static const char *const names[HOST_GPU_CALLS] = {
        "counting devices", "a look",          "free memory", "asking the compiler", "compiling",
        "opening",          "starting",        "finishing",   "a session",           "memory",
        "copying to it",    "copying from it", "launching",   "running a kernel"};
    bool fails;
#pragma omp critical(host_gpu)
    {
        int k = ++host_gpu_state.calls[call], at = host_gpu_state.fails_at[call];
        fails = at > 0 && k >= at;
    }
    if (!fails)
        return PM_OK;
    return pm_fail(err, call == HOST_GPU_COMPILE ? PM_EINTERNAL : PM_ENODEV, "GPU: %s failed",
                   names[call]);
}

pm_status pm_gpu_count(int *out, pm_error *err)
{
    if (host_gpu_state.devices == 0)
        return pm_fail(err, PM_ENODEV, "no usable GPU: there is no device");
    *out = host_gpu_state.devices;
    return answer(HOST_GPU_COUNT, err);
}

pm_status pm_gpu_look(int device, pm_gpu_info *out, pm_error *err)
{
    const host_gpu *h = &host_gpu_state;
    *out = (pm_gpu_info){"host",         h->major,       h->minor,     1,         h->memory,
                         h->double_rate, h->memory_rate, h->word_rate, h->shared, 13000};
    (void)device;
    return answer(HOST_GPU_LOOK, err);
}

pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err)
{
    (void)device;
    *out = host_gpu_state.memory;
    return answer(HOST_GPU_FREE_MEMORY, err);
}

/* ---- compiling ---- */

bool pm_gpu_is_ready(const char *text)
{
    return host_gpu_state.is_ready && host_gpu_state.is_ready(text);
}

pm_status pm_gpu_can_compile(int major, int minor, pm_error *err)
{
    (void)major, (void)minor;
    if (host_gpu_state.lacks_compiler)
        return pm_fail(err, PM_ENODEV, "GPU: there is no compiler");
    return answer(HOST_GPU_CAN_COMPILE, err);
}

static bool make_object(int i, const char *text)
{
    char object[PATH], source[PATH], command[512];
    const char *compiler = getenv("CC");
    if (!*kept.folder) {
        snprintf(kept.folder, sizeof kept.folder, "/tmp/pm-host-XXXXXX");
        if (!mkdtemp(kept.folder))
            return false;
    }
    object_of(i, object);
    snprintf(source, sizeof source, "%s/kernel.c", kept.folder);
    FILE *f = fopen(source, "w");
    if (!f)
        return false;
    fprintf(f, "#include <math.h>\n%s", text);
    bool is_good = fclose(f) == 0;
    snprintf(command, sizeof command,
             "%s -w -std=gnu17 -O1 -ffp-contract=off -shared -fPIC -o %s %s -lm",
             compiler ? compiler : "cc", object, source);
    is_good = is_good && system(command) == 0;
    unlink(source);
    return is_good;
}

/* Number of the text; -1: it does not compile. */
static int keep(const char *text)
{
    int i = 0;
    while (i < kept.count && strcmp(kept.text[i], text) != 0)
        ++i;
    if (i < kept.count)
        return i;
    if (i == KEPT || !make_object(i, text))
        return -1;
    kept.text[kept.count++] = strdup(text);
    return i;
}

const char *host_gpu_last_text(void)
{
    return kept.text[kept.last];
}

/* The image is the text's number. */
pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    int number;
    (void)major, (void)minor;
    pm_status rc = answer(HOST_GPU_COMPILE, err);
    if (!rc && host_gpu_state.lacks_compiler && !pm_gpu_is_ready(text))
        rc = pm_fail(err, PM_ENODEV, "GPU: there is no compiler");
    if (rc)
        return rc;
#pragma omp critical(host_gpu_compile)
    number = keep(text);
    kept.last = number;
    if (number < 0)
        return pm_fail(err, PM_EINTERNAL, "the C compiler failed");
    out->data = malloc(sizeof number);
    out->size = sizeof number;
    memcpy(out->data, &number, sizeof number);
    return PM_OK;
}

/* Variables of its own each time, as on a device of its own: a copy under another name. */
static void *load(const pm_gpu_image *image)
{
    int number;
    void *library;
    char object[PATH], own[PATH + 8];
    memcpy(&number, image->data, sizeof number);
    object_of(number, object);
#pragma omp critical(host_gpu_compile)
    {
        snprintf(own, sizeof own, "%s-%d", object, kept.loads++);
        char command[3 * PATH];
        snprintf(command, sizeof command, "cp %s %s", object, own);
        library = system(command) == 0 ? dlopen(own, RTLD_NOW | RTLD_LOCAL) : NULL;
        unlink(own);
    }
    return library;
}

static void count_open(int by)
{
#pragma omp critical(host_gpu)
    host_gpu_state.open += by;
}

static void before_launch(void)
{
    if (host_gpu_state.on_launch)
        host_gpu_state.on_launch();
}

/* ---- sweeps ---- */

typedef void sweep(unsigned long long first, long long blocks, void *records);

struct pm_gpu {
    void *library;
    sweep *entry;
    void *records[PM_GPU_SLOTS];
};

pm_status pm_gpu_open(int device, const pm_gpu_image *image, const pm_gpu_kernel *kernel,
                      pm_gpu **out, pm_error *err)
{
    (void)device;
    pm_status rc = answer(HOST_GPU_OPEN, err);
    if (rc)
        return rc;
    pm_gpu *g = calloc(1, sizeof *g);
    g->library = load(image);
    void *entry = g->library ? dlsym(g->library, kernel->entry) : NULL;
    void *table = entry && kernel->table ? dlsym(g->library, kernel->table) : NULL;
    count_open(1);
    if (!entry || (kernel->table && !table)) {
        pm_gpu_close(g);
        return pm_fail(err, PM_EINTERNAL, "a kernel cannot be loaded");
    }
    memcpy(&g->entry, &entry, sizeof entry);
    if (table)
        memcpy(table, kernel->values, kernel->values_size);
    for (int i = 0; i < PM_GPU_SLOTS; ++i)
        g->records[i] = calloc((size_t)kernel->most, kernel->record);
    *out = g;
    return PM_OK;
}

void pm_gpu_close(pm_gpu *g)
{
    if (!g)
        return;
    for (int i = 0; i < PM_GPU_SLOTS; ++i)
        free(g->records[i]);
    if (g->library)
        dlclose(g->library);
    free(g);
    count_open(-1);
}

pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err)
{
    pm_status rc = answer(HOST_GPU_START, err);
    if (rc)
        return rc;
    before_launch();
    g->entry(first, count, g->records[slot]);
    return PM_OK;
}

pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err)
{
    *records = g->records[slot];
    return answer(HOST_GPU_FINISH, err);
}

/* ---- programmes over arrays ---- */

/* Of the frontier's kernels: what they are given on a device, then blocks and shared memory. */
typedef void programme(const void *step, const void *items, const void *tables, void *scratch,
                       const void *constants, const void *old, void *out, unsigned long long first,
                       long long blocks, void *cells);

struct pm_gpu_session {
    void *library, *array[PM_GPU_ARRAYS];
    int narrays;
};

pm_status pm_gpu_session_open(int device, const pm_gpu_image *image, pm_gpu_session **out,
                              pm_error *err)
{
    (void)device;
    pm_status rc = answer(HOST_GPU_SESSION_OPEN, err);
    if (rc)
        return rc;
    *out = calloc(1, sizeof **out);
    (*out)->library = load(image);
    count_open(1);
    return PM_OK;
}

void pm_gpu_session_close(pm_gpu_session *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->narrays; ++i)
        free(s->array[i]);
    if (s->library)
        dlclose(s->library);
    free(s);
    count_open(-1);
}

pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err)
{
    pm_status rc = answer(HOST_GPU_ARRAY, err);
    if (rc)
        return rc;
    void *array = s->array[s->narrays++] = malloc((size_t)bytes);
    *out = (pm_gpu_array)(uintptr_t)array;
    return PM_OK;
}

pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err)
{
    (void)s;
    memcpy((void *)(uintptr_t)to, from, (size_t)bytes);
    return answer(HOST_GPU_PUT, err);
}

pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err)
{
    (void)s;
    memcpy(to, (const void *)(uintptr_t)from, (size_t)bytes);
    return answer(HOST_GPU_GET, err);
}

pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err)
{
    programme *go;
    void *pointer[7];
    unsigned long long first;
    (void)threads;
    pm_status rc = answer(HOST_GPU_LAUNCH, err);
    if (rc)
        return rc;
    before_launch();
    void *symbol = s->library ? dlsym(s->library, kernel) : NULL;
    if (!symbol)
        return pm_fail(err, PM_EINTERNAL, "%s cannot be loaded", kernel);
    memcpy(&go, &symbol, sizeof symbol);
    for (int i = 0; i < 7; ++i)
        memcpy(&pointer[i], arguments[i], sizeof pointer[i]);
    memcpy(&first, arguments[7], sizeof first);
    void *cells = malloc((size_t)shared + 8);
    go(pointer[0], pointer[1], pointer[2], pointer[3], pointer[4], pointer[5], pointer[6], first,
       blocks, cells);
    free(cells);
    return PM_OK;
}

pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err)
{
    (void)s;
    return answer(HOST_GPU_WAIT, err);
}
