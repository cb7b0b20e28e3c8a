#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random inputs of every format, read by pmkit and by slow readers in Python (differential.py): any difference is a
# defect.  In "make check" the inputs are always the same, since a slow reader may be wrong about an input that nobody
# has seen; "make check-expensive" takes new ones.
. "${srcdir:?}/tests/support/tap.sh"
. "$srcdir/tests/support/random-inputs.sh"
random_inputs "all formats are read as slow readers of the manual read them" 400 30000 "inputs of each format" \
    "$srcdir/tests/fuzz/differential.py" ./tests/fuzz/dump_readings

# That a program which fails is noticed: in a subshell, where nothing is counted.
if random_inputs "a program that is not there" 20 20 "inputs" "$srcdir/tests/fuzz/nowhere.py" 2> /dev/null |
    grep -q '^not ok'; then
    pass "a program that fails is no agreement"
else
    fail "a program that fails is no agreement"
fi
done_testing
