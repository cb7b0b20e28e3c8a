/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for libFuzzer's main: gives each file named on the command line to the target once. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "pm/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* All of the file; NULL when it cannot be read. */
static uint8_t *read_file(const char *path, int64_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    int64_t room = 0;
    *size = 0;
    if (!f)
        return NULL;
    for (;;) {
        if (PM_GROW(bytes, room, *size + BUFSIZ))
            break;
        size_t got = fread(bytes + *size, 1, BUFSIZ, f);
        *size += (int64_t)got;
        if (got < BUFSIZ)
            break;
    }
    if (!feof(f)) {
        free(bytes);
        bytes = NULL;
    }
    fclose(f);
    return bytes;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        int64_t size;
        uint8_t *bytes = read_file(argv[i], &size);
        if (!bytes) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
        LLVMFuzzerTestOneInput(bytes, (size_t)size);
        free(bytes);
    }
    return EXIT_SUCCESS;
}
