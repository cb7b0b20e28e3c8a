/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/host_samples.h"

#include <dlfcn.h>
#include <string.h>

#include "cuda/lanes.h"
#include "cuda/thread_launch.h"
#include "cuda/warp_launch.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/testing.h"

void *array_of(const void *argument)
{
    return host_gpu_array(*(const pm_gpu_array *)argument);
}

void host_samples(void *symbol, const char *kernel, int64_t blocks, void *shared, void **arguments)
{
    (void)shared;
    uint64_t first = *(uint64_t *)arguments[1], from = *(uint64_t *)arguments[2];
    if (strcmp(kernel, "pm_thread_samples_run") == 0) {
        void (*run)(const pm_thread_launch *, uint64_t, int64_t, pm_batch_sums *,
                    pm_large_weights *);
        memcpy(&run, &symbol, sizeof run);
        run(arguments[0], first, blocks, array_of(arguments[2]), array_of(arguments[3]));
    } else {
        void (*run)(const pm_warp_launch *, const char *, uint64_t, int64_t, pm_wide_product *);
        int64_t count = *(int64_t *)arguments[3];
        assert_string_equal(kernel, "pm_warp_samples_run");
        assert_true(blocks <= count && 4 * blocks >= count);
        memcpy(&run, &symbol, sizeof run);
        run(arguments[0], array_of(arguments[1]), from, count, array_of(arguments[4]));
    }
}

uint64_t warp_bytes_of_text(const char *text)
{
    uint64_t (*of)(void);
    void *library = kept_text_load(kept_text(text));
    assert_non_null(library);
    void *symbol = dlsym(library, "pm_warp_bytes");
    assert_non_null(symbol);
    memcpy(&of, &symbol, sizeof of);
    uint64_t bytes = of();
    dlclose(library);
    return bytes;
}
