/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of what npy_matrices.c and row_builder.c allocate; a test compares them with what is allocated. */
#include "config.h"

#include "arrays/array_memory.h"

#include <inttypes.h>

#include "core/size.h"
#include "io/reading_memory.h"
#include "pm/settings.h"

enum {
    COLUMN = 4, /* of an entry */
    VALUE = 16, /* pm_dyadic */
    START = 8   /* of a row */
};

static int numbers(pm_field field)
{
    return field == PM_PATTERN ? 0 : field == PM_COMPLEX ? 2 : 1;
}

/* Arrays of entries double, so there may be twice as many places. */
static double entry_bytes(int64_t elements, int64_t nrows, pm_field field)
{
    double places = 1;
    while (places < (double)elements)
        places *= 2;
    return places * (COLUMN + VALUE * numbers(field)) + START * (double)nrows;
}

pm_status pm_array_memory_foresee(const pm_byte_source *in, const pm_read_options *opt,
                                  int64_t bytes, int64_t elements, int64_t nrows, pm_field field,
                                  pm_error *err)
{
    if (bytes > in->most(in->context))
        return PM_OK;
    pm_reading_memory_say(in->name, opt, "at most", (double)elements,
                          (double)bytes + entry_bytes(elements, nrows, field));
    const double left = pm_reading_memory_left();
    if ((double)bytes <= left)
        return PM_OK;
    return pm_fail(
        err, PM_UNABLE,
        "%s: refused: to read an array of %" PRId64 " bytes takes at least %s; %s are left%s",
        in->name, bytes, pm_size((double)bytes).s, pm_size(left).s, pm_hint_text(PM_HINT_MEMORY));
}

void pm_array_memory_say_sparse(const char *name, const pm_read_options *opt, int64_t bytes,
                                int64_t entries, int64_t nrows, int64_t ncols, pm_field field)
{
    const pm_reading_shape x = {.entries = (double)entries,
                                .values = numbers(field),
                                .rows = (double)nrows,
                                .cols = (double)ncols};
    pm_reading_memory_say(name, opt, "at most", (double)entries,
                          (double)bytes + pm_reading_memory_likely(&x));
}
