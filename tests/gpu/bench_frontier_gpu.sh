#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The frontier on the GPU at hand, best of three: seconds of whole runs, with reading, reductions,
# the search for an order and starting the device; seconds on the device; transitions a second, one
# for each residue; and their share of the limit, one value read for each transition.
#
# PM_BENCH_PARTS: if set, only where it names frontier.
#
# PM_GPU_BYTES: what the device's memory moves in a second (4.8e12: an H200).  PM_GPUS: how many
# devices.
: "${PM_GPU_BYTES:=4.8e12}" "${PM_GPUS:=1}"
case ${PM_BENCH_PARTS:-frontier} in
*frontier*) ;;
*) exit ;;
esac
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch
export XDG_CACHE_HOME

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_frontier_gpu: there is no GPU here"
    exit
fi

# once FILE [--graph]: nanoseconds of the run, seconds on the device, transitions, states
once()
{
    begun=$(date +%s%N)
    pm-count -j -v -v --backend=cuda --gpus="$PM_GPUS" --algorithm=frontier "$@" \
        > "$scratch/out" 2> "$scratch/err" || cat "$scratch/err" >&2
    ended=$(date +%s%N)
    echo "$((ended - begun))" \
        "$(sed -n 's/^pm-count: .*frontier: \([^ ]*\) seconds on .*/\1/p' "$scratch/err")" \
        "$(sed -n 's/.*"plan".*"operations":\([^,]*\),"states":\([^,]*\),.*/\1 \2/p' "$scratch/out")"
}

# row NAME TARGET FILE [BYTES [--graph]]: bytes that a transition moves
row()
{
    if ! test -f "$3"; then
        echo "| $1 | | not here | | | | |"
        return
    fi
    for i in 1 2 3; do
        once "$3" ${5:+"$5"}
    done | awk -v name="$1" -v target="$2" -v rate="$PM_GPU_BYTES" -v gpus="$PM_GPUS" \
        -v bytes="${4:-8}" '
        best == 0 || $1 < best { best = $1 }
        device == 0 || $2 < device { device = $2; operations = $3; states = $4 }
        END { printf "| %s | %s | %.2f | %.4f | %.3g | %.3g | %.2f |\n", name, target, best / 1e9,
                     device, states, operations / device,
                     operations / device * bytes / (rate * gpus) }'
}

pm-count --version | grep '^  GPU'
echo "| work | target | seconds | on the device | largest level | transitions/s | of the limit |"
echo "|---|---|---|---|---|---|---|"
row "er_n40_p20_s2" 1 "$PM_DATA/synthetic/er_n40_p20_s2.mtx"
row "reg4_n60" 2 "$PM_DATA/synthetic/reg4_n60.mtx"
row "can_96" 3 "$PM_DATA/suitesparse/can_96.mtx"
row "er_n45_p20_s1" 5 "$PM_DATA/synthetic/er_n45_p20_s1.mtx"
pm-gen --seed=1 regular 48 6 > "$scratch/graph"
row "n=48, degree 6" "" "$scratch/graph"
pm-gen --seed=1 --integer regular 48 6 > "$scratch/graph"
row "the same with integer weights" "" "$scratch/graph"
pm-gen --seed=1 --real regular 46 6 > "$scratch/graph"
row "n=46, degree 6, real weights" "" "$scratch/graph" 32
# graphs with odd cycles: masks
pm-gen --seed=2 random-graph 64 .13 > "$scratch/graph"
row "general, n=64, density 0.13" "" "$scratch/graph" 8 --graph
pm-gen --seed=1 random-graph 60 .2 > "$scratch/graph"
row "general, n=60, density 0.2" "" "$scratch/graph" 8 --graph
pm-gen --seed=1 --real random-graph 56 .2 > "$scratch/graph"
row "general, n=56, density 0.2, real weights" "" "$scratch/graph" 32 --graph
