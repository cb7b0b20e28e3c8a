#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What README shows is what the programs print, and the pictures that they draw.
. "${srcdir:?}/tests/support/tap.sh"
. "$srcdir/tests/support/transcript.sh"

replay "$srcdir/README.md"
for picture in "$srcdir"/doc/pictures/*.svg; do
    if there planarity; then
        empty "README.md: ${picture##*/}" "$(cmp "$picture" "$folder/work/${picture##*/}" 2>&1)"
    else
        skip "README.md: ${picture##*/}" "no planarity"
    fi
done
done_testing
