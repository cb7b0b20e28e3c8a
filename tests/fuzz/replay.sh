#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every file of every corpus, given to its fuzz target once; works for libFuzzer builds too.
. "${srcdir:?}/tests/support/tap.sh"

for target in ${FUZZ_TARGETS?}; do
    name=${target##*/fuzz_}
    found=
    for file in "$srcdir/tests/fuzz/corpus/$name"/*; do
        test -f "$file" || continue
        found=yes
        if out=$("./$target" "$file" 2>&1 < /dev/null); then
            pass "$name: ${file##*/}"
        else
            fail "$name: ${file##*/}" "$out"
        fi
    done
    test -n "$found" || fail "$name: corpus" "no file in tests/fuzz/corpus/$name"
done
done_testing
