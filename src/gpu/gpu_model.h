/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu_model.h: devices that are not there, for plans.  While pm_settings.planned_gpu names a model,
 * the functions of gpu/gpu.h that describe devices describe devices of this model, and no device of this
 * machine is used: what opens a device must not be called. */
#ifndef PM_GPU_MODEL_H
#define PM_GPU_MODEL_H

#include "gpu/gpu.h"

/* The name of model i = 0, 1, ..., as pm_settings.planned_gpu has it; NULL when there is none. */
const char *pm_gpu_model_name(int i);

/* The model that plans are for; NULL: the devices of this machine. */
const pm_gpu_info *pm_gpu_model_planned(void);
/* How many of them, at least 1. */
int pm_gpu_model_count(void);
/* True if each of so many can access the memory of all others: those of one board. */
bool pm_gpu_model_can_spread(int gpus);

#endif
