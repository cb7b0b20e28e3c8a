#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Microseconds a matrix for many small full matrices in one file, one core, the whole process but its
# start: the fastest of five runs.  Kinds: real, complex, 0/1 and integers of -99 .. 99, as an array
# of NumPy and, real only, as a stream of text.  Then a single matrix, milliseconds of the whole
# process, and the start alone.
#
# Limit of a real kernel: 2^(n-1) terms of n row sums, four vector operations a row sum for eight
# terms, two operations a cycle.
if ! command -v python3 > /dev/null; then
    echo '# small: python3 is not installed'
    exit 0
fi
folder=$(dirname "$0")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
python3 "$folder/small.py" "$scratch"
