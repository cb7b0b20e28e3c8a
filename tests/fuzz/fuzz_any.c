/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes: by content, gzip and igraph's formats too. */
#include "config.h"

#include "check_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_reader(NULL, bytes, size);
    return 0;
}
