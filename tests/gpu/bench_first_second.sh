#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole runs of pm-count on one GPU: the seconds of the first run, which compiles its kernel, and of
# the shortest of PM_BENCH_RUNS (3) later ones, what was predicted for both, and the seconds of the
# kernel.  The choice of the algorithm is automatic.
# PM_DATA: the folder with card/.
: "${PM_BENCH_RUNS:=3}" "${top_builddir:=.}"
PATH=$(cd "$top_builddir" && pwd):$PATH
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
export PATH

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_first_second: there is no GPU here"
    exit
fi

# value KEY FILE: a number of the first object of the file that has the key
value()
{
    sed -n "s/.*\"$1\":\"\{0,1\}\([0-9.e+-]*\).*/\1/p" "$2"
}

now()
{
    date +%s.%N
}

# once FILE OUT: seconds of one run
once()
{
    begun=$(now)
    pm-count -q -j "$1" > "$2" || return
    echo "$begun $(now)" | awk '{ printf "%.3f\n", $2 - $1 }'
}

# row NAME FILE
row()
{
    [ -r "$2" ] || { echo "$1: no matrix, skipped"; return; }
    XDG_CACHE_HOME=$(mktemp -d "$scratch/cache.XXXXXX") || exit
    export XDG_CACHE_HOME
    cold=$(once "$2" "$scratch/cold") || { echo "$1: FAILED"; return; }
    warm=
    for _ in $(seq "$PM_BENCH_RUNS"); do
        warm="$warm $(once "$2" "$scratch/warm")"
    done
    warm=$(echo "$warm" | tr ' ' '\n' | sed '/^$/d' | sort -n | head -n 1)
    printf '%-20s %-13s %7s %7s %7s %7s %9s\n' "$1" \
        "$(sed 's/.*"algorithm":"\([a-z-]*\)".*/\1/' "$scratch/warm")" "$cold" \
        "$(value predicted_seconds "$scratch/cold")" "$warm" \
        "$(value predicted_seconds "$scratch/warm")" "$(value device_seconds "$scratch/warm")"
}

printf '%-20s %-13s %7s %7s %7s %7s %9s\n' matrix algorithm first predicted later predicted kernel
for f in real_n40_p20 real_n40_p30 pattern_n40_p20 pattern_n40_p30; do
    row "$f" "${PM_DATA:-data}/card/$f.mtx"
done
pm-gen cube 6 6 6 > "$scratch/cube.edges"
row 'cube 6 6 6' "$scratch/cube.edges"
awk 'BEGIN {
    srand(40); print "%%MatrixMarket matrix array real general"; print 40, 40
    for (i = 0; i < 1600; i++) print rand() - 0.3 }' > "$scratch/dense40.mtx"
row 'dense n = 40' "$scratch/dense40.mtx"
