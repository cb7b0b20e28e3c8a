/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "check_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_reader("npz", bytes, size);
    return 0;
}
