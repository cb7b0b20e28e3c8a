#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs with random options and inputs (option_lines.py) end as the manual says.
. "${srcdir:?}/tests/support/tap.sh"
. "$srcdir/tests/support/random-inputs.sh"
random_inputs "random options: a documented status, one clear line, no answer with a failure" 200 20000 \
    "command lines" "$srcdir/tests/fuzz/option_lines.py"
done_testing
