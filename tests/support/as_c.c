/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/as_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool compile_object(const char *compiler, int level, const char *text, const char *folder,
                    const char *object)
{
    char source[96], command[512];
    snprintf(source, sizeof source, "%s/kernel.c", folder);
    FILE *f = fopen(source, "w");
    if (!f)
        return false;
    fprintf(f, "#include <math.h>\n%s", text);
    bool is_good = fclose(f) == 0;
    snprintf(command, sizeof command,
             "%s -w -std=gnu17 -O%d -ffp-contract=off -shared -fPIC -o %s %s -lm", compiler, level,
             object, source);
    is_good = is_good && system(command) == 0;
    unlink(source);
    return is_good;
}
