/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/host_gpu.h"

#undef NDEBUG
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "gpu/idle_modules.h"
#include "support/kept_texts.h"

host_gpu host_gpu_state;

void host_gpu_reset(void)
{
    pm_gpu_end();
    host_gpu_state = (host_gpu){.devices = 1,
                                .major = 9,
                                .double_rate = 1e15,
                                .single_rate = 1e15,
                                .memory_rate = 1e15,
                                .word_rate = 1e15,
                                .shared = 227 << 10,
                                .memory = INT64_C(1) << 34,
                                .resident = 4,
                                .calls_left = -1,
                                .launch = host_gpu_state.launch};
}

/* Fails if the test has asked this call to fail. */
static pm_status answer(host_gpu_call call, pm_error *err)
{
    static const char *const names[HOST_GPU_CALLS] = {"counting devices",
                                                      "a look",
                                                      "free memory",
                                                      "asking the compiler",
                                                      "compiling",
                                                      "opening",
                                                      "starting",
                                                      "finishing",
                                                      "a session",
                                                      "memory",
                                                      "copying to it",
                                                      "copying from it",
                                                      "copying between devices",
                                                      "memory of several",
                                                      "launching",
                                                      "running a kernel"};
    bool fails;
    host_gpu *h = &host_gpu_state;
    pm_status failure = call == HOST_GPU_COMPILE ? PM_EINTERNAL : PM_ENODEV;
#pragma omp critical(host_gpu)
    {
        int k = ++h->calls[call], at = h->fails_at[call];
        fails = (at > 0 && k >= at) || h->calls_left == 0;
        h->calls_left -= h->calls_left > 0;
        if (fails && h->failure == PM_OK)
            h->failure = failure;
    }
    return fails ? pm_fail(err, failure, "GPU: %s failed", names[call]) : PM_OK;
}

/* What a device has in its memory before anything is put there. */
static void *memory_of(int64_t bytes)
{
    void *p = malloc((size_t)bytes);
    assert(p);
    return memset(p, 0x5a, (size_t)bytes);
}

/* Nobody asks for a device that is not there, except for the first one. */
static pm_status find(int device, pm_error *err)
{
    int n = host_gpu_state.devices;
    assert(device >= 0 && (device < n || device == 0));
    return n ? PM_OK : pm_fail(err, PM_ENODEV, "no usable GPU: there is no device");
}

/* ---- devices ---- */

pm_status pm_gpu_describe(char *text, size_t size, pm_error *err)
{
    snprintf(text, size, host_gpu_state.devices ? "CUDA: compiled as C" : "CUDA: no device");
    return find(0, err);
}

bool pm_gpu_prepare(int gpus)
{
    (void)gpus;
    ++host_gpu_state.preparing;
    return host_gpu_state.devices > 0;
}

void pm_gpu_prepared(bool is_wanted)
{
    (void)is_wanted;
    host_gpu_state.preparing = 0;
}

pm_status pm_gpu_count(int *out, pm_error *err)
{
    pm_status rc = find(0, err);
    if (!rc)
        rc = answer(HOST_GPU_COUNT, err);
    if (!rc)
        *out = host_gpu_state.devices;
    return rc;
}

pm_status pm_gpu_get_info(int device, pm_gpu_info *out, pm_error *err)
{
    const host_gpu *h = &host_gpu_state;
    pm_status rc = find(device, err);
    if (!rc)
        rc = answer(HOST_GPU_LOOK, err);
    if (!rc)
        *out = (pm_gpu_info){.name = "host",
                             .major = h->major,
                             .minor = h->minor,
                             .multiprocessors = 1,
                             .memory = h->memory,
                             .double_rate = h->double_rate,
                             .single_rate = h->single_rate,
                             .memory_rate = h->memory_rate,
                             .word_rate = h->word_rate,
                             .shared = h->shared,
                             .driver = 13000};
    return rc;
}

pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err)
{
    const host_gpu *h = &host_gpu_state;
    pm_status rc = find(device, err);
    if (!rc)
        rc = answer(HOST_GPU_FREE_MEMORY, err);
    if (!rc)
        *out = h->memory - (device == h->devices - 1 ? h->less : 0);
    return rc;
}

/* ---- compiling ---- */

bool pm_gpu_is_precompiled(const char *text)
{
    return host_gpu_state.is_ready && host_gpu_state.is_ready(text);
}

bool pm_gpu_is_compiled(const char *text, int major, int minor)
{
    (void)major, (void)minor;
    return pm_gpu_is_precompiled(text);
}

pm_status pm_gpu_can_compile(int major, int minor, pm_error *err)
{
    (void)major, (void)minor;
    if (host_gpu_state.lacks_compiler)
        return pm_fail(err, PM_ENODEV, "GPU: there is no compiler");
    return answer(HOST_GPU_CAN_COMPILE, err);
}

