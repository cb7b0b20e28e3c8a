/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_model.h"

#include <string.h>

#include "core/machine.h"
#include "pm/settings.h"

enum { BOARD = 8 }; /* devices that are connected with each other, in the usual machines */

/* A multiprocessor starts 64 additions of doubles, 128 of floats and 64 multiplications of words in a clock. */
#define MODEL(model, gigahertz, multiprocessor_count, mebibytes, bytes_a_second)                   \
    {                                                                                              \
        .name = model, .major = 9, .minor = 0, .multiprocessors = multiprocessor_count,            \
        .memory = INT64_C(mebibytes) << 20,                                                        \
        .double_rate = gigahertz * 1e9 * 64 * multiprocessor_count,                                \
        .single_rate = gigahertz * 1e9 * 128 * multiprocessor_count,                               \
        .memory_rate = bytes_a_second, .word_rate = gigahertz * 1e9 * 64 * multiprocessor_count,   \
        .shared = PM_GPU_SHARED_BYTES                                                              \
    }

/* Rates from the clocks and the bus widths that the driver reports for such devices: memory at 2619 MHz
 * and 5120 bits, and at 3201 MHz and 6144 bits, both edges of the clock. */
static const pm_gpu_info models[] = {MODEL("h100", 1.98, 132, 81100, 3.352e12),
                                     MODEL("h200", 1.98, 132, 143150, 4.917e12)};
enum { MODELS = sizeof models / sizeof *models };

const char *pm_gpu_model_name(int i)
{
    return i < MODELS ? models[i].name : NULL;
}

const pm_gpu_info *pm_gpu_model_planned(void)
{
    const char *name = pm_settings_get()->planned_gpu;
    for (int i = 0; i < MODELS && name; ++i)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    return NULL;
}

int pm_gpu_model_count(void)
{
    int gpus = pm_settings_get()->planned_gpus;
    return gpus > 1 ? gpus : 1;
}

bool pm_gpu_model_can_spread(int gpus)
{
    return gpus <= BOARD;
}
