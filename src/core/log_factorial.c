/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/log_factorial.h"

#include <math.h>

double pm_log_factorial(double n)
{
    int sign;
    return lgamma_r(n + 1, &sign);
}
