/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/fuzz/check_reader.h: what must hold for a reader whatever the bytes are. */
#ifndef PM_CHECK_READER_H
#define PM_CHECK_READER_H

#include <stddef.h>
#include <stdint.h>

#include "pm/io.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Read the bytes as the format (NULL: by content) under several options.  Aborts unless every
 * outcome is a valid matrix that Matrix Market gives back unchanged, or an error of the input
 * with one line that names it. */
void check_reader(const char *format, const uint8_t *bytes, size_t size);

/* The same with these options only. */
void check_reader_options(const pm_read_options *opt, const uint8_t *bytes, size_t size);

#endif
