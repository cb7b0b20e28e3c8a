/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tool of the build: write_frontier_gpu_text LANES-PARTS-BITS prints the text of those kernels. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "frontier/frontier_gpu_text.h"

int main(int argc, char **argv)
{
    int lanes, parts, bits;
    if (argc != 2 || sscanf(argv[1], "%d-%d-%d", &lanes, &parts, &bits) != 3)
        return EXIT_FAILURE;
    char *text = pm_frontier_text(lanes, parts, bits);
    int failed = !text || fputs(text, stdout) < 0 || fclose(stdout) != 0;
    free(text);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
