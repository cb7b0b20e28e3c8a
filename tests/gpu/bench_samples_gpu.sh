#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Samples a second of pm-approx on the GPU at hand, with all that belongs to a sample, the start of
# the device not counted: two numbers of samples are timed, and their difference is what counts.
# Best of PM_BENCH_REPEATS (three); beside it the rate that each kernel could reach (doc/measurements.md).
#
# PM_BENCH_PARTS: some of masks lists scalings beams; all by default.  PM_GPUS: how many devices.
: "${PM_GPUS:=1}" "${PM_BENCH_REPEATS:=3}"
scratch=$(mktemp -d) || exit
trap 'rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch
export XDG_CACHE_HOME

if ! pm-count --version | grep -q '^  GPU 0: .*compute'; then
    echo "bench_samples_gpu: there is no GPU here"
    exit
fi

# seconds GRAPH COUNT OPTION...: of drawing so many
seconds()
{
    from=$1 draws=$2
    shift 2
    pm-approx -q -j --backend=cuda --gpus="$PM_GPUS" --samples="$draws" "$@" "$from" \
        > "$scratch/out" 2> "$scratch/err"
    case $? in
    0 | 76) ;;
    *) cat "$scratch/err" >&2 ;;
    esac
    grep -q '"device":"cuda"' "$scratch/out" || echo "not drawn by a GPU: $*" >&2
    sed -n 's/.*"seconds":\([^,]*\),.*/\1/p' "$scratch/out"
}

# The first run compiles.
#
# row NAME GRAPH COUNT TARGET LIMIT OPTION...; target and limit in samples a second, of one GPU
row()
{
    name=$1 graph=$2 count=$3 target=$4 limit=$5
    shift 5
    seconds "$graph" 4 "$@" > "$scratch/first" 2>&1
    for i in $(seq "$PM_BENCH_REPEATS"); do
        echo "$(seconds "$graph" "$((count / 4))" "$@") $(seconds "$graph" "$count" "$@")"
    done | awk -v name="$name" -v count="$count" -v target="$target" -v limit="$limit" \
        -v gpus="$PM_GPUS" '
        $2 > $1 { rate = 0.75 * count / ($2 - $1); if (rate > best) best = rate }
        END { if (best > 0)
                  printf "| %s | %s | %.3g | %.2f |\n", name, target, best, best / (limit * gpus)
              else
                  printf "| %s | %s | failed | |\n", name, target }'
}

masks()
{
    for d in 2 4 8; do
        pm-gen erdos-renyi 40 0.$d --seed=1 --nonsingular > "$scratch/graph"
        for m in rasmussen+ look+ hub+; do
            row "$m, n=40, density .$d" "$scratch/graph" 1000000000 3e8 1.3e9 --method=$m
        done
    done
    row "rasmussen, n=40, density .8" "$scratch/graph" 1000000000 "" 3e9 --method=rasmussen
    pm-gen erdos-renyi 64 0.3 --seed=1 --nonsingular > "$scratch/graph"
    row "rasmussen+, n=64, density .3" "$scratch/graph" 1000000000 "" 5e8 --method=rasmussen+
}

lists()
{
    pm-gen --seed=1 regular 200 4 > "$scratch/graph"
    row "look+, n=200, degree 4" "$scratch/graph" 40000000 "" 2e7 --method=look+
    pm-gen --seed=1 --integer erdos-renyi 40 0.4 --nonsingular > "$scratch/graph"
    row "look+, n=40, density .4, weighted" "$scratch/graph" 100000000 "" 1e8 --method=look+
}

scalings()
{
    for d in 2 4 8; do
        pm-gen erdos-renyi 40 0.$d --seed=1 --nonsingular > "$scratch/graph"
        row "scaling+ 1,5, n=40, density .$d" "$scratch/graph" 40000000 2e7 2.6e7 \
            --method=scaling+ --scale-interval=1 --scale-sweeps=5
        row "scaling++ 2, n=40, density .$d" "$scratch/graph" 40000000 "" 4e7 --method=scaling++ \
            --scale-sweeps=2
    done
    pm-gen --seed=1 regular 200 4 > "$scratch/graph"
    row "scaling++ 5, n=200, degree 4" "$scratch/graph" 4000000 "" 2e6 --method=scaling++
    pm-gen --seed=1 regular 1000 4 > "$scratch/graph"
    row "scaling++ 5, n=1000, degree 4" "$scratch/graph" 40000 "" 8e4 --method=scaling++
}

# A sample is a run.  Limit: every state is read and written at every edge, and once more, with its
# score, where it is thinned, at 4.8e12 bytes a second; 16 w + 16 and 16 w + 24 bytes for w words.
# beam_row NAME STATES RUNS TARGET LIMIT, of the graph
beam_row()
{
    row "beam, $1, K=$2" "$scratch/graph" "$3" "$4" "$5" --method=beam --states="$2"
}

beams()
{
    pm-gen grid 24 24 > "$scratch/graph"
    beam_row "grid 24 x 24" 10000 6400 "" 5400
    beam_row "grid 24 x 24" 100000 640 "" 830
    beam_row "grid 24 x 24" 1000000 64 0.5 210
    pm-gen grid 32 32 > "$scratch/graph"
    beam_row "grid 32 x 32" 10000 6400 "" 2400
    beam_row "grid 32 x 32" 1000000 64 "" 36
    pm-gen regular 100 4 --seed=1 > "$scratch/graph"
    beam_row "n=100, degree 4" 1000000 64 "" 110
    pm-gen grid 200 200 > "$scratch/graph"
    beam_row "grid 200 x 200" 100000 4 "" 2.4
}

pm-count --version | grep '^  GPU'
echo "| samples | target, a second | a second | of the limit |"
echo "|---|---|---|---|"
for part in ${PM_BENCH_PARTS:-masks lists scalings beams}; do
    case $part in
    masks | lists | scalings | beams) $part ;;
    esac
done
