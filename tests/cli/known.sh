#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Graphs of known families: pm-gen ARGUMENTS | pm-count gives the number of data/counts.tsv, whole,
# turned round, and without reductions.
. "${srcdir:?}/tests/support/tap.sh"
sed '/^#/d; s/	/|/g' "$srcdir/data/counts.tsv" > known.tmp
while IFS='|' read -r arguments want why; do
    for way in '' --transpose; do
        # shellcheck disable=SC2086 # arguments and options are words
        got=$(pm-gen $arguments | pm-count -q $way 2>&1)
        if test "$got" = "$want"; then
            pass "$arguments $way"
        else
            fail "$arguments $way" "$got is not $want ($why)"
        fi
    done
done < known.tmp
rm -f known.tmp
done_testing