/* The image is the text's number. */
pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    int number;
    (void)major, (void)minor;
    pm_status rc = answer(HOST_GPU_COMPILE, err);
    if (!rc && host_gpu_state.lacks_compiler && !pm_gpu_is_precompiled(text))
        rc = pm_fail(err, PM_ENODEV, "GPU: there is no compiler");
    if (rc)
        return rc;
    number = kept_text(text);
    if (number < 0)
        return pm_fail(err, PM_EINTERNAL, "the C compiler failed");
    out->data = memory_of(sizeof number);
    out->size = sizeof number;
    memcpy(out->data, &number, sizeof number);
    return PM_OK;
}

static void count_open(int by)
{
#pragma omp critical(host_gpu)
    host_gpu_state.open += by;
}

/* ---- what is loaded ---- */

static void count_loaded(int by)
{
#pragma omp critical(host_gpu)
    host_gpu_state.loaded += by;
}

static pm_status load(int device, const char *text, pm_module *out, pm_error *err)
{
    pm_gpu_image image;
    int number;
    assert(device >= 0 && device < host_gpu_state.devices);
    if (pm_idle_take(device, text, out))
        return PM_OK;
    pm_status rc = pm_gpu_compile(text, host_gpu_state.major, host_gpu_state.minor, &image, err);
    if (rc)
        return rc;
    memcpy(&number, image.data, sizeof number);
    free(image.data);
    *out = (pm_module){device, strdup(text), kept_text_load(number)};
    assert(out->text);
    count_loaded(1);
    return PM_OK;
}

static void unload(pm_module *m)
{
    if (m->handle)
        dlclose(m->handle);
    free(m->text);
    count_loaded(-1);
}

static void put_back(const pm_module *m)
{
    pm_module old;
    if (pm_idle_put(*m, &old))
        unload(&old);
}

void pm_gpu_end(void)
{
    pm_module m;
    assert(host_gpu_state.open == 0 && host_gpu_state.preparing == 0);
    while (pm_idle_take_any(&m))
        unload(&m);
}

/* Sets the order of turns, in texts that have one. */
static void set_turns(void *handle)
{
    unsigned *odd = dlsym(handle, "pm_odd"), *offset = dlsym(handle, "pm_offset");
    if (odd && offset && host_gpu_state.turns) {
        *odd = 2 * pm_rng_below(host_gpu_state.turns, 512) + 1;
        *offset = pm_rng_below(host_gpu_state.turns, 1024);
    }
}

static void before_launch(void)
{
    if (host_gpu_state.on_launch)
        host_gpu_state.on_launch();
}

/* ---- sweeps ---- */

typedef void sweep(unsigned long long first, long long blocks, void *records);

struct pm_gpu {
    pm_module on;
    int64_t most;
    sweep *entry;
    void *records[PM_GPU_SLOTS];
};

pm_status pm_gpu_open(int device, const char *text, const pm_gpu_kernel *kernel, pm_gpu **out,
                      pm_error *err)
{
    pm_module on;
    pm_status rc = load(device, text, &on, err);
    if (rc)
        return rc;
    pm_gpu *g = calloc(1, sizeof *g);
    assert(g);
    g->on = on;
    count_open(1);
    rc = answer(HOST_GPU_OPEN, err);
    void *entry = on.handle ? dlsym(on.handle, kernel->entry) : NULL;
    void *table = entry && kernel->table ? dlsym(on.handle, kernel->table) : NULL;
    if (!rc && (!entry || (kernel->table && !table)))
        rc = pm_fail(err, PM_EINTERNAL, "a kernel cannot be loaded");
    if (rc) {
        pm_gpu_close(g);
        return rc;
    }
    memcpy(&g->entry, &entry, sizeof entry);
    if (table)
        memcpy(table, kernel->values, kernel->values_size);
    g->most = kernel->most;
    for (int i = 0; i < PM_GPU_SLOTS; ++i)
        g->records[i] = memory_of(kernel->most * (int64_t)kernel->record);
    *out = g;
    return PM_OK;
}

void pm_gpu_close(pm_gpu *g)
{
    if (!g)
        return;
    for (int i = 0; i < PM_GPU_SLOTS; ++i)
        free(g->records[i]);
    put_back(&g->on);
    free(g);
    count_open(-1);
}

int64_t pm_gpu_resident(const pm_gpu *g)
{
    assert(g->entry);
    return host_gpu_state.resident;
}

pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err)
{
    assert(slot >= 0 && slot < PM_GPU_SLOTS && count > 0 && count <= g->most);
    pm_status rc = answer(HOST_GPU_START, err);
    if (rc)
        return rc;
    before_launch();
    host_gpu_state.blocks += count;
    g->entry(first, count, g->records[slot]);
    return PM_OK;
}

pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err)
{
    *records = g->records[slot];
    return answer(HOST_GPU_FINISH, err);
}

/* ---- sessions ---- */

struct pm_gpu_session {
    pm_module on;
    void *array[PM_GPU_ARRAYS];
    int64_t bytes[PM_GPU_ARRAYS];
    int narrays;
};

