#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernels take on the GPU at hand, in seconds on the device without start-up, best of
# three (long ones: of one), the share of its limit that they reach, and seconds to compile and load them the first
# time.  The sparse matrices are those of PM_DATA/card.
#
# Of integers, a multiplication modulo a prime counts as seven operations; the kernels need six, so
# that the share may come out above 1.
#
# PM_GPU_RATE: additions or multiplications of doubles a second that the device could make
# (16.7e12: an H200).  PM_GPUS: how many devices.
: "${PM_GPU_RATE:=16.7e12}" "${PM_GPUS:=1}"
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch
export XDG_CACHE_HOME

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_gpu: there is no GPU here"
    exit
fi

# A full matrix of random numbers: dense N
dense()
{
    awk -v n="$1" 'BEGIN {
        srand(n); print "%%MatrixMarket matrix array real general"; print n, n
        for (i = 0; i < n * n; i++) print rand() - 0.3 }'
}

# one FILE ALGORITHM PRECISION: seconds, seconds to compile, operations
one()
{
    pm-count -j -v -v --backend=cuda --gpus="$PM_GPUS" --reduce=none --algorithm="$2" \
        --precision="$3" "$1" > "$scratch/out" 2> "$scratch/err" || cat "$scratch/err" >&2
    sed -n 's/^pm-count: [^ ]*: \([^ ]*\) seconds on .*, \([^ ]*\) to compile.*/\1 \2/p' \
        "$scratch/err" | tr '\n' ' '
    sed -n 's/.*"plan".*"operations":\([^,]*\).*/\1/p' "$scratch/out"
}

# row NAME TARGET FILE ALGORITHM [PRECISION]
row()
{
    if ! test -f "$3"; then
        echo "| $1 | | not here | | |"
        return
    fi
    for i in 1 2 3; do
        one "$3" "$4" "${5:-kahan}" | tee "$scratch/row"
        awk '$1 > 5 { exit 1 }' "$scratch/row" || break
    done | awk -v name="$1" -v target="$2" -v rate="$PM_GPU_RATE" -v gpus="$PM_GPUS" '
        NR == 1 { compile = $2 }
        best == 0 || $1 < best { best = $1 }
        { operations = $3 }
        END { printf "| %s | %s | %.4g | %.2f | %.2g |\n", name, target, best,
                     operations / (rate * gpus) / best, compile }'
}

pm-count --version | grep '^  GPU'
echo "| work | target | seconds | of the limit | to compile |"
echo "|---|---|---|---|---|"
dense 40 > "$scratch/dense40.mtx"
row "dense real n=40, double" 2.9 "$scratch/dense40.mtx" ryser double
row "dense real n=40, kahan" 2.9 "$scratch/dense40.mtx" ryser kahan
for f in 40_p10:0.0012 40_p20:0.06 40_p30:0.35 40_p40:0.95 40_p50:1.2 48_p10:0.2 48_p20:22 \
    ${PM_BENCH_LONG:+48_p30:125}; do
    row "real_n${f%:*}" "${f#*:}" "$PM_DATA/card/real_n${f%:*}.mtx" product-tree
done
for f in 20:0.1 30:0.6 50:2.5; do
    row "pattern_n40_p${f%:*}, exact" "${f#*:}" "$PM_DATA/card/pattern_n40_p${f%:*}.mtx" \
        product-tree
done
