#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The most memory that programs use for a pattern with short rows, beside that of a program, with any number of threads.  Graphs are as small as the
# figures permit: vectors below 1 MiB leave holes in the heap, and many small blocks take memory of their own (planar).
# The least peak that is seen is that of Python, 14 MB.
# "make check-expensive" has a grid whose vectors are larger.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
if ! python3 -c 'import resource, sys; sys.exit(sys.platform != "linux")' 2> "$scratch/why"; then
    skip "peaks of memory" "no Python with Linux's units of memory"
    done_testing
    exit 0
fi
program_bytes=6291456
./pm-gen --seed=1 regular 530000 4 > "$scratch/regular" || exit 99
./pm-gen grid 450 450 > "$scratch/grid" || exit 99
./pm-gen --seed=1 planar 360 600 0.7 > "$scratch/planar" || exit 99
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

check 'pm-approx --backend=cpu --bounds -t 2' regular 2120000 22
check 'pm-approx --backend=cpu --bounds -t 16' regular 2120000 22
check 'pm-order --scale -t 2' regular 2120000 24
check 'pm-approx --backend=cpu --bounds -t 2' grid 404100 24
check 'pm-approx --backend=cpu --bounds -t 16' grid 404100 25
check 'pm-order --scale -t 2' grid 404100 23
check 'pm-approx --backend=cpu --bounds -t 2' planar 334435 29
check 'pm-dm --stats' planar 334435 26
check 'pm-overlap --stats -t 2' hexagon 3238200 24
check 'pm-overlap -t 2' hexagon 3238200 24
if [ -n "${PM_EXPENSIVE:-}" ]; then
    ./pm-gen grid 700 700 > "$scratch/middle grid" || exit 99
    check 'pm-order --scale -t 2' 'middle grid' 978600 24
    ./pm-gen grid 1100 1100 > "$scratch/large grid" || exit 99
    check 'pm-approx --backend=cpu --bounds -t 2' 'large grid' 2417800 24
    check 'pm-order --scale -t 2' 'large grid' 2417800 24
    ./pm-gen --seed=1 planar 1100 1780 0.7 > "$scratch/large planar" || exit 99
    check 'pm-approx --backend=cpu --bounds -t 2' 'large planar' 3032763 24
    ./pm-gen hexagon 480 > "$scratch/middle hexagon" || exit 99
    check 'pm-approx --backend=cpu --bounds -t 2' 'middle hexagon' 2072160 24
    check 'pm-approx --backend=cpu --bounds -t 16' 'middle hexagon' 2072160 24
    ./pm-gen hexagon 470 > "$scratch/smaller hexagon" || exit 99
    check 'pm-order --scale -t 2' 'smaller hexagon' 1986690 24
fi
done_testing
