#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every corpus, given to its fuzz target; works for libFuzzer builds too.
. "${srcdir:?}/tests/support/tap.sh"

# culprits TARGET FILE...: those that fail alone
culprits()
{
    target=$1
    shift
    for file; do
        out=$("./$target" "$file" 2>&1 < /dev/null) || printf '%s: %s\n' "$file" "$out"
    done
}

for target in ${FUZZ_TARGETS?}; do
    name=${target##*/fuzz_}
    set -- "$srcdir/tests/fuzz/corpus/$name"/*
    if ! test -f "$1"; then
        fail "$name: corpus" "no file in tests/fuzz/corpus/$name"
    elif out=$("./$target" "$@" 2>&1 < /dev/null); then
        pass "$name: $# files"
    else
        fail "$name: $# files" "$out
$(culprits "$target" "$@")"
    fi
done
done_testing
