/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "check_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const pm_read_options options[] = {
        {.from = "csv", .columns = "2,1", .header = PM_HEADER_YES},
        {.from = "csv", .columns = "b,a", .delimiter = ';', .graph = true},
        {.from = "csv", .columns = "3,1,w", .delimiter = ' ', .duplicates = PM_DUPLICATES_SUM},
        {.from = "csv", .header = PM_HEADER_NO, .duplicates = PM_DUPLICATES_IGNORE},
    };
    check_reader("csv", bytes, size);
    for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
        check_reader_options(&options[k], bytes, size);
    return 0;
}
