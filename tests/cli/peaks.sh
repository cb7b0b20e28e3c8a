#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The most memory that programs use for a large pattern with short rows, beside that of a program: at most 24 bytes an edge, but for bounds where
# a spanning forest is needed, or of many blocks.  Vectors below 4 MiB leave holes in the heap, which are some 10 bytes of the smaller graphs, and 2 of
# the large grid, whose bounds ("make check-expensive") take 24 where it has 1e7 edges.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
if ! python3 -c 'import resource, sys; sys.exit(sys.platform != "linux")' 2> "$scratch/why"; then
    skip "peaks of memory" "no Python with Linux's units of memory"
    done_testing
    exit 0
fi
program_bytes=6291456
./pm-gen --seed=1 regular 600000 4 > "$scratch/regular" || exit 99
./pm-gen grid 700 700 > "$scratch/grid" || exit 99
./pm-gen grid 1100 1100 > "$scratch/large grid" || exit 99
./pm-gen --seed=1 planar 600 1000 0.7 > "$scratch/planar" || exit 99
./pm-gen hexagon 600 > "$scratch/hexagon" || exit 99

# peak PROGRAM OPTION...: KiB
peak()
{
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# check PROGRAM GRAPH EDGES BYTES
check()
{
    # shellcheck disable=SC2086 # a program and its options
    all=$(peak ./$1 "$scratch/$2")
    if [ -n "$all" ] && [ $((all * 1024)) -le $(($4 * $3 + program_bytes)) ]; then
        pass "$1, $2: at most $4 bytes an edge"
    else
        fail "$1, $2: at most $4 bytes an edge" "$all KiB for $3 edges"
    fi
}

check 'pm-approx --bounds -t 2' regular 2400000 24
check 'pm-order --scale -t 2' regular 2400000 24
check 'pm-approx --bounds -t 2' grid 978600 35
if [ -n "${PM_EXPENSIVE:-}" ]; then
    check 'pm-approx --bounds -t 2' 'large grid' 2417800 26
fi
check 'pm-order --scale -t 2' 'large grid' 2417800 24
check 'pm-approx --bounds -t 2' planar 928824 38
check 'pm-dm --stats' planar 928824 24
check 'pm-overlap --stats -t 2' hexagon 3238200 24
done_testing