pm_status pm_gpu_session_open(int device, const char *text, pm_gpu_session **out, pm_error *err)
{
    pm_module on;
    pm_status rc = load(device, text, &on, err);
    if (rc)
        return rc;
    pm_gpu_session *s = calloc(1, sizeof *s);
    assert(s);
    s->on = on;
    count_open(1);
    rc = answer(HOST_GPU_SESSION_OPEN, err);
    if (!rc && !on.handle)
        rc = pm_fail(err, PM_EINTERNAL, "a kernel cannot be loaded");
    if (rc)
        pm_gpu_session_close(s);
    else
        *out = s;
    return rc;
}

void pm_gpu_session_close(pm_gpu_session *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->narrays; ++i)
        free(s->array[i]);
    put_back(&s->on);
    free(s);
    count_open(-1);
}

pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err)
{
    assert(bytes > 0 && s->narrays < PM_GPU_ARRAYS);
    pm_status rc = answer(HOST_GPU_ARRAY, err);
    if (rc)
        return rc;
    s->bytes[s->narrays] = bytes;
    void *array = s->array[s->narrays++] = memory_of(bytes);
    *out = (pm_gpu_array)(uintptr_t)array;
    return PM_OK;
}

struct pm_gpu_spread {
    void *array;
    int64_t bytes;
    pm_gpu_spread *next;
};
static pm_gpu_spread *spreads; /* all that are open; for one thread at a time */

bool pm_gpu_can_spread(int gpus)
{
    return gpus <= host_gpu_state.devices && !host_gpu_state.lacks_peers;
}

pm_status pm_gpu_spread_open(int gpus, int64_t bytes, pm_gpu_spread **out, pm_error *err)
{
    assert(bytes > 0 && pm_gpu_can_spread(gpus));
    pm_status rc = answer(HOST_GPU_SPREAD, err);
    if (rc)
        return rc;
    pm_gpu_spread *s = malloc(sizeof *s);
    assert(s);
    *s = (pm_gpu_spread){memory_of(bytes), bytes, spreads};
    *out = spreads = s;
    count_open(1);
    return PM_OK;
}

pm_gpu_array pm_gpu_spread_array(const pm_gpu_spread *s)
{
    return s ? (pm_gpu_array)(uintptr_t)s->array : 0;
}

void pm_gpu_spread_close(pm_gpu_spread *s)
{
    pm_gpu_spread **p = &spreads;
    if (!s)
        return;
    while (*p != s)
        p = &(*p)->next;
    *p = s->next;
    free(s->array);
    free(s);
    count_open(-1);
}

static bool is_within(const char *at, int64_t bytes, const char *array, int64_t size)
{
    return array <= at && bytes >= 0 && bytes <= size && at - array <= size - bytes;
}

/* So many bytes of an array of the session, or of several devices. */
static void assert_within(const pm_gpu_session *s, pm_gpu_array array, int64_t bytes)
{
    const char *at = host_gpu_array(array);
    bool is_found = false;
    for (const pm_gpu_spread *p = spreads; p; p = p->next)
        is_found |= is_within(at, bytes, p->array, p->bytes);
    for (int i = 0; i < s->narrays; ++i)
        is_found |= is_within(at, bytes, s->array[i], s->bytes[i]);
    assert(is_found);
}

pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err)
{
    assert_within(s, to, bytes);
    memcpy(host_gpu_array(to), from, (size_t)bytes);
    return answer(HOST_GPU_PUT, err);
}

pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err)
{
    assert_within(s, from, bytes);
    memcpy(to, host_gpu_array(from), (size_t)bytes);
    return answer(HOST_GPU_GET, err);
}

pm_status pm_gpu_session_copy(pm_gpu_session *from_session, pm_gpu_array from,
                              pm_gpu_session *to_session, pm_gpu_array to, int64_t bytes,
                              pm_error *err)
{
    assert_within(from_session, from, bytes);
    assert_within(to_session, to, bytes);
    pm_status rc = answer(HOST_GPU_COPY, err);
    if (!rc)
        memcpy(host_gpu_array(to), host_gpu_array(from), (size_t)bytes);
    return rc;
}

pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err)
{
    assert(blocks > 0 && threads > 0 && shared >= 0 && shared <= 48 << 10);
    pm_status rc = answer(HOST_GPU_LAUNCH, err);
    if (rc)
        return rc;
    before_launch();
    void *symbol = dlsym(s->on.handle, kernel);
    if (!symbol)
        return pm_fail(err, PM_EINTERNAL, "%s cannot be loaded", kernel);
    void *cells = memory_of(shared + 8);
    set_turns(s->on.handle);
    host_gpu_state.launch(symbol, kernel, blocks, cells, arguments);
    free(cells);
    return PM_OK;
}

pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err)
{
    (void)s;
    return answer(HOST_GPU_WAIT, err);
}
